"""Whether a clause denies something, in any of the languages.

A clause is a sentence's part between commas and "and", "but" and their like: "needs Java 17 and does not
start with 11" says no of 11 only. Phrases such as "no more than" limit and do not deny.
"""

from __future__ import annotations

from functools import cache

import regex

from rag.language.tables import alternatives, compiled


@cache
def _limits() -> regex.Pattern[str]:
    return compiled(lambda one: one.negation.limits)


@cache
def _denials() -> regex.Pattern[str]:
    return compiled(lambda one: one.negation.denials)


@cache
def _turning() -> regex.Pattern[str]:
    """Words that turn the sentence they stand in: "without" and "prohibited" deny, but turn nothing.

    A second word of denial beside "not" turns the sentence back in no language but English and Chinese.
    """
    return compiled(lambda one: one.negation.turning)


@cache
def _borders() -> regex.Pattern[str]:
    words = alternatives(lambda one: one.negation.borders)
    return regex.compile(rf"(?<!\d)[,:]|[,:](?!\d)|[;，、；：—–()（）]|{words}", regex.IGNORECASE)


def clauses(sentence: str) -> list[str]:
    """The clauses of a sentence, in order."""
    return [piece for piece in _borders().split(sentence) if piece and piece.strip()]


def negations(sentence: str) -> int:
    """How many words of a sentence turn it into its opposite, such as "not"; "without" turns nothing."""
    return len(_turning().findall(_limits().sub(" ", sentence)))


def denies(clause: str) -> bool:
    """Whether a clause says no."""
    return bool(_denials().search(_limits().sub(" ", clause)))
