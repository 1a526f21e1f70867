from __future__ import annotations

import itertools
from typing import get_args

import pytest

from rag.loop import routing
from rag.loop.routing import TABLE, NextStep, Situation
from rag.reasons import as_written
from rag.values import Quality, Verdict


def situation(
    quality: Quality,
    *,
    has_documents: bool = False,
    retries_left: int = 2,
    is_defective: bool = False,
    is_exhausted: bool = False,
    is_cut: bool = False,
    is_doubted: bool = False,
    is_disputed: bool = False,
    was_disputed: bool = False,
) -> Situation:
    return Situation(
        Verdict(quality, as_written("because"), 0.9, "evidence"),
        has_documents,
        retries_left,
        is_defective,
        is_exhausted,
        is_cut,
        is_doubted,
        is_disputed,
        was_disputed,
    )


# One entry for every row of the table, in its order.
ROWS: list[tuple[str, Situation, NextStep]] = [
    ("a doubted text is written again", situation("adequate", is_doubted=True), "again"),
    ("adequate finishes", situation("adequate"), "finish"),
    ("used up retries finish", situation("hallucination", retries_left=0), "finish"),
    (
        "a text that is disputed twice finishes",
        situation("hallucination", has_documents=True, is_disputed=True, was_disputed=True),
        "finish",
    ),
    (
        "a disputed text is written once more",
        situation("hallucination", has_documents=True, is_disputed=True),
        "again",
    ),
    ("a cut text is written on", situation("unchecked", is_defective=True, is_cut=True), "continue"),
    ("a faulty text is written again", situation("off_topic", is_defective=True), "again"),
    ("a failed judge finishes", situation("unchecked"), "finish"),
    ("nothing new finishes", situation("needs_docs", has_documents=True, is_exhausted=True), "finish"),
    ("off topic is read again", situation("off_topic"), "classify"),
    ("needs_docs without documents retrieves", situation("needs_docs"), "retrieve"),
    ("needs_docs with documents rewrites", situation("needs_docs", has_documents=True), "rewrite"),
    ("hallucination retrieves", situation("hallucination"), "retrieve"),
]


@pytest.mark.parametrize(
    ("number", "given", "expected"),
    [(n, given, expected) for n, (_, given, expected) in enumerate(ROWS)],
    ids=[name for name, _, _ in ROWS],
)
def test_every_row_of_the_table_decides_its_case(number: int, given: Situation, expected: NextStep) -> None:
    assert routing.route(given) is TABLE[number]
    assert routing.next_step(given) == expected


def test_every_row_has_a_case() -> None:
    assert len(ROWS) == len(TABLE)


@pytest.mark.parametrize("has_documents", [False, True])
def test_hallucination_retrieves_with_and_without_documents(has_documents: bool) -> None:
    assert routing.next_step(situation("hallucination", has_documents=has_documents)) == "retrieve"


def test_every_situation_has_exactly_one_next_step() -> None:
    either = (False, True)
    for (
        quality,
        has_documents,
        retries_left,
        is_defective,
        is_exhausted,
        is_cut,
        is_doubted,
        is_disputed,
        was_disputed,
    ) in itertools.product(get_args(Quality), either, (0, 1, 2), *[either] * 6):
        step = routing.next_step(
            situation(
                quality,
                has_documents=has_documents,
                retries_left=retries_left,
                is_defective=is_defective,
                is_exhausted=is_exhausted,
                is_cut=is_cut,
                is_doubted=is_doubted,
                is_disputed=is_disputed,
                was_disputed=was_disputed,
            )
        )
        assert step in get_args(NextStep)
        if retries_left == 0:
            assert step == "finish"


def test_fewer_than_no_retries_left_still_finishes() -> None:
    assert routing.next_step(situation("needs_docs", retries_left=-1)) == "finish"
