"""The question that a message asks, with what was said before it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from bot.conversations.memory import ConversationMemory
from bot.service.incoming import Asked
from bot.service.stores import Asks
from bot.texts import TEXTS
from rag.values import Turn


@dataclass(frozen=True, slots=True)
class Recalled:
    """What was said before a question.

    Args:
        history: The window of turns, oldest first; what the message replies to is the last of them.
        summary: What fell out of the window.
    """

    history: tuple[Turn, ...] = ()
    summary: str = ""


def wording(asked: Asked) -> str:
    """Return the question's text: where somebody only calls the bot under a message, that message asks."""
    replied = asked.message.replied
    if not asked.text.strip() and replied is not None and not replied.is_mine:
        return replied.text
    return asked.text


async def remembered(conversation_id: str, memory: ConversationMemory) -> Recalled:
    """Return what was said before in a conversation."""
    return Recalled(*await memory.recall(conversation_id))


async def recalled(asked: Asked, conversation_id: str, memory: ConversationMemory, asks: Asks) -> Recalled:
    """Return what was said before a question."""
    said = await remembered(conversation_id, memory)
    quoted = await _quoted(asked, memory, asks)
    if [turn.text for turn in quoted] != [turn.text for turn in said.history[-len(quoted) :]]:
        return replace(said, history=(*said.history, *quoted))
    return said


async def _quoted(asked: Asked, memory: ConversationMemory, asks: Asks) -> tuple[Turn, ...]:
    """What the message replies to, unless it is the question itself."""
    replied = asked.message.replied
    if replied is None or not asked.text.strip():
        return ()
    if not replied.is_mine:
        return (Turn("user", replied.text, replied.author),) if replied.text.strip() else ()
    ask = await asks.of_answer(asked.message.place.chat_id, replied.message_id)
    answer = await memory.answer(ask.exchange) if ask else None
    if answer is not None:
        return (
            Turn("user", answer.question),
            Turn("assistant", answer.text, passages=answer.passages, label=answer.label),
        )
    # A notice, or an answer that is not kept any more: nobody checked these words.
    return (Turn("assistant", replied.text, label="unverified"),) if replied.text.strip() else ()


@dataclass(frozen=True, slots=True)
class Notice:
    """A sentence of the catalogues."""

    message_id: str
    values: Mapping[str, str | float] = field(default_factory=dict)

    def text(self, language: str) -> str:
        """The sentence in a language."""
        return TEXTS.text(self.message_id, language, **self.values)


def problem(text: str, limit: int) -> Notice:
    """Return why the engine takes `text` for no question.

    Args:
        text: What was asked.
        limit: Characters that a question may have.
    """
    if not text.strip():
        return Notice("ask-how")
    if len(text.strip()) > limit:
        return Notice("question-too-long", {"characters": len(text.strip()), "limit": limit})
    return Notice("question-unreadable")
