"""What tests of several subjects use: a database of either kind, and what a bot has around it.

What is kept in SQLite by default is tested on PostgreSQL as well.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from bot.storage.database import Database, open_database
from tests.support.bot_process import answer
from tests.support.postgres import PostgresServer
from tests.support.servers import FakeOpenAI
from tests.support.stored import Clock
from tests.telegram.server import FakeTelegram

if TYPE_CHECKING:
    from playwright.async_api import Browser

    from tests.support.console import Serve, Served
    from tests.support.wired import Stage
    from tests.telegram.chats import Chat
    from tests.telegram.people import Person


@pytest.fixture(params=["sqlite", "postgresql"])
def server(request: pytest.FixtureRequest) -> str:
    """The address of an empty PostgreSQL database, or an empty text for SQLite."""
    if request.param == "sqlite":
        return ""
    running: PostgresServer = request.getfixturevalue("postgres")
    return running.new_database()


@pytest.fixture
async def database(server: str, tmp_path: Path) -> AsyncIterator[Database]:
    """An empty database, of either kind."""
    async with open_database(tmp_path, server) as opened:
        yield opened


@pytest.fixture
def url(server: str) -> str:
    """The address of the database; empty for SQLite."""
    return server


@pytest.fixture
def clock() -> Clock:
    """A clock that stands still."""
    return Clock()


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with one document."""
    folder = tmp_path_factory.mktemp("corpus")
    (folder / "java.md").write_text("# FxStore\n\nFxStore needs Java 17. Older versions do not start it.\n")
    return folder


@pytest.fixture
def telegram() -> Iterator[FakeTelegram]:
    """A Telegram server that runs."""
    with FakeTelegram() as running:
        yield running


@pytest.fixture
def model() -> Iterator[FakeOpenAI]:
    """A model server that answers from the document."""
    with FakeOpenAI(answer) as running:
        yield running


@pytest.fixture
def ann(stage: Stage) -> Person:
    """Ann, an English-speaking user of the Telegram server that a test runs."""
    return stage.telegram.user("Ann", language_code="en")


@pytest.fixture
def chat(stage: Stage, ann: Person) -> Chat:
    """The private chat of Ann with the bot."""
    return stage.telegram.private(ann)


@pytest.fixture
def serve(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Serve:
    """What serves the console with the usual model or another one, and with the settings of a test."""
    # Most tests need no console, and it takes seconds to import.
    from tests.support.console import served
    from tests.support.loop import scripted

    return lambda model=None, **given: served(tmp_path, model or scripted(), monkeypatch, **given)


@pytest.fixture
async def console(serve: Serve) -> AsyncIterator[Served]:
    """A console with the usual model."""
    async with serve() as running:
        yield running


@pytest.fixture
async def browser() -> AsyncIterator[Browser]:
    """A real browser."""
    from tests.support.browsers import launched

    async with launched() as running:
        yield running
