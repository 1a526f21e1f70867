"""Sentences with which a chatbot covers itself; a refinement must not add any."""

from __future__ import annotations

import regex

from rag.checks import phrases
from rag.language.markdown import without_code

_DISCLAIMER = regex.compile(
    rf"(?:{phrases.DISCLAIMER}) | (?:{phrases.AS_A_MODEL})", regex.VERBOSE | regex.IGNORECASE
)


def count(text: str) -> int:
    """How many there are in `text`, outside code."""
    return sum(1 for _ in _DISCLAIMER.finditer(without_code(text)))
