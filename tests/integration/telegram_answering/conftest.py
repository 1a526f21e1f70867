"""A channel where questions are answered, with the usual draft and with others."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

import pytest

from tests.support.asking import Draft, Opened, replies
from tests.support.channel import Channel, open_channel


@pytest.fixture
def opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Opened:
    """What opens a channel with the draft and the settings of a test."""

    def make(draft: Draft = "FxStore needs Java 17.", **options: Any) -> AbstractAsyncContextManager[Channel]:
        return open_channel(tmp_path, replies(draft), monkeypatch, **options)

    return make


@pytest.fixture
async def c(opened: Opened) -> AsyncIterator[Channel]:
    """A channel whose model drafts the right answer."""
    async with opened() as channel:
        yield channel
