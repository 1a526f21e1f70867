"""Choose the sentences that answer a question, and estimate how likely they do.

No model is called. Word signals preselect, then the best pieces are compared by meaning if the embedding
supports the language. Each chosen sentence is quoted verbatim and contiguously, so that the reader can verify
it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from rag.errors import ModelError
from rag.evidence.gathering import Gatherer
from rag.quoting import scoring
from rag.quoting.pieces import leans
from rag.quoting.scoring import Query, Weights
from rag.quoting.signals import MeasuredPiece, measure
from rag.values import Classification, Passage

_MAX_COMPARED = 5
"""Number of pieces that are compared by meaning: an embedding costs about 15 ms per sentence."""
_MIN_NEIGHBOUR_SCORE = 0.1
"""A neighbouring piece with at least this share of the score is quoted too, because it may be the better
one."""
_MAX_JOINT_CHARACTERS = 400
"""Maximum length of a quotation that includes such a neighbour."""
_CARRIED_THRESHOLD = 0.5


@dataclass(frozen=True, slots=True)
class CarryingSentence:
    """A quotation that may answer the question.

    Args:
        passage: The passage it comes from.
        text: The words, verbatim and contiguous, ``passage.text[start:end]``: a sentence, alone or with a
            neighbour, a list item with the line that introduces the list, a table row, the first one with
            the table's header.
        start: Offset in the passage's text, in code points.
        end: Offset of its end.
        lead: What introduces it but does not stand before it, or is too far away for one quotation; verbatim,
            or empty.
        score: Likelihood that it answers, 0-1; comparable across questions.
    """

    passage: Passage
    text: str
    start: int
    end: int
    lead: str
    score: float

    @property
    def said(self) -> str:
        """The quotation, below the line or table header that introduces it."""
        return f"{self.lead}\n{self.text}"

    @property
    def heading(self) -> str:
        """Document and section of the passage."""
        return f"{self.passage.document} {self.passage.section}"


@dataclass(frozen=True, slots=True)
class Choice:
    """The sentences for a question, best first, and the likelihood that the best one answers it, 0-1."""

    sentences: tuple[CarryingSentence, ...] = ()
    carried: float = 0.0

    @property
    def is_carried(self) -> bool:
        """Whether the best sentence probably answers the question, by the free signals."""
        return self.carried >= _CARRIED_THRESHOLD


def preload() -> None:
    """Load the data files, so that the first choice does not wait for them; blocking."""
    leans("")
    scoring.preload()


async def choose(
    gatherer: Gatherer, classification: Classification, passages: Sequence[Passage], limit: int = 2
) -> Choice:
    """Choose sentences of passages for a question. If the embedding server is unreachable, only words decide.

    Args:
        gatherer: Supplies vectors, landmarks and the rarity of words.
        classification: Classification of the message; its standalone question is answered.
        passages: The likeliest passages with their scores, best first.
        limit: Maximum number of sentences.
    """
    question, language, corpus = classification.standalone, classification.language, gatherer.corpus
    measured = await asyncio.to_thread(measure, question, language, passages, corpus.rarity)
    pieces = preselect(measured)
    similarities: Mapping[str, float] | None = None
    if pieces and corpus.knows(question):
        try:
            similarities = await compare(gatherer, question, language, [one.text for one in pieces])
        except ModelError:  # the embedding server is unreachable: rank by words alone
            similarities = None
    return rank(pieces, similarities, limit)


async def compare(gatherer: Gatherer, question: str, language: str, texts: Sequence[str]) -> dict[str, float]:
    """Return the similarity of each text to a question by meaning, scaled by `Landmarks.scaled`.

    Raises:
        ModelError: The embedding server gave no vectors.
    """
    landmarks = await gatherer.landmarks(language)
    vectors = await gatherer.corpus.embed_texts([question, *texts])
    cosines = vectors[1:] @ vectors[0]
    return {text: landmarks.scaled(float(cosine)) for text, cosine in zip(texts, cosines, strict=True)}


def preselect(pieces: Sequence[MeasuredPiece], weights: Weights | None = None) -> list[MeasuredPiece]:
    """Return the pieces with the best word signals, best first: those to compare by meaning."""
    return sorted(pieces, key=lambda one: -scoring.value("words", one.signals, weights))[:_MAX_COMPARED]


def rank(
    pieces: Sequence[MeasuredPiece],
    similarities: Mapping[str, float] | None = None,
    limit: int = 2,
    weights: Weights | None = None,
) -> Choice:
    """Rank the pieces and quote the best. Pure.

    Args:
        pieces: The result of `preselect`.
        similarities: Similarity of each piece's text to the question; None if no embedding was available.
        limit: Maximum number of sentences.
        weights: Weights to use instead of the shipped ones.
    """
    if not pieces:
        return Choice()
    ranking: Query = "words" if similarities is None else "meaning"
    signals = with_similarity(pieces, similarities)
    shares = scoring.softmax([scoring.value(ranking, one, weights) for one in signals])
    ranked = sorted(zip(shares, range(len(pieces)), strict=True), key=lambda one: (-one[0], one[1]))
    margin, best = ranked[0]
    query: Query = "carried_words" if similarities is None else "carried_meaning"
    carried = scoring.logistic(scoring.value(query, {**signals[best], "margin": margin}, weights))
    quotes = _quote_ranked([(share * carried, pieces[number]) for share, number in ranked])
    return Choice(tuple(islice(quotes, limit)), carried)


def with_similarity(
    pieces: Sequence[MeasuredPiece], similarities: Mapping[str, float] | None
) -> list[dict[str, float]]:
    """Return the signals of the pieces, with their similarity; 0 if unknown."""
    known = similarities or {}
    return [{**one.signals, "similarity": known.get(one.text, 0.0)} for one in pieces]


def _quote_ranked(ranked: Sequence[tuple[float, MeasuredPiece]]) -> Iterator[CarryingSentence]:
    """Quote the pieces, best first, skipping those that an earlier quotation contains."""
    shown: list[tuple[Passage, int, int]] = []
    for score, one in ranked:
        if _is_shown(one, shown):
            continue
        text = one.passage.text
        start, end = one.piece.quote_start, one.piece.quote_end
        if any(passage is one.passage and start < finish and begin < end for passage, begin, finish in shown):
            start, end = one.piece.start, one.piece.end
        for other_score, other in ranked:
            if other is one or other.passage is not one.passage or other_score < score * _MIN_NEIGHBOUR_SCORE:
                continue
            if _is_shown(other, shown):
                continue
            joint = (min(start, other.piece.start), max(end, other.piece.end))
            gap = text[end : other.piece.start] if other.piece.start >= end else text[other.piece.end : start]
            is_list = one.piece.kind == other.piece.kind == "item"
            belongs_together = not gap.strip() and (gap.count("\n") < 2 or is_list)
            if belongs_together and joint[1] - joint[0] <= _MAX_JOINT_CHARACTERS:
                start, end = joint
        shown.append((one.passage, start, end))
        held = [value for value, other in ranked if _is_shown(other, shown[-1:])]
        lead = "" if one.piece.lead in text[start:end] else one.piece.lead
        yield CarryingSentence(
            one.passage, text[start:end], start, end, lead, min(1.0, max(score, sum(held)))
        )


def _is_shown(one: MeasuredPiece, shown: Sequence[tuple[Passage, int, int]]) -> bool:
    return any(
        passage is one.passage and start <= one.piece.start and one.piece.end <= end
        for passage, start, end in shown
    )
