"""Choose the sentences that carry the answer to a question, and say how likely they do.

It costs no model: words decide first, and what they like best is compared by meaning, where an embedding
knows the language. What is chosen is quoted in one piece as it stands in the passage, so whoever reads it can
verify it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from rag.errors import ModelError
from rag.evidence import bank
from rag.evidence.gathering import Corpus
from rag.evidence.material import Landmarks
from rag.quoting import scoring
from rag.quoting.pieces import leans
from rag.quoting.scoring import Query, Weights
from rag.quoting.signals import Candidate, measure
from rag.values import Classification, Passage

_COMPARED = 5
"""Pieces that are compared by meaning: an embedding costs some 15 ms a sentence."""
_ABOUT_AS_GOOD = 0.1
"""A neighbour with this share of the best piece's score is quoted with it: it may be the better one."""
_JOINT_CHARACTERS = 400
"""A quotation that holds such a neighbour is no longer than this."""
_CARRIED = 0.5


@dataclass(frozen=True, slots=True)
class CarryingSentence:
    """A quotation that may carry the answer.

    Args:
        passage: Where it stands.
        text: The words, verbatim and in one piece, ``passage.text[start:end]``: a sentence, alone or with one
            beside it, a list item with the line that introduces the list, a row with the head of its table.
        start: Offset in the passage's text, in code points.
        end: Offset behind it.
        lead: What introduces it and stands too far away to be quoted in one piece with it; verbatim, or
            empty.
        score: How likely it carries the answer, 0-1; comparable across questions.
    """

    passage: Passage
    text: str
    start: int
    end: int
    lead: str
    score: float


@dataclass(frozen=True, slots=True)
class Choice:
    """The sentences for a question, best first, and how likely the best of them answers it at all, 0-1."""

    sentences: tuple[CarryingSentence, ...] = ()
    carried: float = 0.0

    @property
    def is_carried(self) -> bool:
        """Whether the best sentence speaks of what was asked, as far as can be told for free."""
        return self.carried >= _CARRIED


def preload() -> None:
    """Read the data files that the first choice would otherwise wait for; blocking."""
    leans("")
    scoring.preload()


async def choose(
    corpus: Corpus, reading: Classification, passages: Sequence[Passage], limit: int = 2
) -> Choice:
    """Choose sentences of passages for a question; an embedding that is away leaves it to the words.

    Args:
        corpus: Gives vectors and the rarity of words.
        reading: What the message was classified as; its standalone question is answered.
        passages: The likeliest passages, best first, with their scores.
        limit: Sentences at the most.
    """
    question, language = reading.standalone, reading.language
    measured = await asyncio.to_thread(measure, question, language, passages, corpus.rarity)
    candidates = preselect(measured)
    similarities: Mapping[str, float] | None = None
    if candidates and corpus.knows(question):
        try:
            similarities = await compare(corpus, question, language, [one.text for one in candidates])
        except ModelError:  # an embedding server that is away
            similarities = None
    return rank(candidates, similarities, limit)


async def compare(corpus: Corpus, question: str, language: str, texts: Sequence[str]) -> dict[str, float]:
    """How near texts are to a question in meaning, as `Landmarks.scaled` puts it.

    Raises:
        ModelError: The embedding server gave no vectors.
    """
    phrasing = bank.phrasing(language)
    # The evidence embeds the same landmarks, so they are remembered.
    vectors = await corpus.embed_texts([question, *texts, *phrasing.texts])
    landmarks = Landmarks.of(phrasing, vectors[1 + len(texts) :])
    cosines = vectors[1 : 1 + len(texts)] @ vectors[0]
    return {text: landmarks.scaled(float(cosine)) for text, cosine in zip(texts, cosines, strict=True)}


def preselect(candidates: Sequence[Candidate], weights: Weights | None = None) -> list[Candidate]:
    """The candidates that the words like best, best first: as many as are compared by meaning."""
    return sorted(candidates, key=lambda one: -scoring.value("words", one.signals, weights))[:_COMPARED]


def rank(
    candidates: Sequence[Candidate],
    similarities: Mapping[str, float] | None = None,
    limit: int = 2,
    weights: Weights | None = None,
) -> Choice:
    """Order candidates and quote the best; pure.

    Args:
        candidates: What `preselect` left.
        similarities: How near each candidate's text is to the question; None when no embedding answered.
        limit: Sentences at the most.
        weights: Those to weigh with, where they are not the file's.
    """
    if not candidates:
        return Choice()
    ranking: Query = "words" if similarities is None else "meaning"
    signals = with_similarity(candidates, similarities)
    shares = scoring.shares([scoring.value(ranking, one, weights) for one in signals])
    ranked = sorted(zip(shares, range(len(candidates)), strict=True), key=lambda one: (-one[0], one[1]))
    margin, best = ranked[0]
    query: Query = "carried_words" if similarities is None else "carried_meaning"
    carried = scoring.chance(scoring.value(query, {**signals[best], "margin": margin}, weights))
    quotes = _quotes([(share * carried, candidates[number]) for share, number in ranked])
    return Choice(tuple(islice(quotes, limit)), carried)


def with_similarity(
    candidates: Sequence[Candidate], similarities: Mapping[str, float] | None
) -> list[dict[str, float]]:
    """The signals of candidates, with their similarity where it is known."""
    known = similarities or {}
    return [{**one.signals, "similarity": known.get(one.text, 0.0)} for one in candidates]


def _quotes(ranked: Sequence[tuple[float, Candidate]]) -> Iterator[CarryingSentence]:
    """Quote the candidates, best first; what stands in an earlier quote is not quoted again."""
    shown: list[tuple[Passage, int, int]] = []
    for score, one in ranked:
        if _is_shown(one, shown):
            continue
        text = one.passage.text
        start, end = one.piece.quote_start, one.piece.quote_end
        if any(passage is one.passage and start < finish and begin < end for passage, begin, finish in shown):
            start, end = one.piece.start, one.piece.end
        for other_score, other in ranked:
            if other is one or other.passage is not one.passage or other_score < score * _ABOUT_AS_GOOD:
                continue
            if _is_shown(other, shown):
                continue
            joint = (min(start, other.piece.start), max(end, other.piece.end))
            gap = text[end : other.piece.start] if other.piece.start >= end else text[other.piece.end : start]
            if not gap.strip() and joint[1] - joint[0] <= _JOINT_CHARACTERS:
                start, end = joint
        shown.append((one.passage, start, end))
        held = [value for value, other in ranked if _is_shown(other, shown[-1:])]
        lead = "" if start < one.piece.start else one.piece.lead
        yield CarryingSentence(
            one.passage, text[start:end], start, end, lead, min(1.0, max(score, sum(held)))
        )


def _is_shown(one: Candidate, shown: Sequence[tuple[Passage, int, int]]) -> bool:
    return any(
        passage is one.passage and start <= one.piece.start and one.piece.end <= end
        for passage, start, end in shown
    )
