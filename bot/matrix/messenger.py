"""Replies to an event in its room."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from functools import partial
from typing import Any

from bot.current_step import write_with_record
from bot.matrix.connection import Homeserver
from bot.matrix.drawing import draw
from bot.matrix.ids import job_ids, number
from bot.matrix.parsing import Raw, thread_of
from bot.service.incoming import File
from bot.service.keys import Channel
from bot.service.people import Ask
from bot.talk.desk import Desk
from bot.talk.messenger import SEND, Talker
from bot.views.blocks import Blocks


class RoomMessenger(Talker):
    """Writes into the room of an event."""

    def __init__(self, homeserver: Homeserver, desk: Desk, raw: Raw) -> None:
        self._homeserver = homeserver
        self._desk = desk
        self._room: str = raw["room"]
        self._event = raw["event"]

    @property
    def channel(self) -> Channel:
        """Return the channel's name."""
        return "matrix"

    @property
    def bot_name(self) -> str:
        """Return the name that people see for the bot; its Matrix id if it has chosen none."""
        return self._homeserver.me.name or self._homeserver.me.id

    def writing(self) -> AbstractAsyncContextManager[None]:
        """Show that the bot writes until the context ends."""
        return self._homeserver.typing(self._room)

    async def download(self, file: File) -> bytes:
        """Return the content of a file."""
        return await self._homeserver.download(file.id)

    async def send(self, blocks: Blocks, ask: Ask | None = None, *, is_edit: bool = False) -> str:
        """Send a message; return the event that it is known by, the first one where it is an edit."""
        content = draw(blocks, self._desk.parts.settings.telegram.link_hosts)
        before = await self._find_answer(ask) if ask is not None and is_edit else ""
        shown = before or await self._homeserver.send(self._room, content | self._reply())
        if before:
            edit = {"rel_type": "m.replace", "event_id": before}
            await self._homeserver.send(
                self._room, {**content, "m.new_content": content, "m.relates_to": edit}
            )
        if ask is not None:
            await write_with_record(partial(self._desk.asks.add_message, ask.id, ask.chat_id, number(shown)))
        return shown

    async def _find_answer(self, ask: Ask) -> str:
        """Return the event of the answer so far; empty if the record of the jobs is gone."""
        for job in job_ids(ask.workflow_id):
            if isinstance(event := await self._desk.jobs.recorded(job, SEND), str):
                return event
        return ""

    def _reply(self) -> dict[str, Any]:
        relation: dict[str, Any] = {}
        if event_id := self._event.get("event_id"):
            relation["m.in_reply_to"] = {"event_id": event_id}
        if thread := thread_of(self._event):
            relation |= {"rel_type": "m.thread", "event_id": thread, "is_falling_back": False}
        return {"m.relates_to": relation} if relation else {}
