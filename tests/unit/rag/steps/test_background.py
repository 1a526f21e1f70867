from __future__ import annotations

from typing import Any

import pytest

from rag.reasons import as_written
from rag.settings import Budget
from rag.steps.background import select_conversation
from rag.steps.classify import classify
from rag.values import Question, Turn, Verdict
from tests.support.loop import engine, scripted

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


SUMMARY = "The user is Mira, who looks after the printers in Porto."


async def test_summary_of_older_talk_reaches_every_step_that_needs_the_conversation(
    verdict_of: dict[str, Any],
) -> None:
    draft = "It may be the second one, but nobody can say that for sure about it today."
    verdict_of[draft] = Verdict("off_topic", as_written("perhaps beside the point"), 0.5, "evidence")
    asked = Question(
        "and the second one?", (Turn("user", "and in Porto?"), Turn("assistant", "Two.")), SUMMARY
    )
    script: dict[str, Any] = {
        "draft": draft,
        "judge": {"answer_quality": "off_topic", "reason": "missed", "confidence": 0.9},
        "classify": {"intent": "follow_up", "question": "Which is the second printer in Porto?"},
        "review": {"status": "pass"},
        "critique": {"accuracy": 0.1, "helpfulness": 0.1, "completeness": 0.1, "issues": ["It is vague."]},
        "refine": {"answer": draft},
        "standalone": "Which is the second printer in Porto?",
        "regenerate": draft,
        "read": "not stated",
    }
    seen: dict[str, str] = {}
    ways: tuple[dict[str, Any], ...] = ({"mode": "careful"}, {"mode": "careful", "fast_path": "never"})
    for settings in ways:
        model = scripted(**script)
        await engine(model, budget=Budget(calls=20), **settings).answer(asked)
        seen |= {request.purpose: request.messages[-1].text for request in model.requests}
    needing = {"draft", "standalone", "regenerate", "judge", "review", "critique", "refine", "classify"}
    assert needing <= set(seen)
    assert {name for name, message in seen.items() if SUMMARY in message} == needing
