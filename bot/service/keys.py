"""The keys under which the words of people and conversations are kept; nobody else puts one together.

A key begins with the channel, because two channels may give the same number to different people. The console
has no people of its own: whoever uses it is a person on Telegram, or the owner of a machine without Telegram.
"""

from __future__ import annotations

import hashlib
import re
from typing import Final

_CHANNEL: Final = "telegram"
_WEB: Final = "web"

_SHORT: Final = re.compile(r"[A-Za-z0-9_-]{1,40}")

LOCAL_OWNER: Final = 0
"""The id of whoever runs the program where no Telegram bot is set up; nobody on Telegram has it."""


def person_key(user_id: int) -> str:
    """Return the key of a person's messages and answered questions, by which they are exported and erased."""
    return f"{_CHANNEL}:{user_id}"


def lane(chat_id: int, thread_id: int | None) -> str:
    """Return what names a chat and topic, whose questions are answered one at a time and in order."""
    return f"{chat_id}:{thread_id or 0}"


def conversation_key(chat_id: int, thread_id: int | None) -> str:
    """Return the key of the conversation of a chat and topic."""
    return f"{_CHANNEL}:{lane(chat_id, thread_id)}"


def conversations_of(chat_id: int) -> str:
    """Return how the keys of all conversations of a chat begin."""
    return f"{_CHANNEL}:{chat_id}:"


def web_conversation_key(user_id: int, number: int) -> str:
    """Return the key of a conversation in the console; it names what is worked on in order as well."""
    return f"{_WEB}:{user_id}:{number}"


def web_conversations_of(user_id: int) -> str:
    """Return how the keys of all conversations of a person in the console begin."""
    return f"{_WEB}:{user_id}:"


def is_web(conversation_id: str) -> bool:
    """Whether a conversation was held in the console."""
    return conversation_id.startswith(f"{_WEB}:")


def web_conversation_number(conversation_id: str) -> int | None:
    """Return the number of a conversation in the console; None: it was held elsewhere."""
    return int(conversation_id.rpartition(":")[2]) if is_web(conversation_id) else None


def web_interviews_key(user_id: int) -> str:
    """Return the key of the conversation that a person's interviews in the console belong to."""
    return web_conversation_key(user_id, 0)


def shortened(key: str) -> str:
    """Return a key that somebody chose as ids hold it: they have limited room and no strange characters."""
    if _SHORT.fullmatch(key):
        return key
    return hashlib.sha256(key.encode("utf-8", "replace")).hexdigest()[:40]


def web_run(user_id: int, key: str) -> str:
    """Return the id of the run that a person ordered in the console under a key of theirs."""
    return f"{_WEB}:{user_id}:{key}"


def chat_and_topic(conversation_id: str) -> tuple[int, int]:
    """Return the chat and the topic (0: none) of a conversation.

    Raises:
        ValueError: the key is none of a chat and topic.
    """
    _, chat_id, thread_id = conversation_id.split(":")
    return int(chat_id), int(thread_id)


def payers(conversation_id: str) -> tuple[int, int]:
    """Return whose budgets work for a conversation counts against: a chat, and in a private chat its person.

    0 stands for no chat, and for nobody in particular.
    """
    if not conversation_id.startswith(f"{_CHANNEL}:"):
        return 0, 0
    chat_id, _ = chat_and_topic(conversation_id)
    # The private chat with a person has that person's number; groups have negative ones.
    return chat_id, max(chat_id, 0)


def exchanges(ask_id: int) -> str:
    """Return how the keys of a question and its answers begin in the memory, whatever its text was."""
    return f"{_CHANNEL}:{ask_id}/"
