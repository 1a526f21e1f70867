"""The clock of a machine jumps by a day, forward or back: nobody is locked out, and nothing is told twice."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bot.service.logins import LINK_LIFETIME, Logins
from bot.service.strangers import Strangers
from bot.storage.database import Database, open_database
from bot.storage.logins import StoredLogins
from bot.telegram.ids import to_peer

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
