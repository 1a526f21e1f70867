from __future__ import annotations

from collections import Counter

import pytest

from bot.evaluate import stream
from bot.evaluate.rows import LabelledQuestion, LabelledSet


def questions(count: int) -> LabelledSet[LabelledQuestion]:
    rows = [
        LabelledQuestion.model_validate({"id": str(n), "kind": "docs", "question": "q", "answers": ["a"]})
        for n in range(count)
    ]
    return LabelledSet(tuple(rows), ())


def test_everyday_rows_are_enough_and_in_several_languages() -> None:
    rows = stream.everyday()
    assert len(rows) >= 40
    assert {row.lang for row in rows} == {"en", "ru", "zh", "es", "ko", "id"}
    assert len({row.id for row in rows}) == len(rows)
    assert all(row.answers for row in rows if row.kind == "general")
    assert Counter(row.kind for row in rows) == {"small_talk": 48, "general": 48}


@pytest.mark.parametrize(
    ("count", "limit", "documents", "talk"),
    [(250, 40, 20, 20), (250, 41, 21, 20), (250, 1, 1, 0), (5, 40, 5, 35), (10, None, 10, 10), (200, None, 200, 96)],
    ids=["even", "odd", "one", "small set", "whole small set", "whole large set"],
)  # fmt: skip
def test_half_of_the_stream_is_everyday_talk(
    count: int, limit: int | None, documents: int, talk: int
) -> None:
    found = Counter(stream.group(row) == "documents" for row in stream.mixed(questions(count), limit))
    assert (found[True], found[False]) == (documents, talk)


def test_documents_and_talk_take_turns_from_the_beginning() -> None:
    groups = [stream.group(row) for row in stream.mixed(questions(100), 8)]
    assert groups == ["documents", "small_talk", "documents", "general"] * 2


def test_small_stream_spans_the_whole_set() -> None:
    rows = [row for row in stream.mixed(questions(100), 8) if stream.group(row) == "documents"]
    assert [row.id for row in rows] == ["0", "25", "50", "75"]


def test_row_that_does_not_say_what_is_right_is_left_out() -> None:
    bare = LabelledQuestion.model_validate({"id": "x", "kind": "docs", "question": "q"})
    assert {stream.group(row) for row in stream.mixed(LabelledSet((bare,), ()), 4)} == {
        "small_talk",
        "general",
    }
