"""A price that nobody gave is unknown; sums say when they are not the whole."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag import prices
from rag.settings import Price, Prices
from rag.values import ModelCall, Usage

TABLE = Prices(models={"openai:big": Price(input=2.0, output=10.0), "ollama:own": Price(input=0, output=0)})


def call(model: str, tokens: tuple[int, int] = (1000, 100), role: str = "draft", calls: int = 1) -> ModelCall:
    return ModelCall(role, model, *tokens, seconds=0.5, calls=calls)


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        # 1000 × 2 / 1,000,000 + 100 × 10 / 1,000,000
        pytest.param(call("openai:big"), 0.003, id="input and output have their own price"),
        pytest.param(call("openai:other"), None, id="a model that is not in the table"),
        pytest.param(call("ollama:own"), 0.0, id="a model that was said to be free"),
        pytest.param(call("embedded"), 0.0, id="the embedded model is free unless said otherwise"),
        pytest.param(call("", (0, 0)), 0.0, id="nobody answered"),
        pytest.param(call("", (5, 0)), None, id="nobody knows who answered"),
    ],
)
def test_cost_of_a_call(entry: ModelCall, expected: float | None) -> None:
    assert prices.cost(TABLE, entry) == (None if expected is None else pytest.approx(expected))


def test_table_may_put_a_price_on_the_embedded_model() -> None:
    table = Prices(models={"embedded": Price(input=1.0, output=1.0)})
    assert prices.cost(table, call("embedded", (500_000, 500_000))) == 1.0


def test_calls_without_a_price_are_counted_beside_the_sum() -> None:
    usage = prices.usage(
        TABLE, [call("openai:big"), call("openai:other", role="judge", calls=2), call("embedded")]
    )
    assert usage.cost == pytest.approx(0.003)
    assert usage.unpriced_calls == 2
    assert usage.by_role["judge"].unpriced_calls == 2
    assert usage.by_role["judge"].cost == 0.0
    assert usage.by_role["draft"].unpriced_calls == 0
    assert usage.by_role["draft"].seconds == 1.0


@pytest.mark.parametrize(
    ("spent", "expected"),
    [
        pytest.param(Usage(2), "0 EUR", id="free"),
        pytest.param(Usage(1, cost=0.0021), "0.0021 EUR", id="two digits that count"),
        pytest.param(Usage(1, cost=0.00000213), "0.0000021 EUR", id="no exponent"),
        pytest.param(Usage(1, cost=1234.5), "1,234.50 EUR", id="large"),
        pytest.param(Usage(3, cost=0.5, unpriced_calls=1), "at least 0.50 EUR", id="one model has no price"),
        pytest.param(Usage(3, unpriced_calls=1), "price unknown", id="nothing is known"),
    ],
)
def test_cost_in_words(spent: Usage, expected: str) -> None:
    assert prices.worded(spent, "EUR") == expected


calls = st.lists(
    st.builds(
        call,
        st.sampled_from(["openai:big", "embedded", "openai:other", ""]),
        st.tuples(st.integers(0, 10**6), st.integers(0, 10**6)),
        st.sampled_from(["draft", "judge", "writer"]),
        st.integers(1, 2),
    ),
    max_size=12,
)


@given(calls)
def test_roles_add_up_to_the_whole(entries: list[ModelCall]) -> None:
    usage = prices.usage(TABLE, entries)
    parts = usage.by_role.values()
    assert sum(part.cost for part in parts) == pytest.approx(usage.cost)
    assert sum(part.seconds for part in parts) == pytest.approx(usage.seconds)
    assert sum(part.unpriced_calls for part in parts) == usage.unpriced_calls
    assert sum(part.tokens for part in parts) == usage.tokens


@given(st.floats(0, 1e9), st.integers(0, 3))
def test_wording_never_fails_and_never_hides_an_unknown_price(cost: float, unpriced: int) -> None:
    text = prices.worded(Usage(cost=cost, unpriced_calls=unpriced), "USD")
    assert ("at least" in text or "unknown" in text) == (unpriced > 0)


def test_call_that_was_given_up_has_cost_at_least_what_it_read() -> None:
    table = Prices(models={"openai:judge": Price(input=1_000_000, output=5_000_000)})
    lost = ModelCall("judge", "openai:judge", 100, 0, 30.0, is_partial=True)
    found = prices.usage(table, [lost])
    assert (found.cost, found.unpriced_calls) == (100.0, 1)
    assert prices.worded(found, "USD") == "at least 100.00 USD"


def test_given_up_call_of_a_model_that_costs_nothing_has_cost_nothing() -> None:
    lost = ModelCall("judge", "embedded", 100, 0, 30.0, is_partial=True)
    assert prices.usage(Prices(), [lost]).unpriced_calls == 0
