"""Whether two versions of a text state the same rules. Pure.

"Only admins may delete it" and "Admins may delete it" hold the same names and figures and mean different
things. So sentences that are about the same are laid side by side, and their small words compared.
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
"""Kinds of small words that a rewriting may not change; the others come and go with the wording."""

_SAME_SENTENCE = 0.6


@dataclass(frozen=True, slots=True)
class _Ruled:
    """A sentence: the terms it is about, and the small words on which its rule hangs."""

    terms: frozenset[str]
    rules: Counter[str]


def changed(
    old: str, new: str, language: str, passages: str = "", kinds: frozenset[str] = frozenset()
) -> str:
    """Return the kind of small word that a sentence lost or got though it is the same otherwise, or nothing.

    Args:
        old: The text before.
        new: The text after.
        language: ISO 639-1 code of both.
        passages: What the documents say: what stands there just as in the new text is no fault.
        kinds: The kinds that count; empty: all of them.
    """
    before, after, shown = (_ruled(text, language, kinds) for text in (old, new, passages))
    for some, others in ((before, after), (after, before)):
        for one in some:
            pair = _nearest(one, others)
            if pair is None or pair.rules == one.rules:
                continue
            written = pair if some is before else one
            source = _nearest(written, shown)
            if source is None or source.rules != written.rules:
                return next(iter((one.rules - pair.rules) + (pair.rules - one.rules)))
    return ""


def _ruled(text: str, language: str, kinds: frozenset[str]) -> list[_Ruled]:
    found: list[_Ruled] = []
    for sentence in sentences(text):
        rules = qualifiers(sentence.text)
        rules = Counter({kind: count for kind, count in rules.items() if not kinds or kind in kinds})
        if denied := denials(sentence.text):
            rules["not"] = denied
        found.append(_Ruled(frozenset(content_terms(sentence.text, language)), rules))
    return found


def _nearest(one: _Ruled, others: Sequence[_Ruled]) -> _Ruled | None:
    """The sentence that is about the same; of several, one with the same small words."""
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


def denials(text: str) -> int:
    """How many clauses of a text say no."""
    return sum(denies(clause) for sentence in sentences(text) for clause in clauses(sentence.text))
