from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from rag.steps.critique import Critique, CritiqueReply, temper, to_critique

scores = st.floats(-10, 10, allow_nan=False)


def critique(**values: Any) -> Critique:
    said = {"accuracy": 0.5, "helpfulness": 0.5, "completeness": 0.5, **values}
    return to_critique(CritiqueReply.model_validate(said))


@pytest.mark.parametrize(
    ("accuracy", "helpfulness", "completeness", "score"),
    [
        (1.0, 1.0, 1.0, 1.0),
        (0.0, 0.0, 0.0, 0.0),
        (1.0, 0.0, 0.0, 0.4),
        (0.0, 1.0, 0.0, 0.4),
        (0.0, 0.0, 1.0, 0.2),
        # 0.4 * 0.9 + 0.4 * 0.8 + 0.2 * 0.5
        (0.9, 0.8, 0.5, 0.78),
        (7.0, -3.0, 0.5, 0.5),
    ],
)
def test_score_weighs_accuracy_helpfulness_and_completeness(
    accuracy: float, helpfulness: float, completeness: float, score: float
) -> None:
    found = critique(accuracy=accuracy, helpfulness=helpfulness, completeness=completeness)
    assert found.score == pytest.approx(score)


@given(scores, scores, scores)
def test_score_is_between_0_and_1(accuracy: float, helpfulness: float, completeness: float) -> None:
    found = critique(accuracy=accuracy, helpfulness=helpfulness, completeness=completeness)
    assert 0.0 <= found.score <= 1.0


@pytest.mark.parametrize("score", ["NaN", float("nan"), float("inf"), "-Infinity", "high", None])
def test_score_that_is_no_number_is_no_reply(score: object) -> None:
    with pytest.raises(ValidationError):
        critique(accuracy=score)


def test_there_are_at_most_five_issues_and_three_suggestions() -> None:
    found = critique(issues=[f"issue {n}" for n in range(9)], suggestions=[f"change {n}" for n in range(9)])
    assert (len(found.issues), len(found.suggestions)) == (5, 3)


@pytest.mark.parametrize(
    ("issues", "expected"),
    [
        (["", "  ", "-", None, 7, {"x": 1}, "vague"], ("vague",)),
        ("vague", ("vague",)),
        (None, ()),
        (["a\n b"], ("a b",)),
    ],
)
def test_issues_of_another_form_do_not_spoil_the_scores(issues: object, expected: tuple[str, ...]) -> None:
    assert critique(issues=issues).issues == expected


def test_critique_without_a_point_is_not_concrete() -> None:
    assert not critique(issues=["", "…"]).is_concrete
    assert critique(suggestions=["name the port"]).is_concrete


@pytest.mark.parametrize(
    ("score", "agreement", "expected"),
    [
        pytest.param(0.4, 1.0, 0.4, id="agreed: it stands"),
        pytest.param(0.4, 0.0, 0.75, id="not agreed: nothing is refined"),
        pytest.param(0.4, 0.5, 0.575, id="half agreed: half way"),
        pytest.param(1.0, 0.0, 0.75, id="praise that nobody shares is worth no more"),
    ],
)
def test_agreement_weights_the_score(score: float, agreement: float, expected: float) -> None:
    assert temper(Critique(score), agreement, 0.75).score == pytest.approx(expected)
