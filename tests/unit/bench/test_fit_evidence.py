"""The fit judges with weights of its own, and leaves those of the product alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import pytest

from bench import fit_evidence
from bench.fit_evidence import SIGNALS, Example
from bot.evaluate.rows import LabelledDraft
from bot.evaluate.verdicts import Judged
from rag import evidence
from rag.evidence import Material, scoring
from rag.evidence.scoring import Weights
from rag.reasons import as_written
from rag.steps.classify import classify
from rag.values import Evidence, Quality, Question, Verdict

NEVER: Weights = {
    query: {**dict.fromkeys(names, 0.0), "bias": -20.0} for query, names in scoring.FEATURES.items()
}
ALWAYS: Weights = {**NEVER, "supported": {**NEVER["supported"], "bias": 20.0}}
UNWEIGHED = ("declining", "ignorant", "history", "follow_up", "only_yes_or_no", "own_name")
"""Signals that only rules use, for drafts that decline, repeat the conversation or say only no."""

GROUPED = [name for group in SIGNALS.values() for name in group]
EVERYTHING = (*GROUPED, *UNWEIGHED)


def rarity(terms: Iterable[str]) -> Mapping[str, float]:
    return dict.fromkeys(terms, 0.5)


def example(question: str, kind: str, supported: float) -> Example:
    measured = {**dict.fromkeys(EVERYTHING, 0.0), "supported": supported, "anchored": supported}
    expected = "adequate" if kind == "doc_right" else "hallucination"
    row = LabelledDraft(id=question, question=question, draft="So it is.", kind=kind, expected=expected)
    return Example(row, evidence.score_evidence(measured, Evidence(covered=0.0, supported=0.0)))


def examples() -> list[Example]:
    kinds = ("doc_right", "doc_wrong", "off_topic", "general")
    return [
        example(f"Which {kind} {n}?", kind, float(kind == "doc_right")) for kind in kinds for n in range(8)
    ]


def test_every_signal_is_in_a_group_or_named_as_not_weighed() -> None:
    question = "Which Java does Pier need?"
    material = Material(question, classify(Question(question)), (), (), None, None, rarity, None, ())
    measured = evidence.compare(material, "Pier needs Java 17.").signals
    assert sorted(EVERYTHING) == sorted(measured)


def test_signals_are_grouped_exactly_when_they_have_a_weight() -> None:
    weighed = {
        factor.lstrip("!")
        for names in scoring.FEATURES.values()
        for name in names
        for factor in name.split("*")
    }
    assert sorted(GROUPED) == sorted(weighed)


def test_drafts_are_judged_with_the_weights_that_are_given() -> None:
    drafts = [example("Which port?", "doc_right", 1.0)]
    assert [one.said for one in fit_evidence.judged(drafts, ALWAYS)] == ["adequate"]
    assert [one.said for one in fit_evidence.judged(drafts, NEVER)] != ["adequate"]


def test_answer_to_small_talk_is_right_whatever_the_weights() -> None:
    talk = replace(example("Thanks!", "small_talk", 0.0), is_small_talk=True)
    assert [one.said for one in fit_evidence.judged([talk], NEVER)] == ["adequate"]


def test_fitting_leaves_the_weights_of_the_product_alone() -> None:
    found = example("Which port?", "doc_right", 1.0).found

    def judged() -> tuple[Verdict, float]:
        scored = evidence.score_evidence(found.signals, found)
        return evidence.decide(scored, has_documents=False), scoring.probability("common", found.signals)

    before = judged()
    fit_evidence.judged(examples(), NEVER)
    assert judged() == before


def test_every_draft_is_judged_once_without_its_question(monkeypatch: pytest.MonkeyPatch) -> None:
    fitted: list[set[str]] = []
    fit = fit_evidence.fit

    def watched(sets: dict[str, Sequence[Example]]) -> Weights:
        fitted.append({one.row.question for found in sets.values() for one in found})
        return fit(sets)

    monkeypatch.setattr(fit_evidence, "fit", watched)
    drafts = examples()
    told = fit_evidence.cross_validated({"small": drafts})
    assert sorted(one.row.question for one in told["small"]) == sorted(one.row.question for one in drafts)
    assert all(sum(one.row.question not in used for used in fitted) == 1 for one in drafts)


def test_undecided_is_wrong_in_the_figures() -> None:
    right, wrong = example("Which port?", "doc_right", 1.0).row, example("Which door?", "doc_wrong", 1.0).row

    def told(row: LabelledDraft, said: Quality, *, is_decided: bool = True) -> Judged:
        verdict = Verdict(said, as_written("so"), 0.5, "rules")
        return Judged(row, verdict, None, is_decided, used_model=False, milliseconds=0.0, tokens=0)

    found = [
        told(right, "adequate"),
        told(right, "adequate", is_decided=False),
        told(wrong, "adequate"),
        told(wrong, "needs_docs"),
    ]
    assert fit_evidence.shares(found) == {
        "rows": 4,
        "accuracy": 0.25,
        "action_accuracy": 0.5,  # a draft that declines and one that invents are both read up
        "undecided": 0.25,
        "wrongly_adequate": 0.25,
    }
