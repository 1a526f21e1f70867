"""Reads events of Matrix, as values of the service. Pure; anything at all may stand in an event.

What is recorded of an event is `Raw`: the event as it came, and what was known of its room at that moment.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import dropwhile
from typing import Any, Final, Literal, TypeAlias

from bot.matrix.ids import number, peer
from bot.service.incoming import Asked, Commanded, File, Message, Place, Replied, Sender, Unreadable
from rag.language.detect import detect
from rag.language.visible import message_text, one_line

Raw: TypeAlias = dict[str, Any]
"""An event as JSON: `room`, whether it is `private`, its `title`, the `name` of the sender, the `event`, its
`job`, and where they apply: whether it replies `to_me`, the event that it is `edited_by`, its `refusal`."""

_COMMAND: Final = re.compile(r"[/!]([a-z]+)(?:\s+(.*))?", re.DOTALL | re.IGNORECASE)
_LATEST: Final = 253_402_300_000_000  # the year 9999, in milliseconds
_THUMBS: Final = {"👍": True, "👎": False}


@dataclass(frozen=True, slots=True)
class Account:
    """The account of the bot: `id` such as ``@bot:example.org``, and its `name` for display."""

    id: str
    name: str = ""


@dataclass(frozen=True, slots=True)
class Signal:
    """An event without a text of its own; `target` is what it is about, `is_useful` which thumb it is."""

    kind: Literal["edited", "redacted", "reacted", "sealed", "invited"]
    place: Place
    sender: Sender
    target: str = ""
    is_useful: bool = False


Heard: TypeAlias = Asked | Commanded | Unreadable | Signal


def parse(raw: Raw, me: Account) -> Heard | None:
    """Return what an event means; None for what is not for the bot."""
    event, content = raw["event"], _content(raw["event"])
    relation, sender_id = _table(content.get("m.relates_to")), _text(event.get("sender"))
    target, key = _text(relation.get("event_id")), _text(relation.get("key"))[:1]
    try:
        place, sender = _place(raw, sender_id), Sender(peer(sender_id), "person", one_line(raw["name"]))
    except ValueError:
        return None
    if sender_id == me.id:
        return None
    match event.get("type"):
        case "m.room.member":
            return Signal("invited", place, sender)
        case "m.room.encrypted":
            return Signal("sealed", place, sender)
        case "m.room.redaction":
            redacted = _text(event.get("redacts")) or _text(content.get("redacts"))
            return Signal("redacted", place, sender, redacted)
        case "m.reaction" if key in _THUMBS:
            return Signal("reacted", place, sender, target, _THUMBS[key])
        case "m.room.message" if relation.get("rel_type") == "m.replace":
            return Signal("edited", place, sender, target)
        case "m.room.message" if content.get("msgtype") != "m.notice":
            return _message(raw, me, place, sender)
        case _:
            return None


def who(heard: Heard) -> tuple[Place, Sender]:
    """Return where and by whom something was said."""
    said = heard if isinstance(heard, Signal) else heard.message
    return said.place, said.sender


def replied_to(event: Mapping[str, Any]) -> str:
    """Return the event that a message replies to, or ""; in threads, clients name one that is not meant."""
    relation = _table(_content(event).get("m.relates_to"))
    meant = {} if relation.get("is_falling_back") is True else _table(relation.get("m.in_reply_to"))
    return _text(meant.get("event_id"))


def thread_of(event: Mapping[str, Any]) -> str:
    """Return the first event of the thread that an event belongs to, or ""."""
    relation = _table(_content(event).get("m.relates_to"))
    return _text(relation.get("event_id")) if relation.get("rel_type") == "m.thread" else ""


def body_of(event: Mapping[str, Any]) -> str:
    """Return the words of a message, without the quote that older clients put before a reply."""
    body = message_text(_text(_content(event).get("body")))
    is_quoting = body.startswith("> <") and replied_to(event)
    return "\n".join(dropwhile(lambda line: is_quoting and line.startswith(">"), body.split("\n"))).strip()


def merge(original: Mapping[str, Any], edit: Mapping[str, Any]) -> Raw | None:
    """Return a message with its changed text, in the place of the first one; None where others changed it."""
    if original.get("sender") != edit.get("sender") or original.get("type") != "m.room.message":
        return None
    content = {**_changed(edit), "m.relates_to": _content(original).get("m.relates_to")}
    return {**original, "content": content, "origin_server_ts": edit.get("origin_server_ts")}


def changed(raw: Raw) -> Raw:
    """Return an edit as if its new text were a message of its own."""
    return {**raw, "event": {**raw["event"], "content": _changed(raw["event"])}}


def _message(raw: Raw, me: Account, place: Place, sender: Sender) -> Heard | None:
    event, content = raw["event"], _content(raw["event"])
    files, body, kind = _files(content), body_of(event), content.get("msgtype")
    if not isinstance(kind, str):
        return None  # it was deleted
    if kind not in {"m.text", "m.emote"} and _text(content.get("filename")) in {"", body}:
        body = ""  # it is the name of the file, and no caption
    text, replied = _without_name(body, me), replied_to(event)
    said = (body if text is None else text).strip()
    message = Message(
        number(raw.get("edited_by") or _text(event.get("event_id"))),
        place,
        Sender(sender.id, "person", sender.name, detect(said, "")),
        number(_text(event.get("event_id"))),
        body.strip(),
        moment_of(event),
        is_edit="edited_by" in raw,
        replied=Replied(number(replied), bool(raw.get("to_me"))) if replied else None,
        files=files,
        is_caption=bool(files),
    )
    mentioned = _table(content.get("m.mentions")).get("user_ids")
    is_private = place.kind == "private"
    is_named = text is not None or (isinstance(mentioned, list) and me.id in mentioned)
    command = _COMMAND.fullmatch(said)
    is_adding = files and command is not None and command[1].casefold() == "add"
    if not (is_private or is_named or raw.get("to_me") or is_adding):
        return None
    if command:
        return Commanded(message, command[1].casefold(), (command[2] or "").strip())
    if files and not said:
        return Commanded(message, "add") if is_private else None
    if not said and not replied:
        return Unreadable(message, is_spoken=kind in {"m.audio", "m.video"})
    return Asked(message, said, "private" if is_private else "mention" if is_named else "reply")


def _place(raw: Raw, sender_id: str) -> Place:
    thread = thread_of(raw["event"])
    if raw["private"]:
        # A person may have several rooms with the bot: each is a conversation of its own.
        return Place(peer(sender_id), "private", number(thread or raw["room"]), one_line(raw["name"]))
    return Place(peer(raw["room"]), "group", number(thread) if thread else None, one_line(raw["title"]))


def _without_name(body: str, me: Account) -> str | None:
    """Return the words behind the bot's name; None if they do not begin with it."""
    local = me.id.removeprefix("@").partition(":")[0]
    names = "|".join(re.escape(name) for name in (me.id, f"@{local}", me.name, local) if name)
    found = re.match(rf"\s*(?:{names})(?!\w)[:,]?\s*", body, re.IGNORECASE)
    return body[found.end() :] if found else None


def _files(content: Mapping[str, Any]) -> tuple[File, ...]:
    url, size = _text(content.get("url")), _table(content.get("info")).get("size")
    if content.get("msgtype") != "m.file" or not url.startswith("mxc://"):
        return ()
    name = _text(content.get("filename")) or _text(content.get("body"))
    return (File(url, name, size if isinstance(size, int) else None),)


def moment_of(event: Mapping[str, Any]) -> datetime:
    """Return when an event was sent, as the homeserver says."""
    milliseconds = event.get("origin_server_ts")
    at = milliseconds if isinstance(milliseconds, int) and 0 <= milliseconds < _LATEST else 0
    return datetime.fromtimestamp(at / 1000, UTC)


def _content(event: Mapping[str, Any]) -> Mapping[str, Any]:
    return _table(event.get("content"))


def _changed(edit: Mapping[str, Any]) -> Raw:
    return dict(_table(_content(edit).get("m.new_content")))


def _table(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
