"""The weekly digest against a Telegram server and real stores."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import cast
from zoneinfo import ZoneInfo

import pytest

from bot.settings.faults import BadSettingError
from bot.settings.sections import Digest as DigestSettings
from bot.settings.tree import Settings
from bot.statistics.values import Circumstances
from bot.storage.answered import StoredAnswers
from bot.telegram.digest import DIGEST, Digest
from bot.telegram.ids import to_peer
from bot.telegram.services import Services
from rag.reasons import as_written
from rag.values import Answer, Label, Usage, Verdict
from tests.support.channel import direct
from tests.support.commanding import Desk, open_desk
from tests.support.recorded_steps import KilledError, Recording

MONDAY = datetime(2026, 5, 18, 9, 30, tzinfo=UTC)


@pytest.fixture
async def d(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Desk]:
    async with open_desk(tmp_path, monkeypatch) as desk:
        await desk.ask("/help")
        yield desk


async def asked(
    d: Desk, question: str, label: Label, at: datetime, number: int, *, wrong: bool = False
) -> None:
    answer = Answer(
        question, "A.", label, "en", Verdict("adequate", as_written("r"), 0.9, "evidence"), (), (),
        used_documents=False, retries=0, usage=Usage(1, 30, 4), seconds=0.1, trace=(),
    )  # fmt: skip
    key, conversation = f"k{number}", "telegram:77:0"
    await d.services.parts.memory.remember(
        conversation, question, answer, user_key="telegram:77", exchange=key
    )
    stored = StoredAnswers(d.services.parts.answers._database, lambda: at)
    await stored.record(answer, Circumstances("telegram", conversation, "telegram:77", 1.0, key))
    if wrong:
        await stored.feedback(key, useful=False)


def digest(d: Desk, now: Callable[[], datetime], **settings: object) -> Digest:
    given = SimpleNamespace(digest=DigestSettings(**settings), zone=ZoneInfo("UTC"))
    known = d.services
    parts = SimpleNamespace(settings=given, answers=known.parts.answers, access=known.parts.access)
    about = {"me": known.me, "delivery": known.delivery, "jobs": d.jobs, "clock": now}
    return Digest(cast("Services", SimpleNamespace(parts=parts, **about)))


async def sent(d: Desk, now: datetime, **settings: object) -> list[str]:
    """What the owner is told when the bot looks at a moment."""
    before = len(d.office.texts)
    digests = digest(d, lambda: now, **settings)
    await digests.look()
    for job in d.jobs.submitted:
        assert job.kind == DIGEST
        await digests.send(job.payload, direct)
    return d.office.texts[before:]


async def test_admins_are_told_what_was_not_answered_and_what_was_marked_wrong(d: Desk) -> None:
    bob, bobs = d.person("Bob", language_code="ru")
    await d.services.parts.users.set_role(to_peer(bob.id), "admin")
    await d.handle(bob.says(bobs, "/help"))
    day = timedelta(days=1)
    await asked(d, "Who pays for lunch?", "not_in_documents", MONDAY - day, 1)
    await asked(d, "who pays for lunch", "not_in_documents", MONDAY - 2 * day, 2)
    await asked(d, "Which Java?", "verified", MONDAY - 3 * day, 3, wrong=True)
    await asked(d, "Thanks!", "general", MONDAY - 3 * day, 4)
    # Of the week before, and of the week that has just begun.
    await asked(d, "Too old?", "not_in_documents", MONDAY - 8 * day, 5)
    await asked(d, "Too young?", "not_in_documents", MONDAY, 6)
    (text,) = await sent(d, MONDAY + timedelta(hours=1))
    first, *questions, end = text.splitlines()
    assert first == (
        "📋 The last week: 4 questions. 3 of them were not answered or answered wrongly; "
        "readers marked 1 as wrong:"
    )
    assert questions == ["2× Who pays for lunch? (last: 2026-05-17)", "1× Which Java? (last: 2026-05-15)"]
    assert "/correct" in end
    assert bobs.texts[-1].startswith("📋 За прошлую неделю вопросов: 4.")


async def test_nothing_is_sent_when_there_is_nothing(d: Desk) -> None:
    await asked(d, "Which Java?", "verified", MONDAY - timedelta(days=1), 1)
    assert await sent(d, MONDAY + timedelta(hours=1)) == []


@pytest.mark.parametrize(
    ("ahead", "settings", "is_sent"),
    [
        pytest.param(timedelta(minutes=-31), {}, False, id="before its hour"),
        pytest.param(timedelta(hours=30), {}, True, id="the bot was away for a day"),
        pytest.param(timedelta(hours=37), {}, False, id="too late"),
        pytest.param(timedelta(0), {"enabled": False}, False, id="off"),
        pytest.param(timedelta(0), {"hour": 10}, False, id="another hour"),
        pytest.param(timedelta(days=2), {"weekday": "wednesday"}, True, id="another day"),
    ],
)
async def test_moment_is_that_of_the_settings(
    d: Desk, ahead: timedelta, settings: dict[str, object], is_sent: bool
) -> None:
    await asked(d, "Who pays for lunch?", "not_in_documents", MONDAY - timedelta(days=1), 1)
    assert bool(await sent(d, MONDAY + ahead, **settings)) == is_sent


async def test_week_is_told_once_however_often_the_bot_is_started(d: Desk) -> None:
    await asked(d, "Who pays for lunch?", "not_in_documents", MONDAY - timedelta(days=1), 1)
    for minutes in (0, 5, 600):
        await digest(d, lambda minutes=minutes: MONDAY + timedelta(minutes=minutes)).look()  # type: ignore[misc]  # mypy cannot infer the default
    assert len(d.jobs.submitted) == 1
    await digest(d, lambda: MONDAY + timedelta(days=7)).look()
    assert len(d.jobs.submitted) == 2


async def test_digest_comes_once_wherever_its_work_is_killed(d: Desk) -> None:
    await asked(d, "Who pays for lunch?", "not_in_documents", MONDAY - timedelta(days=1), 1)
    digests = digest(d, lambda: MONDAY)
    await digests.look()
    payload = d.jobs.submitted[0].payload
    for kill_at in range(1, 4):
        before, recording = len(d.office.texts), Recording(kill_at)
        with pytest.raises(KilledError):
            await digests.send(payload, recording)
        recording.restart()
        await digests.send(payload, recording)
        assert len(d.office.texts) == before + 1


@pytest.mark.parametrize("zone", ["Mars/Base", "", "../etc/passwd", "/etc/localtime", "CETS"])
def test_unknown_time_zone_is_one_clear_sentence(zone: str) -> None:
    with pytest.raises(BadSettingError, match="IANA name such as Europe/Madrid"):
        Settings.load(time_zone=zone)


def test_known_time_zone_is_taken() -> None:
    assert Settings.load(time_zone="Asia/Seoul").zone == ZoneInfo("Asia/Seoul")
