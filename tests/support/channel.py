"""The Telegram channel in one process, for tests: a fake server, real stores, a scripted model."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from bot.clock import utcnow
from bot.conversations.memory import ConversationMemory
from bot.documents.library import Library
from bot.jobs.values import Job, JobState, Work
from bot.service.admission import REFUSAL, Reception
from bot.service.answering import Answering
from bot.service.explanations import Explanations
from bot.service.incoming import (
    Asked,
    Commanded,
    Incoming,
    Me,
    Overheard,
    Place,
    Pressed,
    Sender,
    StoppedWatching,
    Unreadable,
)
from bot.service.keys import PeerId
from bot.service.people import Refusal, Role
from bot.service.runs import Runs
from bot.service.stopping import Stopping
from bot.service.stores import Stores
from bot.settings.tree import Settings
from bot.storage.answered import StoredAnswers
from bot.storage.asks import Asks
from bot.storage.chats import Chats
from bot.storage.conversations import StoredConversations
from bot.storage.database import open_database
from bot.storage.document_sets import StoredDocumentSets
from bot.storage.notices import Notices
from bot.storage.run_events import StoredRuns
from bot.storage.sent_messages import SentMessages
from bot.storage.spent import Spent
from bot.storage.users import Users
from bot.telegram.buttons.dispatch import Buttons
from bot.telegram.buttons.explanations import Showing
from bot.telegram.connection import open_bot
from bot.telegram.inbound.inbox import UPDATE, Intake, Rules
from bot.telegram.inbound.parsing import parse_raw_update
from bot.telegram.messenger import TelegramMessenger
from bot.telegram.outbound.live_progress import Pace
from bot.telegram.outbound.rate_limits import Rate, Rates
from bot.telegram.outbound.retries import Patience
from bot.telegram.outbound.sender import Delivery
from bot.telegram.services import Services
from rag.engine import AnswerEngine
from rag.knowledge.search import KnowledgeBase
from rag.models.scripted import Script, ScriptedModel
from rag.runs.run import RunStep
from rag.settings import Budget, Models, SelfCorrection
from rag.values import Turn
from tests.support.intake import build_intake
from tests.support.knowledge import make_workshop
from tests.support.stored import passing_nothing_on
from tests.telegram.people import Sent
from tests.telegram.server import FakeTelegram

HANDBOOK = {
    "fxstore": "# FxStore\n\nFxStore needs Java 17. It listens on port 8443.\n",
    "backup": "# Backup\n\nThe backup of FxStore runs every night at 02:30 and is kept for 14 days.\n",
}

FAST = Pace(0.02)
"""So short that no test waits for a second."""

UNLIMITED = Rates(Rate(10_000, 1.0), Rate(10_000, 1.0), Rate(10_000, 1.0))


async def direct(_name: str, work: Callable[[], Awaitable[Any]], /, *, is_light: bool = False) -> Any:
    return await work()


@dataclass
class Rights:
    """Everybody may ask, unless a test says otherwise."""

    refusal: Refusal | None = None
    admins: set[PeerId] = field(default_factory=set)

    async def may_ask(self, place: Place, sender: Sender, by: str) -> Refusal | None:
        return self.refusal

    async def role(self, sender: Sender, place: Place) -> Role:
        return "admin" if sender.id in self.admins else "member"


@dataclass
class Limits:
    refusal: Refusal | None = None
    waiting: list[int] = field(default_factory=list)
    is_spent: bool = False
    press_refusal: Refusal | None = None

    async def check_command(self, place: Place, sender: Sender, by: str) -> Refusal | None:
        return self.press_refusal

    async def is_quoted(self, place: Place, sender: Sender, by: str) -> bool:
        return self.is_spent

    async def check(self, place: Place, sender: Sender, by: str, waiting: int = 0) -> Refusal | None:
        self.waiting.append(waiting)
        return self.refusal


@dataclass
class Jobs:
    """Runs jobs as tasks, by id; a submitted job starts at once."""

    tasks: dict[str, asyncio.Task[None]] = field(default_factory=dict)
    works: dict[str, Work] = field(default_factory=dict)
    taken: list[Job] = field(default_factory=list)

    async def submit(self, job: Job) -> bool:
        if job.id in self.tasks:
            return False
        self.taken.append(job)
        self.tasks[job.id] = asyncio.ensure_future(self.works[job.kind](job.payload, direct))
        return True

    async def waiting_in(self, person: str, lane: str) -> tuple[str, ...]:
        return ()

    async def state(self, job_id: str) -> JobState | None:
        task = self.tasks.get(job_id)
        return None if task is None else "done" if task.done() else "running"

    async def cancel(self, job_id: str) -> bool:
        task = self.tasks.get(job_id)
        if task is None or task.done():
            return False
        task.cancel()
        await asyncio.wait({task})
        return True


@dataclass
class Channel:
    telegram: FakeTelegram
    me: Me
    model: ScriptedModel
    engine: AnswerEngine
    stores: Stores
    asks: Asks
    delivery: Delivery
    rights: Rights
    limits: Limits
    jobs: Jobs
    reception: Reception
    intake: Intake
    answering: Answering
    stopping: Stopping
    showing: Showing
    buttons: Buttons

    def means(self, sent: Sent) -> Incoming:
        assert sent.update is not None, "the bot is not told about this"
        return parse_raw_update(sent.update.wire(), self.me)

    def asked(self, sent: Sent) -> Asked:
        incoming = self.means(sent)
        assert isinstance(incoming, Asked), incoming
        return incoming

    async def handle(self, sent: Sent, run_step: RunStep = direct) -> None:
        match self.means(sent):
            case Asked() as asked if asked.message.is_edit:
                if await self.stopping.withdraw(asked, run_step):
                    await self.start(asked)
            case Asked() as asked:
                await self.start(asked, run_step)
            case Overheard() as overheard:
                await self.answering.overhear(overheard, run_step)
            case Pressed() as pressed:
                await self.buttons(pressed, run_step)
            case StoppedWatching() as stopped:
                await self.stopping.stop_draft(stopped, run_step)
            case Unreadable() as unreadable:
                await self.reception.turn_down(unreadable, run_step)
            case Commanded(name="stop") as commanded:
                await self.stopping.command(commanded, run_step)
            case Commanded(name="why") as commanded:
                await self.showing.command(commanded, "why", run_step)
            case Commanded(name="sources") as commanded:
                await self.showing.command(commanded, "sources", run_step)
            case other:
                raise AssertionError(other)

    def start(self, asked: Asked, run_step: RunStep = direct) -> asyncio.Task[None]:
        task = asyncio.create_task(self.answering(asked, run_step))
        self.jobs.tasks[job_id(asked)] = task
        return task

    async def comes_in(self, asked: Asked) -> None:
        """Record a question whose turn has not come, and wait until it is acknowledged."""
        await self.intake.admit(asked, "")
        await self.settled()

    async def settled(self) -> None:
        await self.telegram.until(lambda: not self.reception._tasks)

    async def history(self, place: Place) -> tuple[Turn, ...]:
        return (await self.stores.memory.recall(place.conversation_id))[0]


def job_id(asked: Asked) -> str:
    return f"tg:1:{asked.message.update_id}"


async def _in_its_turn(_payload: str, _run_step: RunStep) -> None:
    """Do nothing: tests begin the turn of a question themselves."""


async def _no_summary(summary: str, turns: object, language: str) -> str:
    return ""


@asynccontextmanager
async def open_channel(
    folder: Path,
    script: Script,
    monkeypatch: pytest.MonkeyPatch,
    *,
    telegram: FakeTelegram | None = None,
    handbook: dict[str, str] | None = None,
    budget: Budget | None = None,
    is_checked: bool = True,
    pace: Pace = FAST,
    clock: Callable[[], datetime] = utcnow,
    models: Models | None = None,
    rates: Rates = UNLIMITED,
) -> AsyncIterator[Channel]:
    workshop = make_workshop(folder, monkeypatch)
    workshop.write(**(handbook if handbook is not None else HANDBOOK))
    await asyncio.to_thread(workshop.sync)
    knowledge = await asyncio.to_thread(workshop.open)
    try:
        if telegram is not None:
            async with _opened(
                folder, script, telegram, knowledge, budget, is_checked, pace, clock, models, rates
            ) as channel:
                yield channel
        else:
            async with (
                FakeTelegram() as own,
                _opened(
                    folder, script, own, knowledge, budget, is_checked, pace, clock, models, rates
                ) as channel,
            ):
                yield channel
    finally:
        knowledge.close()


@asynccontextmanager
async def _opened(
    folder: Path,
    script: Script,
    telegram: FakeTelegram,
    knowledge: KnowledgeBase,
    budget: Budget | None,
    is_checked: bool,
    pace: Pace,
    clock: Callable[[], datetime],
    models: Models | None,
    rates: Rates,
) -> AsyncIterator[Channel]:
    model = ScriptedModel(script)
    engine = AnswerEngine(
        models=model,
        corpus=knowledge,
        self_correction=SelfCorrection(enabled=is_checked, answer_from="writer"),
        budget=budget,
        model_settings=models,
    )
    bot = open_bot(telegram.token, telegram.url)
    async with open_database(folder) as database, bot:
        memory = ConversationMemory(StoredConversations(database), _no_summary, 20)
        chats = Chats(database)
        asks = Asks(database)
        stores = Stores(
            memory,
            asks,
            chats,
            Users(database),
            StoredAnswers(database),
            Notices(database, clock),
            Runs(StoredRuns(database)),
            StoredDocumentSets(database),
            Spent(database),
            database.together,
            database.after_commit,
        )
        records = SentMessages(database)
        corpus = Settings.load(data_dir=folder / "data", corpus=(folder / "corpus",))
        library = Library(corpus, folder / "data")
        delivery = Delivery(bot, chats, records, rates=rates, patience=Patience(8, 0.01, 0.05, 0.05))
        rights, limits, jobs = Rights(), Limits(), Jobs()
        me = Me(telegram.bot.id, telegram.bot.username, telegram.bot.name)
        messenger = TelegramMessenger(delivery, asks, pace=pace)
        reception = Reception(stores, messenger, rights, limits, job_id)
        jobs.works |= {REFUSAL: reception.tell, UPDATE: _in_its_turn}
        intake = build_intake(jobs, me, Rules(timedelta(hours=1)), chats, reception)
        stopping = Stopping(stores, messenger, jobs, rights)
        showing = Showing(Explanations(stores, clock), delivery, library, me.username)
        answering = Answering(engine, stores, messenger, reception, stopping.abandon, clock)
        # Only the services that the buttons under answers use; commands need more.
        services = SimpleNamespace(
            me=me,
            limits=limits,
            delivery=delivery,
            asks=stores.asks,
            parts=SimpleNamespace(
                chats=stores.chats, users=stores.users, answers=stores.answers, memory=memory, access=rights
            ),
            showing=showing,
            stopping=stopping,
            passed=passing_nothing_on(database, memory, stores),
        )
        services.language_of = partial(Services.language_of, cast("Services", services))
        try:
            yield Channel(
                telegram,
                me,
                model,
                engine,
                stores,
                asks,
                delivery,
                rights,
                limits,
                jobs,
                reception,
                intake,
                answering,
                stopping,
                showing,
                Buttons(cast("Services", services)),
            )
        finally:
            await reception.aclose()
            for task in jobs.tasks.values():
                task.cancel()
            await asyncio.gather(*jobs.tasks.values(), return_exceptions=True)
            await memory.aclose()
