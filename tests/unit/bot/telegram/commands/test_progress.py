from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from types import SimpleNamespace
from typing import Any

import pytest

from bot.service.incoming import Place
from bot.telegram.commands import reindexing
from bot.telegram.commands.reindexing import bar, watching
from bot.telegram.ids import to_peer
from bot.telegram.outbound.messages import Posted
from rag.knowledge.sync import Progress


class Screen:
    """Shows progress, and takes its time until it is released."""

    def __init__(self) -> None:
        self.began = asyncio.Event()
        self.release = asyncio.Event()
        self.shown: list[str] = []

    async def show(self, _place: Place, _message_id: int, part: Any) -> bool:
        self.began.set()
        await self.release.wait()
        self.shown.append(part.text)
        return True


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reindexing, "_EVERY_SECONDS", 0.001)


def watch(screen: Screen) -> AbstractAsyncContextManager[Callable[[Progress], None]]:
    services, shown = SimpleNamespace(delivery=screen), Posted(to_peer(7), 1)
    context: Any = SimpleNamespace(
        services=services, place=Place(to_peer(7), "private"), text=lambda name: name, shown=shown
    )
    return watching(context)


async def test_progress_on_its_way_is_waited_for_so_that_it_cannot_overwrite_the_result() -> None:
    screen = Screen()
    async with asyncio.timeout(5):
        async with watch(screen) as tell:
            tell(Progress("reading", 1, 4))
            await screen.began.wait()
            asyncio.get_running_loop().call_soon(screen.release.set)
        assert screen.shown == [f"reindex-began\nphase-reading {bar(1, 4)}"]


async def test_nothing_is_shown_once_the_result_is_there() -> None:
    screen = Screen()
    screen.release.set()
    async with asyncio.timeout(5):
        async with watch(screen) as tell:
            tell(Progress("reading", 4, 4))
        assert not screen.shown
