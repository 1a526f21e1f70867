"""The bot's commands in one process, for tests: a fake server, real stores and documents, no model."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Collection, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from bot.app import App
from bot.conversations.memory import ConversationMemory
from bot.documents.library import Library
from bot.jobs.plain import plain_job
from bot.jobs.runner import Jobs as DurableJobs
from bot.jobs.values import DeadLetter, Job, JobState, Kept
from bot.parts import Parts, policy
from bot.service.access import Access
from bot.service.councils import Councils
from bot.service.incoming import Asked, Commanded, Incoming, Me, Pressed
from bot.service.keys import PeerId
from bot.service.logins import Logins
from bot.service.owner_claim import Claim
from bot.service.runs import Runs
from bot.settings.tree import Settings
from bot.statistics.values import Circumstances
from bot.storage.answered import StoredAnswers
from bot.storage.arrivals import StoredArrivals
from bot.storage.chats import Chats
from bot.storage.conversation_figures import StoredFigures
from bot.storage.conversations import StoredConversations
from bot.storage.database import open_database
from bot.storage.document_sets import StoredDocumentSets
from bot.storage.logins import StoredLogins
from bot.storage.notices import Notices
from bot.storage.run_events import StoredRuns
from bot.storage.sent_messages import SentMessages
from bot.storage.spent import Spent
from bot.storage.users import Users
from bot.telegram.access_requests import REQUEST
from bot.telegram.buttons.dispatch import Buttons
from bot.telegram.commands.dispatch import Commands
from bot.telegram.connection import open_bot
from bot.telegram.ids import to_peer
from bot.telegram.inbound.parsing import parse_raw_update
from bot.telegram.menus import Menus
from bot.telegram.outbound.retries import Patience
from bot.telegram.outbound.sender import Delivery
from bot.telegram.rendering import Part
from bot.telegram.services import Services
from rag.models.roles import ModelStatus
from rag.reasons import Reason, as_written
from rag.runs.run import RunStep
from rag.values import Answer, Label, Savings, Usage, Verdict
from tests.support.channel import UNLIMITED, direct
from tests.support.interviews import held_in
from tests.support.knowledge import Workshop, make_workshop
from tests.telegram.chats import Chat, Message
from tests.telegram.people import Person, Sent
from tests.telegram.server import FakeTelegram

OWNER = 1

LANGUAGES = ("en", "es", "id", "ko", "ru", "zh")

HANDBOOK = {
    "fxstore": "# FxStore\n\nFxStore needs Java 17. It listens on port 8443.\n",
    "backup": "# Backup\n\nThe backup of FxStore runs every night at 02:30.\n",
}


@dataclass
class Jobs:
    trouble: Reason | None = None
    letters: tuple[DeadLetter, ...] = ()
    cancelled: list[str] = field(default_factory=list)
    submitted: list[Job] = field(default_factory=list)
    together: Callable[[], AbstractAsyncContextManager[None]] = nullcontext

    async def cancel(self, job_id: str) -> bool:
        self.cancelled.append(job_id)
        return True

    async def submit(self, job: Job) -> bool:
        if any(known.id == job.id for known in self.submitted):
            return False
        self.submitted.append(job)
        return True

    async def state(self, job_id: str) -> JobState | None:
        return None

    async def dead_letters(self, limit: int = 100) -> tuple[DeadLetter, ...]:
        return self.letters[:limit]


@dataclass
class Records:
    """Personal data in the record of jobs; empty, unless a test fills it."""

    held: dict[str, tuple[Kept, ...]] = field(default_factory=dict)
    erased: list[tuple[str, set[str]]] = field(default_factory=list)

    async def count(self, person: str) -> int:
        return len(self.held.get(person, ()))

    async def kept(self, person: str) -> tuple[Kept, ...]:
        return self.held.get(person, ())

    async def texts(self, person: str) -> dict[str, str]:
        return {job.id: json.dumps(plain_job(job)) for job in self.held.get(person, ())}

    async def forget(self, person: str, job_ids: Collection[str]) -> None:
        self.held[person] = tuple(job for job in self.held.get(person, ()) if job.id not in job_ids)

    async def erase(self, person: str, lanes: Collection[str]) -> None:
        self.erased.append((person, set(lanes)))
        self.held.pop(person, None)


@dataclass
class Clock:
    """The real clock, which a test can set forward."""

    ahead: timedelta = timedelta(0)

    def __call__(self) -> datetime:
        return datetime.now(UTC) + self.ahead


@dataclass
class Surroundings:
    models: Sequence[ModelStatus] = (ModelStatus("writer", "openai:test", "http://127.0.0.1:1", True, None),)
    menus: list[PeerId] = field(default_factory=list)

    def follow_role(self, user_id: PeerId, *, is_admin: bool) -> None:
        self.menus.append(user_id)


@dataclass
class Desk:
    telegram: FakeTelegram
    services: Services
    commands: Commands
    buttons: Buttons
    workshop: Workshop
    jobs: Jobs
    records: Records
    clock: Clock
    around: Surroundings
    claim: Claim
    owner: Person
    office: Chat

    def means(self, sent: Sent) -> Incoming:
        assert sent.update is not None, "the bot is not told about this"
        return parse_raw_update(sent.update.wire(), self.services.me)

    async def handle(self, sent: Sent, run_step: RunStep = direct) -> None:
        """Carry out a command or a press; do nothing for any other update."""
        incoming = self.means(sent)
        if isinstance(incoming, Commanded):
            await self.commands(incoming, run_step)
        elif isinstance(incoming, Pressed):
            await self.buttons(incoming, run_step)

    async def work(self) -> None:
        while self.jobs.submitted:
            job = self.jobs.submitted.pop(0)
            assert job.kind == REQUEST, job
            await self.services.access_requests.tell(job.payload, direct)

    async def says(self, person: Person, chat: Chat, text: str, **options: Any) -> Message:
        """Send a command and return the last message of the bot."""
        await self.handle(person.says(chat, text, **options))
        return chat.answers[-1]

    async def presses(self, person: Person, message: Message, label: str = "", **options: Any) -> str:
        """Press a button and return the alert that the presser sees, or an empty text."""
        await self.handle(person.presses(message, label, **options))
        return message.chat.presses[-1].alert or ""

    async def ask(self, text: str) -> Message:
        return await self.says(self.owner, self.office, text)

    def person(self, name: str = "Ann", **fields: Any) -> tuple[Person, Chat]:
        person = self.telegram.user(name, **{"language_code": "en", **fields})
        return person, self.telegram.private(person)

    async def documents(self) -> set[str]:
        return {entry.name for entry in await self.services.parts.library.entries() if entry.documents}


Opened = Callable[..., AbstractAsyncContextManager[Desk]]
"""What opens a desk with the settings that are given as arguments."""


async def answered(
    d: Desk, person: Person, chat: Chat, question: str, label: Label = "verified", number: int = 1
) -> None:
    answer = Answer(
        question=question,
        text="FxStore needs Java 17 [1].",
        label=label,
        language="en",
        verdict=Verdict("adequate", as_written("r"), 0.9, "evidence"),
        citations=(),
        passages=(),
        used_documents=label == "verified",
        retries=0,
        usage=Usage(2, 300, 40, 1.0, 0.5, by_role={"draft": Usage(2, 300, 40, 1.0, 0.5)}),
        seconds=1.0,
        trace=(),
        savings=Savings(1, 300, {"evidence": Savings(1, 300)}),
    )
    key, conversation = f"{person.id}/{number}", f"telegram:{chat.id}:0"
    await d.services.parts.memory.remember(
        conversation, question, answer, user_key=f"telegram:{person.id}", exchange=key
    )
    await d.services.parts.answers.record(
        answer, Circumstances("telegram", conversation, f"telegram:{person.id}", 2.0, key)
    )


async def waiting(d: Desk, person: Person, chat: Chat, text: str = "Which Java?") -> str:
    """Let a person wait for an answer; return the id of the work."""
    asked = d.means(person.says(chat, text))
    assert isinstance(asked, Asked)
    ask = await d.services.asks.accept(asked, f"work-{asked.message.update_id}", "running")
    message_id = await d.services.delivery.send(asked.message.place, Part("⏳"))
    await d.services.asks.set_placeholder(ask.id, to_peer(chat.id), message_id)
    return ask.workflow_id


def code_in(message: Message) -> list[str]:
    wide = message.text.encode("utf-16-le")
    return [
        wide[2 * entity["offset"] : 2 * (entity["offset"] + entity["length"])].decode("utf-16-le")
        for entity in message.entities
        if entity["type"] == "code"
    ]


@asynccontextmanager
async def open_desk(
    folder: Path, monkeypatch: pytest.MonkeyPatch, patience: float = 5.0, **settings: Any
) -> AsyncIterator[Desk]:
    """Open the commands over an indexed handbook; `/add` waits `patience` seconds for another sync."""
    workshop = make_workshop(folder, monkeypatch)
    workshop.write(**HANDBOOK)
    given = Settings.load(
        data_dir=workshop.data,
        corpus=(workshop.corpus,),
        **{"admins": (OWNER,), "telegram": {"token": "1:token-of-nobody"}, **settings},
    )
    clock, jobs, records, claim, around = Clock(), Jobs(), Records(), Claim(), Surroundings()
    # Personal jobs are read from the database of the durable runner.
    monkeypatch.setattr("bot.talk.desk.PersonalJobs", lambda _jobs: records)
    library = Library(given, workshop.data, clock, patience)
    await library.sync("the start")
    async with (
        FakeTelegram() as telegram,
        open_database(workshop.data) as database,
        open_bot(telegram.token, telegram.url) as bot,
    ):
        chats, users, notices = Chats(database), Users(database), Notices(database)
        access = Access(users, chats, notices, policy(given), claim)
        memory = ConversationMemory(StoredConversations(database), _no_summary, 20)
        stored_runs, arrivals = StoredRuns(database), StoredArrivals(database)
        interviews, _ = held_in(database, clock=clock)
        models = SimpleNamespace(describe=_make_returning(lambda: around.models))
        parts = Parts(
            cast("App", SimpleNamespace(settings=given, models=models)),
            database,
            users,
            chats,
            notices,
            StoredAnswers(database),
            access,
            Logins(StoredLogins(database), timedelta(hours=1)),
            memory,
            StoredFigures(database),
            library,
            stored_runs,
            Runs(stored_runs),
            arrivals,
            Spent(database),
            StoredDocumentSets(database),
            Councils(given.council, arrivals, chats, access),
            interviews,
        )
        services = Services(
            parts,
            bot,
            Me(telegram.bot.id, telegram.bot.username, telegram.bot.name),
            cast("DurableJobs", jobs),
            Delivery(
                bot, chats, SentMessages(database), rates=UNLIMITED, patience=Patience(8, 0.01, 0.05, 0.05)
            ),
            cast("Menus", around),
            clock,
        )
        owner = telegram.user("Olga", id=OWNER, language_code="en")
        try:
            yield Desk(
                telegram, services, Commands(services), Buttons(services), workshop, jobs, records, clock, around, claim,
                owner, telegram.private(owner),
            )  # fmt: skip
        finally:
            await memory.aclose()


async def _no_summary(summary: str, turns: object, language: str) -> str:
    return ""


def _make_returning(value: Callable[[], Any]) -> Callable[[], Any]:
    async def returned() -> Any:
        await asyncio.sleep(0)
        return value()

    return returned
