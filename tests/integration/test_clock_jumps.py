"""The clock of a machine jumps by a day, forward or back: nobody is locked out, and nothing is told twice.

A whole bot is played with libfaketime where the machine has it (Debian's package ``faketime``).
"""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bot.service.logins import LINK_LIFETIME, Logins
from bot.service.strangers import Strangers
from bot.storage.database import Database, open_database
from bot.storage.logins import StoredLogins
from bot.telegram.ids import to_peer
from tests.support.bot_process import behind, environment, started
from tests.support.servers import FakeOpenAI
from tests.telegram.server import FakeTelegram

ANN = to_peer(7)
DAY = timedelta(days=1)
JUMPS = pytest.mark.parametrize("jump", [DAY, -DAY], ids=["forward", "back"])


class Clock:
    def __init__(self) -> None:
        self.now = datetime(2026, 11, 22, 12, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    async with open_database(tmp_path) as opened:
        yield opened


@JUMPS
async def test_whoever_has_logged_in_stays_so_and_no_link_works_longer(
    database: Database, jump: timedelta
) -> None:
    clock = Clock()
    logins = Logins(StoredLogins(database, clock))
    session = await logins.open_session(await logins.link(ANN))
    token, waiting, late = (
        await logins.token(ANN, "a program"),
        await logins.link(ANN),
        await logins.link(ANN),
    )
    assert session is not None
    clock.now += jump
    assert await logins.user_of_session(session) == ANN
    assert await logins.user_of_token(token) == ANN
    # Ahead, its time is over; back, it was made in the time to come: a new one is a command away.
    assert await logins.open_session(waiting) is None
    clock.now += LINK_LIFETIME
    assert await logins.open_session(late) is None
    assert await logins.open_session(await logins.link(ANN)) is not None


@JUMPS
def test_strangers_are_counted_anew_and_never_for_longer_than_an_hour(jump: timedelta) -> None:
    clock = Clock()
    strangers = Strangers(clock=clock)
    while strangers.may_be_recorded(ANN):
        pass
    clock.now += jump
    assert strangers.may_be_recorded(ANN)


LIBRARY = next(Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"), None)


@pytest.mark.skipif(LIBRARY is None, reason="libfaketime is not installed (Debian: apt install faketime)")
@pytest.mark.parametrize("jump", ["+1d", "-1d"], ids=["forward", "back"])
def test_bot_whose_clock_jumps_in_the_middle_of_an_answer_gives_each_answer_once(
    tmp_path: Path, corpus: Path, telegram: FakeTelegram, jump: str
) -> None:
    clock = tmp_path / "clock"
    clock.write_text("+0")
    gate = threading.Event()
    ann = telegram.user("Ann", language_code="en")
    chat = telegram.private(ann)

    def answered(number: int) -> bool:
        return len([text for text in chat.texts if "Java 17" in text]) == number

    with FakeOpenAI(behind(gate)) as model:
        variables = environment(
            telegram,
            model,
            LD_PRELOAD=str(LIBRARY),
            FAKETIME_TIMESTAMP_FILE=str(clock),
            FAKETIME_NO_CACHE="1",
            FAKETIME_DONT_FAKE_MONOTONIC="1",
            # Else waits for a condition, which Python's own lock is, take seconds.
            FAKETIME_FORCE_MONOTONIC_FIX="0",
        )
        with started(tmp_path, corpus, variables, is_forked=False) as bot:
            ann.says(chat, "Which Java does FxStore need?")
            bot.until(lambda: model.requests)
            clock.write_text(jump)
            gate.set()
            bot.until(lambda: answered(1))
            ann.says(chat, "Which Java does FxStore need now?")
            bot.until(lambda: answered(2))
            bot.process.kill()
            bot.process.wait()
            written = bot.log
        # The clock is set right again: what a log of another day says is done is not done again.
        clock.write_text("+0")
        with started(tmp_path, corpus, variables, is_forked=False) as bot:
            ann.says(chat, "Which Java does FxStore need today?")
            bot.until(lambda: answered(3))
            assert bot.ended() == 0
            written += bot.log
    assert answered(3)
    assert "Traceback" not in written
    days = {line[:10] for line in written.splitlines() if line[:2] == "20"}
    assert len(days) == 2, "the clock of the bot has not jumped"
