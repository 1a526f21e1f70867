"""Measure whether an answer fills the gap that the question leaves in a passage, by the position of words.

Right and wrong answers from one passage are both short pieces of it. A right one is in the sentence and
clause that contain most of the question, close to its rarest words, with no other number or name closer to
them, and of the kind that is asked for. Pure. Signals range from 0 to 1 (a lead and a rival's advantage: -1
to 1); the weights are fitted (``bench/fit_unambiguous.py``).
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import regex

from rag.evidence.coverage import Claim, share
from rag.evidence.windows import SplitPassage
from rag.language import asking
from rag.language.units import Unit, matches, units
from rag.language.words import content_terms, locate_words

_BORDER = regex.compile(r"[,;:，、；：—–()（）]|\.(?=\s|$)|[。！？!?]")
_DIGIT = regex.compile(r"\p{N}")
_HAN_NUMBERS = frozenset("一二三四五六七八九十百千万两")
_YEAR = regex.compile(r"(?:1\d|20)\d\d")
_UNSPACED = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}]")

_STEP, _FUNCTION_STEP, _BORDER_STEP, _SENTENCE_STEP = 1.0, 0.5, 2.0, 6.0
"""Distance that a word, a function word, a comma and the end of a sentence add between two words."""
_NEAR, _AROUND, _OF_PIVOT = 3.0, 10.0, 5.0
"""Distances at which a word of the question counts one third: within a phrase, within a clause, and for
the rarest word."""
_SPREAD = 12.0
_COMPARED_SENTENCES = 3
_MAX_SPAN_TOKENS = 40
_MAX_WORDS = 300
"""Maximum number of words of an answer or a sentence that are read: a table can be one endless sentence."""

NOWHERE: Mapping[str, float] = dict.fromkeys(
    (
        "slot_held", "slot_spoken", "slot_lead", "slot_leads", "slot_lead_of_all", "slot_first",
        "slot_clause", "slot_near", "slot_pivot", "slot_nearest", "slot_rival", "slot_rivals",
        "slot_touched", "slot_before", "slot_behind", "slot_spread", "slot_filling", "slot_choice",
        "slot_number", "slot_year", "slot_name",
    ),
    0.0,
)  # fmt: skip
"""The signals of an answer that is in no sentence."""


@dataclass(frozen=True, slots=True)
class _Token:
    terms: tuple[str, ...]
    start: int
    at: float
    clause: int
    is_content: bool
    kind: str


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence that may support an answer.

    Args:
        passage: Number of its passage.
        at: Number of the sentence in the passage.
        held: Share of the answer that is in it.
        worth: The same plus the share of the question that is in it.
    """

    passage: int
    at: int
    held: float
    worth: float


@dataclass(frozen=True)
class _View:
    """A passage with the weights of the question's terms in it, and their share by sentence."""

    weights: Mapping[str, float]
    spoken: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class _Span:
    """The place of an answer among the tokens of a sentence and its neighbours.

    Args:
        tokens: The words of the sentences.
        standing: Token numbers of each term of the question.
        first: Number of the answer's first token.
        last: Number of the answer's last token.
        begin: Number of the first token of the answer's own sentence.
        end: Number after its last token.
    """

    tokens: Sequence[_Token]
    standing: Mapping[str, Sequence[int]]
    first: int
    last: int
    begin: int
    end: int


class Slots:
    """Finds the places of answers in passages, for one question.

    Args:
        readings: The passages.
        asked: The question's content terms that the corpus knows, with their weights.
        language: Language of the question, for the stems.
    """

    def __init__(self, readings: Sequence[SplitPassage], asked: Mapping[str, float], language: str) -> None:
        self._readings = readings
        self.asked = asked
        self._language = language
        self._views = [_view(reading, asked) for reading in readings]

    def carrying(self, claim: Claim, stated: Mapping[tuple[int, int], frozenset[Unit]]) -> list[Sentence]:
        """Return the sentences that contain most of a claim and of the question, best first.

        Args:
            claim: What is claimed beyond the question.
            stated: Facts that were found, by number of passage and of sentence.
        """
        looked = _claim_terms(claim, self._language)
        found = []
        for number, (reading, view) in enumerate(zip(self._readings, self._views, strict=True)):
            for at in range(1, len(reading.terms)):
                held = share(looked, reading.terms[at])
                if claim.facts and (number, at) in stated:
                    held = max(held, 0.9 * len(stated[number, at]) / len(claim.facts))
                if held:
                    found.append(Sentence(number, at, held, held * (0.2 + view.spoken[at])))
        return sorted(found, key=lambda one: -one.worth)[:_COMPARED_SENTENCES]

    def measure(
        self, claims: Sequence[Claim], stated: Mapping[tuple[int, int], frozenset[Unit]]
    ) -> dict[str, float]:
        """Return the signals of the best filling claim; `NOWHERE` if no sentence has a claim."""
        places = [
            (place, claim, span, near)
            for claim in claims
            if not claim.is_empty and self.asked
            for place in self.carrying(claim, stated)
            if (span := self._span(place, claim)) is not None
            for near in (self._nearness(place, span, _AROUND),)
        ]
        if not places:
            return dict(NOWHERE)
        place, claim, span, near = max(places, key=lambda one: one[0].worth + one[0].held * one[3])
        return self._signals(place, claim, span, near)

    def _signals(self, place: Sentence, claim: Claim, span: _Span, near: float) -> dict[str, float]:
        tokens, view = span.tokens, self._views[place.passage]
        spoken = view.spoken[place.at]
        others = [share_ for at, share_ in enumerate(view.spoken) if at not in {0, place.at}]
        covered = share(self.asked, self._readings[place.passage].terms[place.at])
        elsewhere = (
            share(self.asked, reading.terms[at])
            for number, reading in enumerate(self._readings)
            for at in range(1, len(reading.terms))
            if (number, at) != (place.passage, place.at)
        )
        inside = tokens[span.first : span.last + 1]
        clauses = {token.clause for token in inside}
        in_clause = {term for token in tokens if token.clause in clauses for term in token.terms}
        kinds = {token.kind for token in inside}
        kind = next((kind for kind in ("number", "name") if kind in kinds), "")
        own = self._nearness(place, span, _NEAR)
        rivals = list(self._rivals(place, span))
        alike = [value for value, other in rivals if kind and other == kind]
        pivot = max(view.weights, key=lambda term: view.weights[term])
        width = inside[-1].at - inside[0].at
        lead = spoken - max(others, default=0.0)
        return {
            "slot_held": place.held,
            "slot_spoken": spoken,
            "slot_lead": lead,
            "slot_leads": float(lead >= 0),
            "slot_lead_of_all": covered - max(elsewhere, default=0.0),
            "slot_first": float(place.passage == 0),
            "slot_clause": share(view.weights, in_clause),
            "slot_near": near,
            "slot_pivot": _decay(_distance(span, pivot), _OF_PIVOT),
            "slot_nearest": own / max(own, *(value for value, _ in rivals), 1e-6) if rivals else 1.0,
            "slot_rival": max(alike, default=0.0) - own if kind else 0.0,
            "slot_rivals": min(4, len(alike)) / 4,
            "slot_touched": self._touched(span),
            **self._sides(place, span),
            "slot_spread": float(width > _SPREAD),
            "slot_filling": len(inside) / max(1, span.end - span.begin),
            "slot_choice": min(1.0, (len(view.spoken) - 1) / 8),
            "slot_number": float(kind == "number" or bool(claim.facts)),
            "slot_year": float(any(_YEAR.fullmatch(term) for token in inside for term in token.terms)),
            "slot_name": float(kind == "name"),
        }

    def _span(self, place: Sentence, claim: Claim) -> _Span | None:
        """Return the shortest stretch of a sentence that contains most of a claim."""
        sentences = self._readings[place.passage].sentences
        tokens: list[_Token] = []
        begin = end = 0
        for at in range(max(1, place.at - 1), min(len(sentences), place.at + 2)):
            begin = len(tokens) if at == place.at else begin
            tokens += _renumber(_tokenise(sentences[at], self._language), tokens)
            end = len(tokens) if at == place.at else end
        looked = _claim_terms(claim, self._language)
        marked = [at for at in range(begin, end) if any(term in looked for term in tokens[at].terms)]
        if claim.facts and (len(marked) < len(looked) or not marked):
            marked = sorted({*marked, *self._fact_tokens(sentences[place.at], claim, tokens, begin, end)})
        best: tuple[float, int, int] | None = None
        for position, first in enumerate(marked):
            seen: set[str] = set()
            for last in marked[position : position + _MAX_SPAN_TOKENS]:
                seen.update(term for term in tokens[last].terms if term in looked or not looked)
                value = sum(looked.get(term, 1.0) for term in seen)
                value -= 0.05 * (tokens[last].at - tokens[first].at)
                if best is None or value > best[0]:
                    best = value, first, last
        if best is None:
            return None
        standing: dict[str, list[int]] = {}
        for number, token in enumerate(tokens):
            for term in self.asked.keys() & token.terms:
                standing.setdefault(term, []).append(number)
        return _Span(tokens, standing, best[1], best[2], begin, end)

    def _fact_tokens(
        self, sentence: str, claim: Claim, tokens: Sequence[_Token], begin: int, end: int
    ) -> Iterator[int]:
        """Yield the tokens in which a sentence states the facts of a claim in another notation."""
        for unit in units(_normal(sentence), self._language, with_names=False):
            if any(matches(fact, unit) for fact in claim.facts):
                yield from (at for at in range(begin, end) if unit.start <= tokens[at].start < unit.end)

    def _nearness(self, place: Sentence, span: _Span, reach: float) -> float:
        """Return the share of the question around an answer; a word counts less the further away it is."""
        weights = self._views[place.passage].weights
        total = sum(weights.values())
        near = sum(weight * _decay(_distance(span, term), reach) for term, weight in weights.items())
        return near / total if total else 0.0

    def _rivals(self, place: Sentence, span: _Span) -> Iterator[tuple[float, str]]:
        """Yield the nearness of the sentence's other words to the question's words, and the kind of each."""
        for at in range(span.begin, span.end):
            token = span.tokens[at]
            if span.first <= at <= span.last or not token.is_content:
                continue
            if any(term in self.asked for term in token.terms):
                continue
            other = replace(span, first=at, last=at)
            yield self._nearness(place, other, _NEAR), token.kind

    def _touched(self, span: _Span) -> float:
        """Return the share of the four content words around an answer that are also in the question."""
        before = [at for at in range(span.begin, span.first) if span.tokens[at].is_content][-2:]
        behind = [at for at in range(span.last + 1, span.end) if span.tokens[at].is_content][:2]
        around = (span.tokens[at].terms for at in (*before, *behind))
        return sum(any(term in self.asked for term in terms) for terms in around) / 4

    def _sides(self, place: Sentence, span: _Span) -> dict[str, float]:
        """Return the share of the question before the answer, and share after it."""
        weights = self._views[place.passage].weights
        total = sum(weights.values()) or 1.0
        before = behind = 0.0
        for term, weight in weights.items():
            gaps = [(_gap(span, at), at) for at in _places_outside(span, term)]
            if gaps:
                is_before = min(gaps)[1] < span.first
                before, behind = before + weight * is_before, behind + weight * (not is_before)
        return {"slot_before": before / total, "slot_behind": behind / total}


def asked_kinds(question: str) -> dict[str, float]:
    """Return the kinds of answer that a question asks for, as signals; a moment is not an amount."""
    kinds = asking.kinds_asked(question)
    return {
        "asks_who": float("who" in kinds),
        "asks_when": float("when" in kinds),
        "asks_count": float("count" in kinds and "when" not in kinds),
    }


def _view(reading: SplitPassage, asked: Mapping[str, float]) -> _View:
    """Weigh the question's terms. Terms in the heading or in every sentence do not distinguish sentences."""
    weights = {
        term: weight
        * (0.5 if term in reading.terms[0] else 1.0)
        / math.sqrt(max(1, sum(term in terms for terms in reading.terms[1:])))
        for term, weight in asked.items()
    }
    return _View(weights, tuple(share(weights, terms) for terms in reading.terms))


def _claim_terms(claim: Claim, language: str) -> dict[str, float]:
    """Return the terms of a claim with their weights, those of its facts included."""
    of_facts = {term: 1.0 for fact in claim.facts for term in content_terms(fact.text, language)}
    return {**of_facts, **claim.words}


def _normal(sentence: str) -> str:
    return unicodedata.normalize("NFKC", sentence)


@lru_cache(maxsize=4096)
def _tokenise(sentence: str, language: str) -> tuple[_Token, ...]:
    """Return the words of a sentence with their position and the number of their clause."""
    text = _normal(sentence)
    borders = [border.start() for border in _BORDER.finditer(text)]
    found: list[_Token] = []
    at, clause = 0.0, 0
    for word in locate_words(text, language)[:_MAX_WORDS]:
        while clause < len(borders) and borders[clause] < word.start:
            at, clause = at + _BORDER_STEP, clause + 1
        is_content = bool(word.terms)
        width = 0.5 if _UNSPACED.match(word.text) else 1.0  # two characters are a word
        at += (_STEP if is_content else _FUNCTION_STEP) * width
        kind = ""
        if _DIGIT.search(word.text) or word.text[0] in _HAN_NUMBERS:
            kind = "number"
        elif found and word.text[0].isupper():
            kind = "name"
        found.append(_Token(word.terms, word.start, at, clause, is_content, kind))
    return tuple(found)


def _renumber(tokens: Sequence[_Token], before: Sequence[_Token]) -> Iterator[_Token]:
    """Yield the tokens of the next sentence, numbered after those of the previous one."""
    if not before:
        yield from tokens
        return
    at, clause = before[-1].at + _SENTENCE_STEP, before[-1].clause + 1
    for token in tokens:
        yield _Token(
            token.terms, token.start, token.at + at, token.clause + clause, token.is_content, token.kind
        )


def _places_outside(span: _Span, term: str) -> Iterator[int]:
    """Yield the places of a term outside an answer."""
    return (at for at in span.standing.get(term, ()) if not span.first <= at <= span.last)


def _gap(span: _Span, at: int) -> float:
    here = span.tokens[at].at
    return max(span.tokens[span.first].at - here, here - span.tokens[span.last].at, 0.0)


def _distance(span: _Span, term: str) -> float:
    return min((_gap(span, at) for at in _places_outside(span, term)), default=math.inf)


def _decay(distance: float, reach: float) -> float:
    return math.exp(-distance / reach)
