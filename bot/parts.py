"""Builds the parts that all channels of the running program share.

A single `Runs` must record the events of all runs, so that a browser sees runs from Telegram at once.
Likewise all channels share one memory of conversations and one library of documents.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from bot.app import App, conversation_memory, stored_interviews
from bot.conversations.memory import ConversationMemory
from bot.documents.library import Library
from bot.fleet.machines import Machine, Machines
from bot.jobs.runner import Jobs
from bot.jobs.values import Job
from bot.service import keys
from bot.service.access import Access
from bot.service.councils import Councils
from bot.service.interviews import Interviews
from bot.service.keys import PeerId
from bot.service.logins import Logins
from bot.service.owner_claim import Claim
from bot.service.passed_questions import PassedQuestions
from bot.service.rights import Policy
from bot.service.runs import Runs
from bot.service.stores import Stores
from bot.settings.tree import Settings
from bot.storage.answered import StoredAnswers
from bot.storage.arrivals import StoredArrivals
from bot.storage.asks import Asks
from bot.storage.chats import Chats
from bot.storage.conversation_figures import StoredFigures
from bot.storage.database import Database
from bot.storage.document_sets import StoredDocumentSets
from bot.storage.interviews import StoredInterviews
from bot.storage.logins import StoredLogins
from bot.storage.notices import Notices
from bot.storage.passed_questions import StoredPassedQuestions
from bot.storage.run_events import StoredRuns
from bot.storage.spent import Spent
from bot.storage.users import Users

ANSWERS_ARE_KNOWN: Final = timedelta(days=90)
"""How long a chat knows which message answers which question."""

_WORK_IS_KNOWN: Final = timedelta(hours=25)
"""A question without a job gets none after this time: Telegram repeats an update for 24 hours."""


@dataclass(frozen=True, slots=True)
class Parts:
    """The shared parts."""

    app: App
    database: Database
    users: Users
    chats: Chats
    notices: Notices
    answers: StoredAnswers
    access: Access
    logins: Logins
    memory: ConversationMemory
    conversations: StoredFigures
    library: Library
    stored_runs: StoredRuns
    runs: Runs
    arrivals: StoredArrivals
    spent: Spent
    document_sets: StoredDocumentSets
    councils: Councils
    interviews: Interviews

    def passed_questions(self, jobs: Jobs) -> PassedQuestions:
        """Return what passes questions on to the people who know; `jobs` records its work."""
        rules = self.settings.access

        async def submit(job_id: str, kind: str, payload: str, person: PeerId) -> None:
            await jobs.submit(Job(job_id, kind, payload, person=person))

        return PassedQuestions(
            StoredPassedQuestions(self.database),
            self.memory,
            self.runs,
            self.users,
            self.document_sets.name_of_chat,
            rules.experts,
            submit,
            jobs.together,
            are_named=rules.experts_are_named,
        )

    @property
    def settings(self) -> Settings:
        """Return all settings."""
        return self.app.settings

    @property
    def machines(self) -> Callable[[], Awaitable[Sequence[Machine]]] | None:
        """Return what lists the machines of the fleet; None: this machine is alone."""
        return Machines(self.database).list if self.database.is_server else None

    def stores(self, asks: Asks) -> Stores:
        """Return the repositories as the service uses them for a channel that talks in chats."""
        return Stores(
            self.memory,
            asks,
            self.chats,
            self.users,
            self.answers,
            self.notices,
            self.runs,
            self.document_sets,
            self.spent,
            self.database.together,
            self.database.after_commit,
        )

    async def forget(self, jobs: Jobs) -> None:
        """Delete what is out of date; raise `StorageError` if the database cannot be used."""
        asks = Asks(self.database)
        await asks.expire(_WORK_IS_KNOWN, jobs.is_at_work)
        await asks.prune(ANSWERS_ARE_KNOWN)
        await self.notices.prune()
        await self.arrivals.prune()
        await self.spent.prune()
        days = self.settings.keep_conversations_days
        await StoredInterviews(self.database).prune(timedelta(days=days) if days else None)
        await StoredLogins(self.database).prune()


@asynccontextmanager
async def open_parts(app: App, database: Database, claim: Claim) -> AsyncIterator[Parts]:
    """Build the shared parts; in the end, record the events that still wait for it."""
    settings = app.settings
    users, chats, notices = Users(database), Chats(database), Notices(database)
    stored_runs = StoredRuns(database)
    runs = Runs(stored_runs)
    access = Access(
        users, chats, notices, policy(settings), claim, timedelta(minutes=settings.access.notice_minutes)
    )
    arrivals, spent = StoredArrivals(database), Spent(database)
    interviews = await stored_interviews(settings, app.engine, database)
    async with conversation_memory(app, database) as memory, runs.opened():
        yield Parts(
            app,
            database,
            users,
            chats,
            notices,
            StoredAnswers(database),
            access,
            Logins(StoredLogins(database), timedelta(hours=settings.console.session_hours)),
            memory,
            StoredFigures(database),
            app.library,
            stored_runs,
            runs,
            arrivals,
            spent,
            StoredDocumentSets(database),
            Councils(settings.council, arrivals, chats, access),
            interviews,
        )


def policy(settings: Settings) -> Policy:
    """Return the settings of access; without Telegram, the person who runs the program is an owner too."""
    rules = settings.access
    owners = {keys.peer("telegram", str(number)) for number in settings.admins}
    if not settings.has_bot:
        owners.add(keys.LOCAL_OWNER)
    return Policy(rules.mode, frozenset(owners), rules.anonymous_admins, rules.channels)
