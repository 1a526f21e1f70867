"""Find qualifiers: "only", "unless", "may" and other words that change a rule.

They contain no fact that could be looked up, so a comparison of facts does not notice when they are missing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import cache
from typing import get_args

import regex

from rag.language.recent_texts import cache_recent
from rag.language.tables import QualifierKind, compile_pattern


def qualifiers(sentence: str) -> Counter[str]:
    """Return how often each kind of qualifier occurs in a sentence."""
    return Counter(dict(_count(sentence)))


@cache_recent
def _count(sentence: str) -> tuple[tuple[str, int], ...]:
    counts = {kind: len(pattern.findall(sentence)) for kind, pattern in _patterns().items()}
    if counts["at least"] or counts["at most"]:  # "no more than" is a limit, not "more than"
        patterns = _patterns()
        plain = patterns["at most"].sub(" ", patterns["at least"].sub(" ", sentence))
        counts |= {kind: len(patterns[kind].findall(plain)) for kind in ("more", "less")}
    return tuple((kind, count) for kind, count in counts.items() if count)


@cache
def _patterns() -> Mapping[str, regex.Pattern[str]]:
    kinds: tuple[QualifierKind, ...] = get_args(QualifierKind)
    return {kind: _pattern(kind) for kind in kinds}


def _pattern(kind: QualifierKind) -> regex.Pattern[str]:
    return compile_pattern(lambda one: one.bordered(one.qualifiers.get(kind, "")))
