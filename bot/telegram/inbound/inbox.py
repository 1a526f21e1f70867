"""Records every update as a durable job before it is confirmed to Telegram.

The job has the id of its update, so an update that arrives twice is one job, and an accepted update survives
a kill. The last id is not stored: ids may restart at any number after a week without updates.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, Any, Final, Literal

import structlog

from bot.jobs.values import MOST, Job
from bot.service.admission import REFUSAL, Reception, refusal_payload
from bot.service.incoming import (
    Asked,
    Commanded,
    Ignored,
    Incoming,
    Me,
    Message,
    Migrated,
    Overheard,
    Sender,
    Unreadable,
)
from bot.service.plain_questions import is_like_a_question
from bot.service.strangers import Strangers
from bot.telegram.commands import command
from bot.telegram.inbound.lanes import Lanes
from bot.telegram.inbound.parsing import clean, parse_raw_update
from bot.telegram.inbound.parts import Raw, goes_on, join, may_go_on, name_of_parts
from rag.runs.run import RunStep

if TYPE_CHECKING:
    from bot.telegram.services import Services

_log = structlog.get_logger(__name__)

UPDATE: Final = "update"
"""The kind of a job that handles an update; its payload is the update as JSON."""

PART: Final = "part"
"""The kind of a job that joins the parts of a message; its payload is the update with a part as JSON."""

EDIT: Final = "edit"
"""The kind of a job that replaces a question by its edited text; its payload is the edit as JSON."""

LATE: Final = "late"
"""The kind of a job that tells a chat that its updates are too old; its payload is one of them as JSON."""

_MOST_OPEN: Final = 1_000

COMMAND_SECONDS: Final = 60.0
"""Commands older than this are not executed: their sender no longer expects it."""

UpdateRoute = Literal["lane", "at once", "late", "dropped"]
"""How an update is handled: in the lane of its chat, at once, with a notice that it is too late, or not at
all."""


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules that decide how an update is handled.

    Args:
        max_age: A question older than this gets a notice instead of an answer.
        hears_plain_questions: Group messages that do not address the bot are considered as well.
    """

    max_age: timedelta
    hears_plain_questions: bool = False


def choose_route(incoming: Incoming, rules: Rules, age: timedelta) -> tuple[UpdateRoute, str]:
    """Decide how an update is handled, and why if it is dropped; `age` is zero when it is unknown. Pure."""
    match incoming:
        case Ignored(reason=reason):
            return "dropped", reason
        case Overheard(message=message):
            # Records stay for days, so talk among the members of a group is not recorded.
            if not rules.hears_plain_questions or message.is_edit or not is_like_a_question(message.text):
                return "dropped", "not for the bot"
            return ("dropped", "too old") if age > rules.max_age else ("lane", "")
        case Asked(message=message):
            if age > rules.max_age:
                # A correction of a typing error in an old question does not ask it again.
                return ("dropped", "an edit that is too old") if message.is_edit else ("late", "")
            # Not in the lane: an edit must overtake the question that it replaces.
            return "at once" if message.is_edit else "lane", ""
        case Commanded(name=name):
            known = command(name)
            if age > timedelta(seconds=COMMAND_SECONDS):
                return ("late", "") if known else ("dropped", "a command that nobody knows")
            return "lane" if known is not None and known.is_ordered else "at once", ""
        case Unreadable():
            return ("dropped", "too old") if age > rules.max_age else ("at once", "")
        case _:
            return "at once", ""


def job_id(me: Me, update_id: int) -> str:
    """Return the id of the job for an update."""
    return f"tg:{me.id}:{update_id}"


def answer_job_id(me: Me, asked: Asked) -> str:
    """Return the id of the job that answers a question; the job of an edit only cancels the former one."""
    known = job_id(me, asked.message.update_id)
    return f"{known}:edited" if asked.message.is_edit else known


def build_answer_job(me: Me, asked: Asked, payload: str, lane: str) -> Job:
    """Build the job that answers a question in its lane."""
    message = asked.message
    return Job(answer_job_id(me, asked), UPDATE, payload, lane, order(message.update_id), message.sender.id)


class Intake:
    """Records updates.

    Args:
        is_for_others: Returns whether a message may belong to an open interview, or answer a person's
            question; it is then not admitted as a question, and its own job decides what it is.
        join_seconds: How long the first part of a message waits for the others.
    """

    def __init__(
        self,
        services: Services,
        rules: Rules,
        reception: Reception,
        is_for_others: Callable[[Asked], Awaitable[bool]] | None = None,
        join_seconds: float = 1.0,
    ) -> None:
        self._services = services
        self._queue = services.jobs
        self._me = services.me
        self._rules = rules
        self._lanes = Lanes(services.parts.chats)
        self._reception = reception
        self._clock = services.clock
        self._is_for_others = is_for_others
        self._join_seconds = join_seconds
        # The latest part of each message that may be incomplete, up to `_MOST_OPEN`.
        self._open: dict[str, Raw] = {}
        self._strangers = Strangers(clock=services.clock)
        # Their questions are refused, which takes transactions; a notice of that is due once an hour.
        self._refused_strangers = Strangers(all_per_hour=MOST, clock=services.clock)

    async def take(
        self,
        raw: Mapping[str, Any],
        *,
        is_backlog: bool,
        tolerance: timedelta = timedelta(0),
        is_whole: bool = False,
    ) -> None:
        """Record an update; once this returns, the update may be confirmed to Telegram.

        Args:
            is_backlog: The update may have waited while the bot was away. A live update is never treated as
                old.
            tolerance: Ages up to this count as zero, to allow for clock skew between Telegram and the bot.
            is_whole: The update is no part of a message, or the parts are joined in it.
        """
        raw = clean(dict(raw))
        incoming = parse_raw_update(raw, self._me)
        message = _message(incoming)
        age = self._clock() - message.sent_at if message and is_backlog else timedelta(0)
        route, reason = choose_route(incoming, self._rules, age if age > tolerance else timedelta(0))
        update_id = update_id_of(incoming)
        sender: Sender | None = getattr(message or incoming, "sender", None)
        is_judged = route in {"lane", "at once"} and sender is not None and not is_whole
        # What is refused anyway opens no transaction, for which other writers would wait.
        is_passed_over = route == "dropped" or (is_judged and self._is_refused(incoming))
        async with nullcontext() if is_passed_over else self._queue.together():
            if is_judged and (is_passed_over or not await self._is_worth_recording(incoming)):
                route, reason = "dropped", "one of many that are refused"
            if message is not None and not is_whole:
                lane = self._find_lane_of_parts(raw, message, is_ours=route in {"lane", "at once"})
                part_id = f"{job_id(self._me, update_id)}:{PART}"
                if lane:
                    job = Job(part_id, PART, json.dumps(raw), lane, order(update_id), message.sender.id)
                    await self._queue.submit(job)
                    return
                if is_backlog and await self._queue.state(part_id) is not None:
                    # A part whose record was written before a kill comes again without the part before it.
                    return
            if route == "dropped":
                _log.debug("passed over", update=update_id, reason=reason)
            else:
                await self._record(incoming, json.dumps(raw), route)

    async def _record(self, incoming: Incoming, payload: str, route: UpdateRoute) -> None:
        message, update_id = _message(incoming), update_id_of(incoming)
        sender: Sender | None = getattr(message or incoming, "sender", None)
        if isinstance(incoming, Migrated):
            self._lanes.note_move(incoming.old_chat_id, incoming.new_chat_id)
        if route == "late":
            assert message is not None  # only questions and commands can be late
            _log.info("too old to be answered", update=update_id, chat=message.place.chat_id)
            # One notice for each chat, topic and day: its old questions share one job, and old commands of
            # the same name share another.
            late = f"tg:{self._me.id}:late:{message.place.lane}:{message.sent_at:%Y%m%d}"
            if isinstance(incoming, Commanded):
                late = f"{late}:{incoming.name}"
            await self._queue.submit(Job(late, LATE, payload, person=message.sender.id))
            return
        if route == "lane" and isinstance(incoming, Asked):
            await self.admit(incoming, payload)
            return
        kind = EDIT if isinstance(incoming, Asked) else UPDATE
        who = sender.id if sender else ""
        job = Job(job_id(self._me, update_id), kind, payload, order=order(update_id), person=who)
        if route == "lane":
            assert message is not None  # only messages have lanes
            job = replace(job, lane=await self._lanes.of(message.place))
        await self._queue.submit(job)

    async def join(self, payload: str, run_step: RunStep) -> None:
        """Join a part of a message, the payload, with those that wait behind it; carries out jobs `PART`."""
        # From its record on, the parts are these, and after a kill the rest is done once more.
        raws: tuple[Raw, ...] = await run_step("join", partial(self._gather, json.loads(payload)))
        await self.take(join(raws), is_backlog=False, is_whole=True)
        for raw in raws[1:]:
            await self._queue.cancel(f"{job_id(self._me, raw['update_id'])}:{PART}")

    async def _gather(self, first: Raw) -> tuple[Raw, ...]:
        await asyncio.sleep(self._join_seconds)
        message = _message(parse_raw_update(first, self._me))
        assert message is not None  # it was recorded as a part
        lane = f"{message.place.lane}:{name_of_parts(first, message)}"
        waiting = map(json.loads, await self._queue.waiting_in(message.sender.id, lane))
        others = [raw for raw in waiting if raw["update_id"] != first["update_id"]]
        raws = [first]
        for raw in sorted(others, key=lambda raw: order(raw["update_id"])):
            if not goes_on(raws[-1], raw):
                break
            raws.append(raw)
        return tuple(raws)

    def _find_lane_of_parts(self, raw: Raw, message: Message, *, is_ours: bool) -> str:
        """Return the lane in which the parts of a message wait for each other; empty for a whole message."""
        name = name_of_parts(raw, message)
        if not name:
            return ""
        lane = f"{message.place.lane}:{name}"
        before = self._open.pop(lane, None)
        if not (is_ours and may_go_on(raw)) and (before is None or not goes_on(before, raw)):
            return ""
        if may_go_on(raw):
            self._open[lane] = raw
            if len(self._open) > _MOST_OPEN:
                self._open.pop(next(iter(self._open)))
        return lane

    def _is_refused(self, incoming: Incoming) -> bool:
        """Return whether a message is known to be refused without a word."""
        is_command = isinstance(incoming, Commanded) and incoming.name != "stop"
        is_question = isinstance(incoming, Asked) and not incoming.message.is_edit
        if (is_command or is_question or isinstance(incoming, Unreadable)) and (sent := _message(incoming)):
            return self._services.limits.refuses(sent.place, sent.sender, self._clock(), is_command)
        return False

    async def _is_worth_recording(self, incoming: Incoming) -> bool:
        """Return whether a message may be more than one of many of somebody who gets no answer anyway."""
        sent: Any = _message(incoming) or incoming
        if await self._services.parts.access.role(sent.sender, sent.place) != "none":
            return True
        is_question = isinstance(incoming, Asked) and not incoming.message.is_edit
        strangers = self._refused_strangers if is_question else self._strangers
        return strangers.may_be_recorded(sent.sender.id)

    async def admit(self, asked: Asked, payload: str) -> None:
        """Record the job that answers a question, or the job that tells why it is not answered."""
        if self._is_for_others is not None and await self._is_for_others(asked):
            await self._queue.submit(
                build_answer_job(self._me, asked, payload, await self._lanes.of(asked.message.place))
            )
            return
        admission = await self._reception.admit(asked)
        if admission is None:
            return
        if admission.ask is None:
            if admission.refusal:
                refused = f"{answer_job_id(self._me, asked)}:{REFUSAL}"
                told = refusal_payload(asked, admission)
                await self._queue.submit(Job(refused, REFUSAL, told, person=asked.message.sender.id))
            return
        place = asked.message.place
        is_new = await self._queue.submit(
            build_answer_job(self._me, asked, payload, await self._lanes.of(place))
        )
        if is_new and admission.waiting:
            self._reception.acknowledge(asked)


def order(update_id: int) -> int:
    """Return the place of an update's job in its lane: jobs with lower numbers run first."""
    return min(max(update_id, 1), MOST)


def update_id_of(incoming: Incoming) -> int:
    """Return the id of the update that the value was parsed from."""
    message = _message(incoming)
    return message.update_id if message is not None else incoming.update_id  # type: ignore[union-attr]  # has it without a message


def _message(incoming: Incoming) -> Message | None:
    return getattr(incoming, "message", None)
