"""What a reader sees while an answer is on its way: best effort, and never after the answer is there.

A private chat sees the state and the unchecked draft, marked as such. A group sees the state alone, in a few
edits of the placeholder. Nothing is shown of work that is only repeated from its records: the answer may be
in the message already.
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
from bot.telegram.outbound.sender import Drafted
from bot.telegram.rendering import LIMIT, Part, unchecked
from bot.telegram.rendering.characters import utf16_length
from bot.telegram.rendering.progress import Progress
from rag.events import Event
from rag.loop.run import RunStep

_log = structlog.get_logger(__name__)


class Screen(Protocol):
    """The part of `Delivery` that shows progress; nothing of it raises because Telegram refuses."""

    async def show(
        self, place: Place, message_id: int, part: Part, buttons: InlineKeyboardMarkup | None = None
    ) -> bool:
        """Show it in a message if there is room now."""
        ...

    async def draft(self, place: Place, draft_id: int, part: Part) -> Drafted:
        """Show it as a draft if there is room now."""
        ...

    async def typing(self, place: Place) -> bool:
        """Show for five seconds that the bot is typing, if there is room now."""
        ...


@dataclass(frozen=True, slots=True)
class Pace:
    """How often something is shown.

    Args:
        draft_seconds: Between two versions of a draft.
        refresh_seconds: After which a draft that stays the same is shown again; Telegram drops it after 30.
        edit_seconds: Between two edits of a placeholder in a private chat.
        group_seconds: The same in a group.
        group_edits: How many edits a placeholder in a group gets.
        typing_seconds: Between two times "typing" in a private chat; it is seen for five.
        group_typings: How often a group sees "typing".
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
        screen: Where it is shown.
        place: The chat.
        language: ISO 639-1 code of the reader's language.
        message_id: The placeholder, or None to show drafts.
        draft_id: Number of the draft, not 0.
        buttons: Under the placeholder.
        pace: How often something is shown.
        now: A clock that never jumps, in seconds.
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
        # A call on its way is waited for, not cut: it could arrive behind the answer and overwrite it.
        self._is_over.set()
        if self._task is not None:
            await asyncio.wait({self._task})
            if not self._task.cancelled() and (failure := self._task.exception()) is not None:
                _log.error("progress could not be shown", exc_info=failure)

    def feed(self, event: Event) -> None:
        """Take one event of the engine."""
        self._progress.feed(event)

    def watching(self, run_step: RunStep) -> RunStep:
        """Return `run_step` in a form that tells the display when a step is really carried out."""

        async def watched(name: str, work: Callable[[], Awaitable[Any]], /, *, is_light: bool = False) -> Any:  # noqa: ANN401 - a step's own type
            async def carried_out() -> Any:  # noqa: ANN401 - as above
                self._is_live = True
                return await work()

            return await run_step(name, carried_out, is_light=is_light)

        return watched

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
        # First: to lay out a long draft costs more than anything else here.
        if not self._is_time(self._pace.draft_seconds if is_draft else self._pace.edit_seconds):
            return
        part = self._unchecked()
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
            return  # A draft shows that somebody writes.
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
        """Whether nothing was shown for so long."""
        return self._now() - self._shown_at >= seconds

    def _note(self, part: Part) -> None:
        self._shown = part
        self._shown_at = self._now()

    @property
    def _state(self) -> str:
        return f"⏳ {self._progress.line(self._language)}"

    def _unchecked(self) -> Part:
        """The state, and below it what is written so far and not checked."""
        draft = self._progress.draft_text
        if not draft.strip():
            return Part(self._state)
        head = f"{self._progress.line(self._language)}\n\n"
        below = unchecked(draft, self._language, limit=LIMIT - utf16_length(head))
        moved = (replace(entity, offset=entity.offset + utf16_length(head)) for entity in below.entities)
        return Part(head + below.text, tuple(moved))


def waiting(language: str) -> Part:
    """What a placeholder says before anything has begun."""
    return Part(f"⏳ {Progress().line(language)}")
