"""Compare an answer with a reading in another language, by facts and by names in Latin letters."""

from __future__ import annotations

from typing import Literal

import regex

from rag.evidence import assertion, bank, polarity
from rag.evidence.assertion import Assertion
from rag.evidence.fact_agreement import compare_facts
from rag.language.detect import detect

_SCRIPTS = tuple(
    regex.compile(script) for script in (r"\p{Latin}", r"\p{Cyrillic}", r"[\p{Han}\p{Kana}]", r"\p{Hangul}")
)
_LATIN_NAME = regex.compile(r"\p{Lu}[\p{Latin}\p{M}'’-]*")


def are_foreign(mine: Assertion, theirs: Assertion, passage: str, language: str) -> bool:
    """Return whether the reading shares no word and has another script, or the passage another language."""
    if mine.terms & theirs.terms:
        return False
    scripts = [
        {at for at, script in enumerate(_SCRIPTS) if script.search(one.text)} for one in (mine, theirs)
    ]
    if all(scripts) and scripts[0].isdisjoint(scripts[1]):
        return True
    return detect(passage, language) != language


def compare_across(mine: Assertion, found: str, question: str) -> Literal["agrees", "differs", "undecided"]:
    """Compare facts and names in Latin letters, which look the same in every language.

    Args:
        mine: The answer.
        found: The reading.
        question: The question.
    """
    asked = bank.fold(question)
    if polarity.excludes(mine.text) != polarity.excludes(found) and not polarity.excludes(asked):
        return "undecided"
    theirs = assertion.read(found, question, "")
    if mine.facts and theirs.facts:
        return compare_facts(mine.facts, theirs.facts, asked)
    known = _latin_names(question)
    wanted, named = _latin_names(found) - known, _latin_names(mine.text) - known
    return "agrees" if wanted and wanted == named and not theirs.facts else "undecided"


def _latin_names(text: str) -> frozenset[str]:
    return frozenset(bank.fold(name) for name in _LATIN_NAME.findall(assertion.normalise(text)))
