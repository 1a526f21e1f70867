"""Find words that turn a figure into a bound or a comparison: "more than", "newer", "from 11:00 on".

Texts must be folded (`bank.fold`). The words of all languages are tried on every text.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Literal

import regex

from rag.language.tables import compile_pattern

Direction = Literal["up", "down"]


@cache
def _comparing() -> Mapping[Direction, regex.Pattern[str]]:
    return {
        "up": compile_pattern(lambda one: one.comparisons.up),
        "down": compile_pattern(lambda one: one.comparisons.down),
    }


@cache
def _limits() -> Mapping[Direction, regex.Pattern[str]]:
    return {
        "up": compile_pattern(lambda one: one.comparisons.earliest),
        "down": compile_pattern(lambda one: one.comparisons.latest),
    }


@cache
def _starting() -> regex.Pattern[str]:
    return compile_pattern(lambda one: one.comparisons.starting)


def directions(text: str) -> frozenset[Direction]:
    """Return how a text compares: ``up`` ("more than", "newer") or ``down`` ("under", "earlier")."""
    found = {name for name, pattern in _limits().items() if pattern.search(text)}
    rest = without_limits(text)
    return frozenset(found.union(name for name, pattern in _comparing().items() if pattern.search(rest)))


def without_limits(text: str) -> str:
    """Return a folded text without "not before" and similar words, which set a bound and deny nothing."""
    for limit in _limits().values():
        text = limit.sub(" ", text)
    return text


def gives_beginning(text: str) -> bool:
    """Return whether a folded text says where something begins: "from 11:00 on"."""
    return bool(_starting().search(text))
