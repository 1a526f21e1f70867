"""Count the disclaimers of a chatbot ("please verify this"); a refinement must not add any."""

from __future__ import annotations

import regex

from rag.checks import phrases
from rag.language.markdown import without_code

_DISCLAIMER = regex.compile(
    rf"(?:{phrases.DISCLAIMER}) | (?:{phrases.AS_A_MODEL})", regex.VERBOSE | regex.IGNORECASE
)


def count(text: str, known: str = "") -> int:
    """Return the number of disclaimers in `text`, outside code. Warnings quoted from `known` do not count."""
    said = known.casefold()
    found = _DISCLAIMER.finditer(without_code(text))
    return sum(1 for disclaimer in found if disclaimer.group().casefold().strip() not in said)
