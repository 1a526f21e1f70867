"""Turns of an interview with a scripted model behind the real steps."""

from __future__ import annotations

import json
import re

import pytest

from rag.errors import InputError, ModelUnavailableError
from rag.interview import workflow
from rag.interview.events import TurnApplied, fold, hash_state, list_pending
from rag.interview.turns import open_question
from rag.models.chat import ChatRequest
from rag.models.scripted import Reply
from tests.support.interviews import FACTS, changes
from tests.support.talks import NOW, Interview, say


def product(_request: ChatRequest) -> Reply:
    return changes({"/product": "editor"})


async def test_question_of_the_model_is_asked_if_its_path_is_open_and_the_packs_otherwise() -> None:
    def script(request: ChatRequest) -> Reply:
        path = "/steps" if "first" in request.messages[-1].text else "/meta/status"
        asked = {"question_text": "Tell me how?", "path": path}
        return changes(next_action={"kind": "ask_user", "ask_user": asked})

    interview = Interview(script)
    await interview.says("first")
    assert fold(interview.events).dialogue.asked[-1].path == "/steps"
    assert fold(interview.events).dialogue.asked[-1].text == "Tell me how?"
    await interview.says("second")
    assert fold(interview.events).dialogue.asked[-1].path == "/product"


async def test_answer_that_code_understands_leaves_the_message_that_waits_to_a_model() -> None:
    replies: list[Reply] = [changes(), ModelUnavailableError("down")]
    interview = Interview(lambda request: replies.pop(0) if replies else product(request))
    await interview.says("Hello", turn_id="first")
    await interview.says("It is the editor.", turn_id="waits")
    answered = await interview.says("I do not know", turn_id="answer")
    assert isinstance(answered, TurnApplied)
    assert [turn.id for turn in answered.turns] == ["answer"]
    assert [turn.id for turn in list_pending(interview.events)] == ["waits"]
    await interview.says("Go on.")
    assert fold(interview.events).domain == {"product": "editor"}


async def test_same_message_twice_is_one_turn() -> None:
    interview = Interview(product)
    await interview.says("It is the editor.", turn_id="once")
    assert await interview.says("It is the editor.", turn_id="once") is None
    assert len(interview.model.requests) == 1


@pytest.mark.parametrize(
    "text",
    ["", "  \n", "\u200b\u200b", "a\x00b", "x" * (workflow.MAX_MESSAGE_CHARACTERS + 1)],
    ids=["empty", "spaces", "invisible", "NUL", "long"],
)
async def test_message_without_words_is_refused_before_anything_is_paid(text: str) -> None:
    interview = Interview(product)
    with pytest.raises(InputError):
        await interview.says(text)
    assert interview.model.requests == []


NAMES = (
    "product",
    "version",
    "steps to reproduce",
    "expected behaviour",
    "actual behaviour",
    "operating system",
)
WORDS = dict(zip(NAMES, FACTS.values(), strict=True))


def copying(request: ChatRequest) -> Reply:
    """A small model: it copies words, or says that they are not there; of the severity it invents some."""
    text = request.messages[-1].text
    (wanted,) = re.findall(r"state this: (.*)\?", text)
    message = text.split("</message>")[0]
    words = WORDS.get(wanted, "terribly severe")
    return words if words in message or wanted == "severity" else "not stated"


async def test_small_model_is_asked_for_one_fact_at_a_time_and_what_it_did_not_copy_is_dropped() -> None:
    interview = Interview(copying, model="embedded")
    await interview.says(
        "In the editor 2.1 I press save, expect a saved file, and get an empty one. My system is Linux."
    )
    state = fold(interview.events)
    assert state.domain == {
        "product": "the editor", "version": "2.1", "steps": "I press save", "expected": "a saved file",
        "actual": "an empty one", "environment": {"os": "Linux"},
    }  # fmt: skip
    # Nothing of it answers a question, so the person is asked to confirm it.
    assert {fact.status for fact in state.facts.values()} == {"proposed"}
    assert state.next_action is not None
    assert state.next_action.ask_user is not None
    assert state.next_action.ask_user.path == "/severity"
    await interview.says("I cannot work at all")
    for _ in state.facts:
        question = open_question(fold(interview.events))
        assert question is not None
        assert question.facet == "confirm"
        await interview.says("yes")
    assert fold(interview.events).meta.status == "ready"
    assert all(request.purpose == "extract" for request in interview.model.requests)


async def test_two_runs_of_a_scripted_interview_end_in_the_same_state() -> None:
    hashes, domains = set(), []
    for _ in range(2):
        interview = Interview(copying, model="embedded")
        for text in ("The program is broken", "It is the editor", "2.1", "Linux"):
            await interview.says(text)
        hashes.add(hash_state(fold(interview.events)))
        domains.append(json.loads(fold(interview.events).model_dump_json())["domain"])
    assert len(hashes) == 1
    assert domains[0]["version"] == "2.1"


def echoing(request: ChatRequest) -> Reply:
    """A small model that repeats what it is asked for instead of copying."""
    (wanted,) = re.findall(r"state this: (.*)\?", request.messages[-1].text)
    return f"“{wanted}”"


async def test_answer_that_a_small_model_cannot_copy_is_proposed_and_confirmed_by_the_person() -> None:
    interview = Interview(echoing, model="embedded")
    interview.events.append(workflow.open_with_question(interview.events, interview.mission, NOW, say))
    await interview.says("It is the editor.")
    state = fold(interview.events)
    assert state.domain == {"product": "It is the editor"}
    assert state.facts["/product"].status == "proposed"
    # The answer is short, so nothing else was looked for in it.
    assert len(interview.model.requests) == 1
    while (question := open_question(fold(interview.events))) and question.facet != "confirm":
        await interview.says("nothing" if question.path != "/severity" else "1")
    assert question is not None
    assert "It is the editor" in question.question_text
    await interview.says("yes")
    assert fold(interview.events).facts["/product"].status == "confirmed"


async def test_copy_that_a_small_model_cuts_short_is_the_whole_answer() -> None:
    def cutting(request: ChatRequest) -> Reply:
        return "chart" if "chart page" in request.messages[-1].text else "not stated"

    interview = Interview(cutting, model="embedded")
    interview.events.append(workflow.open_with_question(interview.events, interview.mission, NOW, say))
    await interview.says("Let me have a look.")
    assert fold(interview.events).domain == {}
    await interview.says("the chart page")
    state = fold(interview.events)
    assert state.domain == {"product": "the chart page"}
    assert state.facts["/product"].status == "confirmed"


async def test_last_answer_that_a_small_model_finds_nothing_in_is_proposed_and_confirmed_by_the_person() -> (
    None
):
    interview = Interview(lambda _: "not stated", model="embedded")
    interview.events.append(workflow.open_with_question(interview.events, interview.mission, NOW, say))
    await interview.says("Wait a moment.")
    state = fold(interview.events)
    # It is asked for once more, so what was said may have been no answer.
    assert state.domain == {}
    assert state.next_action is not None
    assert state.next_action.ask_user is not None
    assert state.next_action.ask_user.path == "/product"
    await interview.says("The 2 March one.")
    state = fold(interview.events)
    assert state.domain == {"product": "The 2 March one"}
    assert state.facts["/product"].status == "proposed"


async def test_question_of_the_person_is_not_proposed_as_an_answer() -> None:
    interview = Interview(lambda _: "not stated", model="embedded")
    interview.events.append(workflow.open_with_question(interview.events, interview.mission, NOW, say))
    for _ in range(2):
        await interview.says("What do you mean?")
    assert fold(interview.events).domain == {}
