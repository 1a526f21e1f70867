"""The buttons under answers. Their payloads are short, and stay valid after a restart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal, get_args

from telegram import InlineKeyboardButton, InlineKeyboardMarkup

from bot.service.people import AskId
from bot.statistics.values import Thumb
from bot.telegram.rendering.characters import shorten
from bot.texts import TEXTS
from bot.views.councils import Version

Verb = Literal["useful", "wrong", "sources", "why", "person", "ranking", "members", "fewer", "stop"]

VERBS: tuple[Verb, ...] = get_args(Verb)

_LONGEST_SEAT: Final = 24


def under_answer(
    ask_id: AskId,
    language: str,
    rating: Thumb | None = None,
    seats: Sequence[str] = (),
    *,
    shows_members: bool = False,
    can_ask_person: bool = False,
) -> InlineKeyboardMarkup:
    """Return the buttons under a finished answer, with the asker's rating marked.

    `seats` names the council members that answered; it is empty without a council.
    """
    rows: tuple[tuple[Verb, ...], ...] = (("useful", "wrong"), ("sources", "why"))
    shown = [[_button(verb, ask_id, language, is_chosen=verb == rating) for verb in row] for row in rows]
    if can_ask_person:
        shown.append([_button("person", ask_id, language)])
    if seats:
        shown.append([_button("fewer" if shows_members else "members", ask_id, language)])
    if shows_members:
        shown.append([_button("ranking", ask_id, language)])
    for number, seat in enumerate(seats if shows_members else ()):
        name = shorten(seat, _LONGEST_SEAT)
        shown.append(
            [
                InlineKeyboardButton(
                    TEXTS.text(f"button-{version}", language, seat=name),
                    callback_data=f"{version}:{ask_id}:{number}",
                )
                for version in get_args(Version)
            ]
        )
    return InlineKeyboardMarkup(shown)


def under_placeholder(ask_id: AskId, language: str) -> InlineKeyboardMarkup:
    """Return the stop button under a placeholder."""
    return InlineKeyboardMarkup([[_button("stop", ask_id, language)]])


def _button(verb: Verb, ask_id: AskId, language: str, *, is_chosen: bool = False) -> InlineKeyboardButton:
    label = TEXTS.text(f"button-{verb}", language)
    if is_chosen:
        label = TEXTS.text("button-chosen", language, button=label)
    return InlineKeyboardButton(label, callback_data=f"{verb}:{ask_id}")
