"""Recognise negation, in any of the languages.

A clause is a part of a sentence between commas and words such as "and" and "but": "needs Java 17 and does not
start with 11" denies only 11. Phrases such as "no more than" set a limit and deny nothing.
"""

from __future__ import annotations

from functools import cache

import regex

from rag.language.tables import alternatives, compile_pattern


@cache
def _limits() -> regex.Pattern[str]:
    return compile_pattern(lambda one: one.negation.limits)


@cache
def _denials() -> regex.Pattern[str]:
    return compile_pattern(lambda one: one.negation.denials)


@cache
def _turning() -> regex.Pattern[str]:
    """Return words that reverse their sentence; "without" and "prohibited" deny, but reverse nothing.

    A second negation besides "not" restores the original sense only in English and Chinese.
    """
    return compile_pattern(lambda one: one.negation.turning)


@cache
def _borders() -> regex.Pattern[str]:
    words = alternatives(lambda one: one.negation.borders)
    return regex.compile(rf"(?<!\d)[,:]|[,:](?!\d)|[;，、；：—–()（）]|{words}", regex.IGNORECASE)


def clauses(sentence: str) -> list[str]:
    """Return the clauses of a sentence, in order."""
    return [piece for piece in _borders().split(sentence) if piece and piece.strip()]


def negations(sentence: str) -> int:
    """Return how many words of a sentence reverse its meaning, such as "not"; "without" does not count."""
    return len(_turning().findall(_limits().sub(" ", sentence)))


def denies(clause: str) -> bool:
    """Return whether a clause has a negation."""
    return bool(_denials().search(_limits().sub(" ", clause)))
