from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import pytest
from telegram import InlineKeyboardMarkup

from bot.service.incoming import Place
from bot.telegram.ids import to_peer
from bot.telegram.outbound.live_progress import Display, Pace
from bot.telegram.outbound.progress_calls import Drafted
from bot.telegram.rendering import LIMIT, Part, render_draft
from bot.telegram.rendering.characters import utf16_length
from rag.events import StepFinished, StepStarted, Text
from rag.reasons import as_written
from rag.values import StepTrace
from tests.telegram.waiting import until

GROUP, PRIVATE = Place(to_peer(-1), "group"), Place(to_peer(1), "private")
KEYBOARD = InlineKeyboardMarkup([])
FAST = Pace(0.004, 20.0, 0.004, 0.004, 4, 0.004, 1)


@dataclass
class Screen:
    """Takes everything, or what a test lets through."""

    shown: list[Part] = field(default_factory=list)
    drafts: list[Part] = field(default_factory=list)
    typings: int = 0
    drafted: Drafted = "shown"
    is_open: asyncio.Event = field(default_factory=asyncio.Event)
    waiting: int = 0

    def __post_init__(self) -> None:
        self.is_open.set()

    async def show(
        self, place: Place, message_id: int, part: Part, buttons: InlineKeyboardMarkup | None = None
    ) -> bool:
        assert (message_id, buttons) == (7, KEYBOARD)
        self.waiting += 1
        await self.is_open.wait()
        self.shown.append(part)
        return True

    async def draft(self, place: Place, draft_id: int, part: Part) -> Drafted:
        assert draft_id == 3
        self.drafts.append(part)
        return self.drafted

    async def typing(self, place: Place) -> bool:
        self.typings += 1
        return True


def display(screen: Screen, place: Place, *, is_draft: bool = False, pace: Pace = FAST) -> Display:
    return Display(
        screen,
        place,
        "en",
        message_id=None if is_draft else 7,
        draft_id=3,
        buttons=KEYBOARD,
        pace=pace,
    )


async def carry_out(_name: str, work: Callable[[], Awaitable[Any]], /, *, is_light: bool = False) -> Any:
    return await work()


async def from_records(_name: str, _work: Callable[[], Awaitable[Any]], /, *, is_light: bool = False) -> Any:
    return None


async def nothing() -> None:
    pass


def _has(screen: Screen, count: int) -> bool:
    return len(screen.shown) >= count


def texts(parts: list[Part]) -> list[str]:
    return [part.text for part in parts]


async def test_group_sees_states_without_the_draft_in_a_few_edits() -> None:
    screen = Screen()
    async with display(screen, GROUP) as shown:
        await shown.watching(carry_out)("draft", nothing)
        shown.feed(StepStarted("draft"))
        shown.feed(Text("draft", "secret words"))
        await until(lambda: "⏳ Drafting …" in texts(screen.shown))
        for step in ("evaluate", "judge", "retrieve", "regenerate", "evaluate", "rewrite"):
            expected = min(len(screen.shown) + 1, FAST.group_edits)
            shown.feed(StepStarted(step))
            await until(partial(_has, screen, expected))
            shown.feed(StepFinished(StepTrace(step, 1.0, as_written(""))))
    assert len(screen.shown) == FAST.group_edits
    assert not [text for text in texts(screen.shown) if "secret" in text]
    assert (screen.typings, screen.drafts) == (1, [])


async def test_private_chat_sees_the_draft_marked_as_not_checked_and_typing() -> None:
    screen = Screen()
    async with display(screen, PRIVATE) as shown:
        await shown.watching(carry_out)("draft", nothing)
        shown.feed(StepStarted("draft"))
        shown.feed(Text("draft", "It needs **Java** 17."))
        await until(lambda: any("Java" in text for text in texts(screen.shown)) and screen.typings > 1)
    part = screen.shown[-1]
    assert part.text == "Drafting …\n\n⏳ Not checked yet\n\nIt needs Java 17."
    bold = next(entity for entity in part.entities if entity.type == "bold")
    assert part.text[bold.offset :].startswith("Java"), "nothing here is longer than one UTF-16 unit"


@pytest.mark.parametrize("draft", ["x" * 5000, "🎉" * 5000], ids=["letters", "emoji"])
async def test_long_draft_with_its_state_fits_into_a_message(draft: str) -> None:
    screen = Screen()
    async with display(screen, PRIVATE, is_draft=True) as shown:
        await shown.watching(carry_out)("draft", nothing)
        shown.feed(StepStarted("draft"))
        shown.feed(Text("draft", draft))
        await until(lambda: any("Not checked" in text for text in texts(screen.drafts)))
    assert LIMIT - 10 < utf16_length(screen.drafts[-1].text) <= LIMIT


async def test_draft_is_laid_out_only_when_it_is_time_to_show_it(monkeypatch: pytest.MonkeyPatch) -> None:
    laid_out: list[str] = []

    def counted(draft: str, language: str, *, limit: int) -> Part:
        laid_out.append(draft)
        return render_draft(draft, language, limit=limit)

    monkeypatch.setattr("bot.telegram.outbound.live_progress.render_draft", counted)
    screen, clock = Screen(), [0.0]
    # The display looks every two milliseconds, by the clock of the event loop; what is due says another one.
    pace = Pace(0.004, 20.0, 0.004, 0.004)
    shown = Display(
        screen, PRIVATE, "en", message_id=7, draft_id=3, buttons=KEYBOARD, pace=pace, now=lambda: clock[0]
    )
    async with shown:
        shown.feed(StepStarted("draft"))
        shown.feed(Text("draft", "It needs"))
        await shown.watching(carry_out)("draft", nothing)
        await until(lambda: len(screen.shown) == 1)
        shown.feed(Text("draft", " Java"))
        for _ in range(5):
            await shown._tick()
        assert laid_out == ["It needs"]
        clock[0] = 1.0
        await until(lambda: len(screen.shown) == 2)
    assert set(laid_out) == {"It needs", "It needs Java"}


async def test_draft_that_stays_the_same_is_shown_again_before_telegram_drops_it() -> None:
    screen = Screen()
    pace = Pace(0.004, 0.01, 0.004, 0.004)
    async with display(screen, PRIVATE, is_draft=True, pace=pace) as shown:
        await shown.watching(carry_out)("draft", nothing)
        await until(lambda: len(screen.drafts) > 3)
    assert len(set(texts(screen.drafts))) == 1
    assert screen.typings == 0, "a draft shows that somebody writes"


async def test_draft_that_was_dropped_is_tried_again() -> None:
    screen = Screen(drafted="dropped")
    async with display(screen, PRIVATE, is_draft=True) as shown:
        await shown.watching(carry_out)("draft", nothing)
        await until(lambda: len(screen.drafts) > 2)


@pytest.mark.parametrize("is_draft", [False, True], ids=["placeholder", "draft"])
async def test_work_repeated_from_its_records_shows_nothing(is_draft: bool) -> None:
    screen = Screen()
    async with display(screen, PRIVATE, is_draft=is_draft) as shown:
        for step in ("draft", "evaluate"):
            await shown.watching(from_records)(step, nothing)
            shown.feed(StepStarted(step))
            for _ in range(10):
                await asyncio.sleep(0)
    assert (screen.shown, screen.drafts, screen.typings) == ([], [], 0)


async def test_end_waits_for_a_call_on_its_way_so_that_it_cannot_overwrite_the_answer() -> None:
    screen = Screen()
    screen.is_open.clear()
    shown = display(screen, GROUP)
    await shown.__aenter__()
    await shown.watching(carry_out)("draft", nothing)
    await until(lambda: screen.waiting)
    ending = asyncio.create_task(shown.__aexit__(None, None, None))
    for _ in range(10):
        await asyncio.sleep(0)
    assert not ending.done()
    screen.is_open.set()
    await ending
    count = len(screen.shown)
    shown.feed(StepStarted("judge"))
    for _ in range(10):
        await asyncio.sleep(0)
    assert len(screen.shown) == count == 1


async def test_screen_that_breaks_does_not_cost_the_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Screen()

    async def broken(_place: Place) -> bool:
        raise RuntimeError("broken")

    monkeypatch.setattr(screen, "typing", broken)
    async with display(screen, GROUP) as shown:
        await shown.watching(carry_out)("draft", nothing)
        assert shown._task is not None
        await until(shown._task.done)
