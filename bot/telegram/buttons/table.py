"""Every button of the bot: who may press it, how its payload is read, and which function carries it out.

To add a button: write a function of a `Context` and of the argument, and list it in `BUTTONS`. An action that
must be confirmed is asked for with `confirming.confirm` and listed in `CONFIRMED`.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, Literal

from bot.service.people import AskId, Json
from bot.telegram.access_requests import ALLOW, REFUSE
from bot.telegram.buttons import answers
from bot.telegram.buttons.confirming import NO, YES
from bot.telegram.buttons.explanations import FILE
from bot.telegram.commands import (
    additions,
    basics,
    choices,
    corrections,
    documents,
    interview_sessions,
    interviews,
    people,
    privacy,
    reindexing,
    statistics,
)
from bot.telegram.commands.context import Context, Told
from bot.telegram.ids import read_number
from bot.telegram.interviews import CHOOSE
from bot.telegram.passed_questions import KEEP, SIGN, press_sign
from rag.values import MODES

Rights = answers.AnswerRights | Literal["command", "confirmed"]
"""Rights for a button; `command`: of a given command; `confirmed`: of the command to be confirmed."""


@dataclass(frozen=True, slots=True)
class Button:
    """A button.

    Args:
        parse: Parses the payload behind the verb; returns None for a payload that no button has.
        press: Carries the button out; called with the parsed argument, under answers with a `Found`.
    """

    rights: Rights
    parse: Callable[[str], Any]
    press: Callable[[Context, Any], Awaitable[Told]]
    command: str = ""


def _parse_ask_id(text: str) -> AskId | None:
    number = read_number(text)
    return None if number is None else AskId(number)


def _parse_ask_of_member(text: str) -> AskId | None:
    """Parse the question id before the member number, which `answers.explain` parses itself."""
    return _parse_ask_id(text.partition(":")[0])


def _parse_mode(text: str) -> str | None:
    return text if text in MODES else None


async def _run_confirmed(context: Context, command: Mapping[str, Json]) -> Told:
    await CONFIRMED[str(command["name"])][1](context, command)
    return Told()


async def _drop(context: Context, _command: Mapping[str, Json]) -> Told:
    await context.say("confirm-dropped")
    return Told()


BUTTONS: Final[Mapping[str, Button]] = {
    "useful": Button("asker", _parse_ask_id, partial(answers.rate, thumb="useful")),
    "wrong": Button("asker", _parse_ask_id, partial(answers.rate, thumb="wrong")),
    "sources": Button("reader", _parse_ask_id, partial(answers.explain, subject="sources")),
    "why": Button("reader", _parse_ask_id, partial(answers.explain, subject="why")),
    FILE: Button("reader", lambda text: _parse_ask_id(text.partition(":")[0]), answers.send_source),
    "person": Button("asker", _parse_ask_id, answers.ask_person),
    "ranking": Button("reader", _parse_ask_id, partial(answers.explain, subject="ranking")),
    "original": Button("reader", _parse_ask_of_member, partial(answers.explain, subject="original")),
    "corrected": Button("reader", _parse_ask_of_member, partial(answers.explain, subject="corrected")),
    "members": Button("reader", _parse_ask_id, partial(answers.show_members, is_open=True)),
    "fewer": Button("reader", _parse_ask_id, partial(answers.show_members, is_open=False)),
    "stop": Button("stopper", _parse_ask_id, answers.stop),
    choices.MODE: Button("command", _parse_mode, choices.press_mode, "mode"),
    choices.MODEL: Button("command", str, choices.press_model, "model"),
    choices.DOCUMENTS_ONLY: Button(
        "command", {"on": True, "off": False}.get, choices.press_documents_only, "settings"
    ),
    choices.LANGUAGE: Button("command", choices.read_language, choices.press_language, "language"),
    privacy.PRIVACY: Button("command", str, privacy.press_privacy, "privacy"),
    documents.PAGE: Button("command", documents.read_page, documents.press_page, "documents"),
    statistics.DAYS: Button("command", statistics.read_period, statistics.press_days, "stats"),
    interviews.INTERVIEW: Button("command", str, interviews.press_interview, "interview"),
    CHOOSE: Button("command", interviews.read_pick, interviews.press_choice, "interview"),
    interviews.END: Button("command", str, interviews.press_end, "interview"),
    ALLOW: Button("command", people.read_stranger, partial(people.press_request, outcome="allowed"), "allow"),
    REFUSE: Button(
        "command", people.read_stranger, partial(people.press_request, outcome="refused"), "allow"
    ),
    corrections.UNDO: Button("command", read_number, corrections.press_undo, "correct"),
    KEEP: Button("command", read_number, corrections.press_keep, "help"),
    SIGN: Button("command", read_number, press_sign, "help"),
    interview_sessions.SESSION: Button("command", str, interview_sessions.press_session, "interview"),
    YES: Button("confirmed", read_number, _run_confirmed),
    NO: Button("confirmed", read_number, _drop),
}
"""The buttons, by the verb at the beginning of their payload."""

UNKNOWN: Final = Button("reader", lambda _argument: None, answers.stop)
"""Stands for an unknown verb: its payload names no answer."""

CONFIRMED: Final[Mapping[str, tuple[str, Callable[[Context, Mapping[str, Json]], Awaitable[None]]]]] = {
    "reset": ("reset", basics.reset_confirmed),
    "erase": ("privacy", privacy.erase_confirmed),
    interview_sessions.DELETE: ("interview", interview_sessions.delete),
    "add": ("add", additions.replace_confirmed),
    "remove": ("remove", documents.remove_confirmed),
    "rebuild": ("reindex", reindexing.rebuild_confirmed),
    "appoint": ("admins", people.appoint_confirmed),
}
"""Functions that run after a confirmation, each with the command whose rights it needs."""
