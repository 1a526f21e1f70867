"""The channels, and the keys under which texts of people and conversations are stored.

No other module builds such a key. A key begins with the channel, because two channels may give the same
number to different people; conversations in the terminal have the names that people give them. The console
has no accounts of its own: its user is a person on Telegram, or the owner of a machine without Telegram.
"""

from __future__ import annotations

import hashlib
import re
from typing import Final, Literal

Channel = Literal["terminal", "telegram", "web"]
"""Where people talk to the bot."""

_TELEGRAM: Final[Channel] = "telegram"
_WEB: Final[Channel] = "web"

_OF_CHAT: Final = re.compile(rf"(?:{_TELEGRAM}|{_WEB}):(-?[0-9]{{1,18}}):[0-9]{{1,18}}")
_SHORT: Final = re.compile(r"[A-Za-z0-9_-]{1,40}")

LOCAL_OWNER: Final = 0
"""The user id of the operator where no Telegram bot is set up; no Telegram account has it."""


def person_key(user_id: int) -> str:
    """Return the key of a person's messages and answered questions, by which they are exported and erased."""
    return f"{_TELEGRAM}:{user_id}"


def lane(chat_id: int, thread_id: int | None) -> str:
    """Return the key of the lane of a chat and topic; a lane answers one question at a time, in order."""
    return f"{chat_id}:{thread_id or 0}"


def is_lane_of_one(lane_key: str, user_id: int) -> bool:
    """Return whether nobody else takes part in a lane of this person: a private chat, or the console."""
    return is_web(lane_key) or lane_key.startswith(f"{user_id}:")


def conversation_key(chat_id: int, thread_id: int | None) -> str:
    """Return the key of the conversation of a chat and topic."""
    return f"{_TELEGRAM}:{lane(chat_id, thread_id)}"


def conversations_of(chat_id: int) -> str:
    """Return the prefix of the keys of all conversations of a chat."""
    return f"{_TELEGRAM}:{chat_id}:"


def web_conversation_key(user_id: int, number: int) -> str:
    """Return the key of a conversation in the console; the same key is the lane of its runs."""
    return f"{_WEB}:{user_id}:{number}"


def web_conversations_of(user_id: int) -> str:
    """Return the prefix of the keys of all conversations of a person in the console."""
    return f"{_WEB}:{user_id}:"


def is_web(conversation_id: str) -> bool:
    """Return whether a conversation was held in the console."""
    return conversation_id.startswith(f"{_WEB}:")


def web_conversation_number(conversation_id: str) -> int | None:
    """Return the number of a conversation in the console.

    None for a conversation of another channel, and for a single interview, which no question can continue.
    """
    number = conversation_id.rpartition(":")[2]
    return int(number) if is_web(conversation_id) and number.isdecimal() else None


def web_interviews_key(user_id: int) -> str:
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


def web_run(user_id: int, key: str) -> str:
    """Return the id of the run that a person started in the console under an idempotency key."""
    return f"{_WEB}:{user_id}:{key}"


def chat_and_topic(conversation_id: str) -> tuple[int, int]:
    """Return the chat id and the topic id (0: no topic) of a conversation.

    Raises:
        ValueError: the key does not name a chat and topic.
    """
    _, chat_id, thread_id = conversation_id.split(":")
    return int(chat_id), int(thread_id)


def chat_or_person(conversation_id: str) -> int | None:
    """Return the id of the chat in which a conversation is held.

    Ids of groups are negative. The id of a private chat, and of a conversation in the console, is that of its
    person. A conversation in a terminal has None.
    """
    found = _OF_CHAT.fullmatch(conversation_id)
    return int(found[1]) if found else None


def payers(conversation_id: str) -> tuple[int, int]:
    """Return the chat id and the user id whose token budgets pay for a conversation.

    0 stands for no chat, and in a group for no particular person.
    """
    if not conversation_id.startswith(f"{_TELEGRAM}:"):
        return 0, 0
    chat_id, _ = chat_and_topic(conversation_id)
    # A private chat has the id of its person; groups have negative ids.
    return chat_id, max(chat_id, 0)


def exchanges(ask_id: int) -> str:
    """Return the prefix of the keys under which a question and its answers are remembered."""
    return f"{_TELEGRAM}:{ask_id}/"
