from __future__ import annotations

import itertools
from functools import partial
from typing import get_args

import pytest

from rag.loop import routing
from rag.loop.routing import TABLE, NextStep, Situation
from rag.values import Quality

faulty = partial(Situation, "unchecked", is_defective=True)

# One entry for every row of the table, in its order.
ROWS: list[tuple[str, Situation, NextStep]] = [
    ("a doubted text is written again", Situation("adequate", is_doubted=True), "again"),
    (
        "general knowledge beside documents that may answer reads them",
        Situation("adequate", is_general=True),
        "retrieve",
    ),
    ("adequate finishes", Situation("adequate"), "finish"),
    ("used up retries finish", Situation("hallucination", has_retries=False), "finish"),
    (
        "a text that is disputed twice finishes",
        Situation("hallucination", has_documents=True, is_disputed=True, was_disputed=True),
        "finish",
    ),
    (
        "a disputed text is written once more",
        Situation("hallucination", has_documents=True, is_disputed=True),
        "again",
    ),
    (
        "a faulty draft beside documents that answer reads them",
        faulty(is_covered=True, is_cut=True),
        "retrieve",
    ),
    ("a second faulty draft reads the documents", faulty(was_defective=True, is_cut=True), "retrieve"),
    ("a cut text is written on", faulty(is_cut=True), "continue"),
    ("a faulty text is written again", Situation("off_topic", is_defective=True), "again"),
    ("a failed judge finishes", Situation("unchecked"), "finish"),
    ("nothing new finishes", Situation("needs_docs", has_documents=True, is_exhausted=True), "finish"),
    ("off topic is read again", Situation("off_topic"), "classify"),
    ("needs_docs without documents retrieves", Situation("needs_docs"), "retrieve"),
    ("needs_docs with documents rewrites", Situation("needs_docs", has_documents=True), "rewrite"),
    ("hallucination retrieves", Situation("hallucination"), "retrieve"),
]


@pytest.mark.parametrize(
    ("number", "given", "expected"),
    [(n, given, expected) for n, (_, given, expected) in enumerate(ROWS)],
    ids=[name for name, _, _ in ROWS],
)
def test_every_row_of_the_table_decides_its_case(number: int, given: Situation, expected: NextStep) -> None:
    assert routing.route(given) is TABLE[number]
    assert TABLE[number].then == expected


def test_every_row_has_a_case() -> None:
    assert len(ROWS) == len(TABLE)


def test_hallucination_retrieves_with_documents_as_well() -> None:
    assert routing.route(Situation("hallucination", has_documents=True)).then == "retrieve"


@pytest.mark.parametrize(
    "given",
    [
        faulty(has_documents=True, is_covered=True, was_defective=True),
        faulty(is_covered=True, was_defective=True, is_exhausted=True),
    ],
    ids=["written from documents", "no passage that is new"],
)
def test_faulty_text_that_the_documents_cannot_mend_is_written_again(given: Situation) -> None:
    assert routing.route(given).then == "again"


def test_every_situation_has_exactly_one_next_step() -> None:
    for quality, has_documents, has_retries, *others in itertools.product(
        get_args(Quality), *[(False, True)] * 11
    ):
        step = routing.route(Situation(quality, has_documents, has_retries, *others)).then
        assert step in get_args(NextStep)
        assert has_retries or step == "finish"
