"""Records events as durable jobs before the position in the stream of the homeserver moves on.

A job has the number of its event, so an event that comes twice is one job. The position is a file: after a
kill, or on another machine, events come again rather than not at all.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from datetime import timedelta
from typing import Any, Final

import structlog

from bot import kill_points
from bot.clock import utcnow
from bot.documents.uploads import UploadsError, write_whole
from bot.jobs.values import Job
from bot.matrix.connection import Homeserver
from bot.matrix.ids import job_id, number
from bot.matrix.messenger import RoomMessenger
from bot.matrix.parsing import Raw, Signal, changed, moment_of, parse, replied_to, who
from bot.service.errors import StorageError
from bot.service.incoming import Asked, Commanded, Place, Sender
from bot.talk.commands import ORDERED
from bot.talk.desk import Case, Desk

_log = structlog.get_logger(__name__)

MATRIX: Final = "matrix"
"""The kind of a job that handles an event; its payload is `bot.matrix.parsing.Raw` as JSON."""

_RETRY_SECONDS: Final = 1.0


class Intake:
    """Records events."""

    def __init__(self, homeserver: Homeserver, desk: Desk) -> None:
        self._homeserver, self._desk, self._me = homeserver, desk, homeserver.me
        settings = desk.parts.settings
        self._position = settings.data_dir / "matrix-position"
        self._max_age = timedelta(minutes=settings.matrix.max_age_minutes)

    def case(self, raw: Raw) -> Case:
        """Return what answers an event."""
        return Case(self._desk, RoomMessenger(self._homeserver, self._desk, raw), raw["job"])

    async def run(self) -> None:
        """Record events until cancelled; raises `TokenError` when the token was taken back."""
        is_first = True
        while True:
            since = self._position.read_text("utf-8") if self._position.exists() else ""
            response = await self._homeserver.sync(since, is_first=is_first)
            kill_points.point("before events are recorded")
            await self._record(response)
            kill_points.point("after events are recorded")
            if response.next_batch != since:
                try:
                    await asyncio.to_thread(write_whole, self._position, response.next_batch.encode())
                except UploadsError as exc:
                    _log.warning("the position in the stream is not kept", reason=str(exc))
            is_first = False

    async def admit(self, raw: Raw, asked: Asked) -> None:
        """Record the job that answers a question, or the job that tells why it is not answered."""
        admission = await self.case(raw).reception.admit(asked)
        if admission is not None and admission.ask is not None:
            await self._submit(raw, asked.message.sender, asked.message.place.lane)
        elif admission is not None and admission.refusal:
            await self._submit({**raw, "refusal": admission.refusal}, asked.message.sender)

    async def replies_to_me(self, event: Raw, place: Place) -> bool:
        """Return whether a message replies to an answer of the bot."""
        replied, asks = replied_to(event), self._desk.asks
        return bool(replied) and await asks.find_by_answer(place.chat_id, number(replied)) is not None

    async def _record(self, response: Any) -> None:  # noqa: ANN401 - nio has no types
        while True:
            try:
                async with self._desk.jobs.together():
                    for raw in self._events(response):
                        await self._take(raw)
            except StorageError as exc:
                if not exc.is_passing:
                    raise
                _log.warning("events are not recorded", reason=str(exc))
                await asyncio.sleep(_RETRY_SECONDS)
            else:
                return

    def _events(self, response: Any) -> Iterator[Raw]:  # noqa: ANN401 - as above
        for room_id, invited in response.rooms.invite.items():
            for told in invited.invite_state:
                if getattr(told, "membership", "") == "invite" and told.state_key == self._me.id:
                    # An invitation has no id of its own, and a later one is another one.
                    job = job_id(f"{room_id} {response.next_batch}")
                    is_direct = told.content.get("is_direct") is True
                    known = {"room": room_id, "private": is_direct, "title": room_id, "name": told.sender}
                    event = {"type": "m.room.member", "sender": told.sender}
                    yield {**known, "event": event, "job": job}
        for room_id, joined in response.rooms.join.items():
            room = self._homeserver.room(room_id)
            for event in (event.source for event in joined.timeline.events):
                if "state_key" not in event:
                    name = room.user_name(event["sender"]) or event["sender"]
                    is_private = room.member_count <= 2
                    known = {"room": room_id, "private": is_private, "title": room.display_name, "name": name}
                    yield {**known, "event": event, "job": job_id(event["event_id"])}

    async def _take(self, raw: Raw) -> None:
        # As if it replied to the bot, which is looked up only for what may then be for it.
        heard = parse({**raw, "to_me": True}, self._me)
        if heard is None:
            return
        place, sender = who(heard)
        raw = {**raw, "to_me": await self.replies_to_me(raw["event"], place)}
        heard = parse(raw, self._me)
        if heard is None or not await self._desk.is_worth_recording(heard, place, sender, utcnow()):
            return
        lane = ""
        match heard:
            case Asked(message=message) | Commanded(message=message) if (
                utcnow() - message.sent_at > self._max_age
            ):
                if await self._desk.asks.find_by_message(place.chat_id, number(raw["event"]["event_id"])):
                    return  # it was answered, and the position in the stream was lost
                # In a room once for each day.
                late = job_id(f"late {place.lane} {message.sent_at:%Y%m%d}")
                raw = {**raw, "job": late, "refusal": await self._desk.word_late(message)}
            case Asked():
                await self.admit(raw, heard)
                return
            case Commanded(name=name) if name in ORDERED:
                lane = place.lane
            case Signal("sealed"):
                # Whatever is written there, what to do instead is said once for each day.
                raw = {**raw, "job": job_id(f"sealed {place.lane} {utcnow():%Y%m%d}")}
            case Signal("reacted" | "edited") if utcnow() - moment_of(raw["event"]) > self._max_age:
                return
            case Signal("reacted" | "redacted" | "edited" as kind, target=target):
                asks = self._desk.asks
                find = asks.find_by_answer if kind == "reacted" else asks.find_by_message
                ask = await find(place.chat_id, number(target))
                # Talk among the members of a room is not recorded, and neither are its changes.
                if ask is None and (kind != "edited" or parse(changed(raw), self._me) is None):
                    return
                if ask is not None and kind == "reacted":  # behind the work that records the answer
                    lane = Place(place.chat_id, place.kind, ask.thread_id).lane
        await self._submit(raw, sender, lane)

    async def _submit(self, raw: Raw, sender: Sender, lane: str = "") -> None:
        await self._desk.jobs.submit(Job(raw["job"], MATRIX, json.dumps(raw), lane, person=sender.id))
