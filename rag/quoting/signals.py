"""Measure how a piece of a passage relates to a question, as named numbers, most of them 0-1.

To add a signal, compute it in `measure`, name it in `FEATURES` of `rag.quoting.scoring`, and fit the weights
again (``bench/sentences.py --fit``). Keep it only if it improves the answers on rows that were not used for
fitting.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

import regex

from rag.evidence.bank import fold
from rag.evidence.coverage import share
from rag.evidence.material import Rarity
from rag.language import asking
from rag.language.recent_texts import SENTENCE_CHARACTERS, cache_up_to
from rag.language.units import Unit, missing, units
from rag.language.words import content_terms
from rag.quoting.pieces import Piece, pieces
from rag.values import Passage

_PREFIX_LETTERS = 5
"""Words that share this many first letters count as forms of one word."""
_UNKNOWN_RARITY = 0.999
"""Rarity from which a term is in no passage."""
_YEAR = regex.compile(r"(?:1\d|20)\d\d(?: year)?")
_WORD = regex.compile(r"[\p{L}\p{N}]+")
_DENSE_SCRIPT = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}\p{Thai}]")
_LETTERS_SPACED, _LETTERS_DENSE = 4, 2


@dataclass(frozen=True, slots=True)
class MeasuredPiece:
    """A piece of a passage, with its signals for the question."""

    passage: Passage
    piece: Piece
    signals: Mapping[str, float]

    @property
    def text(self) -> str:
        """The piece itself, without what must be read with it."""
        return self.passage.text[self.piece.start : self.piece.end]


@dataclass(frozen=True, slots=True)
class _Asked:
    """A question: its terms with their rarity, its letter n-grams, and the sorts of answer that it wants."""

    text: str
    language: str
    weights: Mapping[str, float]
    letters: frozenset[str]
    sorts: frozenset[str]


@dataclass(frozen=True, slots=True)
class _Read:
    """A piece with its terms, and the terms around it."""

    passage: Passage
    piece: Piece
    text: str
    terms: frozenset[str]
    heading: frozenset[str]
    context: frozenset[str]
    around: frozenset[str]
    quoted: frozenset[str]


def measure(question: str, language: str, passages: Sequence[Passage], rarity: Rarity) -> list[MeasuredPiece]:
    """Measure every piece of some passages without vectors, in reading order.

    Args:
        question: The standalone question.
        language: ISO 639-1 code of the question, for the stems.
        passages: Passages that may answer, best first.
        rarity: How rare terms are in the corpus.
    """
    asked = _Asked(
        question,
        language,
        rarity(dict.fromkeys(content_terms(question, language))),
        _letter_ngrams(question),
        _wanted_sorts(question),
    )
    found = [one for passage in passages for one in _read(passage, language)]
    if not found:
        return []
    telling = _weigh_by_rarity(asked.weights, [one.terms for one in found])
    letters = [_letter_ngrams(one.text) & asked.letters for one in found]
    telling_letters = _weigh_by_rarity(dict.fromkeys(asked.letters, 1.0), letters)
    best_score = max(one.passage.score for one in found) or 1.0
    return [
        MeasuredPiece(
            one.passage,
            one.piece,
            {
                **_word_signals(asked, one, telling),
                **_answer_signals(asked, one),
                "letters": share(telling_letters, held),
                "score": max(0.0, one.passage.score / best_score),
            },
        )
        for one, held in zip(found, letters, strict=True)
    ]


def _read(passage: Passage, language: str) -> Iterable[_Read]:
    cut = pieces(passage.text)
    texts = [passage.text[piece.start : piece.end] for piece in cut]
    terms = [_terms(text, language) for text in texts]
    title = _terms(f"{passage.document} {passage.section}", language)
    for number, piece in enumerate(cut):
        heading = title | _terms(piece.heading, language)
        yield _Read(
            passage=passage,
            piece=piece,
            text=texts[number],
            terms=terms[number],
            heading=heading,
            context=terms[number] | heading | _terms(f"{piece.before} {piece.lead}", language),
            around=frozenset(chain(*terms[max(0, number - 1) : number], *terms[number + 1 : number + 2])),
            quoted=_terms(passage.text[piece.quote_start : piece.quote_end], language),
        )


def _word_signals(asked: _Asked, one: _Read, telling: Mapping[str, float]) -> dict[str, float]:
    """Return how many of the question's words a piece contains, alone and with its context.

    "The Ghent building opens at 6:30" does not say when the Porto building opens. A sign of that is a rare
    word of the question that the corpus knows and the piece lacks.
    """
    weights = asked.weights
    quoted = _find_terms(weights, one.context | one.quoted)
    known = {term: weight for term, weight in weights.items() if weight < _UNKNOWN_RARITY}
    return {
        "context": share(weights, quoted),
        "window": share(weights, one.terms | one.heading | one.around),
        "telling_context": share(telling, one.context),
        "unknown": share(weights, weights.keys() - known.keys()),
        "unsaid": max((weight for term, weight in known.items() if term not in quoted), default=0.0),
    }


def _answer_signals(asked: _Asked, one: _Read) -> dict[str, float]:
    """Return whether a piece states a new fact of the sort that the question wants."""
    stated = _facts(one.text, asked.language)
    new = {sort for fact in missing(stated, asked.text) for sort in _fact_sorts(fact)} if stated else set()
    wants = asked.sorts
    return {
        "gives_name": float("name" in wants and "name" in new),
        "gives_nothing": float(bool(wants & {"when", "count"}) and not wants & new),
        "choice": float("choice" in wants),
    }


def _fact_sorts(fact: Unit) -> Collection[str]:
    if fact.kind in {"date", "time"}:
        return ("when",)
    if fact.kind == "number":
        return ("when", "count") if any(map(_YEAR.fullmatch, fact.readings)) else ("count",)
    return ("name",) if fact.kind == "name" else ()


def _find_terms(weights: Mapping[str, float], terms: frozenset[str]) -> frozenset[str]:
    """Return the weighted terms that are among `terms`, in any form."""
    beginnings = {term[:_PREFIX_LETTERS] for term in terms if len(term) >= _PREFIX_LETTERS}
    return frozenset(
        term
        for term in weights
        if term in terms or (len(term) >= _PREFIX_LETTERS and term[:_PREFIX_LETTERS] in beginnings)
    )


def _weigh_by_rarity(weights: Mapping[str, float], held: Sequence[Collection[str]]) -> dict[str, float]:
    """Multiply each weight by how few texts have the term: a term in all distinguishes none."""
    counts = Counter(term for one in held for term in one if term in weights)
    whole = math.log(len(held) + 2)
    return {
        term: weight * math.log((len(held) + 1) / (counts[term] + 0.5)) / whole
        for term, weight in weights.items()
        if counts[term]
    }


def _letter_ngrams(text: str) -> frozenset[str]:
    """Return letter n-grams, which match despite different endings and in scripts without spaces."""
    joined = " ".join(_WORD.findall(text.casefold()))
    length = _LETTERS_DENSE if _DENSE_SCRIPT.search(joined) else _LETTERS_SPACED
    return frozenset(joined[start : start + length] for start in range(len(joined) - length + 1))


@cache_up_to(SENTENCE_CHARACTERS)
def _terms(text: str, language: str) -> frozenset[str]:
    return frozenset(content_terms(text, language))


@cache_up_to(SENTENCE_CHARACTERS)  # finding facts costs most, and popular passages are found again and again
def _facts(text: str, language: str) -> tuple[Unit, ...]:
    return tuple(units(text, language))


def _wanted_sorts(text: str) -> frozenset[str]:
    """Return the sorts of answer that a question wants: a name, a moment, an amount, a choice."""
    folded = fold(text)
    kinds = asking.kinds_asked(folded)
    sorts = {"name": {"who", "named"}, "when": {"when"}, "count": {"count"}}
    wanted = {sort for sort, own in sorts.items() if kinds & own}
    return frozenset(wanted | {"choice"} if asking.wants_yes_or_no(folded) else wanted)
