"""What the bot's commands work with: every running part in one value."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

from bot.clock import utcnow
from rag.reasons import Reason

if TYPE_CHECKING:
    from bot.conversations.memory import ConversationMemory
    from bot.documents.library import Library
    from bot.jobs.values import DeadLetter, Kept
    from bot.service.access import Access
    from bot.service.incoming import Me
    from bot.service.interviews import Interviews
    from bot.service.limits import Limits
    from bot.service.spending import Spent
    from bot.service.stopping import Stopping
    from bot.settings.tree import Settings
    from bot.storage.answered import StoredAnswers
    from bot.storage.asks import Asks
    from bot.storage.chats import Chats
    from bot.storage.confirmations import Confirmations
    from bot.storage.document_sets import StoredDocumentSets
    from bot.storage.privacy import Privacy
    from bot.storage.users import Users
    from bot.telegram.access_requests import AccessRequests
    from bot.telegram.buttons.explanations import Showing
    from bot.telegram.interviews import InterviewScreen
    from bot.telegram.outbound.sender import Delivery
    from rag.models.roles import ModelStatus


class Jobs(Protocol):
    """The work in progress; `bot.jobs.runner.Jobs` fulfils it."""

    @property
    def trouble(self) -> Reason | None:
        """Why nothing can be recorded at the moment; None when all is well."""
        ...

    async def cancel(self, job_id: str) -> bool:
        """Stop a job for good; say whether there was something to stop."""
        ...

    async def dead_letters(self, limit: int = 100) -> tuple[DeadLetter, ...]:
        """Return the jobs that were given up, newest first."""
        ...


class PersonalJobs(Protocol):
    """What the record of work holds of people; see `bot.jobs.personal.PersonalJobs`."""

    async def count(self, person: str) -> int:
        """Return of how many jobs something is kept."""
        ...

    async def kept(self, person: str) -> tuple[Kept, ...]:
        """Return what is kept of a person's jobs, oldest first."""
        ...

    async def erase(self, person: str, lanes: Collection[str]) -> None:
        """Stop a person's jobs and forget what is kept of them; in these lanes, of everybody's."""
        ...


async def _nothing(_user_id: int) -> None:
    pass


@dataclass(frozen=True, slots=True)
class Services:
    """The running parts.

    Args:
        me: The bot.
        settings: The settings.
        delivery: The way out.
        chats: What is kept of chats.
        users: What is kept of people.
        asks: Questions, and where their answers stand.
        confirmations: Commands that wait for a yes.
        access: Who may do what.
        access_requests: What strangers ask for, and what was decided.
        limits: How much of it.
        memory: Conversations.
        answers: What came of questions.
        privacy: Shows and erases what is kept of a person.
        personal_jobs: The same for the record of work.
        library: The documents.
        document_sets: Which of them each chat may be answered from.
        jobs: The work in progress.
        showing: Carries out `/why` and `/sources`.
        stopping: Carries out `/stop`.
        interviews: Holds interviews.
        spent: Adds up what they take.
        screen: Shows them.
        models: Returns the state of every model.
        backlog: Returns how many updates wait at Telegram; it raises `TelegramError`.
        console_link: Makes a link that logs somebody in to the console; None: there is no console.
        role_changed: Told who got or lost a role, so that their menu follows.
        started_at: When the process began.
        clock: Tells the time.
    """

    me: Me
    settings: Settings
    delivery: Delivery
    chats: Chats
    users: Users
    asks: Asks
    confirmations: Confirmations
    access: Access
    access_requests: AccessRequests
    limits: Limits
    memory: ConversationMemory
    answers: StoredAnswers
    privacy: Privacy
    personal_jobs: PersonalJobs
    library: Library
    document_sets: StoredDocumentSets
    jobs: Jobs
    showing: Showing
    stopping: Stopping
    interviews: Interviews
    spent: Spent
    screen: InterviewScreen
    models: Callable[[], Awaitable[Sequence[ModelStatus]]]
    backlog: Callable[[], Awaitable[int]]
    console_link: Callable[[int], Awaitable[str]] | None = None
    role_changed: Callable[[int], Awaitable[None]] = _nothing
    started_at: datetime = field(default_factory=utcnow)
    clock: Callable[[], datetime] = utcnow
