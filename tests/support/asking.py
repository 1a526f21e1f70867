"""Questions to the channel of `tests.support.channel`, who asks them, and a model with given drafts."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AbstractAsyncContextManager
from typing import Any, TypeAlias

from rag.models.chat import ChatRequest
from rag.models.scripted import Reply, Script
from tests.support.channel import Channel, direct
from tests.telegram.chats import Chat
from tests.telegram.people import Person, Sent

QUESTION = "Which Java does FxStore need?"
ANSWER = "FxStore needs Java 17 [1].\n\n✔ verified against the documents\n[1] FxStore"
MENTION = f"@thinktwice_bot {QUESTION}"

STORY = "Tell me a long story about the quick brown fox and the lazy dog"
_FRUITS = [
    "apple",
    "pear",
    "plum",
    "cherry",
    "quince",
    "lemon",
    "orange",
    "mango",
    "papaya",
    "guava",
    "melon",
    "banana",
    "fig",
    "date",
]
LONG = "\n\n".join(
    f"The {fruit} fox 🎉: " + "the quick brown fox jumps over the lazy dog. " * 14 for fruit in _FRUITS
)
"""A draft that three messages hold."""

Draft: TypeAlias = "str | Exception | Iterator[str] | Callable[[ChatRequest], Awaitable[str]]"

Opened = Callable[..., AbstractAsyncContextManager[Channel]]
"""What opens a channel with the draft and the settings that are given as arguments."""


def replies(draft: Draft) -> Script:
    """Return the script of a model whose drafts a test gives, and that finds them all good."""
    others: dict[str, Reply] = {
        "judge": {"answer_quality": "adequate", "reason": "fine", "confidence": 0.9},
        "classify": {"intent": "question", "question": QUESTION},
        "rewrite": {"query": "FxStore runtime"},
        "regenerate": "FxStore needs Java 17 [1].",
        "continue": "and no other.",
    }

    async def reply(request: ChatRequest) -> Reply:
        if isinstance(draft, Exception):
            return draft
        if request.purpose != "draft":
            return others[request.purpose]
        if isinstance(draft, str):
            return draft
        return next(draft) if isinstance(draft, Iterator) else await draft(request)

    return reply


class Gate:
    def __init__(self, text: str = "FxStore needs Java 17.") -> None:
        self.text = text
        self.begun = 0
        self.cancelled = 0
        self.open = asyncio.Event()

    async def __call__(self, request: ChatRequest) -> str:
        self.begun += 1
        try:
            await self.open.wait()
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        return self.text


def private(c: Channel, name: str = "Ann", language: str = "en") -> tuple[Person, Chat]:
    person = c.telegram.user(name, language_code=language)
    return person, c.telegram.private(person)


def group(c: Channel, *names: str, **options: Any) -> tuple[Chat, list[Person]]:
    """Return a new group and its members, Ann and Bob unless others are named."""
    people = [c.telegram.user(name, language_code="en") for name in names or ("Ann", "Bob")]
    return c.telegram.group("Team", people, **options), people


async def answered(c: Channel, sent: Sent, run_step: Any = direct) -> None:
    await c.answering(c.asked(sent), run_step)
