"""A bot of python-telegram-bot on the Telegram server for tests, and a person who writes to it."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from telegram import Bot

from tests.support.library_bots import new_bot
from tests.telegram.people import Person
from tests.telegram.server import Chat, FakeTelegram


@pytest.fixture(autouse=True)
def _durations_as_the_library_will_have_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without this python-telegram-bot warns at each RetryAfter, and warnings are errors."""
    monkeypatch.setenv("PTB_TIMEDELTA", "1")


@pytest.fixture
async def bot(telegram: FakeTelegram) -> AsyncIterator[Bot]:
    """The bot of the server, as the library sees it."""
    async with new_bot(telegram) as running:
        yield running


@pytest.fixture
def ann(telegram: FakeTelegram) -> Person:
    """A person who has started the bot."""
    return telegram.user("Ann", username="ann_lee", language_code="ru")


@pytest.fixture
def chat(telegram: FakeTelegram, ann: Person) -> Chat:
    """Her private chat with the bot."""
    return telegram.private(ann)
