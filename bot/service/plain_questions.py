"""Recognises a group message that does not mention the bot but asks what the documents clearly cover."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from rag.language.visible import message_text

_QUESTION_MARKS = frozenset("?？؟⁇⁈")


def is_like_a_question(text: str) -> bool:
    """Return whether a message ends like a question; group members also state what the documents say."""
    return bool(_QUESTION_MARKS & set(message_text(text.strip()).rstrip()[-3:]))


async def is_covered_question(text: str, covers: Callable[[str], Awaitable[bool]]) -> bool:
    """Return whether a message is a question that the documents clearly cover; calls no model."""
    return is_like_a_question(text) and await covers(text)
