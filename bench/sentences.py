"""Measure how often the sentence that is chosen without a model contains the answer, and fit the weights.

    python bench/sentences.py [--fit] [--cached] [--timed] [--write] [--data-dir FOLDER]

It needs the public contrast sets (``DEVELOPMENT_DATA``/eval/contrast: passages, questions and their right
answers in four languages) and, where they are there, the handbooks of ``bench/data/questions`` with their
natural questions; the passages are those that a search in a real index returns. Weights are fitted to every
second row of a contrast set, and to the handbooks' rows whose split is "fitting"; the others are held out. No
model is asked.

A row counts for "first" if the first quotation contains the right answer, for "two" if one of the first two
does. A natural question is answered if the quotation contains the labelled sentence, or an answer from a
right passage. "carried" is the share of rows for which the best sentence is said to answer: it should be high
for answerable rows and low for the others. "astray" are contrast rows whose right passage was removed.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import pickle
import statistics
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench import quality
from bench.sets import DATA, REPOSITORY, SHARED
from bot.evaluate import measurement_setup
from bot.evaluate.gold import holds, plain
from rag.evidence.gathering import Gatherer
from rag.knowledge.search import KnowledgeBase
from rag.language.words import content_terms
from rag.quoting import choosing, scoring, signals
from rag.quoting.scoring import FEATURES, Query, Weights
from rag.quoting.signals import MeasuredPiece
from rag.settings import Knowledge, Models
from rag.steps.classify import classify
from rag.values import Classification, Passage, Question, Turn

WEIGHTS = REPOSITORY / "rag" / "quoting" / "weights.json"
CONTRAST = SHARED / "eval" / "contrast"
NATURAL = DATA / "questions"

_SENTENCES = 2
_RIDGES: dict[Query, float] = {"words": 0.03, "meaning": 0.03, "carried_words": 0.01, "carried_meaning": 0.01}
_FITTING = "fitting"
_NATURAL_COUNTS = 15.0
"""Weight of a natural question compared with the others, because they are few, but what people really ask."""
_TIMED_ROWS = 60
_SENTENCE_CHARACTERS = 150
_FIGURES = ("is_first", "is_two", "is_carried")


@dataclass(frozen=True, slots=True)
class Example:
    """A question with the passages that a search found, and everything else that the choice needs.

    Args:
        of: The name of its set.
        split: ``fitting`` or ``held_out``.
        classification: Classification of the question.
        passages: Found passages, best first.
        rarity: How rare the question's terms are.
        similarities: Similarity of every piece of the passages to the question.
        answers: Right answers; empty if the documents contain none.
        sentence: The labelled sentence, or an empty string.
        sources: The documents that contain an answer.
    """

    of: str
    split: str
    classification: Classification
    passages: tuple[Passage, ...]
    rarity: Mapping[str, float]
    similarities: Mapping[str, float]
    answers: tuple[str, ...]
    sentence: str
    sources: frozenset[str]

    @property
    def is_answerable(self) -> bool:
        """Whether the found documents contain an answer."""
        return bool(self.answers)

    def pieces(self) -> list[MeasuredPiece]:
        """Every piece of the passages, measured."""
        return signals.measure(
            self.classification.standalone,
            self.classification.language,
            self.passages,
            lambda terms: {term: self.rarity.get(term, 1.0) for term in terms},
        )

    def is_right(self, passage: Passage, text: str) -> bool:
        """Whether a quotation answers the question."""
        if self.sentence and plain(self.sentence) in plain(text):
            return True
        return holds(text, self.answers) and (not self.sentence or passage.source in self.sources)

    def is_gold(self, one: MeasuredPiece) -> bool:
        """Whether a piece should be chosen."""
        if not self.sentence:
            return one.passage.source in self.sources and holds(one.text, self.answers)
        here, there = plain(one.text), plain(self.sentence)
        return there in here or (len(here) > len(there) / 3 and here in there)


class Remembered:
    """A corpus that embeds every text once, however many questions find it."""

    def __init__(self, base: KnowledgeBase) -> None:
        self._base = base
        self._vectors: dict[str, NDArray[np.float32]] = {}
        self.knows, self.rarity = base.knows, base.rarity

    async def embed_texts(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Vectors of texts, shape (len(texts), dimension)."""
        new = list(dict.fromkeys(text for text in texts if text not in self._vectors))
        if new:
            self._vectors.update(zip(new, await self._base.embed_texts(new), strict=True))
        return np.stack([self._vectors[text] for text in texts])


def main() -> None:
    """Measure, fit if asked to, and report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--data-dir", type=Path, default=REPOSITORY / ".bench", help="where the indexes go")
    parser.add_argument("--natural", type=Path, default=NATURAL, help="the handbooks with natural questions")
    parser.add_argument("--fit", action="store_true", help="fit the weights, and write them")
    parser.add_argument("--cached", action="store_true", help="use the passages and vectors of the last run")
    parser.add_argument("--timed", action="store_true", help="only time the choice, on the first set")
    parser.add_argument("--write", action="store_true", help="write the figures into bench/quality.json")
    options = parser.parse_args()
    cache = options.data_dir / "sentences.pickle"
    if options.timed:
        asyncio.run(_time(options.data_dir))
        return
    if options.cached:
        examples = pickle.loads(cache.read_bytes())
    else:
        examples = asyncio.run(gathered(options.natural, options.data_dir))
        cache.write_bytes(pickle.dumps(examples))
    weights = None
    if options.fit:
        weights = fit([one for one in examples if one.split == _FITTING])
        WEIGHTS.write_text(json.dumps(weights, indent=2) + "\n", encoding="utf-8")
    figures = report(examples, weights)
    if options.write:
        quality.commit({"sentences": figures})


async def gathered(natural: Path, data_dir: Path) -> list[Example]:
    """The examples of every available set."""
    found: list[Example] = []
    for name, corpus, rows in _sets(natural):
        async with measurement_setup.indexed([corpus], data_dir, Knowledge(), Models()) as base:
            remembered = Remembered(base)
            for row in rows:
                found += [one async for one in _examples(name, row, base, remembered)]
        print(f"{name}: {len(rows)} questions", flush=True)
    return found


def _sets(natural: Path) -> Iterator[tuple[str, Path, list[dict[str, Any]]]]:
    for folder in sorted(CONTRAST.iterdir()) if CONTRAST.is_dir() else ():
        rows = _rows(folder / "pairs.jsonl")
        for number, row in enumerate(rows):
            row |= {"split": "held_out" if number % 2 else _FITTING, "answers": [row["right"]]}
        yield f"contrast {folder.name}", folder / "corpus.jsonl", rows
    for folder in sorted(natural.iterdir()) if natural.is_dir() else ():
        if (folder / "questions.jsonl").exists():
            yield f"natural {folder.name}", folder / "corpus.jsonl", _rows(folder / "questions.jsonl")


def _rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


async def _examples(
    name: str, row: Mapping[str, Any], base: KnowledgeBase, remembered: Remembered
) -> AsyncIterator[Example]:
    history = tuple(Turn(turn["role"], turn["text"]) for turn in row.get("history", ()))
    classification = classify(Question(row["question"], history))
    passages = await base.retrieve(classification.queries)
    question = classification.standalone
    measured = signals.measure(question, classification.language, passages, base.rarity)
    texts = list(dict.fromkeys(one.text for one in measured))
    similarities = (
        await choosing.compare(Gatherer(remembered), question, classification.language, texts)
        if base.knows(question)
        else {}
    )
    example = Example(
        of=name,
        split=row["split"],
        classification=classification,
        passages=passages,
        rarity=base.rarity(content_terms(question, classification.language)),
        similarities=similarities,
        answers=tuple(row["answers"]),
        sentence=row.get("sentence", ""),
        sources=frozenset(row["passages"]),
    )
    yield example
    if "right" in row:
        others = tuple(one for one in passages if not holds(one.text, example.answers))
        others = tuple(one for one in others if one.source not in example.sources)
        if others:
            yield replace(
                example, of=f"astray {row['lang']}", passages=others, answers=(), sources=frozenset()
            )


@dataclass(frozen=True, slots=True)
class Told:
    """The choice for an example: whether the first quotations are right, and whether they are said to be."""

    is_first: bool
    is_two: bool
    is_carried: bool


def told(example: Example, weights: Weights | None) -> tuple[Told, Told]:
    """The choice for an example by words and meaning, and the choice by words alone."""
    pieces = choosing.preselect(example.pieces(), weights)

    def tell(known: Mapping[str, float] | None) -> Told:
        choice = choosing.rank(pieces, known, _SENTENCES, weights)
        right = [example.is_right(quote.passage, quote.text) for quote in choice.sentences]
        return Told(any(right[:1]), any(right), choice.is_carried)

    return tell(example.similarities or None), tell(None)


def report(examples: Sequence[Example], weights: Weights | None) -> dict[str, dict[str, float]]:
    """Print the figures by set and split, and those of all sets of a sort together.

    Returns:
        For each set and split, such as ``contrast en held_out``: its ``rows``, and the shares whose ``first``
        quotation, or one of the first ``two``, contains the answer.
    """
    reported: dict[str, dict[str, float]] = {}
    groups: dict[tuple[str, str], list[tuple[Told, Told]]] = defaultdict(list)
    for one in examples:
        found = told(one, weights)
        answerable = "" if one.is_answerable else ", no answer"
        groups[one.of + answerable, one.split].append(found)
        groups[f"all {one.of.split()[0]}{answerable}", one.split].append(found)
    print(f"{'set':28} {'split':9} rows | first  two    carried | the same by words alone")
    for (name, split), rows in sorted(groups.items()):
        figures = [
            [
                _share(getattr(one[side], field) for one in rows)
                for field in ("is_first", "is_two", "is_carried")
            ]
            for side in (0, 1)
        ]
        first, two, _ = figures[0]
        reported[f"{name} {split}"] = {"rows": len(rows), "first": round(first, 4), "two": round(two, 4)}
        shown = " | ".join("  ".join(f"{figure:.3f}" for figure in side) for side in figures)
        print(f"{name:28} {split:9} {len(rows):4} | {shown}", flush=True)
    return reported


def fit(examples: Sequence[Example]) -> Weights:
    """Fit all weights; every row has the same weight."""
    weights: dict[Query, dict[str, float]] = {}
    measured = [(one, one.pieces()) for one in examples]
    answerable = [(one, found) for one, found in measured if one.is_answerable]
    weights["words"] = _ranking("words", [(one, found, None) for one, found in answerable])
    weights["meaning"] = _ranking(
        "meaning",
        [
            (one, choosing.preselect(found, weights), one.similarities)
            for one, found in answerable
            if one.similarities
        ],
    )
    nought = {name: dict.fromkeys((*FEATURES[name], "bias"), 0.0) for name in FEATURES}
    pairs: tuple[tuple[Query, Query], ...] = (("carried_words", "words"), ("carried_meaning", "meaning"))
    for query, ranking in pairs:
        rows: list[list[float]] = []
        labels: list[float] = []
        importance: list[float] = []
        for one, found in measured:
            best = choosing.preselect(found, weights)
            if not best or (ranking == "meaning" and not one.similarities):
                continue
            known = one.similarities if ranking == "meaning" else None
            choice = choosing.rank(best, known, _SENTENCES, {**nought, **weights})
            values = choosing.with_similarity(best, known)
            shares = scoring.softmax([scoring.value(ranking, value, weights) for value in values])
            first = max(range(len(best)), key=lambda number: shares[number])
            measures = {**values[first], "margin": shares[first]}
            rows.append([measures[name] for name in FEATURES[query]])
            labels.append(float(any(one.is_right(quote.passage, quote.text) for quote in choice.sentences)))
            importance.append(_NATURAL_COUNTS if one.of.startswith("natural") else 1.0)
        weights[query] = _logistic(query, np.array(rows), np.array(labels), np.array(importance))
    return weights


def _ranking(
    query: Query, rows: Sequence[tuple[Example, Sequence[MeasuredPiece], Mapping[str, float] | None]]
) -> dict[str, float]:
    """Fit a softmax over the pieces of each question by gradient descent (Adam) with a ridge."""
    names = FEATURES[query]
    blocks: list[NDArray[np.float64]] = []
    golds: list[NDArray[np.bool_]] = []
    for one, found, known in rows:
        gold = np.array([one.is_gold(piece) for piece in found], dtype=bool)
        if gold.any() and not gold.all():
            values = choosing.with_similarity(found, known)
            blocks.append(np.array([[value[name] for name in names] for value in values]))
            golds.append(gold)
    inputs, gold = np.vstack(blocks), np.concatenate(golds)
    spread = inputs.std(axis=0) + 1e-6
    inputs = inputs / spread
    starts = np.cumsum([0, *map(len, golds)])[:-1]
    owner = np.repeat(np.arange(len(golds)), [len(one) for one in golds])

    def softmax(values: NDArray[np.float64]) -> NDArray[np.float64]:
        powers = np.exp(values - np.maximum.reduceat(values, starts)[owner])
        return np.asarray(powers / np.add.reduceat(powers, starts)[owner])

    weights = mean = square = np.zeros(len(names))
    for step in range(1, 601):
        values = inputs @ weights
        wanted = softmax(np.where(gold, values, -1e9))
        slope = inputs.T @ (softmax(values) - wanted) / len(starts) + _RIDGES[query] * weights
        mean, square = 0.9 * mean + 0.1 * slope, 0.999 * square + 0.001 * slope**2
        weights = weights - 0.05 * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)
    return {name: round(float(value), 3) for name, value in zip(names, weights / spread, strict=True)}


def _logistic(
    query: Query, inputs: NDArray[np.float64], labels: NDArray[np.float64], importance: NDArray[np.float64]
) -> dict[str, float]:
    """Logistic regression by Newton's method with a ridge; yes and no have the same weight."""
    importance = importance.copy()
    for label in (0.0, 1.0):
        importance[labels == label] /= 2 * importance[labels == label].sum()
    spread = inputs.std(axis=0) + 1e-6
    scaled = np.c_[inputs / spread, np.ones(len(inputs))]
    ridge = np.r_[np.full(inputs.shape[1], _RIDGES[query]), 1e-6]
    weights = np.zeros(scaled.shape[1])
    for _ in range(60):
        chance = 1.0 / (1.0 + np.exp(-np.clip(scaled @ weights, -30, 30)))
        slope = scaled.T @ (importance * (chance - labels)) + ridge * weights
        curvature = (scaled.T * (importance * chance * (1 - chance))) @ scaled + np.diag(ridge)
        weights -= np.linalg.solve(curvature, slope)
    fitted = [*(weights[:-1] / spread), weights[-1]]
    return {
        name: round(float(value), 3) for name, value in zip((*FEATURES[query], "bias"), fitted, strict=True)
    }


async def _time(data_dir: Path) -> None:
    """Print how long `choose` takes, and how many times as long as embedding one sentence of usual length."""
    for folder in sorted(CONTRAST.iterdir()):
        rows = _rows(folder / "pairs.jsonl")[-_TIMED_ROWS:]
        async with measurement_setup.indexed(
            [folder / "corpus.jsonl"], data_dir, Knowledge(), Models()
        ) as base:
            gatherer = Gatherer(base)
            spent: list[float] = []
            bare: list[float] = []
            for row in rows:
                classification = classify(Question(row["question"]))
                passages = await base.retrieve(classification.queries)
                started = time.perf_counter()
                await choosing.choose(gatherer, classification, passages)
                spent.append(time.perf_counter() - started)
                sentence = passages[-1].text[-_SENTENCE_CHARACTERS:] + str(len(bare))
                started = time.perf_counter()
                await base.embed_texts([sentence])
                bare.append(time.perf_counter() - started)
        spent.sort()
        middle, embedding = statistics.median(spent), statistics.median(bare)
        print(
            f"{folder.name}: {1000 * middle:.0f} ms p50, {1000 * spent[int(0.95 * len(spent))]:.0f} ms p95, "
            f"{middle / embedding:.1f} times one embedding of {1000 * embedding:.0f} ms"
        )


def _share(found: Iterable[bool]) -> float:
    values = list(found)
    return sum(values) / len(values) if values else 0.0


if __name__ == "__main__":
    main()
