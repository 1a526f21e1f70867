"""How much of a conversation a model sees, and when the rest is summarised. Pure."""

from __future__ import annotations

MAX_BATCH = 20
"""Messages that one summary takes in at the most: what a small model reads in reasonable time."""


def messages_to_summarise(unsummarised: int, history_limit: int) -> int:
    """How many of the oldest unsummarised messages should be summarised now.

    Nothing is due until a message falls out of the window. Then the summary runs ahead into the
    older half of the window, so that a model is asked once for several messages, not for each one.

    Args:
        unsummarised: Messages that the summary does not cover.
        history_limit: Messages in the window.

    Returns:
        0 when nothing is due, and never more than `MAX_BATCH`.
    """
    if unsummarised <= history_limit:
        return 0
    return min(unsummarised - history_limit // 2, MAX_BATCH)
