"""Reads events of Matrix, as values of the service. Pure; anything at all may stand in an event.

What is recorded of an event is `Raw`: the event as it came, and what was known of its room at that moment.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final, TypeAlias

from bot.matrix.ids import number, peer
from bot.service.incoming import (
    Asked,
    Commanded,
    File,
    Ignored,
    Message,
    Place,
    Replied,
    Sender,
    Unreadable,
)
from rag.language.detect import detect
from rag.language.visible import visible

Raw: TypeAlias = dict[str, Any]
"""An event and its surroundings, as JSON: `room`, whether it is `private`, its `title`, the `name` of the sender,
the `event`, and where they apply: whether it replies `to_me`, the event that it is `edited_by`, the `job`."""

_COMMAND: Final = re.compile(r"[/!]([a-z]+)(?:\s+(.*))?", re.DOTALL | re.IGNORECASE)
_FALLBACK: Final = re.compile(r"(?:>[^\n]*\n)+\n?")
_SPOKEN: Final = frozenset({"m.audio", "m.video"})
_LATEST: Final = 253_402_300_000_000  # the year 9999, in milliseconds
_THUMBS: Final = {"👍": True, "👎": False}


@dataclass(frozen=True, slots=True)
class Account:
    """The account of the bot: `id` such as ``@bot:example.org``, and its `name` for display."""

    id: str
    name: str = ""


@dataclass(frozen=True, slots=True)
class Edited:
    """A message whose text was changed; `target` is the event of the first text."""

    place: Place
    sender: Sender
    target: str


@dataclass(frozen=True, slots=True)
class Redacted:
    """A message that was taken back; `target` is its event."""

    place: Place
    sender: Sender
    target: str


@dataclass(frozen=True, slots=True)
class Reacted:
    """A thumb on the event `target`."""

    place: Place
    sender: Sender
    target: str
    is_useful: bool


@dataclass(frozen=True, slots=True)
class Sealed:
    """An encrypted message, which the bot cannot read."""

    place: Place
    sender: Sender


@dataclass(frozen=True, slots=True)
class Invited:
    """An invitation to a room."""

    place: Place
    sender: Sender


Heard: TypeAlias = Asked | Commanded | Unreadable | Edited | Redacted | Reacted | Sealed | Invited | Ignored


def parse(raw: Raw, me: Account) -> Heard:
    """Return what an event means; `Ignored` for what is not for the bot."""
    event = raw["event"]
    content = _table(event.get("content"))
    relation = _table(content.get("m.relates_to"))
    sender_id = _text(event.get("sender"))
    try:
        place, sender = _place(raw, sender_id, relation), Sender(peer(sender_id), "person", raw["name"])
    except ValueError:
        return Ignored(0, "the id of its room or sender is too long")
    if sender_id == me.id or (event.get("state_key") is not None and event.get("type") != "m.room.member"):
        return Ignored(0, "not for the bot")
    target = _text(relation.get("event_id"))
    match event.get("type"):
        case "m.room.member":
            return Invited(place, sender)
        case "m.room.encrypted":
            return Sealed(place, sender)
        case "m.room.redaction":
            redacted = _text(event.get("redacts")) or _text(content.get("redacts"))
            return Redacted(place, sender, redacted)
        case "m.reaction" if _text(relation.get("key"))[:1] in _THUMBS:
            return Reacted(place, sender, target, _THUMBS[_text(relation.get("key"))[:1]])
        case "m.room.message" if relation.get("rel_type") == "m.replace":
            return Edited(place, sender, target)
        case "m.room.message" if content.get("msgtype") != "m.notice":
            return _message(raw, me, place, sender, content)
        case _:
            return Ignored(0, "not for the bot")


def replied_to(event: Mapping[str, Any]) -> str:
    """Return the event that a message replies to; empty for none. In a thread clients name one that is not meant."""
    relation = _table(_table(event.get("content")).get("m.relates_to"))
    if relation.get("is_falling_back") is True:
        return ""
    return _text(_table(relation.get("m.in_reply_to")).get("event_id"))


def thread_of(event: Mapping[str, Any]) -> str:
    """Return the first event of the thread that an event belongs to; empty outside threads."""
    relation = _table(_table(event.get("content")).get("m.relates_to"))
    return _text(relation.get("event_id")) if relation.get("rel_type") == "m.thread" else ""


def body_of(event: Mapping[str, Any]) -> str:
    """Return the words of a message, without the quote that older clients put before a reply."""
    content = _table(event.get("content"))
    body = visible(_text(content.get("body")))
    return _FALLBACK.sub("", body, count=1) if body.startswith("> <") and replied_to(event) else body


def merge(original: Mapping[str, Any], edit: Mapping[str, Any]) -> Raw | None:
    """Return a message with its changed text, in the place of the first one; None where others changed it."""
    if original.get("sender") != edit.get("sender") or original.get("type") != "m.room.message":
        return None
    content = dict(_table(_table(edit.get("content")).get("m.new_content")))
    content["m.relates_to"] = _table(_table(original.get("content")).get("m.relates_to"))
    return {**original, "content": content, "origin_server_ts": edit.get("origin_server_ts")}


def _message(
    raw: Raw, me: Account, place: Place, sender: Sender, content: Mapping[str, Any]
) -> Asked | Commanded | Unreadable | Ignored:
    event = raw["event"]
    files, body = _files(content), body_of(event)
    kind = _text(content.get("msgtype"))
    if kind not in {"m.text", "m.emote"}:
        # Otherwise the body is the name of the file, and no caption.
        body = body if _text(content.get("filename")) not in {"", body} else ""
    text = _without_name(body, me)
    replied_id = replied_to(event)
    replied = Replied(number(replied_id), bool(raw.get("to_me"))) if replied_id else None
    message = Message(
        number(raw.get("edited_by") or _text(event.get("event_id"))),
        place,
        Sender(sender.id, "person", sender.name, detect(text or body, "")),
        number(_text(event.get("event_id"))),
        body.strip(),
        _moment(event.get("origin_server_ts")),
        is_edit="edited_by" in raw,
        replied=replied,
        files=files,
        is_caption=bool(files),
    )
    mentioned = _table(content.get("m.mentions")).get("user_ids")
    is_private = place.kind == "private"
    is_named = text is not None or (isinstance(mentioned, list) and me.id in mentioned)
    said = (body if text is None else text).strip()
    command = _COMMAND.fullmatch(said)
    is_adding = files and command is not None and command[1].casefold() == "add"
    if not (is_private or is_named or raw.get("to_me") or is_adding):
        return Ignored(message.update_id, "not for the bot")
    if command:
        return Commanded(message, command[1].casefold(), (command[2] or "").strip())
    if files and not said:
        return Commanded(message, "add") if is_private else Ignored(message.update_id, "a file of a group")
    if not said and replied is None:
        return Unreadable(message, is_spoken=kind in _SPOKEN)
    return Asked(message, said, "private" if is_private else "mention" if is_named else "reply")


def _place(raw: Raw, sender_id: str, relation: Mapping[str, Any]) -> Place:
    room, root = raw["room"], _text(relation.get("event_id"))
    thread = number(root) if relation.get("rel_type") == "m.thread" and root else None
    if raw["private"]:
        # A person may have several rooms with the bot: each is a conversation of its own.
        return Place(peer(sender_id), "private", thread or number(room), raw["name"])
    return Place(peer(room), "group", thread, raw["title"])


def _without_name(body: str, me: Account) -> str | None:
    """Return the words behind the bot's name; None if they do not begin with it."""
    local = me.id.removeprefix("@").partition(":")[0]
    names = "|".join(re.escape(name) for name in (me.id, f"@{local}", me.name, local) if name)
    found = re.match(rf"\s*(?:{names})(?!\w)[:,]?\s*", body, re.IGNORECASE)
    return body[found.end() :] if found else None


def _files(content: Mapping[str, Any]) -> tuple[File, ...]:
    url = _text(content.get("url"))
    if content.get("msgtype") != "m.file" or not url.startswith("mxc://"):
        return ()
    size = _table(content.get("info")).get("size")
    name = _text(content.get("filename")) or _text(content.get("body"))
    return (File(url, name, size if isinstance(size, int) else None),)


def _moment(milliseconds: object) -> datetime:
    at = milliseconds if isinstance(milliseconds, int) and 0 <= milliseconds < _LATEST else 0
    return datetime.fromtimestamp(at / 1000, UTC)


def _table(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
