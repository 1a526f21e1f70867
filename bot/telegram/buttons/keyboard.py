"""The buttons under answers. What they carry is short, and means the same after a restart."""

from __future__ import annotations

from typing import Literal, get_args

from telegram import InlineKeyboardButton, InlineKeyboardMarkup

from bot.service.people import AskId
from bot.statistics.values import Thumb
from bot.texts import TEXTS

Verb = Literal["useful", "wrong", "sources", "why", "stop"]

VERBS: tuple[Verb, ...] = get_args(Verb)


def under_answer(ask_id: AskId, language: str, rating: Thumb | None = None) -> InlineKeyboardMarkup:
    """The buttons under a finished answer; the rating that was given is marked."""
    rows: tuple[tuple[Verb, ...], ...] = (("useful", "wrong"), ("sources", "why"))
    return InlineKeyboardMarkup(
        [[_button(verb, ask_id, language, is_chosen=verb == rating) for verb in row] for row in rows]
    )


def under_placeholder(ask_id: AskId, language: str) -> InlineKeyboardMarkup:
    """The button under a message that becomes an answer."""
    return InlineKeyboardMarkup([[_button("stop", ask_id, language)]])


def _button(verb: Verb, ask_id: AskId, language: str, *, is_chosen: bool = False) -> InlineKeyboardButton:
    label = TEXTS.text(f"button-{verb}", language)
    if is_chosen:
        label = TEXTS.text("button-chosen", language, button=label)
    return InlineKeyboardButton(label, callback_data=f"{verb}:{ask_id}")
