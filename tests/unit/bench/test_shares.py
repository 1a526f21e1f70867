from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.shares import upper_bound


@pytest.mark.parametrize(
    ("times", "count", "bound"),
    [
        pytest.param(0, 40, 0.0722, id="none of forty may still be seven in a hundred"),
        pytest.param(0, 299, 0.00997, id="only three hundred show less than one in a hundred"),
        pytest.param(1, 40, 0.1132, id="one of forty"),
        pytest.param(5, 5, 1.0, id="all"),
        pytest.param(0, 0, 1.0, id="nothing was looked at"),
    ],
)
def test_bound_is_that_of_the_exact_test(times: int, count: int, bound: float) -> None:
    assert upper_bound(times, count) == pytest.approx(bound, abs=1e-4)


@given(st.integers(1, 60).flatmap(lambda count: st.tuples(st.integers(0, count), st.just(count))))
def test_bound_is_no_less_than_what_was_seen(seen: tuple[int, int]) -> None:
    times, count = seen
    assert times / count <= upper_bound(times, count) <= 1.0
