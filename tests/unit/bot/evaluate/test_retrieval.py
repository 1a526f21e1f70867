from __future__ import annotations

import math

import pytest

from bot.evaluate import retrieval
from bot.evaluate.retrieval import Found, RetrievalReport, Searched
from bot.evaluate.rows import LabelledQuestion
from rag.knowledge.search import Hit
from rag.values import Passage, PassageId


def hit(source: str, text: str) -> Hit:
    return Hit(Passage(PassageId(f"{source}{text}"), source, "", text, source=source), 0.5, 1.0)


def question(**more: object) -> LabelledQuestion:
    return LabelledQuestion.model_validate({"id": "1", "question": "Which port?", **more})


HITS = [
    hit("a", "The port is 80."),
    hit("a", "Another part."),
    hit("b", "It is 8443 now."),
    hit("c", "84431"),
]


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        (question(passages=["b"]), (False, True, False)),
        (question(passages=["x"]), (False, False, False)),
        (question(answers=["8443"]), (False, True, False)),  # 84431 is another number
    ],
    ids=["by-id", "id-not-found", "by-answer"],
)
def test_relevance_is_judged_document_by_document(row: LabelledQuestion, expected: tuple[bool, ...]) -> None:
    assert retrieval._relevance(row, HITS) == expected


def test_gain_and_rank_of_the_second_place() -> None:
    relevance = (False, True, False)
    assert retrieval.reciprocal_rank(relevance) == 0.5
    assert retrieval.gain(relevance, 1) == pytest.approx(1 / math.log2(3))
    assert retrieval.gain((True, True), 2) == 1.0
    assert retrieval.gain((False, False), 1) == 0.0


@pytest.mark.parametrize(
    ("relevance", "wanted", "expected"),
    [
        ((True,), 3, 1 / (1 + 1 / math.log2(3) + 1 / 2)),
        ((), 3, 0.0),
        ((True,) * 10, 12, 1.0),  # no ten documents could be better
        ((True, True), 1, 1.0),  # without ids, those found count
    ],
    ids=["fewer-found-than-wanted", "nothing-found", "more-wanted-than-looked-at", "more-found-than-known"],
)
def test_gain_is_measured_against_all_that_is_wanted(
    relevance: tuple[bool, ...], wanted: int, expected: float
) -> None:
    assert retrieval.gain(relevance, wanted) == pytest.approx(expected)


def test_report_has_the_promised_shape() -> None:
    found = Found(
        question(history=[{"role": "user", "text": "x"}], lang="en"),
        {"words": (True,), "vectors": (False, True), "fusion": (False,) * 6 + (True,)},
        1,
        3.0,
    )
    report = RetrievalReport((Searched(found, found),), without_gold=2).to_json()
    assert report["rows"] == 1
    assert report["recall"] == {
        "words": {"1": 1.0, "5": 1.0, "10": 1.0},
        "vectors": {"1": 0.0, "5": 1.0, "10": 1.0},
        "fusion": {"1": 0.0, "5": 0.0, "10": 1.0},
    }
    assert report["mrr"]["vectors"] == 0.5
    assert set(report["ndcg10"]) == {"words", "vectors", "fusion"}
    assert report["ms"] == {"p50": 3.0, "p95": 3.0}
    assert report["by_language"]["en"]["rows"] == 1
    assert report["with_history"]["recall"] == report["recall"]
    assert report["without_gold"] == 2
