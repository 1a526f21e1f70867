"""Fit the weights of the evidence rules, and say honestly how well they hold on what they did not see.

    python bench/fit_evidence.py [--write] [--figures]

Sets: the small handbooks of ``bench/data/verdicts`` and, where they lie beside the repository, drafts
derived from the public development questions. Printed: figures on held-out questions (four folds by
question), on held-out sets (every set judged by weights fitted on the others), and without each signal.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import json
import pickle
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench import derived_drafts
from bench.quality import commit
from bench.sets import HANDBOOKS, REPOSITORY, SHARED
from bot.evaluate import ground, rows, summary
from bot.evaluate.ablation import SIGNALS, verdict_of
from bot.evaluate.rows import ACTIONS, LabelledDraft, LabelledQuestion
from rag import evidence
from rag.evidence import Gatherer, scoring
from rag.evidence.scoring import FEATURES, Query
from rag.settings import Knowledge, Models
from rag.steps.classify import classify
from rag.values import Evidence

WEIGHTS = REPOSITORY / "rag" / "evidence" / "weights.json"
THRESHOLD = 0.7

_CLAIMS = {"doc_right", "doc_wrong", "doc_changed_number", "not_in_corpus"}
TASKS: dict[Query, tuple[set[str], set[str]]] = {
    "supported": ({"doc_right"}, _CLAIMS - {"doc_right"}),
    "off_topic": ({"off_topic"}, _CLAIMS | {"general", "chitchat"}),
    "common": ({"general", "chitchat"}, _CLAIMS),
}
"""For each question, the kinds for which its answer is yes and those for which it is no."""

_WRONG_YES_COSTS: dict[Query, float] = {"supported": 1.4, "off_topic": 1.0, "common": 1.8}
"""A claim taken for supported is worse than a supported one that is read up once more."""

_FOLDS = 4
_RIDGE = 0.004

Weights = dict[Query, dict[str, float]]


@dataclass(frozen=True, slots=True)
class Example:
    """A labelled draft and what was measured of it."""

    row: LabelledDraft
    found: Evidence

    @property
    def fold(self) -> int:
        """All drafts of one question go into one fold."""
        return int(hashlib.sha256(self.row.question.encode()).hexdigest(), 16) % _FOLDS


@dataclass(slots=True)
class Score:
    """Sums over judged drafts."""

    rows: int = 0
    right: int = 0
    acted: int = 0
    undecided: int = 0
    wrongly_adequate: int = 0

    def add(self, example: Example, weights: Weights) -> None:
        """Judge one draft with some weights; undecided counts as wrong."""
        said = judge(example, weights)
        expected = example.row.expected
        self.rows += 1
        self.right += said == expected
        self.acted += ACTIONS.get(said) == ACTIONS[expected]
        self.undecided += said == "undecided"
        self.wrongly_adequate += said == "adequate" != expected

    def shares(self) -> dict[str, float]:
        """The sums as figures."""
        return {
            "rows": self.rows,
            "accuracy": round(self.right / self.rows, 4),
            "action_accuracy": round(self.acted / self.rows, 4),
            "undecided": round(self.undecided / self.rows, 4),
            "wrongly_adequate": round(self.wrongly_adequate / self.rows, 4),
        }


def main() -> None:
    """Measure, fit, report; write the weights if asked to."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--data-dir", type=Path, default=REPOSITORY / ".bench", help="where the indexes go")
    parser.add_argument("--write", action="store_true", help="write rag/evidence/weights.json")
    parser.add_argument("--figures", action="store_true", help="write the figures into bench/quality.json")
    parser.add_argument("--cached", action="store_true", help="use the signals of the last run")
    options = parser.parse_args()
    cache = options.data_dir / "signals.pickle"
    if options.cached:
        sets = pickle.loads(cache.read_bytes())
    else:
        sets = asyncio.run(measured(options.data_dir))
        cache.write_bytes(pickle.dumps(sets))
    figures = held_out(sets)
    report(sets, figures)
    if options.figures:
        commit({"evidence": figures})
    weights = fit(sets)
    if options.write:
        WEIGHTS.write_text(json.dumps(weights, indent=2) + "\n", encoding="utf-8")
        print(f"\nwritten: {WEIGHTS.relative_to(REPOSITORY)}")


async def measured(data_dir: Path) -> dict[str, list[Example]]:
    """The examples of every set there is; only their signals count, the scores come with the weights."""
    nought: Weights = {query: dict.fromkeys((*names, "bias"), 0.0) for query, names in FEATURES.items()}
    scoring._weights = lambda: nought  # type: ignore[assignment]  # a new signal has no weight in the file yet
    found: dict[str, list[Example]] = {}
    for name, corpus, drafts in _sets():
        async with ground.indexed([corpus], data_dir, Knowledge(), Models()) as base:
            gatherer = Gatherer(base)
            found[name] = []
            for row in drafts:
                question = row.asked()
                reading = classify(question)
                hits = (await base.search(reading.queries)).hits if reading.intent != "small_talk" else ()
                material = await gatherer.gather(question, reading, row.draft, hits)
                found[name].append(Example(row, evidence.compare(material, row.draft)))
        print(f"measured {name}: {len(found[name])} drafts", flush=True)
    return found


def _sets() -> Iterable[tuple[str, Path, Sequence[LabelledDraft]]]:
    for corpus in HANDBOOKS:
        drafts = rows.read(corpus.with_name("verdicts.jsonl"), LabelledDraft).rows
        yield corpus.parent.name, corpus, drafts
    for name, derive in (
        ("retrievalqa", derived_drafts.short_answers),
        ("mtrag_cloud", derived_drafts.long_answers),
    ):
        folder = SHARED / "eval" / name
        if folder.is_dir():
            questions = rows.read(folder / "questions.jsonl", LabelledQuestion).rows
            yield name, folder / "corpus.jsonl", list(derive(questions))


def held_out(sets: Mapping[str, Sequence[Example]]) -> dict[str, Any]:
    """Figures on what the weights were fitted without, and without each group of signals."""
    questions = cross_validated(sets)
    foreign = {
        name: total(examples, fit({other: found for other, found in sets.items() if other != name}))
        for name, examples in sets.items()
    }
    without = {
        name: _overall(cross_validated(_without(sets, signals)))
        for name, signals in {"nothing": (), **SIGNALS}.items()
    }
    return {
        "command": "python bench/fit_evidence.py --figures",
        "questions": {name: score.shares() for name, score in questions.items()},
        "sets": {name: score.shares() for name, score in foreign.items()},
        "without": {name: score.shares() for name, score in without.items()},
    }


def report(sets: Mapping[str, Sequence[Example]], figures: Mapping[str, Any]) -> None:
    """Print held-out figures and the ablation."""
    print("\n" + summary.held_out(figures, "questions"))
    print("\n" + summary.held_out(figures, "sets"))
    print("\nheld-out questions by kind")
    for name, kinds in by_kind(sets).items():
        print(f"  {name}: " + ", ".join(f"{kind} {share:.2f}" for kind, share in kinds.items()))
    print("\n" + summary.without(figures))


def cross_validated(sets: Mapping[str, Sequence[Example]]) -> dict[str, Score]:
    """Judge every draft with weights that were fitted without its question."""
    scores = {name: Score() for name in sets}
    for fold in range(_FOLDS):
        weights = fit({name: [e for e in found if e.fold != fold] for name, found in sets.items()})
        for name, examples in sets.items():
            for example in examples:
                if example.fold == fold:
                    scores[name].add(example, weights)
    return scores


def by_kind(sets: Mapping[str, Sequence[Example]]) -> dict[str, dict[str, float]]:
    """The same, the share of right verdicts by set and kind."""
    hits: dict[str, dict[str, list[bool]]] = {name: defaultdict(list) for name in sets}
    for fold in range(_FOLDS):
        weights = fit({name: [e for e in found if e.fold != fold] for name, found in sets.items()})
        for name, examples in sets.items():
            for example in examples:
                if example.fold == fold:
                    hits[name][example.row.kind].append(judge(example, weights) == example.row.expected)
    return {
        name: {kind: float(np.mean(found)) for kind, found in kinds.items()} for name, kinds in hits.items()
    }


def total(examples: Sequence[Example], weights: Weights) -> Score:
    """Judge every draft with the same weights."""
    score = Score()
    for example in examples:
        score.add(example, weights)
    return score


def judge(example: Example, weights: Weights) -> str:
    """What the product would say with some weights and no model."""
    scoring._weights = lambda: weights  # type: ignore[assignment]  # the product reads them from its file
    return verdict_of(evidence.weighed(example.found.signals, example.found), THRESHOLD)


def fit(sets: Mapping[str, Sequence[Example]]) -> Weights:
    """Fit the three models. Every set and every kind counts alike, whatever its size."""
    weights: Weights = {}
    for query, (yes, no) in TASKS.items():
        used = [
            (name, example)
            for name, examples in sets.items()
            for example in examples
            if example.row.kind in yes | no
            and example.found.refusal < 0.5
            and not example.found.signals["small_talk"]
        ]
        counts = Counter((name, example.row.kind) for name, example in used)
        features = np.array([scoring.features(query, example.found.signals) for _, example in used])
        labels = np.array([example.row.kind in yes for _, example in used], dtype=float)
        importance = np.array([counts[name, example.row.kind] ** -0.5 for name, example in used])
        importance[labels == 1] /= importance[labels == 1].sum()
        importance[labels == 0] *= _WRONG_YES_COSTS[query] / importance[labels == 0].sum()
        fitted = _logistic(features, labels, importance / importance.sum())
        weights[query] = {
            name: round(float(weight), 3)
            for name, weight in zip((*FEATURES[query], "bias"), fitted, strict=True)
        }
    return weights


def _logistic(
    features: NDArray[np.float64], labels: NDArray[np.float64], importance: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Logistic regression by Newton's method with a small ridge on everything but the bias."""
    inputs = np.c_[features, np.ones(len(features))]
    ridge = np.r_[np.full(features.shape[1], _RIDGE * 0.1), 1e-6]
    weights = np.zeros(inputs.shape[1])
    for _ in range(60):
        chance = 1.0 / (1.0 + np.exp(-np.clip(inputs @ weights, -30, 30)))
        gradient = inputs.T @ (importance * (chance - labels)) + ridge * weights
        curvature = (inputs.T * (importance * chance * (1 - chance))) @ inputs + np.diag(ridge)
        weights -= np.linalg.solve(curvature, gradient)
    return weights


def _without(sets: Mapping[str, Sequence[Example]], signals: Sequence[str]) -> dict[str, list[Example]]:
    """The same sets with some signals set to nought."""
    nought = dict.fromkeys(signals, 0.0)
    return {
        name: [
            replace(example, found=replace(example.found, signals={**example.found.signals, **nought}))
            for example in examples
        ]
        for name, examples in sets.items()
    }


def _overall(scores: Mapping[str, Score]) -> Score:
    return Score(
        *(
            sum(getattr(score, part) for score in scores.values())
            for part in ("rows", "right", "acted", "undecided", "wrongly_adequate")
        )
    )


if __name__ == "__main__":
    main()
