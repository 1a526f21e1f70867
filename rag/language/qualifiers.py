"""Small words on which a rule hangs: without "only", "unless" or "may" a sentence says something else.

They hold no fact that could be looked up, so whoever compares facts does not miss them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import cache
from typing import get_args

import regex

from rag.language.tables import Language, Pattern, QualifierKind, compiled


def qualifiers(sentence: str) -> Counter[str]:
    """How often each kind of such a word stands in a sentence, by the name of the kind."""
    counts = {kind: len(pattern.findall(sentence)) for kind, pattern in _patterns().items()}
    return Counter({kind: count for kind, count in counts.items() if count})


@cache
def _patterns() -> Mapping[str, regex.Pattern[str]]:
    kinds: tuple[QualifierKind, ...] = get_args(QualifierKind)
    return {kind: _pattern(kind) for kind in kinds}


def _pattern(kind: QualifierKind) -> regex.Pattern[str]:
    def bordered(one: Language) -> Pattern:
        words = one.qualifiers.get(kind, "")
        return rf"\b(?:{words})\b" if words and one.word_borders else words

    return compiled(bordered)
