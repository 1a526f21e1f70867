"""Records events as durable jobs before the position in the stream of the homeserver moves on.

A job has the number of its event, so an event that comes twice is one job. The position is a file: after a
kill, or on another machine, events come again rather than not at all.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final

import structlog

from bot import kill_points
from bot.clock import utcnow
from bot.documents.uploads import UploadsError, write_whole
from bot.jobs.values import Job
from bot.matrix.commands import ORDERED
from bot.matrix.desk import Desk
from bot.matrix.ids import job_id, number
from bot.matrix.parsing import Edited, Heard, Invited, Raw, Reacted, Redacted, Sealed, parse, replied_to
from bot.service.errors import StorageError
from bot.service.incoming import Asked, Commanded, Ignored, Message, Place, Sender, Unreadable
from bot.service.keys import PeerId
from bot.service.languages import spoken
from bot.service.strangers import Strangers
from bot.texts import TEXTS

_log = structlog.get_logger(__name__)

MATRIX: Final = "matrix"
"""The kind of a job that handles an event; its payload is `bot.matrix.parsing.Raw` as JSON."""

_RETRY_SECONDS: Final = 1.0


class Intake:
    """Records events.

    Args:
        desk: Decides on questions.
        position: The file that holds the position in the stream.
        max_age: A question older than this gets a notice instead of an answer.
        clock: Tells the time.
    """

    def __init__(
        self, desk: Desk, position: Path, max_age: timedelta, clock: Callable[[], datetime] = utcnow
    ) -> None:
        self._desk = desk
        self._position = position
        self._max_age = max_age
        self._clock = clock
        self._strangers = Strangers(clock=clock)

    async def run(self) -> None:
        """Record events until cancelled.

        Raises:
            TokenError: the token was taken back.
        """
        is_first = True
        while True:
            since = self._position.read_text("utf-8") if self._position.exists() else ""
            response = await self._desk.homeserver.sync(since, is_first=is_first)
            kill_points.point("before events are recorded")
            while not await self._is_taken(response):
                await asyncio.sleep(_RETRY_SECONDS)
            kill_points.point("after events are recorded")
            if response.next_batch != since:
                await asyncio.to_thread(self._keep, response.next_batch)
            is_first = False

    def _keep(self, position: str) -> None:
        try:
            write_whole(self._position, position.encode())
        except UploadsError as exc:
            _log.warning("the position in the stream is not kept", reason=str(exc))

    async def _is_taken(self, response: Any) -> bool:  # noqa: ANN401 - nio has no types
        """Record the events of a response; return whether they are on record."""
        try:
            async with self._desk.jobs.together():
                for raw in self._events(response):
                    await self._take(raw)
        except StorageError as exc:
            if not exc.is_passing:
                raise
            _log.warning("events are not recorded", reason=str(exc))
            return False
        return True

    def _events(self, response: Any) -> Iterator[Raw]:  # noqa: ANN401 - as above
        me = self._desk.homeserver.me
        for room_id, invited in response.rooms.invite.items():
            for event in invited.invite_state:
                if event.source.get("type") == "m.room.member" and event.source.get("state_key") == me.id:
                    is_direct = event.source.get("content", {}).get("is_direct") is True
                    inviter = str(event.source.get("sender"))
                    yield {
                        "room": room_id,
                        "private": is_direct,
                        "title": room_id,
                        "name": inviter,
                        # An invitation has no id of its own.
                        "event": {**event.source, "event_id": ""},
                        "job": job_id(f"{room_id} {response.next_batch}"),
                    }
        for room_id, joined in response.rooms.join.items():
            if joined.timeline.limited:
                _log.info("only the latest messages of a room are read", room=room_id)
            room = self._desk.homeserver.room(room_id)
            for event in joined.timeline.events:
                if event.source.get("type") == "m.room.member":
                    continue
                yield {
                    "room": room_id,
                    "private": room.member_count <= 2,
                    "title": room.display_name,
                    "name": room.user_name(event.source.get("sender")) or str(event.source.get("sender")),
                    "event": event.source,
                    "job": job_id(str(event.source.get("event_id"))),
                }

    async def _take(self, raw: Raw) -> None:
        me = self._desk.homeserver.me
        # As if it replied to the bot, which is looked up only for what may then be for it.
        place, sender = _who(parse({**raw, "to_me": True}, me))
        if place is None or sender is None:
            return
        raw = {**raw, "to_me": await self.replies_to_me(raw["event"], place)}
        heard = parse(raw, me)
        if isinstance(heard, Ignored):
            return
        if not await self._is_worth_recording(heard, place, sender):
            return
        lane = ""
        match heard:
            case Asked(message=message) | Commanded(message=message) if self._is_old(message):
                await self._tell_late(raw, message)
                return
            case Asked():
                await self.admit(raw, heard)
                return
            case Commanded(name=name) if name in ORDERED:
                lane = place.lane
            case Reacted(target=target):
                ask = await self._desk.asks.find_by_answer(place.chat_id, number(target))
                if ask is None:
                    return
                # Behind the work on that answer, which records it a moment after it is shown.
                lane = Place(place.chat_id, place.kind, ask.thread_id).lane
            case Redacted(target=target):
                if not await self._is_open(place.chat_id, target):
                    return
            case _:
                pass
        await self._desk.jobs.submit(Job(raw["job"], MATRIX, json.dumps(raw), lane, person=sender.id))

    async def admit(self, raw: Raw, asked: Asked) -> None:
        """Record the job that answers a question, or the job that tells why it is not answered."""
        admission = await self._desk.reception(raw).admit(asked)
        if admission is None or (admission.ask is None and not admission.refusal):
            return
        lane = asked.message.place.lane
        if admission.ask is None:
            raw, lane = {**raw, "refusal": admission.refusal}, ""
        await self._desk.jobs.submit(
            Job(raw["job"], MATRIX, json.dumps(raw), lane, person=asked.message.sender.id)
        )

    async def replies_to_me(self, event: Mapping[str, Any], place: Place) -> bool:
        """Return whether a message replies to an answer of the bot."""
        replied = replied_to(event)
        return bool(replied) and (
            await self._desk.asks.find_by_answer(place.chat_id, number(replied)) is not None
        )

    def _is_old(self, message: Message) -> bool:
        return self._clock() - message.sent_at > self._max_age

    async def _tell_late(self, raw: Raw, message: Message) -> None:
        """Reply once a day, and in a room, that what was asked is too old."""
        if await self._desk.parts.access.role(message.sender, message.place) == "none":
            return
        person = await self._desk.parts.users.get(message.sender.id)
        text = TEXTS.text("answer-late", spoken(message.sender, person.language))
        late = job_id(f"late {message.place.lane} {message.sent_at:%Y%m%d}")
        raw = {**raw, "job": late, "refusal": text}
        await self._desk.jobs.submit(Job(late, MATRIX, json.dumps(raw), person=message.sender.id))

    async def _is_open(self, chat_id: PeerId, event_id: str) -> bool:
        ask = await self._desk.asks.find_by_message(chat_id, number(event_id))
        return ask is not None and ask.is_open

    async def _is_worth_recording(self, heard: Heard, place: Place, sender: Sender) -> bool:
        """Return whether a message is more than one of many of somebody who gets no answer anyway."""
        is_command = isinstance(heard, Commanded)
        if isinstance(heard, Asked | Commanded | Unreadable) and self._desk.limits.refuses(
            place, sender, self._clock(), is_command
        ):
            return False
        is_stranger = await self._desk.parts.access.role(sender, place) == "none"
        return not is_stranger or self._strangers.may_be_recorded(sender.id)


def _who(heard: Heard) -> tuple[Place | None, Sender | None]:
    match heard:
        case Ignored():
            return None, None
        case Asked(message=message) | Commanded(message=message) | Unreadable(message=message):
            return message.place, message.sender
        case Edited() | Redacted() | Reacted() | Sealed() | Invited():
            return heard.place, heard.sender
