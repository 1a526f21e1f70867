"""Decides when and how much of a conversation is summarised. Pure."""

from __future__ import annotations

MAX_BATCH = 20
"""Maximum number of messages in one summary: as many as a small model reads in reasonable time."""

_EXCHANGE = 2
"""Number of messages in an exchange: a question and its answer."""


def messages_to_summarise(unsummarised: int, history_limit: int) -> int:
    """Return how many of the oldest unsummarised messages should be summarised now.

    A summary is due as soon as the next exchange would push an unsummarised message out of the window, so
    that it can be interrupted once without a gap. It then also covers the older half of the window, so that a
    model is called once for several messages instead of once for each.

    Returns 0 when no summary is due, and `MAX_BATCH` at the most.
    """
    room = max(0, history_limit - _EXCHANGE)
    if unsummarised <= room:
        return 0
    kept = room // 2 // _EXCHANGE * _EXCHANGE
    return min(unsummarised - kept, MAX_BATCH)
