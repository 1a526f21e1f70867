"""The interviews of a chat: list them, and delete one with everything that is kept of it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from bot.service.interview_ports import InterviewUnknownError
from bot.service.interview_values import View
from bot.service.people import Json
from bot.telegram.buttons.confirming import confirm
from bot.telegram.commands.context import Context, Key, Reply, Told
from bot.telegram.ids import to_number, to_peer
from bot.telegram.interviews import party_of, short_id
from bot.texts import figures
from bot.views.interviews import describe

LIST: Final = "list"
"""The argument of ``/interview`` that lists the interviews."""

SESSION: Final = "session"
"""The verb of the buttons under the list; it is followed by `LIST` or by the short id of an interview."""

DELETE: Final = "delete-interview"


def list_key(context: Context) -> Key:
    """Return the button that lists the interviews."""
    return Key(context.text("interview-list-button"), f"{SESSION}:{LIST}")


async def list_sessions(context: Context) -> None:
    """List the interviews of this chat, each with a button that deletes it."""
    await context.show(await context.do("look", partial(_list, context)))


async def press_session(context: Context, argument: str) -> Told:
    """List the interviews, or ask whether to delete the chosen one."""
    if argument == LIST:
        await list_sessions(context)
        return Told()
    session_id: str = await context.do("interview find", partial(_find, context, argument))
    if not session_id:
        return Told(context.text("press-too-late"))
    await confirm(context, context.text("interview-delete-confirm"), {"name": DELETE, "session": session_id})
    return Told()


async def delete(context: Context, command: Mapping[str, Json]) -> None:
    """Delete an interview; runs after the confirmation."""
    await context.do("carry out", partial(_delete, context, str(command["session"])))
    await context.say("interview-deleted")


async def _list(context: Context) -> Reply:
    views = await context.parts.interviews.list_all(party_of(context.place, context.sender))
    if not views:
        return Reply.of(context.text("interview-list-empty"))
    lines = [f"{number}. {_name(context, view)}" for number, view in enumerate(views, 1)]
    keys = tuple(
        (
            Key(
                context.text("interview-delete-button", number=number),
                f"{SESSION}:{short_id(view.session.id)}",
            ),
        )
        for number, view in enumerate(views, 1)
    )
    return Reply.of("\n".join([context.text("interview-list"), *lines]), keys)


def _name(context: Context, view: View) -> str:
    mission = context.parts.interviews.packs.find(view.session.pack)
    standing = describe(view, mission, mission.locale.language)
    is_closed = "interview-list-closed" if not view.session.is_open else "interview-list-open"
    return context.text(
        is_closed,
        title=mission.title,
        at=figures.date_time(view.session.created_at),
        done=standing.done,
        total=standing.total,
    )


async def _find(context: Context, prefix: str) -> str:
    views = await context.parts.interviews.list_all(party_of(context.place, context.sender))
    return next((view.session.id for view in views if short_id(view.session.id) == prefix), "")


async def _delete(context: Context, session_id: str) -> None:
    services, place = context.services, context.place
    party = party_of(place, context.sender)
    try:
        view = await services.parts.interviews.get(party, session_id)
    except InterviewUnknownError:
        view = None
    jobs = [
        _Job.read(job_id, text)
        for job_id, text in (await services.interview_deletion.list_jobs(party)).items()
    ]
    meant = find_jobs(jobs, to_number(place.chat_id), session_id, view)
    files = [message_id for job in meant for message_id in job.sent(to_number(place.chat_id), "document ")]
    if view is not None and view.session.summary_message_id is not None:
        files.append(view.session.summary_message_id)
    for message_id in files:
        await services.delivery.delete(place, message_id)
    await services.interview_deletion.delete(party, session_id, [job.id for job in meant])


@dataclass(frozen=True, slots=True)
class _Job:
    id: str
    text: str
    update: Mapping[str, Any]
    outcomes: Mapping[str, Any]

    @classmethod
    def read(cls, job_id: str, text: str) -> _Job:
        kept = json.loads(text)
        payload = kept["payload"]
        return cls(job_id, text, payload if isinstance(payload, dict) else {}, kept["outcomes"])

    def sent(self, chat_id: int, beginning: str = "") -> Iterator[int]:
        """Yield the ids of the messages that the steps whose names begin like this have sent to a chat.

        Telegram counts the messages of each chat: a report has an id of its recipient's chat.
        """
        for name, outcome in self.outcomes.items():
            is_message = name.startswith(beginning) and isinstance(outcome, dict) and "message_id" in outcome
            if is_message and outcome.get("chat_id") == to_peer(chat_id):
                yield int(outcome["message_id"])

    def got(self, chat_id: int) -> frozenset[int]:
        """Return the ids of the messages of a chat in the update: said, replied to or pressed below."""
        press = self.update.get("callback_query") or {}
        message = next(
            (found for key in ("message", "edited_message") if (found := self.update.get(key))),
            press.get("message") or {},
        )
        if message.get("chat", {}).get("id") != chat_id:
            return frozenset()
        held = (message, message.get("reply_to_message") or {})
        return frozenset(each["message_id"] for each in held if "message_id" in each)


def find_jobs(jobs: Sequence[_Job], chat_id: int, session_id: str, view: View | None) -> list[_Job]:
    """Return the jobs that hold words of an interview; its `view` is None if it is deleted already.

    These are the jobs whose record names the interview, those that got a message which was said to it, and
    those that got a message which shows it: Telegram sends that message along with a press or a reply.
    """
    turns = view.state.dialogue.history if view is not None else ()
    messages = {int(part) for turn in turns for part in turn.id.split(":")[1:2] if turn.role == "user"}
    for job in jobs:
        if session_id in job.text:
            messages.update(job.sent(chat_id))
    return [job for job in jobs if session_id in job.text or not messages.isdisjoint(job.got(chat_id))]
