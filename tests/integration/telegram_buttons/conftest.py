"""A channel with a group in it, and the model and the clock of the channel."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.support.channel import Channel, open_channel
from tests.support.rooms import Clock, Model, Room


@pytest.fixture
def model() -> Model:
    """The model of the channel, which answers at once unless a test closes it."""
    return Model()


@pytest.fixture
def clock() -> Clock:
    """The clock of the channel."""
    return Clock()


@pytest.fixture
async def c(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, model: Model, clock: Clock
) -> AsyncIterator[Channel]:
    """A channel that answers by the model."""
    async with open_channel(tmp_path, model, monkeypatch, clock=clock) as channel:
        yield channel


@pytest.fixture
def room(c: Channel) -> Room:
    """A group of the channel."""
    return Room(c)
