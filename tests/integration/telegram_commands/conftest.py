"""A desk where commands are given, with the usual settings, with others, and open to everybody."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

import pytest

from tests.support.commanding import Desk, Opened, open_desk


@pytest.fixture
def opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Opened:
    """What opens a desk with the settings of a test."""
    monkeypatch.setattr("bot.telegram.commands.reindexing._EVERY_SECONDS", 0.01)

    def make(**options: Any) -> AbstractAsyncContextManager[Desk]:
        return open_desk(tmp_path, monkeypatch, **options)

    return make


@pytest.fixture
async def d(opened: Opened) -> AsyncIterator[Desk]:
    """A desk where only people who were let in get answers."""
    async with opened() as desk:
        yield desk


@pytest.fixture
async def public(opened: Opened) -> AsyncIterator[Desk]:
    """A desk where everybody gets answers."""
    async with opened(access={"mode": "open"}) as desk:
        yield desk
