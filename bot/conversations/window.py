"""How much of a conversation a model sees, and when the rest is summarised. Pure."""

from __future__ import annotations

MAX_BATCH = 20
"""Messages that one summary takes in at the most: what a small model reads in reasonable time."""

_EXCHANGE = 2
"""Messages of a question and its answer."""


def messages_to_summarise(unsummarised: int, history_limit: int) -> int:
    """How many of the oldest unsummarised messages should be summarised now.

    A summary is due as soon as the next exchange would push a message out of the window: so it can be
    interrupted once without a gap. Then it runs ahead into the older half of the window, so that a model
    is asked once for several messages, not for each one.

    Args:
        unsummarised: Messages that the summary does not cover.
        history_limit: Messages in the window.

    Returns:
        0 when nothing is due, and never more than `MAX_BATCH`.
    """
    room = max(0, history_limit - _EXCHANGE)
    if unsummarised <= room:
        return 0
    kept = room // 2 // _EXCHANGE * _EXCHANGE
    return min(unsummarised - kept, MAX_BATCH)
