"""Compare the facts of two short texts: numbers, dates, times and code."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import regex

from rag.language import asking
from rag.language.units import Unit, matches

_DIMENSIONS = tuple(
    frozenset(row.split("|"))
    for row in (
        "ms|s|min|h|day|working day|week|month|year",
        "usd|eur|rub|gbp|cny|jpy|krw|idr",
        "b|kb|mb|gb|tb",
        "km|m|cm|mm|mi|ft",
        "kg|g",
        "°c|°f",
    )
)
"""Names of measures (`rag.language.measures`) of one dimension, so that one could replace the other."""
_WRITTEN_NUMBER = regex.compile(r"\d[\d.,]*")


def compare_facts(
    mine: Sequence[Unit], theirs: Sequence[Unit], question: str
) -> Literal["agrees", "differs", "undecided"]:
    """Compare the facts of an answer with those of a reading.

    Args:
        mine: Facts of the answer beyond the question; at least one.
        theirs: Facts of the reading beyond the question; at least one.
        question: The question, folded; it may want more than a year.

    Returns:
        ``agrees`` if all facts that could be confused are on both sides, ``differs`` if no fact is on both
        sides and some could be confused, else ``undecided``.
    """
    only_mine = [one for one in mine if not any(is_same(one, other) for other in theirs)]
    only_theirs = [one for one in theirs if not any(is_same(other, one) for other in mine)]
    if len(only_mine) == len(mine):
        return "differs" if _has_rivals(mine, theirs) else "undecided"
    if _has_rivals(only_mine, theirs) or _has_rivals(mine, only_theirs):
        return "undecided"
    if asking.asks_finer_than_a_year(question) and any(
        _is_coarser(one, other) for one in mine for other in theirs
    ):
        return "undecided"
    return "agrees"


def states_all(mine: Sequence[Unit], theirs: Sequence[Unit]) -> bool:
    """Return whether the answer contains every fact of the reading."""
    return all(any(is_same(one, other) for one in mine) for other in theirs)


def is_same(mine: Unit, theirs: Unit) -> bool:
    """Return whether two facts are equal, except that one can be less precise.

    Bare numbers with different decimals may be versions: 1.2 is not 1.20.
    """
    if not (matches(mine, theirs) or matches(theirs, mine)):
        return False
    if mine.kind == theirs.kind == "number" and " " not in mine.normal and " " not in theirs.normal:
        written = [_WRITTEN_NUMBER.search(fact.text) for fact in (mine, theirs)]
        decimals = [one.group().rpartition(".")[2] for one in written if one and "." in one.group()]
        return len(decimals) < 2 or decimals[0] == decimals[1]
    return True


def are_rivals(one: Unit, other: Unit) -> bool:
    """Return whether two facts could be confused: both are dates, or both measure the same."""
    if one.kind == other.kind == "number":
        measures = {fact.normal.partition("|")[0].partition(" ")[2] for fact in (one, other)} - {""}
        return len(measures) < 2 or any(measures <= dimension for dimension in _DIMENSIONS)
    kinds = {one.kind, other.kind}
    return len(kinds) == 1 or kinds <= {"number", "date", "time"}


def _has_rivals(some: Sequence[Unit], others: Sequence[Unit]) -> bool:
    return any(are_rivals(one, other) for one in some for other in others)


def _is_coarser(mine: Unit, theirs: Unit) -> bool:
    """Return whether a date lacks the month or day that the other one has."""
    if theirs.kind != "date":
        return False
    return mine.kind == "number" or mine.normal[5:].count("?") > theirs.normal[5:].count("?")
