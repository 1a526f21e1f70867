"""The channels, the ids of people and chats, and the keys under which texts of conversations are stored.

A channel makes the ids of its people and chats with `peer` and `group`, Matrix with `on_matrix`. Others
compare ids, ask whether one is that of a group, and show people the name that it has in its channel. An id
begins with the channel, because two channels may give the same number to different people. Conversations in
the terminal have the names that people give them. The console has no accounts of its own: its user is a
person of another channel, or the owner of a machine without one.
"""

from __future__ import annotations

import hashlib
import re
from typing import Final, Literal, NewType

Channel = Literal["terminal", "telegram", "web", "matrix"]

PeerId = NewType("PeerId", str)
"""The id of a person or a chat: ``telegram:5`` or ``matrix:@ann:a.org``; of a group: ``telegram:-100``.

A private chat has the id of its person, and whoever writes in the name of a group has the id of the group.
"""

NOBODY: Final = PeerId("")
"""The id that stands for no chat, and for nobody in particular."""

LOCAL_OWNER: Final = PeerId("telegram:0")
"""The operator where no Telegram bot is set up; Telegram gives nobody the number 0."""

LARGEST_TELEGRAM_ID: Final = 2**52
"""Largest number of a person or a chat: it has at most 52 significant bits (Bot API reference)."""

MAX_PEER_LENGTH: Final = 100
"""The columns that hold an id take at most this many characters."""

_WEB: Final[Channel] = "web"
_GROUP: Final = "-"
_ROOM: Final = "!"
_TELEGRAM: Final = "telegram:"

_IN_CHAT: Final = re.compile(r"(telegram:-?[0-9]{1,18}|matrix:[@!]\S+):[0-9]{1,18}")
_IN_CONSOLE: Final = re.compile(r"web:(-?[0-9]{1,18}|matrix:@\S+):[0-9]{1,18}")
_TYPED: Final = re.compile(r"(?:telegram:)?(-?)([0-9]{1,18})")
_TYPED_ON_MATRIX: Final = re.compile(r"(?:matrix:)?(@[^\s:]+:\S+|!\S+)")
_SHORT: Final = re.compile(r"[A-Za-z0-9_-]{1,40}")


def peer(channel: Channel, name: str) -> PeerId:
    """Return the id of a person, and of the private chat with this person.

    Args:
        name: The person's id in that channel, without a colon; it does not begin with a hyphen.
    """
    return PeerId(f"{channel}:{name}")


def group(channel: Channel, name: str) -> PeerId:
    """Return the id of a chat of several people.

    Args:
        name: The chat's id in that channel, without a colon and without the hyphen that marks a group.
    """
    return PeerId(f"{channel}:{_GROUP}{name}")


def on_matrix(name: str) -> PeerId | None:
    """Return the id of a person or a room on Matrix, or None if it is none, or the columns cannot hold it.

    The colon before a port is written ``%3A``: no id is then the beginning of another that goes on with a
    colon, by which conversations are found.
    """
    name = name.removeprefix("matrix:")
    local, colon, server = name.partition(":")
    known = PeerId(f"matrix:{local}{colon}{server.replace(':', '%3A')}")
    is_one = _TYPED_ON_MATRIX.fullmatch(name) and name.isprintable()
    return known if is_one and len(known) <= MAX_PEER_LENGTH else None


def read_peer(recorded: str | int) -> PeerId:
    """Return an id as a payload holds it; payloads of earlier versions hold Telegram's number."""
    return PeerId(recorded if isinstance(recorded, str) else f"{_TELEGRAM}{recorded}")


def parse_peer(typed: str) -> PeerId | None:
    """Return the id that somebody typed or a page sent, or None; a number alone is one of Telegram."""
    if named := _TYPED_ON_MATRIX.fullmatch(typed.strip()):
        return on_matrix(named[1])
    found = _TYPED.fullmatch(typed.strip())
    if found is None or not 0 < int(found[2]) <= LARGEST_TELEGRAM_ID:
        return None
    return PeerId(f"{_TELEGRAM}{found[1]}{int(found[2])}")


def is_group(peer_id: PeerId) -> bool:
    """Return whether an id is that of a chat of several people."""
    return peer_id.partition(":")[2].startswith((_GROUP, _ROOM))


def name_in_channel(peer_id: PeerId) -> str:
    """Return the id that a person or a chat has in its channel, as people of that channel know it."""
    return peer_id.partition(":")[2]


def conversation_key(chat_id: PeerId, thread_id: int | None) -> str:
    """Return the key of the conversation of a chat and topic."""
    return f"{chat_id}:{thread_id or 0}"


def lane(chat_id: PeerId, thread_id: int | None) -> str:
    """Return the key of the lane of a chat and topic; a lane answers one question at a time, in order."""
    return _drop_telegram(conversation_key(chat_id, thread_id))


def _drop_telegram(key: str) -> str:
    """Return a key without the channel Telegram.

    Lanes and the keys of the console date from when Telegram was the only channel, and what earlier versions
    recorded under such a key goes on under it.
    """
    return key.removeprefix(_TELEGRAM)


def is_lane_of_one(lane_key: str, user_id: PeerId) -> bool:
    """Return whether nobody else takes part in a lane of this person: a private chat, or the console."""
    return is_web(lane_key) or lane_key.startswith(_drop_telegram(f"{user_id}:"))


def conversations_of(chat_id: PeerId) -> str:
    """Return the prefix of the keys of all conversations of a chat."""
    return f"{chat_id}:"


def web_conversation_key(user_id: PeerId, number: int) -> str:
    """Return the key of a conversation in the console; the same key is the lane of its runs."""
    return f"{web_conversations_of(user_id)}{number}"


def web_conversations_of(user_id: PeerId) -> str:
    """Return the prefix of the keys of all conversations of a person in the console."""
    return f"{_WEB}:{_drop_telegram(user_id)}:"


def is_web(conversation_id: str) -> bool:
    """Return whether a conversation was held in the console."""
    return conversation_id.startswith(f"{_WEB}:")


def web_conversation_number(conversation_id: str) -> int | None:
    """Return the number of a conversation in the console.

    None for a conversation of another channel, and for a single interview, which no question can continue.
    """
    number = conversation_id.rpartition(":")[2]
    return int(number) if is_web(conversation_id) and number.isdecimal() else None


def web_interviews_key(user_id: PeerId) -> str:
    """Return the key of the conversation that a person's interviews in the console belong to."""
    return web_conversation_key(user_id, 0)


def interview_runs_key(conversation_id: str, session_id: str) -> str:
    """Return the key of the runs of one interview of a conversation; the same key is their lane."""
    return f"{conversation_id.rpartition(':')[0]}:{session_id}"


def shorten(key: str) -> str:
    """Return a client's idempotency key in a form that fits into ids: short, and of plain characters."""
    if _SHORT.fullmatch(key):
        return key
    return hashlib.sha256(key.encode("utf-8", "replace")).hexdigest()[:40]


def web_idempotency_key(key: str) -> str:
    """Return a client's idempotency key with the channel in front, so that keys of channels never collide."""
    return f"{_WEB}:{shorten(key)}"


def web_run(user_id: PeerId, key: str) -> str:
    """Return the id of the run that a person started in the console under an idempotency key."""
    return f"{_WEB}:{_drop_telegram(user_id)}:{key}"


def chat_and_topic(conversation_id: str) -> tuple[PeerId, int]:
    """Return the chat id and the topic id (0: no topic) of a conversation.

    Raises:
        ValueError: the key does not name a chat and topic.
    """
    chat_id, _, thread_id = conversation_id.rpartition(":")
    return PeerId(chat_id), int(thread_id)


def chat_or_person(conversation_id: str) -> PeerId | None:
    """Return the id of the chat in which a conversation is held.

    The id of a private chat, and of a conversation in the console, is that of its person. A conversation in a
    terminal has None.
    """
    if found := _IN_CHAT.fullmatch(conversation_id):
        return PeerId(found[1])
    found = _IN_CONSOLE.fullmatch(conversation_id)
    if found is None:
        return None
    return PeerId(found[1] if ":" in found[1] else f"{_TELEGRAM}{found[1]}")


def payers(conversation_id: str) -> tuple[PeerId, PeerId]:
    """Return the chat id and the user id whose token budgets pay for a conversation.

    They are `NOBODY` for a conversation in the console or a terminal; in a group, no particular person pays.
    """
    found = _IN_CHAT.fullmatch(conversation_id)
    if not found:
        return NOBODY, NOBODY
    chat_id = PeerId(found[1])
    return chat_id, NOBODY if is_group(chat_id) else chat_id


def exchanges(ask_id: int) -> str:
    """Return the prefix of the keys under which a question and its answers are remembered."""
    return f"{_TELEGRAM}{ask_id}/"  # the beginning dates from when Telegram was the only channel
