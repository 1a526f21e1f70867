"""Decide whether two wordings are the same question. Pure, and strict: a doubt means no.

Vectors cannot decide it: "which Java does it need" and "which Java did it need before" are as close to each
other as two true wordings of one question. So the words decide: the same words that a question is about, the
same question words, and at most two other function words that one of them has besides. A function word that
stands for another ("with" and "without") makes another question.
"""

from __future__ import annotations

from collections.abc import Iterable

from rag.language.asking import kinds_asked, wants_yes_or_no
from rag.language.words import content_terms, terms

_MOST_DIFFERING = 2


def is_same_question(one: str, other: str) -> bool:
    """Return whether two texts ask the same; capitals, punctuation and the order of words do not count."""
    first, second = one.strip().casefold(), other.strip().casefold()
    if first == second:
        return True
    about = frozenset(content_terms(first))
    if not about or about != frozenset(content_terms(second)):
        return False
    if kinds_asked(first) != kinds_asked(second) or wants_yes_or_no(first) != wants_yes_or_no(second):
        return False
    words, others = _words(first), _words(second)
    only_one = {words[term] for term in words.keys() - others.keys()}
    only_other = {others[term] for term in others.keys() - words.keys()}
    if only_one and only_other:
        return False
    besides = only_one or only_other
    return len(besides) <= _MOST_DIFFERING and not any(kinds_asked(word) for word in besides)


def _words(text: str) -> dict[str, str]:
    return dict(_terms_of(text.split()))


def _terms_of(words: Iterable[str]) -> Iterable[tuple[str, str]]:
    for word in words:
        for term in terms(word):
            yield term, word
