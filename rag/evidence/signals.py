"""Compute the signals: everything that the evidence knows about a draft, as named numbers.

To add a signal, compute it here, name it in the features of `rag.evidence.scoring`, add a line to the table
of the documentation page, and fit the weights again (``bench/fit_evidence.py``); its ablation table shows
what the signal contributes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import regex

from rag.evidence import bank, conversation, statements
from rag.evidence.coverage import Claim, claim_share, share
from rag.evidence.material import Material
from rag.evidence.support import ComparedPassages, Support
from rag.language import asking
from rag.language.fields import Words
from rag.language.names import names
from rag.language.tables import Language, languages
from rag.language.units import missing, units
from rag.language.words import content_terms

_MAX_PASSAGES = 5


@dataclass(frozen=True, slots=True)
class Measured:
    """The signals of a draft by name, and its facts that no passage states, as written."""

    signals: dict[str, float]
    conflicts: tuple[str, ...]


@cache
def _firm() -> frozenset[str]:
    """Return words that only express certainty: containing "never" does not support "No, never"."""
    return _terms_of(lambda one: one.answers.firm)


@cache
def _bare() -> frozenset[str]:
    return _firm() | _terms_of(lambda one: one.answers.bare)


def _terms_of(pick: Callable[[Language], Words]) -> frozenset[str]:
    return frozenset(
        term for code, one in languages().items() for term in content_terms(" ".join(pick(one)), code)
    )


def measure(material: Material, draft: str) -> Measured:
    """Compute every signal of a draft."""
    language = material.classification.language
    asked = _weigh(material, content_terms(material.classification.standalone, language))
    said = statements.read(draft, language)
    weights = _weigh(material, said.terms)
    question = material.classification.standalone
    made = [_claim_beyond_question(statement, asked, weights, question) for statement in said.statements]
    is_bare = asking.wants_yes_or_no(question) and all(
        not statement.facts and _bare().issuperset(statement.terms) for statement in said.statements
    )
    if asking.wants_yes_or_no(question) and not is_bare and all(claim.is_empty for claim in made):
        made = [_claim_everything(statement, weights) for statement in said.statements]
    facts = [fact for claim in made for fact in claim.facts]
    passages = material.shown or [hit.passage for hit in material.hits[:_MAX_PASSAGES]]
    compared = ComparedPassages(passages, asked, facts, language)
    supports = [compared.support(claim) for claim in made]
    found = _combine_support(made, supports)
    measured = {
        "covered": compared.covered,
        "supported": found.supported,
        "anchored": found.anchored,
        "nearness": found.anchored / max(compared.covered, 0.05),
        "lacking": len(found.lacking) / len(facts) if facts else 0.0,
        "absent": float(any(fact.kind != "code" for fact in compared.absent)),
        "task": _matches_any(bank.patterns().tasks, bank.fold(material.question)),
        "own_name": _own_name(material),
        "length": min(1.0, math.log1p(len(asked)) / 2.5),
        "echo": share(asked, said.terms),
        "claims": min(1.0, math.log1p(sum(len(claim.words) + len(claim.facts) for claim in made)) / 2.5),
        "only_yes_or_no": float(is_bare),
        "has_fact": float(bool(facts)),
        "declining": said.declining,
        "ignorant": said.ignorant,
        "history": _repeated(material, said, weights, asked),
        "follow_up": float(material.classification.intent == "follow_up"),
        "relevance": _relevance(material),
    }
    return Measured(
        measured,
        tuple(dict.fromkeys(fact.text for fact in facts if fact in compared.absent)),
    )


def _claim_beyond_question(
    statement: statements.Statement, asked: Mapping[str, float], weights: Mapping[str, float], question: str
) -> Claim:
    words = {term: weights[term] for term in statement.terms if term not in asked and term not in _firm()}
    return Claim(words, missing(statement.facts, units(question)) if statement.facts else ())


def _claim_everything(statement: statements.Statement, weights: Mapping[str, float]) -> Claim:
    """Return everything that a statement says, for yes-or-no questions: their answers repeat the question."""
    return Claim({term: weights[term] for term in statement.terms if term not in _firm()}, statement.facts)


def _combine_support(made: Sequence[Claim], supports: Sequence[Support]) -> Support:
    found = [(one, claim.weight) for one, claim in zip(supports, made, strict=True) if not claim.is_empty]
    total = sum(weight for _, weight in found)
    if not found or total <= 0:
        return Support()
    return Support(
        supported=sum(one.supported * weight for one, weight in found) / total,
        anchored=sum(one.anchored * weight for one, weight in found) / total,
        lacking=tuple(fact for one, _ in found for fact in one.lacking),
    )


def _own_name(material: Material) -> float:
    """Return how common a name of the question is in the whole corpus, 0 (in no document) to 1 (everywhere).

    A question about what the documents themselves are about is their business: "In which year was Think Twice
    founded?" is no general knowledge for this handbook.
    """
    language = material.classification.language
    found = [content_terms(name.normal, language) for name in names(material.question, language)]
    rarities = [max(_weigh(material, words).values()) for words in found if words]
    return 1.0 - min(rarities, default=1.0)


def _relevance(material: Material) -> float:
    """Return how near the draft is to the question in meaning, 0-1; neutral without an embedding."""
    landmarks, question, draft = material.landmarks, material.question_vector, material.draft_vector
    if landmarks is None or question is None or draft is None:
        return 0.4
    return landmarks.scaled(float(question @ draft))


def _weigh(material: Material, terms: Iterable[str]) -> dict[str, float]:
    return dict(material.rarity(dict.fromkeys(terms)))


def _matches_any(patterns: tuple[regex.Pattern[str], ...], text: str) -> float:
    return float(any(pattern.search(text) for pattern in patterns))


def _repeated(
    material: Material, said: statements.Claims, weights: Mapping[str, float], asked: Mapping[str, float]
) -> float:
    """Return the share of what the draft says beyond the question that the conversation has stated.

    For a follow-up the whole thread counts; for a standalone question only messages about that question.
    """
    language = material.classification.language
    told = conversation.utterances(material.history, material.summary)
    question = material.classification.standalone
    if material.classification.intent == "follow_up":
        # Only what was stated before supports a draft, not what was asked before.
        question = "\n".join((*conversation.asked(material.history), material.question))
        stated = ["\n".join(one.stated for one in told)]
    else:
        stated = [one.stated for one in told if conversation.is_about(one, asked, language)]
    known = dict.fromkeys(content_terms(question, language), 1.0)
    made = [_claim_beyond_question(statement, known, weights, question) for statement in said.statements]
    words = {term: weight for claim in made for term, weight in claim.words.items()}
    claim = Claim(words, [fact for one in made for fact in one.facts])
    return max((_carried_by(text, claim, language) for text in stated if not claim.is_empty), default=0.0)


def _carried_by(text: str, claim: Claim, language: str) -> float:
    lacking = missing(claim.facts, text) if claim.facts else []
    held = [fact for fact in claim.facts if fact not in lacking]
    return claim_share(claim, frozenset(content_terms(text, language)), held)
