from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.conversations.window import MAX_BATCH, messages_to_summarise


@pytest.mark.parametrize(
    ("unsummarised", "history_limit", "due"),
    [
        pytest.param(0, 10, 0, id="empty"),
        pytest.param(10, 10, 0, id="all in the window"),
        # 12 - 10 // 2: the two that fell out and the five oldest of the window
        pytest.param(12, 10, 7, id="two fell out"),
        pytest.param(500, 10, MAX_BATCH, id="long backlog"),
        pytest.param(2, 0, 2, id="no window"),
        pytest.param(2, 1, 2, id="window of one"),
    ],
)
def test_messages_due(unsummarised: int, history_limit: int, due: int) -> None:
    assert messages_to_summarise(unsummarised, history_limit) == due


@given(st.integers(2, 50), st.integers(1, 100))
def test_summary_is_written_once_for_several_exchanges_and_leaves_no_gap(limit: int, exchanges: int) -> None:
    unsummarised = 0
    calls = 0
    for _ in range(exchanges):
        unsummarised += 2
        due = messages_to_summarise(unsummarised, limit)
        calls += due > 0
        unsummarised -= due
        assert unsummarised <= max(limit, 2)
    # Each summary makes room for half a window; below four messages that is a single exchange.
    assert calls <= max(1, 2 * exchanges / max(2, min(limit // 2, MAX_BATCH)))
