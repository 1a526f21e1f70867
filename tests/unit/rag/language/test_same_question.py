"""Whether two wordings are the same question."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.language.same_question import is_same_question


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Which Java does FxStore need?", "which java does fxstore need"),
        ("Which Java does FxStore need?", "Which Java does the FxStore need"),
        ("Who approves a release?", "Who approves releases?"),
        ("За сколько подают заявление на отпуск?", "за сколько подают заявления на отпуск"),
        ("휴가는 며칠인가요?", "휴가는 며칠인가요"),
        ("请假需要几天?", "请假需要几天"),
        ("Berapa hari cuti saya?", "berapa hari cuti"),
        ("¿Quién aprueba la versión?", "quién aprueba la versión"),
    ],
)
def test_wordings_of_one_question_are_the_same(one: str, other: str) -> None:
    assert is_same_question(one, other)
    assert is_same_question(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Which Java does FxStore need?", "Why does FxStore need Java?"),
        ("Which Java does FxStore need?", "Which Java did FxStore need before?"),
        ("Which Java does FxStore need?", "Does FxStore need Java?"),
        ("Which Java does FxStore need?", "Which Java does FxStore 4 need?"),
        ("Which Java does FxStore need?", "Which Java does BarStore need?"),
        ("Which Java does FxStore need?", "Which Java does FxStore not need?"),
        ("How do I start the server?", "How do I stop the server?"),
        ("Who approves a release?", "When is a release approved?"),
        ("Can I go with him?", "Can I go without him?"),
        ("When did X start before Y?", "When did X start after Y?"),
        ("За сколько подают заявление на отпуск?", "Когда подают заявление на отпуск?"),
        ("휴가는 며칠인가요?", "휴가는 언제인가요?"),
        ("请假需要几天?", "谁批准请假?"),
        ("¿Quién aprueba una versión?", "¿Cuándo se aprueba una versión?"),
        ("???", "?!"),
    ],
)
def test_other_questions_are_not(one: str, other: str) -> None:
    assert not is_same_question(one, other)
    assert not is_same_question(other, one)


@given(st.text(max_size=200), st.text(max_size=200))
def test_order_of_the_two_does_not_matter(one: str, other: str) -> None:
    assert is_same_question(one, other) == is_same_question(other, one)


@given(st.text(max_size=200))
def test_every_text_is_the_same_as_itself(text: str) -> None:
    assert is_same_question(text, f" {text} ")
