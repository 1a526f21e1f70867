"""The signals: everything the evidence knows of a draft, as numbers with names.

To add a signal, compute it here, give it a line in the table of the documentation page, and fit the
weights anew (``bench/fit_evidence.py``); the ablation table that it prints says what the signal adds.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
import regex

from rag.evidence import bank, claims, support
from rag.evidence.material import Material
from rag.language.words import content_terms

_READ_PASSAGES = 8
_NAMES = regex.compile(
    r"""
    (?<=[^.!?…\s"“«„]\s["“«„]?)\p{Lu}[\p{L}\p{N}.'’&-]*   # a capital inside a sentence
    | ["“«„《「『].{2,60}?["”»“》」』]                       # a title, a quotation
    | \b(?:1[0-9]|20)\d\d\b                                # a year
    | [A-Za-z]+[_\d]\w*                                    # code
    """,
    regex.VERBOSE,
)
_MOST_NAMES = 3

Signals = Mapping[str, float]


def measure(material: Material, draft: str) -> dict[str, float]:
    """Compute every signal of a draft."""
    language = material.reading.language
    asked = _weights(material, content_terms(material.reading.standalone, language))
    said = claims.read(draft, language)
    weighted = _weights(material, said.terms)
    claimed = {term: weight for term, weight in weighted.items() if term not in asked}
    passages = material.shown or [hit.passage for hit in material.hits[:_READ_PASSAGES]]
    found = support.measure(passages, asked, claimed, language)
    folded = bank.fold(material.question)
    return {
        "covered": found.covered,
        "supported": found.supported,
        "anchored": found.anchored,
        "nearness": found.anchored / max(found.covered, 0.05),
        "unknown": support.share(asked, {term for term, weight in asked.items() if weight >= 0.999}),
        "task": _any(bank.patterns().tasks, folded),
        "recent": _any(bank.patterns().recent, folded),
        "ours": _any(bank.patterns().ours, folded),
        "names": min(_MOST_NAMES, len(_NAMES.findall(material.question))) / _MOST_NAMES,
        "length": min(1.0, math.log1p(len(asked)) / 2.5),
        "echo": support.share(asked, set(weighted)),
        "claims": min(1.0, math.log1p(len(claimed)) / 2.5),
        "no_claim": float(not claimed),
        "words": min(1.0, math.log1p(said.words) / 2.5),
        "has_number": float(any(term[0].isdigit() for term in claimed)),
        "declining": said.declining,
        "history": support.carried(weighted, _said_before(material, language)),
        "small_talk": float(material.reading.intent == "small_talk"),
        "follow_up": float(material.reading.intent == "follow_up"),
        **_by_meaning(material),
    }


def _by_meaning(material: Material) -> dict[str, float]:
    """The signals that need vectors; without an embedding they say neither yes nor no."""
    landmarks, question, draft = material.landmarks, material.question_vector, material.draft_vector
    if landmarks is None or question is None or draft is None:
        return {"dense": 0.8, "everyday": -0.1, "relevance": 0.4, "refusal": 0.0}
    return {
        "dense": landmarks.scaled(max((hit.similarity for hit in material.hits), default=-1.0)),
        "everyday": landmarks.everydayness(question),
        "relevance": landmarks.scaled(float(question @ draft)),
        "refusal": landmarks.scaled(float(np.max(landmarks.refusals @ draft))),
    }


def _weights(material: Material, terms: list[str] | tuple[str, ...]) -> dict[str, float]:
    return dict(material.rarity(dict.fromkeys(terms)))


def _any(patterns: tuple[regex.Pattern[str], ...], text: str) -> float:
    return float(any(pattern.search(text) for pattern in patterns))


def _said_before(material: Material, language: str) -> set[str]:
    return {term for turn in material.history for term in content_terms(turn.text, language)}
