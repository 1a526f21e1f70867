"""Faults on the way in: update ids, long absence, a second poller, strangers at the webhook."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
import structlog.testing

from bot import http_server
from bot.jobs.values import Job, JobState
from bot.service.admission import Admission
from bot.service.incoming import Asked, Me
from bot.service.keys import PeerId
from bot.service.people import Ask, AskId
from bot.telegram.connection import open_bot
from bot.telegram.ids import to_peer
from bot.telegram.inbound.inbox import Rules
from bot.telegram.inbound.last_contact import Contact
from bot.telegram.inbound.parsing import ALLOWED_UPDATES
from bot.telegram.inbound.polling import Polling, SecondPollerError
from bot.telegram.inbound.webhook import MOST_BYTES, SECRET_HEADER, Aged, Taken, Updates
from rag.models.chat import ChatRequest
from rag.models.scripted import ScriptedModel
from tests.support.intake import build_intake
from tests.support.wired import staged
from tests.telegram.server import FakeTelegram

SECRET = "a-secret-of-the-webhook"
NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)


def listening(take: Taken) -> AbstractAsyncContextManager[int]:
    """The webhook on a free port."""
    return http_server.listening(Updates(SECRET, take), "127.0.0.1", 0, setting="telegram.webhook_listen")


class Recorded:
    """A queue that keeps each job once, as the durable one does."""

    def __init__(self) -> None:
        self.jobs: dict[str, Job] = {}

    async def submit(self, job: Job) -> bool:
        return self.jobs.setdefault(job.id, job) is job

    async def state(self, job_id: str) -> JobState | None:
        return "waiting" if job_id in self.jobs else None

    async def waiting_in(self, person: str, lane: str) -> tuple[str, ...]:
        return tuple(job.payload for job in self.jobs.values() if (job.person, job.lane) == (person, lane))

    async def cancel(self, job_id: str) -> bool:
        return True


class Unmoved:
    async def first_id(self, chat_id: PeerId) -> PeerId:
        return chat_id


class Door:
    """Lets every question in."""

    async def admit(self, asked: Asked) -> Admission:
        message = asked.message
        ask = Ask(
            AskId(1), "", to_peer(5), None, message.message_id, to_peer(5), "queued", "", message.sent_at
        )
        return Admission(ask, "en")

    def acknowledge(self, asked: Asked) -> None:
        """Nobody waits."""


async def test_update_ids_that_start_again_lower_are_accepted() -> None:
    queue = Recorded()
    async with FakeTelegram() as telegram, open_bot(telegram.token, telegram.url) as bot:
        ann = telegram.user("Ann")
        chat = telegram.private(ann)
        me = Me(telegram.bot.id, telegram.bot.username)
        intake = build_intake(queue, me, Rules(timedelta(hours=1)), Unmoved(), Door())
        polling = asyncio.create_task(Polling(bot.raw_updates, intake.take, ALLOWED_UPDATES).run())
        try:
            first = ann.says(chat, "Before the quiet week?")
            await telegram.until(lambda: len(queue.jobs) == 1)
            telegram.restart_ids_at(5)
            second = ann.says(chat, "After it?")
            await telegram.until(lambda: len(queue.jobs) == 2 and not telegram.pending)
        finally:
            polling.cancel()

    assert second.update_id < first.update_id
    assert list(queue.jobs) == [f"tg:{me.id}:{sent.update_id}" for sent in (first, second)]


@pytest.mark.parametrize(
    ("hours", "is_told"), [pytest.param(25, True, id="a day and an hour"), pytest.param(23, False, id="less")]
)
def test_absence_of_more_than_a_day_is_noticed_at_the_start(
    hours: int, is_told: bool, tmp_path: Path
) -> None:
    Contact(tmp_path / "last-contact", lambda: NOW).touch()
    gap = Contact(tmp_path / "last-contact", lambda: NOW + timedelta(hours=hours)).gap()

    assert gap == (timedelta(hours=hours) if is_told else None)


async def test_admins_are_told_of_an_absence_once_however_often_the_bot_starts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with staged(tmp_path, ScriptedModel(""), monkeypatch, admins=(77,)) as stage:
        office = stage.telegram.private(stage.telegram.user("Owner", id=77, language_code="en"))
        for _ in range(3):
            await stage.channel.notes.tell("admin-gap", {"hours": 25}, "gap:20260501120000")
            await stage.settled()

        (told,) = office.texts
        assert "25" in told


async def test_second_poller_ends_this_one_after_a_few_patient_tries() -> None:
    pauses: list[float] = []

    async def sleep(seconds: float) -> None:
        pauses.append(seconds)

    async def take(raw: dict[str, Any], *, is_backlog: bool) -> None:
        raise AssertionError(raw, is_backlog)

    async with FakeTelegram() as telegram, open_bot(telegram.token, telegram.url) as bot:
        telegram.fail_next("getUpdates", status=409, description="Conflict: terminated", times=100)
        with pytest.raises(SecondPollerError, match="Another program"):
            await Polling(bot.raw_updates, take, ALLOWED_UPDATES, sleep=sleep).run()

        assert len(telegram.calls("getUpdates")) == len(pauses) + 1 <= 10
    assert pauses == sorted(pauses)
    assert pauses[0] >= 1


async def test_poller_without_a_network_for_an_hour_gets_everything_afterwards_and_floods_nobody() -> None:
    taken: list[int] = []
    waited = 0.0

    async def sleep(seconds: float) -> None:
        nonlocal waited
        waited += seconds

    async def take(raw: dict[str, Any], *, is_backlog: bool) -> None:
        assert is_backlog, "it may be an hour old"
        taken.append(raw["update_id"])

    async with FakeTelegram() as telegram, open_bot(telegram.token, telegram.url) as bot:
        ann = telegram.user("Ann")
        chat = telegram.private(ann)
        sent = [ann.says(chat, f"Question {number}?") for number in range(300)]
        telegram.drop_next("getUpdates", times=125)
        polling = asyncio.create_task(Polling(bot.raw_updates, take, ALLOWED_UPDATES, sleep=sleep).run())
        try:
            await telegram.until(lambda: len(taken) == len(sent) and not telegram.pending)
        finally:
            polling.cancel()
    assert taken == [one.update_id for one in sent]
    assert waited > 3600


Body = bytes | Callable[[], Any]


def endless(size: int) -> Callable[[], Any]:
    """A body without a length beforehand."""

    async def pieces() -> Any:
        for _ in range(size // 65536 + 1):
            yield b"x" * 65536

    return pieces


GOOD = {SECRET_HEADER: SECRET, "Content-Type": "application/json"}


@pytest.mark.parametrize(
    ("headers", "body", "status"),
    [
        pytest.param({"Content-Type": "application/json"}, b"{}", 403, id="no secret"),
        pytest.param({**GOOD, SECRET_HEADER: "another-secret"}, b"{}", 403, id="a wrong secret"),
        pytest.param({**GOOD, SECRET_HEADER: SECRET[:-1]}, b"{}", 403, id="most of the secret"),
        pytest.param({**GOOD, "Content-Type": "text/plain"}, b"{}", 403, id="another type"),
        pytest.param(GOOD, b"x" * (MOST_BYTES + 1), 413, id="a large body"),
        pytest.param(GOOD, endless(MOST_BYTES), 413, id="a large body that does not say so"),
        pytest.param(GOOD, b"{", 400, id="no JSON"),
        pytest.param(GOOD, b"[" * 100_000, 400, id="JSON that is very deep"),
        pytest.param(GOOD, b"[]", 400, id="no object"),
        pytest.param(GOOD, b"\xff\xfe{}", 400, id="no text"),
    ],
)
async def test_stranger_at_the_webhook_is_sent_away_and_nothing_is_recorded(
    headers: dict[str, str], body: Body, status: int
) -> None:
    taken: list[dict[str, Any]] = []

    async def take(raw: dict[str, Any]) -> None:
        taken.append(raw)

    with structlog.testing.capture_logs() as logged:
        async with listening(take) as port, httpx.AsyncClient() as client:
            content = body() if callable(body) else body
            try:
                answer = await client.post(f"http://127.0.0.1:{port}/", headers=headers, content=content)
            except (httpx.WriteError, httpx.ReadError, httpx.RemoteProtocolError):
                # The door is shut in the face of whoever goes on sending.
                assert status == 413
            else:
                assert answer.status_code == status
                assert SECRET not in answer.text
            good = await client.post(f"http://127.0.0.1:{port}/", headers=GOOD, json={"update_id": 1})
            assert good.status_code == 200
    assert taken == [{"update_id": 1}]
    assert "secret" not in json.dumps(logged)


async def test_webhook_says_yes_as_soon_as_the_update_is_recorded_and_not_when_it_is_answered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    is_open = asyncio.Event()

    async def slow(_request: ChatRequest) -> str:
        await is_open.wait()
        return "A slow answer."

    script: Callable[[ChatRequest], Awaitable[str]] = slow
    settings = {"self_correction": {"enabled": False}}
    async with staged(tmp_path, ScriptedModel(script), monkeypatch, **settings) as stage:
        ann = stage.telegram.user("Ann", language_code="en")
        chat = stage.telegram.private(ann)
        sent = ann.says(chat, "Is it slow?")
        assert sent.update is not None
        async with (
            listening(Aged(stage.channel.intake.take, 0)) as port,
            httpx.AsyncClient() as client,
        ):
            for _ in range(2):  # Telegram sends it again when it is in doubt.
                answer = await client.post(f"http://127.0.0.1:{port}/", headers=GOOD, json=sent.update.wire())
                assert answer.status_code == 200
            assert chat.texts == []
            is_open.set()
            await stage.settled()
        (told,) = chat.texts
        assert told.startswith("A slow answer.")
