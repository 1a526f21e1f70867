from __future__ import annotations

import pytest

from rag.steps.background import select_conversation
from rag.steps.classify import classify
from rag.values import Question, Turn

LEAVE = (Turn("user", "Who approves leave in Milan?"), Turn("assistant", "Marco Rossi."))
STATES = (Turn("user", "Which states has a case?"), Turn("assistant", "Three: open, map, close."))
DECIDED = (Turn("user", "Anna decided that we stay on FxStore 0.2.9."), Turn("assistant", "Noted."))


def leaned(text: str, history: tuple[Turn, ...], summary: str = "") -> tuple[tuple[Turn, ...], str]:
    question = Question(text, history, summary)
    return select_conversation(question, classify(question))


def test_follow_up_leans_on_its_thread_alone() -> None:
    assert leaned("and the second?", (*LEAVE, *STATES), "Anna is new.") == (STATES, "")


def test_follow_up_whose_thread_begins_before_the_window_needs_the_summary() -> None:
    history = (Turn("user", "and in Berlin?"), Turn("assistant", "Ines."))
    assert leaned("and in Lisbon?", history, "The user asked about leave.") == (
        history,
        "The user asked about leave.",
    )


def test_question_that_stands_alone_leans_on_nothing() -> None:
    assert leaned("When is lunch served in the canteen?", (*LEAVE, *STATES), "Anna is new.") == ((), "")


@pytest.mark.parametrize(
    ("history", "summary"), [(DECIDED, ""), (LEAVE, "Anna decided that the team stays on FxStore 0.2.9.")]
)
def test_question_about_what_was_said_leans_on_it(history: tuple[Turn, ...], summary: str) -> None:
    assert leaned("What did Anna decide about FxStore?", history, summary) == (history, summary)


def test_thanks_lean_on_nothing() -> None:
    assert leaned("thanks!", LEAVE) == ((), "")
