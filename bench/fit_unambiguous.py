"""Fit the condition *unambiguous* on contrast pairs, and report how many wrong answers pass it.

    python bench/fit_unambiguous.py [--write] [--cached] [--without] [--data-dir FOLDER]

A pair is a question, its answer, and the answer to another question on the same passage. Each counts twice:
as the bare words and in a sentence ("It was …."). Prints the share that is verified without any model, by
language, with weights and threshold fitted on the other half of the passages (translations of one passage are
in the same half), and the same without each group of signals. ``--write`` fits on both halves.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import json
import pickle
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from bench import embedded_once
from bench.fit_evidence import WEIGHTS, logistic
from bench.sets import HANDBOOKS, REPOSITORY, SHARED
from bot.evaluate import measurement_setup, rows
from bot.evaluate.rows import LabelledDraft, Row
from rag import evidence
from rag.engine import AnswerEngine
from rag.evidence import scoring
from rag.evidence.scoring import FEATURES, Weights
from rag.knowledge.search import KnowledgeBase
from rag.models.scripted import ScriptedModel
from rag.runs import candidates
from rag.runs.run import Run, Tools
from rag.settings import Knowledge, Models
from rag.steps.classify import classify
from rag.steps.evaluate import choose_action, evaluate, settle
from rag.values import Draft, Evidence, Question

FRAMES = {"en": "It was {}.", "es": "Es {}.", "ru": "Это {}.", "zh": "是{}。"}
MOST_WRONG = 0.085
"""The threshold of a language is chosen so that at most this share of its wrong answers passes."""
GROUPS: dict[str, tuple[str, ...]] = {
    "objections": (),
    "the sentence that speaks of the question": (
        "slot_spoken", "slot_lead", "slot_leads", "slot_lead_of_all", "slot_first", "slot_choice",
    ),
    "nearness inside the sentence": (
        "slot_clause", "slot_near", "slot_pivot", "slot_touched", "slot_before", "slot_behind",
    ),
    "rivals": ("slot_nearest", "slot_rival", "slot_rivals", "rivalled"),
    "share and form of the answer": ("slot_held", "slot_spread", "slot_filling"),
    "kind that is sought": ("asks_who", "asks_when", "asks_count"),
    "meaning": ("relevance",),
    "support of the draft's words": ("supported",),
}  # fmt: skip
_FOLDS = 4
_RIDGE = 0.01
_NEVER = -99.0

Form = Literal["bare", "sentence"]
Numbers = NDArray[np.float64]
Flags = NDArray[np.bool_]


class Pair(Row):
    """A row of ``pairs.jsonl``."""

    id: str
    lang: str
    kind: str
    question: str
    right: str
    wrong: str
    passages: list[str]


@dataclass(frozen=True, slots=True)
class Example:
    """One side of a pair in one form, and its evidence.

    Args:
        set: The language of the pair, or the name of a handbook.
        part: The unit that is never split: the passage in all languages, or the question.
        form: How the draft is worded.
        is_right: It is the question's own answer.
        is_carried: It would be verified without the condition *unambiguous*.
        found: The evidence.
    """

    set: str
    part: str
    form: Form
    is_right: bool
    is_carried: bool
    found: Evidence


def main() -> None:
    """Measure, fit, report; write the weights if asked to."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--data-dir", type=Path, default=REPOSITORY / ".bench", help="where the indexes go")
    parser.add_argument("--write", action="store_true", help="write rag/evidence/weights.json")
    parser.add_argument("--cached", action="store_true", help="use the signals of the last run")
    parser.add_argument("--without", action="store_true", help="also without each group of signals")
    options = parser.parse_args()
    cache = options.data_dir / "contrast.pickle"
    if not options.cached:
        embedded_once.install()
        measured = asyncio.run(_measured(options.data_dir))
        cache.write_bytes(pickle.dumps(measured))
    pairs, handbooks = pickle.loads(cache.read_bytes())
    report("fitted on the same half", pairs, halves(pairs, is_held_out=False))
    report("held out: fitted on the other half", pairs, halves(pairs))
    if options.without:
        for group, signals in GROUPS.items():
            lesser = _without(pairs, signals, with_objections=group != "objections")
            report(f"held out, without {group}", lesser, halves(lesser))
    weights = fit(pairs)
    report("handbooks, which nothing is fitted on", handbooks, passing(handbooks, weights))
    if options.write:
        known = json.loads(WEIGHTS.read_text(encoding="utf-8"))
        known["unambiguous"] = weights
        WEIGHTS.write_text(json.dumps(known, indent=2) + "\n", encoding="utf-8")
        print(f"\nwritten: {WEIGHTS.relative_to(REPOSITORY)}")


async def _measured(data_dir: Path) -> tuple[list[Example], list[Example]]:
    """The examples of the available contrast pairs, and those of the handbooks."""
    pairs: list[Example] = []
    for language, frame in FRAMES.items():
        folder = SHARED / "eval" / "contrast" / language
        if not folder.is_dir():
            print(f"skipped {language}: {folder} is not there")
            continue
        async with measurement_setup.indexed(
            [folder / "corpus.jsonl"], data_dir, Knowledge(), Models()
        ) as base:
            tools = AnswerEngine(ScriptedModel({}), base).tools
            for pair in rows.read(folder / "pairs.jsonl", Pair).rows:
                part = pair.passages[0].removeprefix(f"{language}-") if language != "zh" else pair.passages[0]
                asked = Question(pair.question)
                for text, is_right in ((pair.right, True), (pair.wrong, False)):
                    forms: tuple[tuple[Form, str], ...] = (("bare", text), ("sentence", frame.format(text)))
                    for form, draft in forms:
                        is_carried, found = await _judged(asked, draft, base, tools)
                        if found is not None:
                            pairs.append(Example(language, part, form, is_right, is_carried, found))
        print(f"measured {language}", flush=True)
    handbooks: list[Example] = []
    for corpus in HANDBOOKS:
        name = corpus.parent.name
        async with measurement_setup.indexed([corpus], data_dir, Knowledge(), Models()) as base:
            tools = AnswerEngine(ScriptedModel({}), base).tools
            for row in rows.read(corpus.with_name("verdicts.jsonl"), LabelledDraft).rows:
                if row.kind in {"doc_right", "doc_wrong", "doc_changed_number", "not_in_corpus"}:
                    is_carried, found = await _judged(row.asked(), row.draft, base, tools)
                    if found is not None:
                        is_right = row.kind == "doc_right"
                        handbooks.append(Example(name, row.question, "sentence", is_right, is_carried, found))
    return pairs, handbooks


async def _judged(
    question: Question, draft: str, base: KnowledgeBase, tools: Tools
) -> tuple[bool, Evidence | None]:
    """Whether a draft is verified as far as verdict and citations go, and its evidence."""
    run = Run(question, tools)
    classification = classify(question)
    probe = await base.search(classification.queries)
    compared = await run.step("evaluate", lambda: evaluate(run, classification, Draft(draft), probe))
    candidate = settle(run, compared, is_judged=False)
    is_open = choose_action(run, candidate, is_judged=False) == "ask_judge"
    label = candidates.choose_label(candidate, classification.intent, has_read=False)
    is_verified = not is_open and bool(candidate.citations) and candidate.is_answering
    return is_verified and label in {"verified", "unverified"}, compared.evidence


def halves(examples: Sequence[Example], *, is_held_out: bool = True) -> Flags:
    """Which examples pass with the weights of the other half of the passages, or of their own half."""
    passed = np.zeros(len(examples), dtype=bool)
    sides = np.array([_fold(example.part, 2) for example in examples])
    for side in (0, 1):
        shown = [
            example for example, own in zip(examples, sides, strict=True) if (own == side) != is_held_out
        ]
        judged = [example for example, own in zip(examples, sides, strict=True) if own == side]
        passed[sides == side] = passing(judged, fit(shown))
    return passed


def passing(examples: Sequence[Example], weights: Mapping[str, float]) -> Flags:
    """Which examples would go out as verified without any model."""
    known: Weights = {"supported": {}, "off_topic": {}, "common": {}, "unambiguous": weights}
    return np.array(
        [
            example.is_carried and evidence.is_unambiguous(example.found, example.set, known)
            for example in examples
        ],
        dtype=bool,
    )


def fit(examples: Sequence[Example]) -> dict[str, float]:
    """The weights, with the thresholds in the biases: chosen on examples that their weights did not see.

    Each language of the examples has a threshold of its own; the strictest one holds for all others.
    """
    inputs = np.array([scoring.features("unambiguous", example.found.signals) for example in examples])
    labels_ = np.array([example.is_right for example in examples])
    folds = np.array([_fold(f"inner {example.part}", _FOLDS) for example in examples])
    scores = np.zeros(len(examples))
    for fold in range(_FOLDS):
        seen = folds != fold
        scores[~seen] = _scores(inputs[~seen], _fitted(inputs[seen], labels_[seen]))
    can_pass = np.array([example.is_carried and not example.found.objections for example in examples])
    wrong = np.where(can_pass, scores, _NEVER)[~labels_]
    sets = np.array([example.set for example in examples])[~labels_]
    overall = _threshold(wrong)
    thresholds = {name: _threshold(wrong[sets == name]) for name in sorted(set(sets))}
    *weights, bias = map(float, _fitted(inputs, labels_))
    biases = {
        # Where hardly a wrong answer of a language can pass, its own threshold would let everything pass.
        f"bias {name}": bias - (threshold if threshold > _NEVER / 2 else overall)
        for name, threshold in thresholds.items()
    }
    fitted = {
        **dict(zip(FEATURES["unambiguous"], weights, strict=True)),
        "bias": min(biases.values()),
        **biases,
    }
    return {name: round(weight, 3) for name, weight in fitted.items()}


def _threshold(scores: Numbers) -> float:
    """The score that at most `MOST_WRONG` of these examples exceed."""
    return float(np.quantile(scores, 1 - MOST_WRONG))


def report(title: str, examples: Sequence[Example], passed: Flags) -> None:
    """Print the shares of right and of wrong answers that pass, by set and form."""
    print(f"\n{title}")
    for name in dict.fromkeys(example.set for example in examples):
        shares = []
        for form in ("bare", "sentence"):
            for is_right in (True, False):
                own = [
                    bool(one)
                    for example, one in zip(examples, passed, strict=True)
                    if (example.set, example.form, example.is_right) == (name, form, is_right)
                ]
                if own:
                    said = "right" if is_right else "wrong"
                    shares.append(f"{form} {said} {sum(own) / len(own):.3f} of {len(own)}")
        print(f"  {name}: {'; '.join(shares)}")


def _fitted(inputs: Numbers, is_right: Flags) -> Numbers:
    importance = np.full(len(inputs), 1.0 / len(inputs))
    return logistic(inputs, is_right.astype(float), importance, ridge=_RIDGE)


def _scores(inputs: Numbers, weights: Numbers) -> Numbers:
    scores: Numbers = np.c_[inputs, np.ones(len(inputs))] @ weights
    return scores


def _fold(part: str, folds: int) -> int:
    return int(hashlib.sha256(part.encode()).hexdigest(), 16) % folds


def _without(examples: Sequence[Example], signals: Sequence[str], *, with_objections: bool) -> list[Example]:
    """The same examples with some signals set to zero, or without the objections."""
    nought = dict.fromkeys(signals, 0.0)
    return [
        replace(
            example,
            found=replace(
                example.found,
                signals={**example.found.signals, **nought},
                objections=example.found.objections if with_objections else (),
            ),
        )
        for example in examples
    ]


if __name__ == "__main__":
    main()
