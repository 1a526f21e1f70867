"""Shows the progress of an answer: best effort, and never after the answer has been delivered.

A private chat sees the state and the unchecked draft, marked as unchecked. A group sees only the state, in a
few edits of the placeholder. Steps that are replayed from the record show nothing: the message may already
hold the answer.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from types import TracebackType
from typing import Any, Protocol, Self

import structlog
from telegram import InlineKeyboardMarkup

from bot.service.incoming import Place
from bot.telegram.outbound.progress_calls import Drafted
from bot.telegram.rendering import LIMIT, Part, render_draft
from bot.telegram.rendering.characters import utf16_length
from bot.telegram.rendering.progress import Progress
from rag.events import Event
from rag.runs.run import RunStep

_log = structlog.get_logger(__name__)


class Screen(Protocol):
    """The part of `Delivery` that shows progress; its methods do not raise when Telegram refuses."""

    async def show(
        self, place: Place, message_id: int, part: Part, buttons: InlineKeyboardMarkup | None = None
    ) -> bool:
        """Show progress in a message if the rate limits allow it now; return whether it was shown."""
        ...

    async def draft(self, place: Place, draft_id: int, part: Part) -> Drafted:
        """Show progress as a draft if the rate limits allow it now."""
        ...

    async def typing(self, place: Place) -> bool:
        """Show "typing" for five seconds if the rate limits allow it now; return whether it was shown."""
        ...


@dataclass(frozen=True, slots=True)
class Pace:
    """How often progress is shown. Times are in seconds.

    Args:
        draft_seconds: Shortest time between two versions of a draft.
        refresh_seconds: Time after which an unchanged draft is sent again; Telegram hides it after 30.
        edit_seconds: Shortest time between two edits of a placeholder in a private chat.
        group_seconds: Shortest time between two edits of a placeholder in a group.
        group_edits: Largest number of edits of a placeholder in a group.
        typing_seconds: Time between two "typing" notices in a private chat; each is visible for five.
        group_typings: Largest number of "typing" notices in a group.
    """

    draft_seconds: float = 1.0
    refresh_seconds: float = 20.0
    edit_seconds: float = 2.0
    group_seconds: float = 5.0
    group_edits: int = 4
    typing_seconds: float = 4.5
    group_typings: int = 1


class Display:
    """Shows the progress of one answer; use it as a context, and feed it the events of the engine.

    Args:
        screen: Shows the progress.
        place: The chat.
        language: ISO 639-1 code of the reader's language.
        message_id: Id of the placeholder, or None to show drafts.
        draft_id: Number of the draft, not 0.
        buttons: The buttons under the placeholder.
        pace: How often progress is shown.
        now: A monotonic clock, in seconds.
    """

    def __init__(
        self,
        screen: Screen,
        place: Place,
        language: str,
        *,
        message_id: int | None,
        draft_id: int,
        buttons: InlineKeyboardMarkup,
        pace: Pace | None = None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._screen = screen
        self._place = place
        self._language = language
        self._message_id = message_id
        self._draft_id = draft_id
        self._buttons = buttons
        self._pace = pace or Pace()
        self._now = now
        self._progress = Progress()
        self._is_live = False
        self._is_over = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._shown: Part | None = None
        self._shown_at = -float("inf")
        self._typed_at = -float("inf")
        self._edits = 0
        self._typings = 0

    async def __aenter__(self) -> Self:
        self._task = asyncio.create_task(self._run())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        # A running call is awaited, not cancelled: it could arrive after the answer and overwrite it.
        self._is_over.set()
        if self._task is not None:
            await asyncio.wait({self._task})
            if not self._task.cancelled() and (failure := self._task.exception()) is not None:
                _log.error("progress could not be shown", exc_info=failure)

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

    async def _run(self) -> None:
        interval = min(self._pace.draft_seconds, self._pace.edit_seconds, self._pace.group_seconds) / 2
        while not self._is_over.is_set():
            if self._is_live:
                await self._tick()
            try:
                async with asyncio.timeout(interval):
                    await self._is_over.wait()
            except TimeoutError:
                continue

    async def _tick(self) -> None:
        await self._type()
        if self._is_over.is_set():
            return
        if self._place.kind != "private":
            if self._edits < self._pace.group_edits and self._is_time(self._pace.group_seconds):
                part = Part(self._state)
                self._edits += part != self._shown and await self._show(part)
            return
        is_draft = self._message_id is None
        # Checked first, because the layout of a long draft is the most expensive part of this method.
        if not self._is_time(self._pace.draft_seconds if is_draft else self._pace.edit_seconds):
            return
        part = self._render_unchecked()
        if not is_draft:
            if part != self._shown:
                await self._show(part)
            return
        is_fading = self._is_time(self._pace.refresh_seconds)
        if (part != self._shown or is_fading) and await self._screen.draft(
            self._place, self._draft_id, part
        ) == "shown":
            self._note(part)

    async def _type(self) -> None:
        is_private = self._place.kind == "private"
        if is_private and self._message_id is None:
            return  # A draft already shows that the bot is writing.
        if self._now() - self._typed_at < self._pace.typing_seconds:
            return
        if is_private or self._typings < self._pace.group_typings:
            self._typed_at = self._now()
            self._typings += await self._screen.typing(self._place)

    async def _show(self, part: Part) -> bool:
        if self._message_id is None:
            return False
        if is_shown := await self._screen.show(self._place, self._message_id, part, self._buttons):
            self._note(part)
        return is_shown

    def _is_time(self, seconds: float) -> bool:
        """Return whether the last display was at least `seconds` ago."""
        return self._now() - self._shown_at >= seconds

    def _note(self, part: Part) -> None:
        self._shown = part
        self._shown_at = self._now()

    @property
    def _state(self) -> str:
        return f"⏳ {self._progress.line(self._language)}"

    def _render_unchecked(self) -> Part:
        """Return the state, and below it the unchecked text written so far."""
        draft = self._progress.draft_text
        if not draft.strip():
            return Part(self._state)
        head = f"{self._progress.line(self._language)}\n\n"
        below = render_draft(draft, self._language, limit=LIMIT - utf16_length(head))
        moved = (replace(entity, offset=entity.offset + utf16_length(head)) for entity in below.entities)
        return Part(head + below.text, tuple(moved))


def render_waiting(language: str) -> Part:
    """Return the text of a placeholder before the work has begun."""
    return Part(f"⏳ {Progress().line(language)}")
