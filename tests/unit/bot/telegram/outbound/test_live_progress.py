from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from typing import Any

import pytest

from bot.service.incoming import Place
from bot.telegram.ids import to_peer
from bot.telegram.outbound.live_progress import Display, Pace
from bot.telegram.outbound.progress_calls import Drafted
from bot.telegram.rendering import LIMIT, Part, draw_one
from bot.telegram.rendering.characters import utf16_length
from bot.views.blocks import Blocks
from rag.events import StepStarted, Text
from tests.telegram.waiting import until

PRIVATE = Place(to_peer(1), "private")
FAST = Pace(0.004)


@dataclass
class Screen:
    """Takes every draft, when a test lets it."""

    drafts: list[Part] = field(default_factory=list)
    drafted: Drafted = "shown"
    is_open: asyncio.Event = field(default_factory=asyncio.Event)
    waiting: int = 0

    def __post_init__(self) -> None:
        self.is_open.set()

    async def draft(self, place: Place, draft_id: int, part: Part) -> Drafted:
        assert (place, draft_id) == (PRIVATE, 3)
        self.waiting += 1
        await self.is_open.wait()
        self.drafts.append(part)
        return self.drafted

    @property
    def texts(self) -> list[str]:
        return [part.text for part in self.drafts]


def display(screen: Screen, **options: Any) -> AbstractAsyncContextManager[Display]:
    return Display(screen.draft, PRIVATE, "en", draft_id=3, **{"pace": FAST, **options}).running()


async def carry_out(_name: str, work: Callable[[], Awaitable[Any]], /, *, is_light: bool = False) -> Any:
    return await work()


async def from_records(_name: str, _work: Callable[[], Awaitable[Any]], /, *, is_light: bool = False) -> Any:
    return None


async def nothing() -> None:
    pass


async def test_draft_shows_the_state_and_the_text_marked_as_not_checked() -> None:
    screen = Screen()
    async with display(screen) as shown:
        await shown.watching(carry_out)("draft", nothing)
        shown.feed(StepStarted("draft"))
        await until(lambda: "⏳ Drafting …" in screen.texts)
        shown.feed(Text("draft", "It needs **Java** 17."))
        await until(lambda: any("Java" in text for text in screen.texts))
    part = screen.drafts[-1]
    assert part.text == "Drafting …\n\n⏳ Not checked yet\n\nIt needs Java 17."
    bold = next(entity for entity in part.entities if entity.type == "bold")
    assert part.text[bold.offset :].startswith("Java"), "nothing here is longer than one UTF-16 unit"


@pytest.mark.parametrize("draft", ["x" * 5000, "🎉" * 5000], ids=["letters", "emoji"])
async def test_long_draft_with_its_state_fits_into_a_message(draft: str) -> None:
    screen = Screen()
    async with display(screen) as shown:
        await shown.watching(carry_out)("draft", nothing)
        shown.feed(StepStarted("draft"))
        shown.feed(Text("draft", draft))
        await until(lambda: any("Not checked" in text for text in screen.texts))
    assert LIMIT - 10 < utf16_length(screen.drafts[-1].text) <= LIMIT


async def test_draft_is_laid_out_only_when_it_is_time_to_show_it(monkeypatch: pytest.MonkeyPatch) -> None:
    laid_out: list[str] = []

    def counted(found: Blocks) -> Part:
        laid_out.append(draw_one(found).text.splitlines()[-1])
        return draw_one(found)

    monkeypatch.setattr("bot.telegram.outbound.live_progress.draw_one", counted)
    screen, clock, looks = Screen(), [0.0], 0

    def now() -> float:
        nonlocal looks
        looks += 1
        return clock[0]

    async with display(screen, now=now) as shown:
        shown.feed(StepStarted("draft"))
        shown.feed(Text("draft", "It needs"))
        await shown.watching(carry_out)("draft", nothing)
        await until(lambda: len(screen.drafts) == 1)
        shown.feed(Text("draft", " Java"))
        before = looks
        await until(lambda: looks > before + 5)
        assert laid_out == ["It needs"]
        clock[0] = 1.0
        await until(lambda: len(screen.drafts) == 2)
    assert set(laid_out) == {"It needs", "It needs Java"}


async def test_draft_that_stays_the_same_is_shown_again_before_telegram_drops_it() -> None:
    screen = Screen()
    async with display(screen, pace=Pace(0.004, 0.01)) as shown:
        await shown.watching(carry_out)("draft", nothing)
        await until(lambda: len(screen.drafts) > 3)
    assert len(set(screen.texts)) == 1


async def test_draft_that_was_dropped_is_tried_again() -> None:
    screen = Screen(drafted="dropped")
    async with display(screen) as shown:
        await shown.watching(carry_out)("draft", nothing)
        await until(lambda: len(screen.drafts) > 2)


async def test_work_repeated_from_its_records_shows_nothing() -> None:
    screen = Screen()
    async with display(screen) as shown:
        for step in ("draft", "evaluate"):
            await shown.watching(from_records)(step, nothing)
            shown.feed(StepStarted(step))
            for _ in range(10):
                await asyncio.sleep(0)
    assert screen.drafts == []


async def test_end_waits_for_a_call_on_its_way_so_that_it_cannot_come_after_the_answer() -> None:
    screen = Screen()
    screen.is_open.clear()
    displaying = display(screen)
    shown = await displaying.__aenter__()
    await shown.watching(carry_out)("draft", nothing)
    await until(lambda: screen.waiting)
    ending = asyncio.create_task(displaying.__aexit__(None, None, None))
    for _ in range(10):
        await asyncio.sleep(0)
    assert not ending.done()
    screen.is_open.set()
    await ending
    shown.feed(StepStarted("judge"))
    for _ in range(10):
        await asyncio.sleep(0)
    assert len(screen.drafts) == 1


async def test_screen_that_breaks_does_not_cost_the_answer() -> None:
    tried = asyncio.Event()

    async def broken(_place: Place, _draft_id: int, _part: Part) -> Drafted:
        tried.set()
        raise RuntimeError("broken")

    async with Display(broken, PRIVATE, "en", draft_id=3, pace=FAST).running() as shown:
        await shown.watching(carry_out)("draft", nothing)
        await tried.wait()
