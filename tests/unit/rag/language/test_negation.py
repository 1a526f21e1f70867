from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.language import negation


@pytest.mark.parametrize(
    "clause",
    [
        "Java 17 is no longer supported", "it does not start", "it doesn't start", "without a key",
        "Java 17 больше не поддерживается", "нельзя удалить", "ya nunca funciona", "tidak didukung",
        "Java 17 不再支持", "지원하지 않습니다", "wird nicht unterstützt",
        "Java 11 was dropped in release 4.0", "поддержка Java 11 прекращена", "Java 11 fue retirada",
        "Java 11 已弃用", "请别吸烟", "Java 11 지원이 중단되었습니다", "dukungan Java 11 dihentikan",
    ],
)  # fmt: skip
def test_clause_that_says_no_denies(clause: str) -> None:
    assert negation.denies(clause)


@pytest.mark.parametrize(
    "clause",
    [
        "FxStore needs Java 17", "at most 2 corrections", "no more than 2 corrections", "не более двух попыток",
        "no más de dos", "tidak lebih dari dua", "不超过两次", "the notes of the knot", "최대 두 번",
        "分别设置", "按组别排序", "选择国别", "鉴别真伪",
    ],
)  # fmt: skip
def test_limit_is_no_denial(clause: str) -> None:
    assert not negation.denies(clause)


@given(st.text(max_size=200))
def test_clauses_lose_no_letter(text: str) -> None:
    kept = "".join(negation.clauses(text))
    assert len(kept) <= len(text)
    assert negation.denies(text) in {True, False}


@pytest.mark.parametrize(
    ("sentence", "count"),
    [
        ("Guests may not enter.", 1), ("Guests don't enter.", 1), ("Guests enter without a badge.", 0),
        ("It takes no more than two days.", 0), ("Гости никогда не входят.", 1), ("Без пропуска входят.", 0),
        ("No entran nunca los invitados.", 1), ("Tamu tidak masuk tanpa kartu.", 1),
        ("访客不得进入。", 1), ("不超过两次", 0), ("손님은 들어올 수 없습니다.", 1), ("카드 없이 들어온다.", 0),
    ],
)  # fmt: skip
def test_words_that_turn_a_sentence_are_counted(sentence: str, count: int) -> None:
    assert negation.negations(sentence) == count


def test_time_and_decimal_are_not_cut_into_clauses() -> None:
    assert negation.clauses("It closes at 19:00, and 1,5 hours later.")[0] == "It closes at 19:00"


@pytest.mark.parametrize("piece", ["no a ", "not ", "不", "지 ", "no " * 3])
def test_huge_text_is_counted_in_no_time(piece: str) -> None:
    started = time.perf_counter()
    negation.negations(piece * 20_000)
    assert time.perf_counter() - started < 10
