from __future__ import annotations

from dataclasses import replace

import pytest

from bot.answer_json import to_json, usage_to_json
from rag.reasons import Reason
from rag.steps.evaluate import describe
from rag.values import Answer, StepTrace, Usage, Verdict


@pytest.mark.parametrize(
    ("usage", "cost", "unpriced"),
    [
        pytest.param(Usage(2, cost=0.25), 0.25, 0, id="every call has a price"),
        pytest.param(Usage(2), 0.0, 0, id="free"),
        pytest.param(Usage(2, cost=0.25, unpriced_calls=1), 0.25, 1, id="a lower bound"),
        pytest.param(Usage(2, unpriced_calls=2), None, 2, id="unknown is not zero"),
    ],
)
def test_cost_that_nobody_knows_is_null(usage: Usage, cost: float | None, unpriced: int) -> None:
    shown = usage_to_json(replace(usage, by_role={"draft": usage}))
    for sums in (shown, shown["by_role"]["draft"]):
        assert (sums["cost"], sums["unpriced_calls"]) == (cost, unpriced)


def test_usage_tells_seconds_and_tokens_by_role() -> None:
    part = Usage(1, 10, 2, 1.23456, 0.5)
    assert usage_to_json(Usage(1, 10, 2, 1.23456, 0.5, by_role={"judge": part}))["by_role"] == {
        "judge": {
            "calls": 1,
            "input_tokens": 10,
            "output_tokens": 2,
            "seconds": 1.235,
            "cost": 0.5,
            "unpriced_calls": 0,
        }
    }


def test_programs_get_a_code_and_values_beside_each_english_sentence() -> None:
    absent = Reason("verdict-absent", {"facts": "Java 21"})
    verdict = Verdict("hallucination", absent, 0.9, "evidence")
    steps = (
        StepTrace("retrieve", 3.0, Reason("documents-found", {"passages": 5, "documents": 2})),
        StepTrace("evaluate", 9.0, describe(verdict), prompt="evaluate@1#abc"),
    )
    shown = to_json(Answer("q", "t", "unverified", "ru", verdict, (), (), True, 0, Usage(), 1.0, steps))
    assert shown["verdict"] | {"confidence": 0, "quality": "", "source": ""} == {
        "reason": "no passage states Java 21",
        "code": "verdict-absent",
        "values": {"facts": "Java 21"},
        "confidence": 0,
        "quality": "",
        "source": "",
    }
    assert shown["trace"][0] == {
        "step": "retrieve",
        "ms": 3.0,
        "detail": "passages: 5, documents: 2",
        "code": "documents-found",
        "values": {"passages": 5, "documents": 2},
        "notes": [],
    }
    assert shown["trace"][1]["detail"].endswith("no passage states Java 21 (evaluate@1#abc)")
    assert shown["trace"][1]["values"]["reason"] == {"code": "verdict-absent", "values": {"facts": "Java 21"}}


def test_programs_get_the_notes_of_a_step_and_the_text_before_a_refinement() -> None:
    verdict = Verdict("adequate", Reason("no-worse"), 0.9, "evidence")
    critique = StepTrace(
        "critique", 9.0, Reason("no-worse"), notes=(Reason("critic-point", {"text": "Vague."}),)
    )
    answer = Answer("q", "t", "general", "en", verdict, (), (), False, 0, Usage(), 1.0, (critique,))
    shown = to_json(replace(answer, unrefined="before"))
    assert shown["trace"][0]["notes"] == [
        {"text": "Vague.", "code": "critic-point", "values": {"text": "Vague."}}
    ]
    assert (shown["unrefined"], to_json(answer)["unrefined"]) == ("before", None)
