from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.evaluate import calibration, rows
from bot.evaluate.calibration import Case
from bot.evaluate.feedback import Opinion, Scored
from rag.reasons import as_written
from rag.values import Verdict


def case(confidence: float, good: bool, quality: str = "adequate", *, covered: bool = False) -> Case:
    return Case(Verdict(quality, as_written(""), confidence, "evidence"), good, covered)  # type: ignore[arg-type]  # a quality


CASES = [case(0.62, good=False)] * 5 + [case(0.92, good=True)] * 45


def test_cheapest_threshold_that_keeps_the_wrong_ones_out_is_proposed() -> None:
    found = calibration.calibrate("x", 0.7, {"drafts": CASES}, tolerance=0.02)
    assert found.proposed == 0.7  # 0.65 to 0.9 all do the same: the one that is set stays
    by_threshold = {choice.threshold: choice for choice in found.choices}
    assert by_threshold[0.6].wrong == 0.1
    assert by_threshold[0.6].calls == 1.0
    assert (by_threshold[0.7].accepted, by_threshold[0.7].wrong) == (0.9, 0.0)
    assert by_threshold[0.7].calls == 1.1  # five of fifty go back
    assert by_threshold[0.95].lost == 1.0


def test_tolerated_mistakes_buy_fewer_calls() -> None:
    assert calibration.calibrate("x", 0.7, {"drafts": CASES}, tolerance=0.2).proposed == 0.6


def test_when_nothing_is_good_enough_the_least_bad_is_proposed_and_said_to_be() -> None:
    cases = [case(0.95, good=False)] * 10 + [case(0.95, good=True)] * 10 + [case(0.6, good=False)] * 10
    found = calibration.calibrate("x", 0.5, {"drafts": cases}, tolerance=0.1)
    assert found.proposed == 0.65
    assert "no threshold keeps" in found.reason


def test_few_cases_propose_nothing() -> None:
    found = calibration.calibrate("x", 0.7, {"drafts": CASES[-19:]}, tolerance=0.1)
    assert found.proposed is None
    assert "too few" in found.reason


def test_threshold_of_now_is_laid_out_and_a_small_tolerance_is_not_said_to_be_none() -> None:
    found = calibration.calibrate("x", 0.72, {"drafts": CASES}, tolerance=0.001)
    assert [choice.threshold for choice in found.choices][6:9] == [0.7, 0.72, 0.75]
    assert (found.proposed, found.reason) == (
        0.72,
        "the fewest calls with at most 0.1 % wrong among the accepted",
    )


def test_rejected_draft_goes_back_whatever_the_threshold() -> None:
    cases = [case(0.99, good=True, quality="hallucination")] * 30
    found = calibration.calibrate("x", 0.7, {"drafts": cases}, tolerance=0.1)
    assert {choice.accepted for choice in found.choices} == {0.0}
    assert found.proposed is None


@given(st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1, max_size=30))
def test_higher_threshold_never_lets_more_out(pairs: list[tuple[float, bool]]) -> None:
    cases = [case(confidence, good) for confidence, good in pairs]
    accepted = [one.accepted for one in calibration.calibrate("x", 0.7, {"x": cases}, 0.1).choices]
    assert accepted == sorted(accepted, reverse=True)


def test_feedback_file_gives_cases_for_both_thresholds(tmp_path: Path) -> None:
    path = tmp_path / "feedback.jsonl"
    lines = [
        {"confidence": 0.8, "label": "verified", "useful": True},
        {"score": 0.6, "useful": False},
        {"useful": True},
        {"confidence": 7, "useful": True},
    ]
    path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    said = rows.read(path, Opinion)
    assert [fault.line for fault in said.malformed] == [3, 4]
    assert "neither a confidence nor a score" in said.malformed[0].reason
    (judged,) = calibration.of_confidences(said.rows)
    assert (judged.verdict.confidence, judged.is_good) == (0.8, True)
    scores = calibration.of_scores((), said.rows)
    assert [(one.verdict.confidence, one.is_good) for one in scores["feedback"]] == [(0.6, False)]
    assert "scored answers" not in scores


@pytest.mark.parametrize(
    ("line", "score"),
    [
        ({"score": 0.7, "good": True}, 0.7),
        ({"accuracy": 1.0, "helpfulness": 0.5, "completeness": 0.0, "good": True}, 0.6),
    ],
    ids=["one number", "three"],
)
def test_score_is_one_number_or_three(line: dict[str, object], score: float) -> None:
    assert Scored.model_validate(line).score == pytest.approx(score)


def test_score_out_of_range_is_malformed(tmp_path: Path) -> None:
    path = tmp_path / "scores.jsonl"
    path.write_text(
        '{"score": 0.5, "good": true}\n{"accuracy": 3, "helpfulness": 1, "completeness": 1, "good": true}'
    )
    assert [fault.line for fault in rows.read(path, Scored).malformed] == [2]


def test_opinion_without_a_number_says_nothing() -> None:
    with pytest.raises(ValueError, match="neither"):
        Opinion(useful=True)
