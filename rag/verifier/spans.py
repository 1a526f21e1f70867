"""What follows from a reader's scores: the words that answer, and how much of it stands in a text. Pure.

A reader scores each piece of a passage as the start and as the end of the answer. The score of a span is the
sum of the two. "Does the passage answer at all" and "which of its words" are two questions: the first is the
reader's `covers`; the second is a share of all spans' probability, whatever the first says (SQuAD 2 has one
threshold for both; on contrast pairs the share tells right from wrong better than the margin over "nothing").
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float32]

_MAX_PIECES: Final = 30
"""Maximum length of a span in word pieces, as in training."""
_LEAST_SHARED: Final = 0.5
"""A span stands in a text if at least this share of its content words does."""
_IMPOSSIBLE: Final = -1e4


@dataclass(frozen=True, slots=True)
class Scores:
    """A reader's scores for the pieces of one passage.

    Args:
        offsets: Start and end of each piece in the passage's text, shape (pieces, 2).
        start: Score of each piece as the start of the answer, shape (pieces,).
        end: Score as its end.
        evidence: Score of each piece as part of a sentence that answers.
        covers: Log-odds that the passage answers the question.
        windows: The first piece of each window that was read; spans do not cross windows.
    """

    offsets: NDArray[np.int64]
    start: Floats
    end: Floats
    evidence: Floats
    covers: float
    windows: tuple[int, ...] = (0,)


def span_scores(scores: Scores) -> Floats:
    """Return the score of each span by its first piece and its length less one, shape (pieces, 30)."""
    count = len(scores.start)
    last = np.arange(count)[:, None] + np.arange(_MAX_PIECES)[None, :]
    bounds = np.array([*scores.windows[1:], count])
    window_end = bounds[np.searchsorted(bounds[:-1], np.arange(count), side="right")]
    found = scores.start[:, None] + scores.end[last.clip(max=max(count - 1, 0))]
    return np.where(last < window_end[:, None], found, np.float32(_IMPOSSIBLE))


def best_span(scores: Scores) -> tuple[int, int]:
    """Return where the words that answer best start and end in the text; two zeros without pieces."""
    if not len(scores.start):
        return 0, 0
    first, length = divmod(int(np.argmax(span_scores(scores))), _MAX_PIECES)
    return int(scores.offsets[first, 0]), int(scores.offsets[first + length, 1])


def share(
    spans: Floats,
    content: NDArray[np.bool_],
    held: NDArray[np.bool_],
    fresh: NDArray[np.bool_] | None = None,
) -> float:
    """Return the share of all spans' probability that falls on spans that stand in a text, 0-1.

    A span stands in a text if at least half of its content words do, one of them fresh.

    Args:
        spans: The result of `span_scores`.
        content: Whether each piece belongs to a content word of the passage.
        held: Whether that word stands in the text; nowhere true where `content` is not.
        fresh: Whether it stands in the text and not in the question; None: as `held`.
    """
    count = len(held)
    fresh = held if fresh is None else fresh
    if not count or not fresh.any():
        return 0.0
    last = (np.arange(count)[:, None] + np.arange(_MAX_PIECES)[None, :]).clip(max=count - 1)
    words, found, new = (_within(mask, last) for mask in (content, held, fresh))
    weights = np.exp(spans - spans.max())
    return float((weights * ((new > 0) & (found >= _LEAST_SHARED * words))).sum() / weights.sum())


def _within(mask: NDArray[np.bool_], last: NDArray[np.int64]) -> NDArray[np.int64]:
    total = np.concatenate([[0], np.cumsum(mask)])
    found: NDArray[np.int64] = total[last + 1] - total[:-1][:, None]
    return found


def piece_mask(offsets: NDArray[np.int64], places: Sequence[tuple[int, int]]) -> NDArray[np.bool_]:
    """Return which pieces overlap any of the places in the text, shape (pieces,)."""
    mask = np.zeros(len(offsets), bool)
    for start, end in places:
        mask |= (offsets[:, 1] > start) & (offsets[:, 0] < end) & (offsets[:, 1] > offsets[:, 0])
    return mask
