from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.conversations.window import MAX_BATCH, messages_to_summarise


@pytest.mark.parametrize(
    ("unsummarised", "history_limit", "due"),
    [
        pytest.param(0, 10, 0, id="empty"),
        pytest.param(8, 10, 0, id="the next exchange fits"),
        # Of the eight that stay beside the next exchange half are kept.
        pytest.param(10, 10, 6, id="the next exchange pushes two out"),
        pytest.param(12, 10, 8, id="two fell out"),
        pytest.param(4, 4, 4, id="half of the room is no whole exchange"),
        pytest.param(500, 10, MAX_BATCH, id="long backlog"),
        pytest.param(2, 0, 2, id="no window"),
        pytest.param(2, 1, 2, id="window of one"),
        pytest.param(2, 2, 2, id="window of one exchange"),
    ],
)
def test_messages_due(unsummarised: int, history_limit: int, due: int) -> None:
    assert messages_to_summarise(unsummarised, history_limit) == due


@given(st.integers(2, 50), st.integers(1, 100))
def test_summary_is_written_once_for_several_exchanges_and_before_a_message_falls_out(
    limit: int, exchanges: int
) -> None:
    unsummarised = 0
    calls = 0
    for _ in range(exchanges):
        unsummarised += 2
        due = messages_to_summarise(unsummarised, limit)
        calls += due > 0
        unsummarised -= due
        assert unsummarised <= limit - 2
    # Each summary makes room for half a window; below six messages that is a single exchange.
    assert calls <= max(1, 2 * exchanges / max(2, min((limit - 2) // 2, MAX_BATCH)))
