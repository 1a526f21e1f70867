"""A Telegram server whose methods are called directly, and a person who has started the bot."""

from __future__ import annotations

import pytest

from tests.telegram.people import Person
from tests.telegram.server import Chat, FakeTelegram


@pytest.fixture
def telegram() -> FakeTelegram:
    """Not running: methods are called directly."""
    return FakeTelegram()


@pytest.fixture
def ann(telegram: FakeTelegram) -> Person:
    """A person who has started the bot."""
    return telegram.user("Ann", username="ann_lee")


@pytest.fixture
def chat(telegram: FakeTelegram, ann: Person) -> Chat:
    """Her private chat with the bot."""
    return telegram.private(ann)
