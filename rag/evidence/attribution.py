"""Decide whether a passage supports a claim: a sentence, or the part of it before a marker.

The passage (its text, section or document name) must contain the claim's facts and be about the same things.
Words of different languages cannot be compared, so across languages only numbers, dates, times, code and
equally spelled names decide, and claims without any of these are not supported.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from rag.evidence import bank
from rag.evidence.statements import remove_opening
from rag.language import negation
from rag.language.detect import detect
from rag.language.sentences import sentences
from rag.language.units import Unit, missing, units
from rag.language.words import content_terms, term_set
from rag.values import Passage

_MIN_SHARE = 0.4
_MIN_SHARE_WITH_FACTS = 0.3
"""Minimum share of a claim's content words in its passage. Of the sentences of reference answers to
documentation questions, 97 % reach it with their own passage, 3 % with a random one of the same
product."""
_MIN_QUESTION_SHARE = 0.5
_MIN_SHARED_WORDS = 2
_QUOTE_CHARACTERS = 300


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim, and the parts of it that can be checked.

    Args:
        text: The words, without citation markers.
        language: ISO 639-1 code, or an empty string.
        facts: Its numbers, dates, times, names and code.
        content: Stems of its content words, except those of an opening ("the answer is …").
        asked: Stems of the question's content words, which the claim need not repeat.
    """

    text: str
    language: str
    facts: tuple[Unit, ...]
    content: frozenset[str]
    asked: frozenset[str] = frozenset()

    @property
    def own(self) -> frozenset[str]:
        """Stems of the claim beyond the question, or all if there are none."""
        return self.content - self.asked or self.content

    @property
    def has_fact(self) -> bool:
        """Whether the claim states a number, a date, a time or code."""
        return any(fact.kind != "name" for fact in self.facts)


@lru_cache(maxsize=512)  # checked against several passages, and again when another marker was removed
def claim(text: str, language: str = "", asked: str = "") -> Claim:
    """Build a claim from a sentence that answers a question."""
    body = remove_opening(bank.fold(text))
    content, question = frozenset(content_terms(body)), frozenset(content_terms(asked))
    return Claim(text, language, tuple(units(text, language)), content, question)


def is_supported(claimed: Claim, passage: Passage) -> bool:
    """Return whether `passage` states all facts of the claim, denies none, and is about its subject."""
    return (
        is_related(claimed, passage)
        and not absent_facts(claimed, passage)
        and not denied_facts(claimed, passage)
    )


def denied_facts(claimed: Claim, passage: Passage) -> list[Unit]:
    """Return the facts that the claim affirms and the passage denies ("17 is no longer supported")."""
    if negation.denies(claimed.text):
        return []
    parts = [clause for sentence in sentences(passage.text) for clause in negation.clauses(sentence.text)]
    if not any(negation.denies(part) for part in parts):
        return []
    affirmed = "\n".join(part for part in parts if not negation.denies(part))
    denied = "\n".join(part for part in parts if negation.denies(part))
    checkable = [unit for unit in facts(claimed, passage) if unit.kind != "name"]
    return [
        unit
        for unit in missing(checkable, f"{passage.document}\n{passage.section}\n{affirmed}")
        if not missing([unit], denied)
    ]


def is_related(claimed: Claim, passage: Passage) -> bool:
    """Return whether `passage` is about the claim's subject; False for a claim with nothing to check.

    If the claim has a fact, a passage about the question is also about the claim, whatever its wording.
    """
    if not claimed.facts and not claimed.content:
        return False
    if not same_language(claimed, passage):
        return claimed.has_fact or _is_anchored(claimed, passage)
    if claimed.has_fact and share_of_terms(claimed.asked, passage) >= _MIN_QUESTION_SHARE:
        return True
    least = _MIN_SHARE_WITH_FACTS if claimed.facts else _MIN_SHARE
    return share(claimed, passage) >= least


def _is_anchored(claimed: Claim, passage: Passage) -> bool:
    """Return whether a passage in another language contains a name or two words of the claim unchanged."""
    named = [unit for unit in claimed.facts if unit.kind == "name"]
    shared = claimed.content & term_set(_full_text(passage))
    return len(missing(named, _full_text(passage))) < len(named) or len(shared) >= _MIN_SHARED_WORDS


def facts(claimed: Claim, passage: Passage) -> list[Unit]:
    """Return the facts of the claim to look for in the passage; names only in the same language."""
    if same_language(claimed, passage):
        return list(claimed.facts)
    return [unit for unit in claimed.facts if unit.kind != "name"]


def absent_facts(claimed: Claim, passage: Passage) -> list[Unit]:
    """Return the facts of the claim that are not in the passage."""
    return missing(facts(claimed, passage), _full_text(passage))


def share(claimed: Claim, passage: Passage) -> float:
    """Return the share of the claim's content words in the passage, 0-1; 1 for a claim of facts only."""
    return share_of_terms(claimed.content, passage) if claimed.content else 1.0


def share_of_terms(terms: frozenset[str], passage: Passage) -> float:
    """Return the share of terms that are in the passage, 0-1; 0 if there are no terms."""
    return len(terms & term_set(_full_text(passage))) / max(1, len(terms))


def same_language(claimed: Claim, passage: Passage) -> bool:
    """Return whether claim and passage have the same language; an unknown language counts as the same."""
    return not claimed.language or _language(passage.text, claimed.language) == claimed.language


def quote(claimed: Sequence[Claim], passage: Passage) -> str:
    """Return the one or two sentences that support the claims best, at most 300 characters.

    Words of the passage's heading, such as the product's name, are ignored: they do not distinguish
    sentences.
    """
    heading = f"{passage.document}\n{passage.section}"
    told = term_set(heading)
    claimed = [
        replace(one, facts=tuple(missing(one.facts, heading)), content=one.content - told) for one in claimed
    ]
    spans = [(sentence.start, sentence.end) for sentence in sentences(passage.text)]
    spans += [
        (first[0], second[1])
        for first, second in itertools.pairwise(spans)
        if second[1] - first[0] <= _QUOTE_CHARACTERS
    ]
    if not spans:
        return ""

    def worth(span: tuple[int, int]) -> tuple[float, int]:
        # Among spans with equal support, prefer the shorter one.
        return _score_support(claimed, passage.text[span[0] : span[1]]), span[0] - span[1]

    start, end = max(spans, key=worth)
    if end - start > _QUOTE_CHARACTERS:
        start, end = _cut_window(claimed, passage.text, start, end)
    return passage.text[start:end].strip()


def _score_support(claimed: Sequence[Claim], text: str) -> float:
    return max(
        2 * (len(one.facts) - len(missing(one.facts, text))) + len(one.content & term_set(text))
        for one in claimed
    )


def _cut_window(claimed: Sequence[Claim], text: str, start: int, end: int) -> tuple[int, int]:
    places = [text.find(unit.text, start, end) for one in claimed for unit in one.facts]
    first = min((place for place in places if place >= 0), default=start)
    begin = max(start, min(first - _QUOTE_CHARACTERS // 3, end - _QUOTE_CHARACTERS))
    finish = min(end, begin + _QUOTE_CHARACTERS)
    if begin > start and " " in text[begin : begin + 40]:
        begin = text.index(" ", begin) + 1
    if finish < end and " " in text[finish - 40 : finish]:
        finish = text.rindex(" ", begin, finish)
    return begin, finish


def _full_text(passage: Passage) -> str:
    return f"{passage.document}\n{passage.section}\n\n{passage.text}"


@lru_cache(maxsize=512)
def _language(text: str, default: str) -> str:
    return detect(text, default)
