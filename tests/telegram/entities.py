"""Entities of a message as Telegram counts and checks them.

Follows the reference page of the Bot API: ``offset`` and ``length`` of a MessageEntity are in UTF-16 code
units; a text has 1-4096 characters "after entities parsing", a caption 0-1024. About 100 entities of a message
are used and the rest is ignored (not documented). Real servers drop some impossible entities silently;
this one answers 400, because a bot that sends them is wrong.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, TypeAlias

from tests.telegram.refusals import bad_request

Wire: TypeAlias = dict[str, Any]

MAX_TEXT = 4096
MAX_CAPTION = 1024
MAX_USED = 100

# Types that Telegram finds itself, and ignores if a bot sends them.
FOUND = frozenset({"mention", "hashtag", "cashtag", "bot_command", "url", "email", "phone_number"})
SENT = frozenset(
    {
        "bold",
        "italic",
        "underline",
        "strikethrough",
        "spoiler",
        "blockquote",
        "expandable_blockquote",
        "code",
        "pre",
        "text_link",
        "text_mention",
        "custom_emoji",
        "date_time",
    }
)
_REQUIRED = {
    "text_link": ("url", str),
    "text_mention": ("user", dict),
    "custom_emoji": ("custom_emoji_id", str),
    "date_time": ("unix_time", int),
}

# As for Telegram, an address ends before every punctuation of Unicode but dashes and joiners, so before “ and ”.
_NO_ADDRESS = r"\s<>\"«»\u2000-\u200b\u200e\u200f\u2016-\u206f"

# In order of precedence: at the same place an earlier pattern wins.
_PATTERNS = (
    ("url", re.compile(rf"https?://[^{_NO_ADDRESS}]+[^{_NO_ADDRESS}.,;:!?)\]]")),
    ("email", re.compile(r"[\w.+-]+@[\w-]+\.[a-z]{2,}")),
    ("mention", re.compile(r"(?<![\w/@])@[A-Za-z]\w{3,31}\b", re.ASCII)),
    ("bot_command", re.compile(r"(?<![\w/<>])/[A-Za-z0-9_]{1,64}(?:@\w{3,32})?(?![\w/])", re.ASCII)),
    ("hashtag", re.compile(r"(?<![\w#])#\w*[^\W\d]\w*")),
)


@dataclass(frozen=True)
class Formatted:
    """A text with its entities, offsets and lengths in UTF-16 units."""

    text: str
    entities: tuple[Wire, ...] = ()

    def part(self, entity: Wire) -> str:
        return slice_units(self.text, entity["offset"], entity["length"])


def units(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def slice_units(text: str, offset: int, length: int) -> str:
    """Return the part of a text at an offset; offset and length count UTF-16 units."""
    encoded = text.encode("utf-16-le", "surrogatepass")
    return encoded[2 * offset : 2 * (offset + length)].decode("utf-16-le", "surrogatepass")


def find_entities(text: str) -> tuple[Wire, ...]:
    """Return the entities that Telegram finds itself: mentions, commands, addresses, hashtags."""
    taken: list[tuple[int, int]] = []
    found: list[Wire] = []
    for kind, pattern in _PATTERNS:
        for match in pattern.finditer(text):
            if any(match.start() < end and start < match.end() for start, end in taken):
                continue
            taken.append(match.span())
            found.append(
                {"type": kind, "offset": units(text[: match.start()]), "length": units(match.group())}
            )
    return tuple(sorted(found, key=lambda entity: int(entity["offset"])))


def check_text(formatted: Formatted, *, limit: int, too_long: str, empty: str | None) -> Formatted:
    """Check a text that a bot sent, and return it trimmed, with at most 100 entities, including those that
    Telegram finds.

    Args:
        limit: Largest length of the text, in UTF-16 units.
        too_long: Reason for refusing a longer text.
        empty: Reason for refusing an empty text; None allows it.

    Raises:
        Refusal: the text is empty or too long, or an entity is impossible.
    """
    used = [_check_entity(formatted.text, entity) for entity in formatted.entities]
    used = [entity for entity in used if entity["type"] in SENT][:MAX_USED]
    trimmed = _trim(Formatted(_clean(formatted.text), tuple(used)))
    if not trimmed.text and empty is not None:
        raise bad_request(empty)
    if units(trimmed.text) > limit:
        raise bad_request(too_long)
    entities = list(trimmed.entities)
    code = [_span(entity) for entity in entities if entity["type"] in {"code", "pre", "text_link"}]
    for entity in find_entities(trimmed.text):
        start, end = _span(entity)
        if not any(start < other_end and other_start < end for other_start, other_end in code):
            entities.append(entity)
    entities.sort(key=lambda entity: (entity["offset"], -entity["length"]))
    return Formatted(trimmed.text, tuple(entities))


def _check_entity(text: str, entity: object) -> Wire:
    if not isinstance(entity, dict):
        raise bad_request("can't parse entities: expected an object in the list of entities")
    kind = entity.get("type")
    if kind not in SENT | FOUND:
        raise bad_request("can't parse entities: unsupported entity type specified")
    offset, length = entity.get("offset"), entity.get("length")
    if not isinstance(offset, int) or not isinstance(length, int):
        raise bad_request("can't parse entities: offset and length must be integers")
    encoded = text.encode("utf-16-le", "surrogatepass")
    if offset < 0 or length <= 0 or 2 * (offset + length) > len(encoded):
        raise bad_request("ENTITY_BOUNDS_INVALID")
    for border, word in ((offset, "begins"), (offset + length, "ends")):
        if _is_inside_a_pair(encoded, border):
            raise bad_request(f"can't parse entities: entity {word} in a middle of a UTF-16 symbol")
    if kind in _REQUIRED:
        name, expected = _REQUIRED[kind]
        if not isinstance(entity.get(name), expected) or not entity[name]:
            raise bad_request(f"can't parse entities: field {name} must be given in a {kind} entity")
    if kind == "pre" and not isinstance(entity.get("language", ""), str):
        raise bad_request("can't parse entities: field language must be a string")
    return entity


def _is_inside_a_pair(encoded: bytes, border: int) -> bool:
    if 2 * border >= len(encoded):
        return False
    unit = int.from_bytes(encoded[2 * border : 2 * border + 2], "little")
    return 0xDC00 <= unit <= 0xDFFF


def _clean(text: str) -> str:
    # Offsets stay valid: each forbidden character is replaced by a space.
    return re.sub(r"[\x00-\x09\x0b-\x1f]", " ", text)


def _trim(formatted: Formatted) -> Formatted:
    text = formatted.text
    start = units(text) - units(text.lstrip())
    stripped = text.strip()
    end = start + units(stripped)
    return Formatted(stripped, tuple(_clip(formatted.entities, start, end)))


def _clip(entities: Iterable[Wire], start: int, end: int) -> Iterable[Wire]:
    for entity in entities:
        first, last = _span(entity)
        first, last = max(first, start), min(last, end)
        if first < last:
            yield {**entity, "offset": first - start, "length": last - first}


def _span(entity: Wire) -> tuple[int, int]:
    return entity["offset"], entity["offset"] + entity["length"]
