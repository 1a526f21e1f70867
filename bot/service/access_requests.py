"""A stranger asks for access, and what administrators decide about it, as values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from bot.service.keys import PeerId

Outcome = Literal["allowed", "refused"]
"""What an administrator decided. A refusal closes nothing: it only ends the request; `/deny` closes."""

RequestStatus = Literal["new", "waiting", "declined", "too many"]
"""The status of a request for access.

`new`: administrators are told. `waiting`: an earlier request is undecided. `declined`: it was refused a short
time ago. `too many`: the daily limit is reached, so administrators are not told.
"""

MOST_A_DAY: Final = 30
"""Requests of all strangers that administrators are told of within 24 hours: more is a flood, not a team."""


@dataclass(frozen=True, slots=True)
class AccessRequest:
    """A request for access."""

    user_id: PeerId
    outcome: Outcome | None = None
    decided_by: PeerId | None = None
