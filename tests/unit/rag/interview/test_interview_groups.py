"""Groups of facts of which one is enough: each is asked for until one has a value."""

from __future__ import annotations

from typing import Any

import pytest

from rag.interview.documents import State
from rag.interview.events import Undone, fold
from rag.interview.issues import path_of
from rag.interview.turns import open_question
from rag.interview.workflow import open_with_question
from tests.support.talks import NOW, Interview, Talk, say

PHONE, REASON = "/equipment/phone", "/equipment/no_phone_reason"
NONE, UNKNOWN = "not needed", "I do not know"


def all_but_the_group() -> Talk:
    """An onboarding of which only the phone is missing, or why there is none."""
    talk = Talk("onboarding")
    told: dict[str, Any] = {
        "/person": {"name": "Kim Lee", "role": "tester", "team": "QA"},
        "/start": {"date": "1 June", "place": "office"},
        "/equipment": {"laptop": "a light one"},
        "/access": {"systems": "the wiki"},
    }
    text = "Kim Lee, tester, QA, 1 June, office, a light one, the wiki"
    talk.says(text, {path: (value, text) for path, value in told.items()})
    assert talk.question.path == PHONE
    return talk


def blocked_by(state: State) -> list[str]:
    assert state.gate is not None
    return [blocker.path for blocker in state.gate.blockers or ()]


def asked(talk: Talk) -> list[str]:
    return [one.path for one in talk.state.dialogue.asked]


@pytest.mark.parametrize("first", [NONE, UNKNOWN])
def test_next_fact_of_a_group_is_asked_for_where_the_first_is_none_or_not_known(first: str) -> None:
    talk = all_but_the_group()
    talk.says(first)
    assert talk.question.path == REASON
    assert talk.question.question_text == "Why do they need no phone?"
    assert blocked_by(talk.state) == [REASON]
    talk.says("One of her own", {REASON: ("one of her own", "One of her own")})
    assert talk.state.meta.status == "ready"
    assert asked(talk) == [PHONE, REASON]
    # What was not known is not open any more: the other fact makes up for it.
    assert {issue.status for issue in talk.state.issues} <= {"resolved"}
    # Undo brings the question back.
    talk.events.append(Undone(at=NOW))
    assert talk.question.path == REASON
    assert all(issue.status == "open" for issue in talk.state.issues)


def test_group_of_which_nothing_applies_is_complete() -> None:
    talk = all_but_the_group()
    talk.says(NONE)
    talk.says(NONE)
    assert talk.state.meta.status == "ready"
    assert asked(talk) == [PHONE, REASON]


@pytest.mark.parametrize(
    ("answers", "left"),
    [
        ((UNKNOWN, UNKNOWN), [PHONE, REASON]),
        ((NONE, UNKNOWN), [REASON]),
        ((UNKNOWN, NONE), [PHONE]),
    ],
    ids=["both not known", "none, then not known", "not known, then none"],
)
def test_group_of_which_something_is_not_known_stays_open_and_nothing_is_asked_twice(
    answers: tuple[str, str], left: list[str]
) -> None:
    talk = all_but_the_group()
    for answer in answers:
        talk.says(answer)
    assert talk.state.meta.status == "blocked"
    assert asked(talk) == [PHONE, REASON]
    assert blocked_by(talk.state) == left[:1]
    assert [path_of(issue) for issue in talk.state.issues if issue.status == "open"] == left
    # It can still be told.
    talk.says("A pager", {PHONE: ("a pager", "A pager")})
    assert talk.state.facts[PHONE].status == ("confirmed" if PHONE in left else "disputed")


def test_other_fact_that_was_told_by_itself_needs_no_question() -> None:
    talk = all_but_the_group()
    talk.says("She has one of her own", {REASON: ("one of her own", "one of her own")})
    assert talk.state.meta.status == "ready"


def test_value_that_a_model_made_up_meets_no_group_until_it_is_confirmed() -> None:
    talk = all_but_the_group()
    talk.says("Hm", {REASON: ("she dislikes them", "")})
    assert (talk.question.path, talk.question.facet) == (REASON, "confirm")
    talk.says("no")
    assert talk.question.path == PHONE


async def test_small_model_is_asked_for_the_next_fact_of_a_group() -> None:
    interview = Interview(lambda _request: "одиннадцать месяцев", pack="contract_ru", model="embedded")
    interview.events.append(open_with_question(interview.events, interview.mission, NOW, say))
    while (question := open_question(fold(interview.events))) and question.path != "/dates/term":
        await interview.says("1" if question.choices else "не требуется")
    assert question is not None
    assert fold(interview.events).facts["/dates/end"].status == "not_applicable"
    assert interview.model.requests == []
    await interview.says("одиннадцать месяцев")
    (request,) = interview.model.requests
    assert "срок" in request.messages[-1].text
    assert fold(interview.events).domain["dates"] == {"term": "одиннадцать месяцев"}
    assert fold(interview.events).meta.status == "ready"
