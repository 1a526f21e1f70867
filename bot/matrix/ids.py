"""Ids of Matrix as the service knows them.

A person and the private room with this person have one id, so that access, erasure and history treat them
as they do elsewhere. The service numbers messages and topics; Matrix names events with words, so a number is
made of the name. The way back, to the event that the bot has sent, goes through the record of its job.
"""

from __future__ import annotations

import hashlib
from typing import Final

from bot.service.keys import PeerId, on_matrix

_NUMBERS: Final = 10**18
"""Keys of conversations hold numbers of up to 18 digits."""


def peer(name: str) -> PeerId:
    """Return the id of a person or a room; raises `ValueError` where there can be none."""
    known = on_matrix(name)
    if known is None:
        raise ValueError("no id of Matrix, or one that is too long")
    return known


def number(name: str) -> int:
    """Return the number of an event, or of a room as a topic; never 0, which stands for no topic."""
    return int.from_bytes(hashlib.sha256(name.encode("utf-8", "replace")).digest()[:8]) % (_NUMBERS - 1) + 1


def job_id(event_id: str, edits: int = 0) -> str:
    """Return the id of the job for an event; `edits` counts the changed texts of a question."""
    return _numbered(number(event_id), edits)


def next_job_id(workflow_id: str) -> str:
    """Return the id of the job for the next text of a question that a job answers."""
    _, event, *edits = workflow_id.split(":")
    return _numbered(int(event), int(edits[0]) + 1 if edits else 1)


def job_ids(workflow_id: str) -> list[str]:
    """Return the ids of the jobs for all texts of a question, the newest first."""
    _, event, *edits = workflow_id.split(":")
    newest = int(edits[0]) if edits else 0
    return [_numbered(int(event), edit) for edit in range(newest, -1, -1)]


def _numbered(event: int, edits: int) -> str:
    return f"mx:{event}:{edits}" if edits else f"mx:{event}"
