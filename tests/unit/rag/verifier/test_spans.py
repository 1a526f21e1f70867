from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.verifier import spans
from rag.verifier.spans import Scores


def scores(start: list[float], end: list[float], windows: tuple[int, ...] = (0,)) -> Scores:
    """A passage of pieces of two characters."""
    count = len(start)
    offsets = np.array([(2 * n, 2 * n + 2) for n in range(count)], np.int64).reshape(-1, 2)
    first, last, evidence = (np.array(one, np.float32) for one in (start, end, [0.0] * count))
    return Scores(offsets, first, last, evidence, 0.0, windows)


@st.composite
def some_scores(draw: st.DrawFn) -> Scores:
    count = draw(st.integers(1, 60))
    logits = st.lists(st.floats(-40, 40, width=32), min_size=count, max_size=count)
    windows = draw(st.sets(st.integers(1, count - 1), max_size=3)) if count > 1 else set()
    return scores(draw(logits), draw(logits), (0, *sorted(windows)))


def test_likeliest_words_are_found() -> None:
    assert spans.best_span(scores([0, 9, 0, 0], [0, 0, 9, 0])) == (2, 6)


@given(some_scores(), st.floats(0, 2))
def test_words_that_answer_lie_in_one_window_of_the_passage(read: Scores, weight: float) -> None:
    start, end = spans.best_span(read)
    assert 0 <= start < end <= read.offsets[-1, 1]
    assert not any(start < 2 * first < end for first in read.windows), "spans do not cross windows"


@given(some_scores(), st.data())
def test_share_is_a_probability_and_grows_with_what_a_text_has(read: Scores, data: st.DataObject) -> None:
    count = len(read.start)
    masks = st.lists(st.booleans(), min_size=count, max_size=count).map(np.array)
    content, said = data.draw(masks), data.draw(masks)
    held = content & said
    found = spans.span_scores(read)
    part, whole = (spans.share(found, content, mask) for mask in (held, content))
    assert -1e-6 <= part <= whole + 1e-6 <= 1.0 + 2e-6
    assert spans.share(found, content, held, np.zeros(count, bool)) == 0.0, "nothing new is said"


def test_text_without_the_words_that_answer_has_a_small_share() -> None:
    found = spans.span_scores(scores([0, 9, 0, 0], [0, 9, 0, 0]))
    content = np.ones(4, bool)
    right, wrong = (spans.share(found, content, np.arange(4) == n) for n in (1, 3))
    assert right > 0.9 > 0.1 > wrong


def test_passage_without_pieces_answers_nothing() -> None:
    nothing = scores([], [])
    assert spans.best_span(nothing) == (0, 0)
    assert spans.span_scores(nothing).shape[0] == 0
    assert spans.share(spans.span_scores(nothing), np.zeros(0, bool), np.zeros(0, bool)) == 0.0


@pytest.mark.parametrize(
    ("places", "expected"),
    [([(0, 2)], [0]), ([(1, 3)], [0, 1]), ([(2, 2)], []), ([], []), ([(0, 1), (5, 99)], [0, 2, 3])],
)
def test_pieces_that_a_place_touches_are_marked(places: list[tuple[int, int]], expected: list[int]) -> None:
    mask = spans.piece_mask(scores([0.0] * 4, [0.0] * 4).offsets, places)
    assert list(np.flatnonzero(mask)) == expected
