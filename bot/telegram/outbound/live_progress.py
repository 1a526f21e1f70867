"""Shows the progress of an answer: best effort, and never after the answer has been delivered.

A private chat sees the state and the unchecked text, marked as unchecked, as a draft. Elsewhere the state
stands in the placeholder of an answer that takes long, such as a council's. Steps that are replayed from the
record show nothing: the message may already hold the answer.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Any

import structlog

from bot.service.incoming import Place
from bot.telegram.outbound.progress_calls import Drafted
from bot.telegram.rendering import Part, draw_one
from bot.texts import TEXTS
from bot.views.blocks import Note, line, paragraph
from bot.views.markdown import parse
from bot.views.progress import Progress
from rag.events import Event
from rag.runs.run import RunStep

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Pace:
    """How often progress is shown, in seconds.

    Args:
        draft_seconds: Shortest time between two versions of a draft.
        refresh_seconds: Time after which an unchanged draft is sent again; Telegram hides it after 30.
        edit_seconds: Shortest time between two edits of a placeholder, and before the first one.
    """

    draft_seconds: float = 1.0
    refresh_seconds: float = 20.0
    edit_seconds: float = 4.0


@asynccontextmanager
async def repeating(look: Callable[[], Awaitable[None]], seconds: float) -> AsyncIterator[None]:
    """Call `look` every few seconds until the context ends.

    A call on its way is awaited, not cancelled: it could arrive after the result, and overwrite it.
    """
    is_over = asyncio.Event()

    async def repeat() -> None:
        while not is_over.is_set():
            await look()
            with suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    await is_over.wait()

    task = asyncio.create_task(repeat())
    try:
        yield
    finally:
        is_over.set()
        await asyncio.wait({task})
        if not task.cancelled() and (failure := task.exception()) is not None:
            _log.error("progress could not be shown", exc_info=failure)


class Display:
    """Shows the progress of one answer; feed it the events of the engine.

    Args:
        draft: Shows a text at a place, as the draft of a number (see `Delivery.draft`) or in a placeholder.
            None: nothing is shown.
        draft_id: Number of the draft, not 0.
        shown: What the placeholder shows already; None for a draft.
    """

    def __init__(
        self,
        draft: Callable[[Place, int, Part], Awaitable[Drafted]] | None,
        place: Place,
        language: str,
        *,
        draft_id: int,
        pace: Pace | None = None,
        shown: Part | None = None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._draft = draft
        self._place = place
        self._language = language
        self._draft_id = draft_id
        self._pace = pace or Pace()
        self._now = now
        self._progress = Progress()
        self._is_live = False
        self._shown = shown
        self._shown_at = -float("inf") if shown is None else now()

    @asynccontextmanager
    async def running(self) -> AsyncIterator[Display]:
        """Show progress until the context ends."""
        async with repeating(self._look, self._pace.draft_seconds / 2):
            yield self

    def feed(self, event: Event) -> None:
        """Take one event of the engine."""
        self._progress.feed(event)

    def watching(self, run_step: RunStep) -> RunStep:
        """Wrap `run_step` so that the display notices when a step is carried out instead of replayed."""

        async def run_watched(
            name: str, work: Callable[[], Awaitable[Any]], /, *, is_light: bool = False
        ) -> Any:  # noqa: ANN401 - a step's own type
            async def run_live() -> Any:  # noqa: ANN401 - as above
                self._is_live = True
                return await work()

            return await run_step(name, run_live, is_light=is_light)

        return run_watched

    async def _look(self) -> None:
        # Checked first, because the layout of a long draft is the most expensive part.
        if self._draft is None or not self._is_live or not self._is_time(self._pace.draft_seconds):
            return
        part = self._render_unchecked()
        is_due = part != self._shown or self._is_time(self._pace.refresh_seconds)
        if is_due and await self._draft(self._place, self._draft_id, part) == "shown":
            self._shown, self._shown_at = part, self._now()

    def _is_time(self, seconds: float) -> bool:
        return self._now() - self._shown_at >= seconds

    def _render_unchecked(self) -> Part:
        """Return the state, and below it the unchecked text written so far."""
        draft, state = self._progress.draft_text, self._progress.line(self._language)
        if not draft.strip() or self._place.kind != "private":
            return Part(f"⏳ {state}")
        note = Note(line(TEXTS.text("not-checked-yet", self._language)))
        return draw_one((paragraph(state), note, *parse(draft)))


def render_waiting(language: str) -> Part:
    """Return the text of a placeholder before the work has begun."""
    return Part(f"⏳ {Progress().line(language)}")
