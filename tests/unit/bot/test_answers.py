from __future__ import annotations

from dataclasses import replace

import pytest

from bot.answers import usage_to_json
from rag.values import Usage


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
