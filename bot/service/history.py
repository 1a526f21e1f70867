"""The question of a message, with the earlier messages of its conversation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from bot.conversations.memory import ConversationMemory
from bot.service.incoming import Asked
from bot.service.stores import Asks
from bot.texts import TEXTS
from rag.values import Answer, Turn


@dataclass(frozen=True, slots=True)
class Recalled:
    """The conversation before a question.

    Args:
        history: The latest messages, oldest first; the message that the question replies to is the last one.
        question: The question of the answer that a message without words of its own replies to, or empty.
    """

    history: tuple[Turn, ...] = ()
    summary: str = ""
    question: str = ""


def wording(asked: Asked) -> str:
    """Return the question's text; a bare mention of the bot as a reply means the message replied to."""
    replied = asked.message.replied
    if not asked.text.strip() and asked.recording is None and replied is not None and not replied.is_mine:
        return replied.text
    return asked.text


async def remembered(conversation_id: str, memory: ConversationMemory) -> Recalled:
    """Load the latest messages of a conversation, and the summary of those before."""
    return Recalled(*await memory.recall(conversation_id))


async def recalled(asked: Asked, conversation_id: str, memory: ConversationMemory, asks: Asks) -> Recalled:
    """Load the conversation before a question, ending with the message that the question replies to."""
    said = await remembered(conversation_id, memory)
    if not wording(asked).strip() and asked.recording is None:
        answer = await _load_answer(asked, memory, asks)
        return replace(said, question=answer.standalone or answer.question) if answer else said
    quoted = await _load_replied(asked, memory, asks)
    if [turn.text for turn in quoted] != [turn.text for turn in said.history[-len(quoted) :]]:
        return replace(said, history=(*said.history, *quoted))
    return said


async def _load_replied(asked: Asked, memory: ConversationMemory, asks: Asks) -> tuple[Turn, ...]:
    """Load the message that the question replies to, unless that message is the question itself."""
    replied = asked.message.replied
    if replied is None or not asked.text.strip():
        return ()
    if not replied.is_mine:
        return (Turn("user", replied.text, replied.author),) if replied.text.strip() else ()
    answer = await _load_answer(asked, memory, asks)
    if answer is not None:
        return (
            Turn("user", answer.question),
            Turn("assistant", answer.text, passages=answer.passages, label=answer.label),
        )
    # A notice, or an answer that is no longer stored: these words were not checked.
    return (Turn("assistant", replied.text, label="unverified"),) if replied.text.strip() else ()


async def _load_answer(asked: Asked, memory: ConversationMemory, asks: Asks) -> Answer | None:
    """Return the answer that a message replies to, if it is still stored."""
    replied = asked.message.replied
    if replied is None or not replied.is_mine:
        return None
    ask = await asks.find_by_answer(asked.message.place.chat_id, replied.message_id)
    return await memory.load_answer(ask.exchange) if ask else None


@dataclass(frozen=True, slots=True)
class Notice:
    """A message of the catalogues with its values."""

    message_id: str
    values: Mapping[str, str | float] = field(default_factory=dict)

    def text(self, language: str) -> str:
        """Return the message in a language, given as ISO 639-1 code."""
        return TEXTS.text(self.message_id, language, **self.values)


def problem(text: str, limit: int) -> Notice:
    """Return why the engine rejects `text`: it is empty, longer than `limit` characters, or unreadable."""
    if not text.strip():
        return Notice("ask-how")
    if len(text.strip()) > limit:
        return Notice("question-too-long", {"characters": len(text.strip()), "limit": limit})
    return Notice("question-unreadable")
