"""Count the disclaimers of a chatbot ("please verify this"); a refinement must not add any."""

from __future__ import annotations

from functools import cache

import regex

from rag.language.markdown import without_code
from rag.language.tables import compile_pattern


@cache
def _disclaimer() -> regex.Pattern[str]:
    return compile_pattern(lambda one: (*one.drafts.disclaimers, one.drafts.self_introduction))


def count(text: str, known: str = "") -> int:
    """Return the number of disclaimers in `text`, outside code. Warnings quoted from `known` do not count."""
    said = known.casefold()
    found = _disclaimer().finditer(without_code(text))
    return sum(1 for disclaimer in found if disclaimer.group().casefold().strip() not in said)
