"""Find what a passage only asks: "Does the office close at 18:00? No, …" does not state 18:00. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

import regex

from rag.evidence import bank, polarity
from rag.language.asking import is_question
from rag.language.units import Unit, matches, units
from rag.language.words import content_terms

_ANSWER_MARK = regex.compile(r"^[\s*_>-]{0,8}(?:\p{L}{1,7}[:：]\s?)?")
_MAX_WORDS_BEHIND_YES = 4
"""With more words, the answer to a question may be "yes, but only …"."""


def find_only_asked(
    claim: str,
    facts: Sequence[Unit],
    sentence: str,
    passage: Sequence[str],
    others: Sequence[str],
    language: str,
) -> tuple[str, ...]:
    """Return the facts of a claim that stand in questions alone, or the question that says what it says.

    Args:
        claim: A sentence of a draft.
        facts: Its facts beyond the question that was asked.
        sentence: The sentence of a passage that supports it best.
        passage: The sentences of that passage in order.
        others: Sentences of other passages that share words with the claim.
        language: ISO 639-1 code of all of them.

    Returns:
        An empty tuple if a statement says it, or a question that is answered with a short yes.
    """
    every = dict.fromkeys((sentence, *passage, *others))
    following = dict(pairwise(passage))
    questions = {one for one in every if is_question(one) and not _says_yes(following.get(one, ""))}
    if not questions or is_question(claim):
        return ()
    statements = [one for one in every if one not in questions]
    asked = _find_facts(facts, questions, language)
    if asked and (lacking := asked - _find_facts(facts, statements, language)):
        return tuple(sorted(lacking))
    if sentence not in questions or len(asked) < len(facts):
        return ()
    said = frozenset(content_terms(claim, language))
    is_stated = any(said <= frozenset(content_terms(one, language)) for one in statements)
    return () if is_stated else (sentence,)


def _find_facts(facts: Iterable[Unit], sentences: Iterable[str], language: str) -> frozenset[str]:
    stated = [unit for sentence in sentences for unit in units(sentence, language)]
    return frozenset(fact.text for fact in facts if any(matches(fact, unit) for unit in stated))


def _says_yes(sentence: str) -> bool:
    leading, rest = polarity.leading_word(bank.fold(_ANSWER_MARK.sub("", sentence)))
    return leading == "yes" and len(rest.split()) <= _MAX_WORDS_BEHIND_YES
