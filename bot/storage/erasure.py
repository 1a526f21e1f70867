"""Counts and erases what is kept of a person: in tables, in recorded jobs, and in the logs of the files."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection
from pathlib import Path
from typing import Protocol

from bot.service.keys import PeerId
from bot.storage.privacy import Privacy
from bot.storage.write_ahead_logs import erase_from_logs


class Work(Protocol):
    """The record of jobs of a person; `bot.jobs.personal.PersonalJobs` implements it."""

    async def count(self, person: str) -> int:
        """Return the number of recorded jobs of a person."""
        ...

    async def erase(self, person: str, lanes: Collection[str]) -> None:
        """Cancel a person's jobs and delete their records; in these lanes, the jobs of everybody."""
        ...


async def count_kept(privacy: Privacy, work: Work, user_id: PeerId) -> dict[str, int]:
    """Return the numbers of stored items of a person, by the value names of the catalogue messages."""
    kept, jobs = await privacy.count(user_id), await work.count(user_id)
    return {"messages": kept.messages, "questions": kept.questions, "others": kept.others, "jobs": jobs}


async def erase_person(
    privacy: Privacy, work: Work, user_id: PeerId, reset: Callable[[], Awaitable[None]], folder: Path
) -> None:
    """Erase everything of a person whose open questions have been stopped; again, nothing is left to erase.

    `reset` deletes the conversation in which the person asks for it, and stops its summary.
    """
    # Before the conversations, which say in which chats the person has written.
    await work.erase(user_id, await privacy.lanes(user_id))
    await reset()
    await privacy.erase(user_id)
    await erase_from_logs(folder)
