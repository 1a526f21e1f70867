"""Ports of the interviews towards the engine and the store, and the refusals of a request."""

from __future__ import annotations

from typing import Protocol

from bot.service.interview_values import Session, Stored, Used
from rag.errors import InputError
from rag.interview.events import InterviewEvent
from rag.runs.work import RunStep, Work


class InterviewUnknownError(InputError):
    """There is no such interview, or it is somebody else's."""


class InterviewOverError(InputError):
    """An interview that was closed takes no further message, check or undo."""


class InterviewLimitError(InputError):
    """A limit on interviews is used up."""


class InterviewBusyError(InputError):
    """Others changed the interview at the same time, again and again."""


class StepsOffError(InputError):
    """Single steps are switched off."""


class Engine(Protocol):
    """Asks models; `rag.engine.AnswerEngine` fulfils it."""

    def open_interview_work(self, run_step: RunStep | None = None) -> Work:
        """Return what one turn asks models with."""
        ...


class Sessions(Protocol):
    """Stores interviews; see `bot.storage.interviews.StoredInterviews`."""

    async def create(self, session: Session, first: tuple[Stored, ...]) -> bool:
        """Keep a new session with its first events; say whether it is new."""
        ...

    async def get(self, owner: str, session_id: str) -> Session | None:
        """Return a session of a person; somebody else's is not found."""
        ...

    async def latest(
        self, owner: str, conversation_id: str, *, pack: str = "", is_open: bool | None = None
    ) -> Session | None:
        """Return the most recently used session of a conversation."""
        ...

    async def sessions(self, owner: str, conversation_id: str, limit: int) -> tuple[Session, ...]:
        """Return the sessions of a conversation, the most recently used first."""
        ...

    async def events(self, session_id: str, limit: int | None = None) -> tuple[InterviewEvent, ...]:
        """Return the first events of a session."""
        ...

    async def find(self, session_id: str, key: str) -> int | None:
        """Return where the event with a key stands, or None."""
        ...

    async def append(self, session: Session, seq: int, stored: Stored) -> int | None:
        """Add an event behind `seq` others; return where its key stands, or None for a conflict."""
        ...

    async def delete(self, owner: str, session_id: str) -> None:
        """Delete a session of a person with its events; do nothing if it does not exist."""
        ...

    async def touch(self, session_id: str, *, is_closed: bool | None = None) -> None:
        """Record that somebody used a session, closed it, or opened it again."""
        ...

    async def set_summary(self, session_id: str, message_id: int) -> None:
        """Keep which message shows what is known."""
        ...

    async def used(self, session: Session | None, owner: str) -> Used:
        """Return what a person has used today, and a session in all."""
        ...
