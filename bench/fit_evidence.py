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
from bot.evaluate.rows import LabelledDraft, LabelledQuestion
from bot.evaluate.verdicts import Judged, VerdictReport
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

_FIGURES = ("rows", "accuracy", "action_accuracy", "undecided", "wrongly_adequate")
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


def held_out(sets: Mapping[str, Sequence[Example]], told: Mapping[str, Sequence[Judged]]) -> dict[str, Any]:
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


def shares(told: Sequence[Judged]) -> dict[str, float]:
    found = VerdictReport(tuple(told)).to_json()
    return {name: found[name] for name in _FIGURES}


def report(told: Mapping[str, Sequence[Judged]], figures: Mapping[str, Any]) -> None:
    print("\n" + summary.held_out(figures, "questions"))
    print("\n" + summary.held_out(figures, "sets"))
    print("\nheld-out questions by kind")
    for name, found in told.items():
        kinds = VerdictReport(tuple(found)).to_json()["by_kind"].items()
        print(f"  {name}: " + ", ".join(f"{kind} {of['accuracy']:.2f}" for kind, of in kinds))
    print("\n" + summary.without(figures))


def cross_validated(sets: Mapping[str, Sequence[Example]]) -> dict[str, list[Judged]]:
    """Judge every draft with weights that were fitted without its question."""
    told: dict[str, list[Judged]] = {name: [] for name in sets}
    for fold in range(_FOLDS):
        weights = fit({name: [e for e in found if e.fold != fold] for name, found in sets.items()})
        for name, examples in sets.items():
            told[name] += judged([example for example in examples if example.fold == fold], weights)
    return told


def judged(examples: Iterable[Example], weights: Weights) -> list[Judged]:
    """The product's verdicts on drafts with given weights and no model; rules decide small talk."""
    return [_judged(one, weights) for one in examples]


def _judged(one: Example, weights: Weights) -> Judged:
    found = evidence.score_evidence(one.found.signals, one.found, weights)
    verdict = evidence.decide(found, has_documents=False, weights=weights)
    is_covered = evidence.is_covered(found)
    action = weighing.weigh(verdict, threshold=THRESHOLD, is_covered=is_covered, is_judged=False)
    if one.is_small_talk:
        verdict, action = replace(verdict, quality="adequate"), "accept"
    elif action == "read_documents":
        verdict = replace(verdict, quality="needs_docs")
    is_decided = action in {"accept", "read_documents"}
    return Judged(one.row, verdict, found, is_decided, used_model=False, milliseconds=0.0, tokens=0)


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


if __name__ == "__main__":
    main()
