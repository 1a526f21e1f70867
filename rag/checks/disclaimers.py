"""Sentences with which a chatbot covers itself; a refinement must not add any."""

from __future__ import annotations

import regex

from rag.checks import phrases
from rag.language.markdown import without_code

_DISCLAIMER = regex.compile(
    rf"(?:{phrases.DISCLAIMER}) | (?:{phrases.AS_A_MODEL})", regex.VERBOSE | regex.IGNORECASE
)


def count(text: str, known: str = "") -> int:
    """How many there are in `text`, outside code; a warning in the words of `known` texts is a fact."""
    said = known.casefold()
    found = _DISCLAIMER.finditer(without_code(text))
    return sum(1 for disclaimer in found if disclaimer.group().casefold().strip() not in said)
