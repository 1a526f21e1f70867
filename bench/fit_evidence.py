"""Fit the weights of the evidence rules, and report how well they do on held-out data.

    python bench/fit_evidence.py [--write] [--figures] [--cached] [--data-dir FOLDER]

Uses the small handbooks of ``bench/data/verdicts`` and, if available, drafts derived from the public
development questions. Prints figures on held-out questions (four folds by question), on held-out sets (each
set judged by weights fitted on the others), and without each signal.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import json
import pickle
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench import derived_drafts
from bench.quality import commit
from bench.sets import HANDBOOKS, REPOSITORY, SHARED
from bot.evaluate import measurement_setup, rows
from bot.evaluate.figures import mean
from bot.evaluate.rows import ACTIONS, LabelledDraft, LabelledQuestion
from rag import evidence
from rag.evidence import Gatherer, scoring
from rag.evidence.scoring import FEATURES, Query, Weights
from rag.runs import weighing
from rag.settings import Knowledge, Models
from rag.steps.classify import classify
from rag.values import Evidence
from tools import summary

WEIGHTS = REPOSITORY / "rag" / "evidence" / "weights.json"
THRESHOLD = 0.7

_CLAIMS = {"doc_right", "doc_wrong", "doc_changed_number", "not_in_corpus"}
TASKS: dict[Query, tuple[set[str], set[str]]] = {
    "supported": ({"doc_right"}, _CLAIMS - {"doc_right"}),
    "common": ({"general", "chitchat"}, _CLAIMS),
}
"""For each question, the kinds of drafts for which its answer is yes, and those for which it is no."""

_WRONG_YES_COSTS: dict[Query, float] = {"supported": 1.4, "common": 2.6}
"""Relative cost of a wrong yes: trusting an unsupported claim is worse than rechecking a supported one."""

SIGNALS: Mapping[str, tuple[str, ...]] = {
    "coverage of the question by rare words": ("covered",),
    "support of the draft's words": ("supported",),
    "nearness of claim and question": ("anchored", "nearness"),
    "facts that are missing": ("lacking", "absent", "has_fact"),
    "similarity of draft and question": ("relevance",),
    "words of the question in the draft": ("echo",),
    "length of the draft": ("claims",),
    "task in the question, and its length": ("task", "length"),
}
"""The signals that have weights, grouped by what they measure."""

_FOLDS = 4
_RIDGE = 0.004


@dataclass(frozen=True, slots=True)
class Example:
    """A labelled draft and its evidence."""

    row: LabelledDraft
    found: Evidence
    is_small_talk: bool = False

    @property
    def fold(self) -> int:
        """All drafts of one question go into one fold."""
        return int(hashlib.sha256(self.row.question.encode()).hexdigest(), 16) % _FOLDS


@dataclass(frozen=True, slots=True)
class Told:
    """The verdict on a labelled draft; undecided counts as wrong."""

    row: LabelledDraft
    said: str

    @property
    def is_right(self) -> bool:
        """Whether it matches the label."""
        return self.said == self.row.expected


def main() -> None:
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
    told = cross_validated(sets)
    figures = held_out(sets, told)
    report(told, figures)
    if options.figures:
        commit({"evidence": figures})
    weights = fit(sets)
    if options.write:
        WEIGHTS.write_text(json.dumps(weights, indent=2) + "\n", encoding="utf-8")
        print(f"\nwritten: {WEIGHTS.relative_to(REPOSITORY)}")


async def measured(data_dir: Path) -> dict[str, list[Example]]:
    """The examples of every available set; only their signals matter, scores depend on the weights."""
    # A new signal has no weight in the file yet.
    nought = {query: dict.fromkeys((*names, "bias"), 0.0) for query, names in FEATURES.items()}
    found: dict[str, list[Example]] = {}
    for name, corpus, drafts in _sets():
        async with measurement_setup.indexed([corpus], data_dir, Knowledge(), Models()) as base:
            gatherer = Gatherer(base)
            found[name] = []
            for row in drafts:
                question = row.asked()
                classification = classify(question)
                is_small_talk = classification.intent == "small_talk"
                hits = () if is_small_talk else (await base.search(classification.queries)).hits
                material = await gatherer.gather(question, classification, row.draft, hits)
                compared = evidence.compare(material, row.draft, nought)
                found[name].append(Example(row, compared, is_small_talk))
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


def held_out(sets: Mapping[str, Sequence[Example]], told: Mapping[str, Sequence[Told]]) -> dict[str, Any]:
    """Figures on held-out data, and without each group of signals; `told` comes from `cross_validated`."""
    foreign = {
        name: judged(examples, fit({other: found for other, found in sets.items() if other != name}))
        for name, examples in sets.items()
    }
    without = {group: cross_validated(_without(sets, signals)) for group, signals in SIGNALS.items()}
    return {
        "command": "python bench/fit_evidence.py --figures",
        "questions": {name: shares(found) for name, found in told.items()},
        "sets": {name: shares(found) for name, found in foreign.items()},
        "without": {
            group: shares([*chain.from_iterable(found.values())])
            for group, found in {"nothing": told, **without}.items()
        },
    }


def shares(told: Sequence[Told]) -> dict[str, float]:
    return {
        "rows": len(told),
        "accuracy": _share(one.is_right for one in told),
        "action_accuracy": _share(ACTIONS.get(one.said) == ACTIONS[one.row.expected] for one in told),
        "undecided": _share(one.said == "undecided" for one in told),
        "wrongly_adequate": _share(one.said == "adequate" != one.row.expected for one in told),
    }


def report(told: Mapping[str, Sequence[Told]], figures: Mapping[str, Any]) -> None:
    print("\n" + summary.held_out(figures, "questions"))
    print("\n" + summary.held_out(figures, "sets"))
    print("\nheld-out questions by kind")
    for name, found in told.items():
        kinds = dict.fromkeys(one.row.kind for one in found)
        rights = {kind: _share(one.is_right for one in found if one.row.kind == kind) for kind in kinds}
        print(f"  {name}: " + ", ".join(f"{kind} {share:.2f}" for kind, share in rights.items()))
    print("\n" + summary.without(figures))


def cross_validated(sets: Mapping[str, Sequence[Example]]) -> dict[str, list[Told]]:
    """Judge every draft with weights that were fitted without its question."""
    told: dict[str, list[Told]] = {name: [] for name in sets}
    for fold in range(_FOLDS):
        weights = fit({name: [e for e in found if e.fold != fold] for name, found in sets.items()})
        for name, examples in sets.items():
            told[name] += judged([example for example in examples if example.fold == fold], weights)
    return told


def judged(examples: Iterable[Example], weights: Weights) -> list[Told]:
    """The product's verdicts on drafts with given weights and no model; rules decide small talk."""
    return [
        Told(
            one.row,
            "adequate"
            if one.is_small_talk
            else verdict_of(
                evidence.score_evidence(one.found.signals, one.found, weights), THRESHOLD, weights
            ),
        )
        for one in examples
    ]


def verdict_of(found: Evidence, threshold: float, weights: Weights | None = None) -> str:
    """Return the verdict of rules and evidence on a draft without a model, or ``undecided``."""
    verdict = evidence.decide(found, has_documents=False, weights=weights)
    is_covered = evidence.is_covered(found)
    action = weighing.weigh(verdict, threshold=threshold, is_covered=is_covered, is_judged=False)
    if action == "read_documents":
        return "needs_docs"
    return verdict.quality if action == "accept" else "undecided"


def fit(sets: Mapping[str, Sequence[Example]]) -> Weights:
    """Fit the three models. Every set and every kind has the same weight, whatever its size."""
    weights: dict[Query, dict[str, float]] = {}
    for query, (yes, no) in TASKS.items():
        used = [
            (name, example)
            for name, examples in sets.items()
            for example in examples
            if example.row.kind in yes | no and example.found.refusal < 0.5 and not example.is_small_talk
        ]
        counts = Counter((name, example.row.kind) for name, example in used)
        features = np.array([scoring.features(query, example.found.signals) for _, example in used])
        labels = np.array([example.row.kind in yes for _, example in used], dtype=float)
        importance = np.array([counts[name, example.row.kind] ** -0.5 for name, example in used])
        importance[labels == 1] /= importance[labels == 1].sum()
        importance[labels == 0] *= _WRONG_YES_COSTS[query] / importance[labels == 0].sum()
        fitted = logistic(features, labels, importance / importance.sum())
        weights[query] = {
            name: round(float(weight), 3)
            for name, weight in zip((*FEATURES[query], "bias"), fitted, strict=True)
        }
    return weights


def logistic(
    features: NDArray[np.float64],
    labels: NDArray[np.float64],
    importance: NDArray[np.float64],
    ridge: float = _RIDGE,
) -> NDArray[np.float64]:
    """Logistic regression by Newton's method with a small ridge on everything but the bias."""
    inputs = np.c_[features, np.ones(len(features))]
    penalty = np.r_[np.full(features.shape[1], ridge * 0.1), 1e-6]
    weights = np.zeros(inputs.shape[1])
    for _ in range(60):
        chance = 1.0 / (1.0 + np.exp(-np.clip(inputs @ weights, -30, 30)))
        gradient = inputs.T @ (importance * (chance - labels)) + penalty * weights
        curvature = (inputs.T * (importance * chance * (1 - chance))) @ inputs + np.diag(penalty)
        weights -= np.linalg.solve(curvature, gradient)
    return weights


def _without(sets: Mapping[str, Sequence[Example]], signals: Sequence[str]) -> dict[str, list[Example]]:
    nought = dict.fromkeys(signals, 0.0)
    return {
        name: [
            replace(example, found=replace(example.found, signals={**example.found.signals, **nought}))
            for example in examples
        ]
        for name, examples in sets.items()
    }


def _share(found: Iterable[bool]) -> float:
    return round(mean([*found]), 4)


if __name__ == "__main__":
    main()
