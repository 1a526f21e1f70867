"""The ledger refuses a call when any part of the budget is used up."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.errors import BudgetExhaustedError
from rag.models.ledger import JUDGEMENT_TOKENS, Ledger
from rag.models.tokens import estimate_prompt_tokens
from rag.settings import Budget, Price, Prices
from rag.values import FreeLayer, ModelCall, Savings


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def call(role: str = "draft", tokens: tuple[int, int] = (10, 5), calls: int = 1) -> ModelCall:
    return ModelCall(
        role=role, model="m", input_tokens=tokens[0], output_tokens=tokens[1], seconds=0.5, calls=calls
    )


def budget(calls: int = 3, tokens: int = 100, seconds: float = 60.0) -> Budget:
    return Budget(calls=calls, tokens=tokens, seconds=seconds)


def test_fresh_ledger_lets_the_first_call_through() -> None:
    Ledger(budget(calls=1), Clock()).check()


@pytest.mark.parametrize(
    ("recorded", "passed_seconds", "limit"),
    [
        pytest.param([call(), call(), call()], 0.0, "calls", id="three of three calls"),
        pytest.param([call(), call(calls=2)], 0.0, "calls", id="a repair request counts as a call"),
        pytest.param([call(tokens=(60, 40))], 0.0, "tokens", id="60 + 40 of 100 tokens"),
        pytest.param([call(tokens=(0, 130))], 0.0, "tokens", id="one call went over"),
        pytest.param([], 60.0, "seconds", id="60 of 60 seconds"),
        pytest.param([], 61.5, "seconds", id="beyond the seconds"),
    ],
)
def test_used_up_budget_refuses_the_next_call_and_names_the_limit(
    recorded: list[ModelCall], passed_seconds: float, limit: str
) -> None:
    clock = Clock()
    ledger = Ledger(budget(), clock)
    for entry in recorded:
        ledger.record(entry)
    clock.now += passed_seconds
    with pytest.raises(BudgetExhaustedError, match=limit) as caught:
        ledger.check()
    assert caught.value.limit == limit
    assert caught.value.used >= caught.value.allowed


def test_seconds_run_from_the_making_of_the_ledger() -> None:
    clock = Clock()
    ledger = Ledger(budget(seconds=60), clock)
    clock.now += 59
    ledger.check()
    assert ledger.seconds >= 59


def test_usage_sums_by_role() -> None:
    ledger = Ledger(budget(), Clock())
    ledger.record(call("draft", (10, 5)))
    ledger.record(call("judge", (7, 1), calls=2))
    ledger.record(call("draft", (1, 1)))
    usage = ledger.usage()
    assert (usage.calls, usage.input_tokens, usage.output_tokens, usage.tokens) == (4, 18, 7, 25)
    assert list(usage.by_role) == ["draft", "judge"]
    assert (usage.by_role["judge"].calls, usage.by_role["judge"].tokens) == (2, 8)
    assert usage.by_role["draft"].tokens == 17
    assert len(ledger.calls) == 3


def test_usage_tells_money_and_seconds_by_role() -> None:
    ledger = Ledger(budget(), Clock(), Prices(models={"m": Price(input=1.0, output=2.0)}))
    ledger.record(call("draft", (10, 5)))
    ledger.record(call("judge", (7, 1)))
    usage = ledger.usage()
    # (10 + 2 × 5 + 7 + 2 × 1) / 1,000,000
    assert usage.cost == pytest.approx(29e-6)
    assert usage.by_role["judge"].cost == pytest.approx(9e-6)
    assert (usage.seconds, usage.by_role["draft"].seconds) == (1.0, 0.5)


def test_ledger_without_prices_knows_that_it_does_not_know() -> None:
    ledger = Ledger(budget(), Clock())
    ledger.record(call())
    assert (ledger.usage().cost, ledger.usage().unpriced_calls) == (0.0, 1)


def test_judge_call_that_was_not_needed_counts_with_its_prompt_and_its_reply() -> None:
    ledger = Ledger(budget(), Clock())
    assert ledger.savings == Savings()
    first, second = ("You judge.", "Is it so?"), ("You judge.", "是吗?")
    ledger.save("evidence", first)
    ledger.save("checks", second)
    ledger.save("evidence", second)
    one, other = (estimate_prompt_tokens(prompt) + JUDGEMENT_TOKENS for prompt in (first, second))
    by_layer: dict[FreeLayer, Savings] = {"evidence": Savings(2, one + other), "checks": Savings(1, other)}
    assert ledger.savings == Savings(3, one + 2 * other, by_layer)
    assert ledger.usage().calls == 0


calls = st.builds(
    call, st.sampled_from(["draft", "judge", "writer"]), st.tuples(st.integers(0, 50), st.integers(0, 50))
)


@given(st.lists(calls, max_size=20))
def test_the_roles_add_up_to_the_whole(recorded: list[ModelCall]) -> None:
    ledger = Ledger(budget(), Clock())
    for entry in recorded:
        ledger.record(entry)
    usage = ledger.usage()
    assert sum(part.tokens for part in usage.by_role.values()) == usage.tokens
    assert sum(part.calls for part in usage.by_role.values()) == usage.calls


@given(st.lists(calls, max_size=12), st.integers(1, 8), st.integers(1, 300))
def test_a_call_is_let_through_exactly_while_something_is_left(
    recorded: list[ModelCall], allowed_calls: int, allowed_tokens: int
) -> None:
    ledger = Ledger(budget(calls=allowed_calls, tokens=allowed_tokens), Clock())
    for entry in recorded:
        ledger.record(entry)
    usage = ledger.usage()
    if usage.calls >= allowed_calls or usage.tokens >= allowed_tokens:
        with pytest.raises(BudgetExhaustedError):
            ledger.check()
    else:
        ledger.check()
