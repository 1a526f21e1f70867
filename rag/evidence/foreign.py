"""Comparing an answer with a reading in another language: by facts, and by names in Latin letters."""

from __future__ import annotations

from typing import Literal

import regex

from rag.evidence import assertion, bank
from rag.evidence.assertion import Assertion
from rag.evidence.fact_agreement import compare_facts
from rag.language.detect import detect

_SCRIPTS = tuple(
    regex.compile(script) for script in (r"\p{Latin}", r"\p{Cyrillic}", r"[\p{Han}\p{Kana}]", r"\p{Hangul}")
)
_LATIN_NAME = regex.compile(r"\p{Lu}[\p{Latin}\p{M}'’-]*")


def are_foreign(mine: Assertion, theirs: Assertion, passage: str, language: str) -> bool:
    """Whether the reading is in another language: it shares no word, and its script or passage is another."""
    if mine.terms & theirs.terms:
        return False
    scripts = [
        {at for at, script in enumerate(_SCRIPTS) if script.search(one.text)} for one in (mine, theirs)
    ]
    if all(scripts) and scripts[0].isdisjoint(scripts[1]):
        return True
    return detect(passage, language) != language


def compare_across(mine: Assertion, found: str, question: str) -> Literal["agrees", "differs", "undecided"]:
    """Compare facts and names in Latin letters, which are written alike in every language."""
    theirs = assertion.read(found, question, "")
    if mine.facts and theirs.facts:
        return compare_facts(mine.facts, theirs.facts, bank.fold(question))
    known = _latin_names(question)
    wanted = [name for name in _latin_names(found) if name not in known]
    written = bank.fold(mine.text)
    if wanted and not theirs.facts and all(_stands_in(name, written) for name in wanted):
        return "agrees"
    return "undecided"


def _latin_names(text: str) -> list[str]:
    return [bank.fold(name) for name in _LATIN_NAME.findall(assertion.plain(text))]


def _stands_in(name: str, text: str) -> bool:
    return bool(regex.search(rf"(?<!\w){regex.escape(name)}", text))
