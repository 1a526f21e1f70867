"""The buttons under answers. What they carry is short, and means the same after a restart."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from telegram import InlineKeyboardButton, InlineKeyboardMarkup

from bot.service.people import AskId
from bot.statistics.values import Thumb
from bot.texts import TEXTS

Verb = Literal["useful", "wrong", "sources", "why", "stop"]

VERBS: tuple[Verb, ...] = get_args(Verb)


@dataclass(frozen=True, slots=True)
class Button:
    """What a button does, and with which question's answer."""

    verb: Verb
    ask_id: AskId

    @property
    def payload(self) -> str:
        """What Telegram keeps for the button, at most 64 bytes."""
        return f"{self.verb}:{self.ask_id}"


def read(payload: str) -> Button | None:
    """Return the button that carries `payload`; None for what is not of this kind."""
    verb, _, number = payload.partition(":")
    known = next((known for known in VERBS if known == verb), None)
    # Telegram hands out what a client sends, so anything may come back.
    if known is None or not (number.isascii() and number.isdigit()) or len(number) > 18:
        return None
    return Button(known, AskId(int(number)))


def under_answer(ask_id: AskId, language: str, rating: Thumb | None = None) -> InlineKeyboardMarkup:
    """The buttons under a finished answer; the rating that was given is marked."""
    rows: tuple[tuple[Verb, ...], ...] = (("useful", "wrong"), ("sources", "why"))
    return InlineKeyboardMarkup(
        [[_button(Button(verb, ask_id), language, is_chosen=verb == rating) for verb in row] for row in rows]
    )


def under_placeholder(ask_id: AskId, language: str) -> InlineKeyboardMarkup:
    """The button under a message that becomes an answer."""
    return InlineKeyboardMarkup([[_button(Button("stop", ask_id), language)]])


def _button(button: Button, language: str, *, is_chosen: bool = False) -> InlineKeyboardButton:
    label = TEXTS.text(f"button-{button.verb}", language)
    if is_chosen:
        label = TEXTS.text("button-chosen", language, button=label)
    return InlineKeyboardButton(label, callback_data=button.payload)
