from __future__ import annotations

import pytest

from bot.evaluate import figures


@pytest.mark.parametrize(
    ("values", "share", "expected"),
    [
        ([], 0.5, 0.0),
        ([7.0], 0.95, 7.0),
        ([4.0, 1.0, 3.0, 2.0], 0.5, 2.0),  # rank ceil(0.5 * 4) = 2 of 1, 2, 3, 4
        ([float(n) for n in range(1, 101)], 0.95, 95.0),
    ],
    ids=["nothing", "one", "median", "95th"],
)
def test_percentile_is_the_nearest_rank(values: list[float], share: float, expected: float) -> None:
    assert figures.percentile(values, share) == expected


def test_mean_of_nothing_is_zero() -> None:
    assert figures.mean([]) == 0.0
    assert figures.mean([1.0, 2.0]) == 1.5
