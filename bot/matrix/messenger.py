"""Writes into one room, for one job: implements `bot.service.messenger.Messenger`.

Nothing is shown before an answer but that the bot writes, so an answer is one message, and the answer to a
changed question an edit of it.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

from bot.current_step import write_with_record
from bot.matrix.connection import Homeserver
from bot.matrix.drawing import draw
from bot.matrix.ids import job_ids, number
from bot.matrix.parsing import Raw, thread_of
from bot.service.incoming import Asked, Place
from bot.service.keys import Channel, PeerId
from bot.service.messenger import Posted
from bot.service.people import Ask
from bot.storage.asks import Asks
from bot.views import answers
from bot.views.blocks import Blocks
from bot.views.results import view
from rag.events import Event
from rag.runs.run import RunStep
from rag.values import Answer

Recorded = Callable[[str, str], Awaitable[object]]
"""Returns the recorded result of a job's step, or None: ``await recorded(job_id, step)``."""

_ANSWERED = "send 1"


class RoomMessenger:
    """Writes into the room of an event.

    Args:
        homeserver: Sends.
        asks: Stores which messages belong to a question.
        recorded: Returns what an earlier job has sent.
        raw: The event that is answered.
        link_hosts: Hosts whose addresses stay links in an answer.
    """

    def __init__(
        self,
        homeserver: Homeserver,
        asks: Asks,
        recorded: Recorded,
        raw: Raw,
        link_hosts: tuple[str, ...] = (),
    ) -> None:
        self._homeserver = homeserver
        self._asks = asks
        self._recorded = recorded
        self._room: str = raw["room"]
        self._event: str = raw["event"].get("event_id", "")
        self._thread = thread_of(raw["event"])
        self._link_hosts = link_hosts

    @property
    def channel(self) -> Channel:
        """Return the channel's name."""
        return "matrix"

    async def open(
        self,
        place: Place,  # noqa: ARG002 - as in the protocol; there is one room
        ask: Ask,  # noqa: ARG002 - likewise
        language: str,  # noqa: ARG002 - likewise
        *,
        known: Sequence[Posted] = (),
    ) -> Posted | None:
        """Return the former answer of an edited question; nothing else is shown."""
        return known[0] if known else None

    async def acknowledge(self, place: Place, message_id: int) -> None:
        """Show nothing: a room shows that the bot writes."""

    @asynccontextmanager
    async def show(
        self,
        place: Place,  # noqa: ARG002 - as in the protocol
        ask: Ask,  # noqa: ARG002 - likewise
        language: str,  # noqa: ARG002 - likewise
        opened: Posted | None,  # noqa: ARG002 - likewise
    ) -> AsyncIterator[_Silent]:
        """Show that the bot writes."""
        async with self._homeserver.typing(self._room):
            yield _Silent()

    async def deliver(
        self,
        run_step: RunStep,
        asked: Asked,  # noqa: ARG002 - as in the protocol
        ask: Ask | None,
        content: object,
        language: str,
        *,
        known: Sequence[Posted] = (),
        note: str = "",
        first: int = 1,
    ) -> None:
        """Send a result as a reply, or as an edit of the former answer."""
        shown = (
            answers.view(content, language, note) if isinstance(content, Answer) else view(content, language)
        )
        send = partial(self._deliver, draw(shown, self._link_hosts), ask, is_edit=bool(known))
        await run_step(f"send {first}", send)

    async def retract(self, place: Place, messages: Sequence[int], text: str = "") -> None:
        """Leave former answers as they are: whoever takes a question back sees that no new one comes."""

    async def say(
        self,
        run_step: RunStep,
        place: Place,  # noqa: ARG002 - as in the protocol
        text: str,
        *,
        reply_to: int | None = None,  # noqa: ARG002 - likewise
        known: Sequence[Posted] = (),  # noqa: ARG002 - likewise
    ) -> None:
        """Send a sentence as a reply."""
        if text:
            await self.show_blocks(run_step, view(text, ""))

    async def show_blocks(self, run_step: RunStep, blocks: Blocks) -> None:
        """Send blocks as a reply."""
        await run_step("send 1", partial(self._deliver, draw(blocks, self._link_hosts), None, is_edit=False))

    async def speaks_for(self, place: Place, asker_id: PeerId, user_id: PeerId) -> bool:  # noqa: ARG002 - likewise
        """Return False: on Matrix everybody writes under an id of their own."""
        return False

    async def _deliver(self, content: dict[str, Any], ask: Ask | None, *, is_edit: bool) -> str:
        before = await self._find_answer(ask) if ask is not None and is_edit else None
        event = await self._homeserver.send(self._room, self._related(content, before))
        if ask is not None:
            await write_with_record(
                partial(self._asks.add_message, ask.id, ask.chat_id, number(before or event))
            )
        return before or event

    async def _find_answer(self, ask: Ask) -> str | None:
        """Return the event of the answer so far; None if the record of the jobs is gone."""
        for job in job_ids(ask.workflow_id):
            if isinstance(event := await self._recorded(job, _ANSWERED), str):
                return event
        return None

    def _related(self, content: dict[str, Any], before: str | None) -> dict[str, Any]:
        """Return content as an edit of `before`, or as a reply to the event, in its thread."""
        if before is not None:
            relation: dict[str, Any] = {"rel_type": "m.replace", "event_id": before}
            return {
                **content,
                "body": f"* {content['body']}",
                "m.new_content": content,
                "m.relates_to": relation,
            }
        if not self._event:
            return content
        relation = {"m.in_reply_to": {"event_id": self._event}}
        if self._thread:
            relation |= {"rel_type": "m.thread", "event_id": self._thread, "is_falling_back": False}
        return {**content, "m.relates_to": relation}


class _Silent:
    """Progress that is not shown."""

    def feed(self, event: Event) -> None:
        """Take an event of the engine."""

    def watching(self, run_step: RunStep) -> RunStep:
        """Return `run_step`."""
        return run_step
