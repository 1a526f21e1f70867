"""Find the clause of a passage that denies a presupposition of a question. Pure.

"What do trainees get for a week on call?" presupposes that trainees are on call. The passage has a value
for a week on call, and says in another clause: "Trainees are never on call." A small model gives the value.
"""

from __future__ import annotations

from collections.abc import Sequence

from rag.evidence.assertion import is_unspaced
from rag.language import negation
from rag.language.qualifiers import qualifiers
from rag.language.words import content_terms, prefixes

_MIN_SHARE = 0.5
"""Minimum share of the words of a denying clause that the question has; and of the question's words in a
sentence that speaks of what was asked."""
_PAIRS_OF_A_WORD = 3
"""In Chinese, where each stem is a pair of neighbouring characters, the first word of a text is looked for in
this many stems at its beginning."""


def find_denying_clause(
    claim: str, question: str, sentence: str, passage: Sequence[str], language: str
) -> str:
    """Return the clause that denies a presupposition of a question; empty without one.

    It is a clause of the passage that denies something of the question of which the clause of the answer does
    not speak, or the clause of the answer itself if it says what there is instead.

    Args:
        claim: The answer under check.
        question: The question.
        sentence: The sentence of the passage that supports the claim.
        passage: All sentences of the passage.
        language: ISO 639-1 code of the texts.
    """
    asked = frozenset(content_terms(question, language))
    beyond = frozenset(content_terms(claim, language)) - asked
    answering = max(
        negation.clauses(sentence),
        key=lambda clause: len(beyond.intersection(content_terms(clause, language))),
        default="",
    )
    stated = content_terms(sentence, language)
    is_spoken_of = len(asked.intersection(stated)) >= _MIN_SHARE * len(asked)
    is_replaced = qualifiers(answering)["instead"] and not qualifiers(f"{question} {claim}")["instead"]
    if is_replaced and not is_spoken_of:
        return answering
    wanted = prefixes(asked)
    lacking = wanted - prefixes(content_terms(answering, language))
    topic = wanted & prefixes(stated)
    if not lacking or not topic:
        return ""
    for other in passage:
        if topic.isdisjoint(prefixes(content_terms(other, language))):
            continue
        for clause in negation.clauses(other):
            if _denies(clause, wanted, lacking, language):
                return clause
    return ""


def _denies(clause: str, asked: frozenset[str], lacking: frozenset[str], language: str) -> bool:
    """Return whether a clause denies a presupposition: the word behind its negation is in the question."""
    if not negation.denies(clause) or qualifiers(clause)["without"]:
        return False
    before, behind = (content_terms(text, language) for text in negation.split_at_denial(clause))
    first = behind[: _PAIRS_OF_A_WORD if is_unspaced(clause) else 1]
    if first and asked.isdisjoint(prefixes(first)):
        return False
    denied = prefixes([*before, *behind])
    known = denied & asked
    return not lacking.isdisjoint(known) and len(known) >= _MIN_SHARE * len(denied)
