"""The running parts that the bot's commands use, in one value."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

from bot import health
from bot.clock import utcnow
from bot.service.keys import PeerId
from bot.storage.erasure import Work

if TYPE_CHECKING:
    from bot.conversations.memory import ConversationMemory
    from bot.documents.library import Library
    from bot.fleet.machines import Machine
    from bot.jobs.values import Kept
    from bot.service.access import Access
    from bot.service.incoming import Me
    from bot.service.interview_deletion import InterviewDeletion
    from bot.service.interviews import Interviews
    from bot.service.limits import Limits
    from bot.service.passed_questions import PassedQuestions
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


class Jobs(health.Jobs, Protocol):
    """Cancels jobs; `bot.jobs.runner.Jobs` implements it."""

    async def cancel(self, job_id: str) -> bool:
        """Cancel a job for good; return whether it was still waiting or running."""
        ...


class PersonalJobs(Work, Protocol):
    """Personal data in the record of jobs; see `bot.jobs.personal.PersonalJobs`."""

    async def kept(self, person: str) -> tuple[Kept, ...]:
        """Return the recorded jobs of a person, oldest first."""
        ...


async def _nothing(_user_id: PeerId) -> None:
    pass


@dataclass(frozen=True, slots=True)
class Services:
    """The running parts.

    Args:
        me: The bot.
        settings: The settings.
        delivery: Sends to Telegram.
        chats: Stored chats.
        users: Stored people.
        asks: Questions, with the states of their answers.
        confirmations: Commands that wait for a confirmation.
        access: Decides who may do what.
        access_requests: Requests of strangers for access, and the decisions on them.
        limits: Counts questions and commands against the limits.
        memory: Conversations.
        answers: Answered questions, with ratings and statistics.
        privacy: Exports and erases the stored data of a person.
        personal_jobs: Exports and erases the recorded jobs of a person.
        library: The documents.
        document_sets: The document sets, and which chat uses which.
        passed: Passes questions on to the people who know.
        jobs: Cancels jobs.
        showing: Carries out `/why` and `/sources`.
        stopping: Carries out `/stop`.
        interviews: Holds interviews.
        interview_deletion: Deletes interviews.
        spent: Adds up the tokens of interviews.
        screen: Shows interviews in chats.
        models: Returns the state of every model.
        backlog: Returns how many updates wait at Telegram; raises `TelegramError`.
        machines: Returns the machines of the fleet; None: this machine is alone.
        console_link: Makes a login link to the console for a user id; None: there is no console.
        role_changed: Called with the id of a person whose role has changed, to update the person's menu.
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
    passed: PassedQuestions
    jobs: Jobs
    showing: Showing
    stopping: Stopping
    interviews: Interviews
    interview_deletion: InterviewDeletion
    spent: Spent
    screen: InterviewScreen
    models: Callable[[], Awaitable[Sequence[ModelStatus]]]
    backlog: Callable[[], Awaitable[int]]
    machines: Callable[[], Awaitable[Sequence[Machine]]] | None = None
    console_link: Callable[[PeerId], Awaitable[str]] | None = None
    role_changed: Callable[[PeerId], Awaitable[None]] = _nothing
    started_at: datetime = field(default_factory=utcnow)
    clock: Callable[[], datetime] = utcnow
