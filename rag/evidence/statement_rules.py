"""Compare the rules that two versions of a text state. Pure.

"Only admins may delete it" and "Admins may delete it" have the same names and figures, but different
meanings. So sentences about the same thing are paired, and their qualifiers compared.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from rag.language.negation import clauses, denies
from rag.language.qualifiers import qualifiers
from rag.language.sentences import sentences
from rag.language.words import content_terms

HARD = frozenset({"only", "except", "at least", "at most", "before", "after"})
"""Kinds of qualifiers that a rewrite must not change; other kinds vary with the wording."""

_SAME_SENTENCE = 0.6


@dataclass(frozen=True, slots=True)
class _RuledSentence:
    terms: frozenset[str]
    rules: Counter[str]


def find_changed_rule(
    old: str, new: str, language: str, passages: str = "", kinds: frozenset[str] = frozenset()
) -> str:
    """Return a kind of qualifier that an otherwise equal sentence lost or gained, or an empty string.

    Args:
        passages: Text of the documents; a change that agrees with a sentence of theirs is accepted.
        kinds: The kinds that count; empty: all.
    """
    before, after, shown = (_read_sentences(text, language, kinds) for text in (old, new, passages))
    for some, others in ((before, after), (after, before)):
        for one in some:
            pair = _find_nearest(one, others)
            if pair is None or pair.rules == one.rules:
                continue
            written = pair if some is before else one
            source = _find_nearest(written, shown)
            if source is None or source.rules != written.rules:
                return next(iter((one.rules - pair.rules) + (pair.rules - one.rules)))
    return ""


def _read_sentences(text: str, language: str, kinds: frozenset[str]) -> list[_RuledSentence]:
    found: list[_RuledSentence] = []
    for sentence in sentences(text):
        rules = qualifiers(sentence.text)
        rules = Counter({kind: count for kind, count in rules.items() if not kinds or kind in kinds})
        if denied := count_denials(sentence.text):
            rules["not"] = denied
        found.append(_RuledSentence(frozenset(content_terms(sentence.text, language)), rules))
    return found


def _find_nearest(one: _RuledSentence, others: Sequence[_RuledSentence]) -> _RuledSentence | None:
    near = [
        other
        for other in others
        if one.terms and len(one.terms & other.terms) >= _SAME_SENTENCE * len(one.terms | other.terms)
    ]
    return max(
        near,
        key=lambda other: (
            len(one.terms & other.terms) / len(one.terms | other.terms),
            other.rules == one.rules,
        ),
        default=None,
    )


def count_denials(text: str) -> int:
    """Return the number of clauses with a negation."""
    return sum(denies(clause) for sentence in sentences(text) for clause in clauses(sentence.text))
