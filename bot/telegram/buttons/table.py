"""Every button of the bot: who may press it, how what it carries is read, and what carries it out.

To add a button: write a function of a `Context` and of the argument, and list it in `BUTTONS`. What must be
confirmed first is asked with `confirming.confirm` and listed in `CONFIRMED`.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, Literal

from bot.service.people import AskId, Json
from bot.telegram.access_requests import ALLOW, REFUSE
from bot.telegram.buttons import answers, choices
from bot.telegram.buttons.confirming import NO, YES
from bot.telegram.buttons.explanations import FILE
from bot.telegram.commands import (
    additions,
    basics,
    corrections,
    documents,
    figures,
    interviews,
    people,
    personal,
    reindexing,
    removals,
    requests,
)
from bot.telegram.commands.context import Context, Told
from bot.telegram.interviews import CHOOSE
from bot.telegram.typed_numbers import read_number
from rag.values import MODES

Rights = answers.AnswerRights | Literal["command", "confirmed"]
"""`command`: those of a command; `confirmed`: those of the command that waits for the yes."""


@dataclass(frozen=True, slots=True)
class Button:
    """A button.

    Args:
        rights: Who may press it.
        parse: Reads the argument behind the verb; None: no button of ours carries that.
        press: Carries it out. It is given the argument; under answers, what was found of the answer.
        command: The command whose rights it needs.
    """

    rights: Rights
    parse: Callable[[str], Any]
    press: Callable[[Context, Any], Awaitable[Told]]
    command: str = ""


def _ask_id(text: str) -> AskId | None:
    number = read_number(text)
    return None if number is None else AskId(number)


def _ask_of_member(text: str) -> AskId | None:
    """The question before the member's number; `answers.explain` reads that one."""
    return _ask_id(text.partition(":")[0])


def _mode(text: str) -> str | None:
    return text if text in MODES else None


async def _confirmed(context: Context, command: Mapping[str, Json]) -> Told:
    await CONFIRMED[str(command["name"])][1](context, command)
    return Told()


async def _dropped(context: Context, _command: Mapping[str, Json]) -> Told:
    await context.say("confirm-dropped")
    return Told()


BUTTONS: Final[Mapping[str, Button]] = {
    "useful": Button("asker", _ask_id, partial(answers.rate, thumb="useful")),
    "wrong": Button("asker", _ask_id, partial(answers.rate, thumb="wrong")),
    "sources": Button("reader", _ask_id, partial(answers.explain, subject="sources")),
    "why": Button("reader", _ask_id, partial(answers.explain, subject="why")),
    FILE: Button("reader", lambda text: _ask_id(text.partition(":")[0]), answers.send_source),
    "ranking": Button("reader", _ask_id, partial(answers.explain, subject="ranking")),
    "original": Button("reader", _ask_of_member, partial(answers.explain, subject="original")),
    "corrected": Button("reader", _ask_of_member, partial(answers.explain, subject="corrected")),
    "stop": Button("stopper", _ask_id, answers.stop),
    choices.MODE: Button("command", _mode, choices.press_mode, "mode"),
    choices.LANGUAGE: Button("command", choices.read_language, choices.press_language, "language"),
    personal.PRIVACY: Button("command", str, personal.press_privacy, "privacy"),
    documents.PAGE: Button("command", documents.read_page, documents.press_page, "documents"),
    figures.DAYS: Button("command", figures.read_period, figures.press_days, "stats"),
    interviews.INTERVIEW: Button("command", str, interviews.press_interview, "interview"),
    CHOOSE: Button("command", interviews.read_pick, interviews.press_choice, "interview"),
    interviews.END: Button("command", str, interviews.press_end, "interview"),
    ALLOW: Button("command", requests.read_stranger, partial(requests.press, outcome="allowed"), "allow"),
    REFUSE: Button("command", requests.read_stranger, partial(requests.press, outcome="refused"), "allow"),
    corrections.UNDO: Button("command", read_number, corrections.press_undo, "correct"),
    YES: Button("confirmed", read_number, _confirmed),
    NO: Button("confirmed", read_number, _dropped),
}
"""Buttons by the verb that their payload begins with."""

UNKNOWN: Final = Button("reader", lambda _argument: None, answers.stop)
"""Stands for a verb that no button has: it names no answer."""

CONFIRMED: Final[Mapping[str, tuple[str, Callable[[Context, Mapping[str, Json]], Awaitable[None]]]]] = {
    "reset": ("reset", basics.reset_confirmed),
    "erase": ("privacy", personal.erase),
    "add": ("add", additions.replace_confirmed),
    "remove": ("remove", removals.remove_confirmed),
    "rebuild": ("reindex", reindexing.rebuild_confirmed),
    "appoint": ("admins", people.appoint_confirmed),
}
"""What is done after a yes, with the command whose rights it needs."""
