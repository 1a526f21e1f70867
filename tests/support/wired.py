"""The whole bot in one process, for tests: the real wiring, with a Telegram server and a model of the test's own.

Updates enter where Telegram's updates do, jobs are carried out at once instead of being recorded first, and
`Stage.settled` waits until no job is left.
"""

from __future__ import annotations

import asyncio
import json
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, nullcontext
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import bot.app
from bot.jobs.values import FAILED, DeadLetter, Job, JobState, Work
from bot.parts import Parts, open_parts
from bot.service.incoming import Me
from bot.service.owner_claim import Claim
from bot.service.runs import Runs
from bot.settings.tree import Settings
from bot.storage.database import Database
from bot.telegram import services, wiring
from bot.telegram.connection import open_bot
from bot.telegram.messenger import TelegramMessenger
from bot.telegram.outbound.live_progress import Pace
from bot.telegram.outbound.retries import Patience
from bot.telegram.outbound.sender import Delivery
from rag.knowledge.embeddings.hashed import HashedEmbedder
from rag.models.chat import ChatModel, ChatRequest, Completion, ModelRole
from rag.models.roles import ModelStatus
from rag.reasons import as_written
from tests.support.channel import UNLIMITED
from tests.support.commanding import Records
from tests.telegram.people import Sent
from tests.telegram.server import FakeTelegram

KEY = "sk-CANARY-of-the-model-server-0123456789"
"""A key for a model server that is never called."""

CALM = Pace(2.0)
"""Shows progress at intervals so long that it costs little time."""

_SETTLING_SECONDS = 60.0


class Models:
    """One model for every role, with the other methods of `rag.models.roles.RoleModels`."""

    def __init__(self, model: ChatModel) -> None:
        self._model = model

    def name(self, role: ModelRole) -> str:
        return f"openai:{role}"

    async def join(self) -> None:
        """Do nothing: the model is complete."""

    async def start(self) -> None:
        """Do nothing: the model needs no loading."""

    async def complete(
        self, request: ChatRequest, on_text: Callable[[str], None] | None = None
    ) -> Completion:
        return await self._model.complete(request, on_text)

    async def describe(self) -> list[ModelStatus]:
        return [ModelStatus("draft", "openai:draft", "http://127.0.0.1", reachable=True, reason=None)]

    async def aclose(self) -> None:
        """Do nothing: no connection is open."""


class Straight:
    """Carries out jobs in the order of their lanes, and records failures."""

    def __init__(self) -> None:
        self.trouble = None
        self.together = nullcontext
        self.events: Runs | None = None
        self.works: Mapping[str, Work] = {}
        self.failures: list[tuple[Job, BaseException]] = []
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._waiting: list[Job] = []
        self._lanes: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._outcomes: dict[tuple[str, str], object] = {}

    @property
    def unfinished(self) -> list[asyncio.Task[None]]:
        return [task for task in self._tasks.values() if not task.done()]

    async def submit(self, job: Job) -> bool:
        if job.id in self._tasks:
            return False
        self._waiting.append(job)
        self._tasks[job.id] = asyncio.create_task(self._perform(job))
        return True

    async def cancel(self, job_id: str) -> bool:
        task = self._tasks.get(job_id)
        if task is None or task.done():
            return False
        task.cancel()
        await asyncio.wait({task})
        return True

    async def waiting_in(self, person: str, lane: str) -> tuple[str, ...]:
        return tuple(job.payload for job in self._waiting if (job.person, job.lane) == (person, lane))

    async def state(self, job_id: str) -> JobState | None:
        task = self._tasks.get(job_id)
        return None if task is None else "done" if task.done() else "running"

    async def is_at_work(self, job_id: str) -> bool:
        return await self.state(job_id) == "running"

    async def recorded(self, job_id: str, step: str) -> object:
        return self._outcomes.get((job_id, step))

    async def dead_letters(self, limit: int = 100) -> tuple[DeadLetter, ...]:
        return ()

    async def _perform(self, job: Job) -> None:
        async with self._lanes[job.lane or job.id]:
            self._waiting.remove(job)
            try:
                await self.works[job.kind](job.payload, partial(self._step, job.id))
                if self.events:  # they go along with the end of the job
                    await self.events.flush()
            except Exception as exc:  # noqa: BLE001 - whatever it is, the test must hear of it
                self.failures.append((job, exc))
                failed = {
                    "id": job.id,
                    "kind": job.kind,
                    "payload": job.payload,
                    "reason": as_written(type(exc).__name__).to_json(),
                }
                await self.submit(Job(f"{job.id}:{FAILED}", FAILED, json.dumps(failed)))

    async def _step(
        self, job_id: str, name: str, work: Callable[[], Awaitable[Any]], *, is_light: bool = False
    ) -> Any:
        outcome = self._outcomes[job_id, name] = await work()
        return outcome

    async def aclose(self) -> None:
        for task in self._tasks.values():
            task.cancel()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)


@dataclass
class Stage:
    telegram: FakeTelegram
    settings: Settings
    database: Database
    channel: wiring.TelegramChannel
    jobs: Straight
    parts: Parts

    async def feed(self, *sent: Sent) -> None:
        for one in sent:
            assert one.update is not None, "the bot is not told about this"
            await self.channel.intake.take(one.update.wire(), is_backlog=False)

    async def settled(self) -> None:
        async with asyncio.timeout(_SETTLING_SECONDS):
            while unfinished := self.jobs.unfinished:
                await asyncio.wait(unfinished)

    async def happens(self, *sent: Sent) -> None:
        await self.feed(*sent)
        await self.settled()

    async def feed_in_batches(self, sent: Sequence[Sent], size: int = 24) -> None:
        for first in range(0, len(sent), size):
            await self.happens(*sent[first : first + size])


@asynccontextmanager
async def staged(
    folder: Path,
    model: ChatModel,
    monkeypatch: pytest.MonkeyPatch,
    **given: Any,
) -> AsyncIterator[Stage]:
    """Open the bot over the documents in ``folder/corpus``; `given` are settings.

    With `server`, the Telegram server of a stage that is closed, and its folder, this is that bot after a
    restart.
    """
    embedder = HashedEmbedder()
    for module in ("rag.knowledge.sync", "rag.knowledge.search"):
        monkeypatch.setattr(f"{module}.open_embedder", lambda name, models: embedder)
    monkeypatch.setattr(bot.app, "RoleModels", lambda *_args: Models(model))
    monkeypatch.setattr(
        wiring,
        "Delivery",
        lambda bot, chats, *answers, **_: Delivery(
            bot, chats, *answers, rates=UNLIMITED, patience=Patience(8, 0.01, 0.05, 0.05)
        ),
    )
    # Personal jobs are read from the database of the durable runner.
    monkeypatch.setattr("bot.talk.desk.PersonalJobs", lambda _jobs: Records())
    monkeypatch.setattr(services, "TelegramMessenger", partial(TelegramMessenger, pace=CALM))
    for name in ("corpus", "data"):
        (folder / name).mkdir(exist_ok=True)
    known: FakeTelegram | None = given.pop("server", None)
    async with nullcontext(known) if known else FakeTelegram() as telegram:
        settings = Settings.load(
            data_dir=folder / "data",
            corpus=(folder / "corpus",),
            **{
                "access": {"mode": "open"},
                "limits": dict.fromkeys(
                    (
                        "user_per_minute",
                        "user_per_hour",
                        "chat_per_minute",
                        "user_commands_per_minute",
                        "chat_commands_per_minute",
                        "queue_length",
                    ),
                    100_000,
                ),
                **given,
                "telegram": {"token": telegram.token, "api_url": telegram.url, **given.get("telegram", {})},
                "models": {"openai_api_key": KEY, "default": "openai:none", **given.get("models", {})},
            },
        )
        jobs = Straight()
        client = open_bot(telegram.token, telegram.url)
        hears = bool(settings.voice.base_url)
        me = Me(telegram.bot.id, telegram.bot.username, telegram.bot.name, hears=hears)
        async with (
            client,
            bot.app.opened_database(settings) as database,
            bot.app.running(settings, is_lasting=False) as app,
            open_parts(app, database, Claim()) as parts,
            wiring.open_telegram(parts, client, me, jobs) as channel,  # type: ignore[arg-type]  # has what is asked of jobs
        ):
            jobs.works, jobs.events = channel.works, parts.runs
            try:
                yield Stage(telegram, settings, database, channel, jobs, parts)
            finally:
                await jobs.aclose()
