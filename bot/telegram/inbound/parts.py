"""Joins what a client sends as several messages: an album, and a text longer than a message may be. Pure.

Each part is recorded by itself before it is confirmed to Telegram; the work of the first part then joins
those that wait behind it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, TypeAlias

from bot.service.incoming import Message
from bot.telegram.rendering import LIMIT
from bot.telegram.rendering.characters import utf16_length

Raw: TypeAlias = dict[str, Any]
"""An update, or the message in it, as JSON."""

_SHORTEST_PART: Final = LIMIT // 2
"""Clients cut a long text at the best place in the second half of what a message may hold."""

_SECONDS: Final = 1
"""Parts are sent in one go; Telegram tells their times in whole seconds."""


def name_of_parts(raw: Raw, message: Message) -> str:
    """Return what the parts of one message have in common, or an empty string if this can be no part."""
    sent = raw.get("message")
    if not isinstance(sent, dict):
        return ""  # an edit
    if album := sent.get("media_group_id"):
        return f"{message.sender.id}:{album}"
    return (
        "" if message.is_forwarded or message.is_caption or not message.text else f"{message.sender.id}:text"
    )


def may_go_on(raw: Raw) -> bool:
    """Return whether further parts may follow: in an album always, otherwise after a long text."""
    sent = raw["message"]
    return bool(sent.get("media_group_id")) or utf16_length(sent.get("text", "")) > _SHORTEST_PART


def goes_on(before: Raw, raw: Raw) -> bool:
    """Return whether one part follows another of the same name."""
    pause = raw["message"]["date"] - before["message"]["date"]
    return may_go_on(before) and (bool(raw["message"].get("media_group_id")) or 0 <= pause <= _SECONDS)


def join(raws: Sequence[Raw]) -> Raw:
    """Return one update for all parts: the message with the first words, with the words and files of all."""
    messages: list[Raw] = [raw["message"] for raw in raws]
    head = next((each for each in messages if _words(each)), messages[0])
    text, entities, last = "", list[Raw](), ""
    for each in messages:
        words = _words(each)
        # A text of full length was cut anywhere, a shorter one where there was a space.
        text += "\n" if words and text and utf16_length(last) < LIMIT else ""
        found = each.get("entities") or each.get("caption_entities") or ()
        entities += [{**entity, "offset": entity["offset"] + utf16_length(text)} for entity in found]
        text, last = text + words, words or last
    prefix = "" if "text" in head else "caption_"
    joined = {**head, prefix.rstrip("_") or "text": text, f"{prefix}entities": entities}
    return {**raws[0], "message": joined, "parts": messages}


def _words(message: Raw) -> str:
    words = message.get("text") or message.get("caption") or ""
    return words if isinstance(words, str) else ""
