"""Turns of an interview as decisions: what is asked, noted, contradicted, left open and refused."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from rag.interview.documents import AskUser, Choice, DialogueTurn, NextAction, StepOutput
from rag.interview.events import Migrated, TurnApplied, Undone
from rag.interview.issues import path_of
from rag.interview.patch import PatchError
from rag.interview.pointers import find
from rag.interview.turns import plan_answer, plan_interpretation, understand
from tests.support.talks import NOW, Talk, say_code


def _status(talk: Talk, path: str) -> str:
    return talk.state.facts[path].status


def test_interview_ends_when_everything_is_confirmed() -> None:
    talk = Talk()
    talk.says("Hello")
    assert talk.question.path == "/product"
    talk.finish()
    state = talk.state
    assert state.meta.status == "ready"
    assert state.next_action is not None
    assert state.next_action.kind == "proceed_to_skeleton"
    assert state.domain["severity"] == "major"
    assert {fact.status for fact in state.facts.values()} == {"confirmed"}
    assert state.meta.state_version == 4


def test_invented_value_is_asked_about_before_the_end() -> None:
    talk = Talk()
    talk.says("Hello", {"/environment": ({"os": "Windows 11"}, "Hello")})
    finish_without_os = {
        "/product": ("editor", "editor"), "/version": ("2.1", "2.1"), "/steps": ("save", "save"),
        "/expected": ("a file", "a file"), "/actual": ("nothing", "nothing"), "/severity": ("minor", "minor"),
    }  # fmt: skip
    talk.says("editor 2.1, save, a file, nothing, minor", finish_without_os)
    assert (talk.question.path, talk.question.facet) == ("/environment/os", "confirm")
    assert "Windows 11" in talk.question.question_text
    talk.says("no, wrong")
    assert "os" not in talk.state.domain["environment"]  # type: ignore[operator]  # an object
    assert (talk.question.path, talk.question.facet) == ("/environment/os", "value")
    talk.says("Linux", {"/environment/os": ("Linux", "Linux")})
    assert talk.state.meta.status == "ready"


@pytest.mark.parametrize(
    ("reply", "value"), [("1", "editor"), ("viewer", "viewer")], ids=["the first", "the second"]
)
def test_contradiction_becomes_a_question_and_the_answer_settles_it(reply: str, value: str) -> None:
    talk = Talk()
    talk.says("It is the editor", {"/product": ("editor", "the editor")})
    talk.says("It is the viewer", {"/product": ("viewer", "the viewer")})
    assert talk.state.domain["product"] == "editor"
    assert _status(talk, "/product") == "disputed"
    assert talk.question.facet == "conflict"
    assert "editor" in talk.question.question_text
    assert "viewer" in talk.question.question_text
    assert [issue.status for issue in talk.state.issues] == ["open"]
    talk.says(reply)
    assert talk.state.domain["product"] == value
    assert _status(talk, "/product") == "confirmed"
    assert [issue.status for issue in talk.state.issues] == ["resolved"]
    assert talk.question.path == "/version"


def test_message_that_gives_two_values_for_one_thing_is_asked_about() -> None:
    talk = Talk()
    talk.says("Hello")
    values = ("editor", "viewer")
    talk.says(
        "In the editor, or was it the viewer",
        raw=[{"op": "add", "path": "/domain/product", "value": value, "quote": value} for value in values],
    )
    assert _status(talk, "/product") == "disputed"
    assert talk.state.domain["product"] == "editor"
    assert (talk.question.path, talk.question.facet) == ("/product", "conflict")
    talk.says("2")
    assert talk.state.domain["product"] == "viewer"
    assert _status(talk, "/product") == "confirmed"


def test_second_contradiction_at_a_path_leaves_the_first_one_as_it_was_settled() -> None:
    talk = Talk()
    talk.says("It is the editor", {"/product": ("editor", "the editor")})
    talk.says("It is the viewer", {"/product": ("viewer", "the viewer")})
    talk.says("1")
    (first,) = talk.state.issues
    talk.says("No, the printer", {"/product": ("printer", "the printer")})
    talk.says("2")
    assert talk.state.domain["product"] == "printer"
    again, second = talk.state.issues
    assert again == first
    assert second.status == "resolved"


def test_contradiction_moves_with_its_fact_to_another_version() -> None:
    talk = Talk()
    talk.says("It is the editor", {"/product": ("editor", "the editor")})
    talk.says("It is the viewer", {"/product": ("viewer", "the viewer")})
    talk.events.append(
        Migrated(schema_version="2.0.0", moves={"/product": "/application"}, at=NOW + timedelta(hours=1))
    )
    state = talk.state
    assert state.domain == {"application": "editor"}
    assert state.facts["/application"].status == "disputed"
    assert talk.question.path == "/application"
    (issue,) = state.issues
    assert issue.key == "conflict:/application"
    assert [one.ref for one in issue.evidence or ()] == ["/application", "t2"]


def test_nothing_is_asked_more_than_twice_and_never_in_the_same_words() -> None:
    talk = Talk()
    for _ in range(40):
        talk.says("I do not want to say that")
        if talk.state.meta.status == "blocked":
            break
    asked = talk.state.dialogue.asked
    assert talk.state.meta.status == "blocked"
    assert len(asked) == 14
    assert len({question.text for question in asked}) == len(asked)
    assert all(sum(other.path == question.path for other in asked) == 2 for question in asked)


@pytest.mark.parametrize("words", ["I do not know.", "I don’t know", "no idea"])
def test_what_the_person_does_not_know_is_left_open_and_not_asked_again(words: str) -> None:
    talk = Talk()
    for _ in range(8):
        if talk.state.meta.status == "blocked":
            break
        talk.says(words if talk.state.dialogue.asked else "Hello")
    state = talk.state
    asked = [one.path for one in state.dialogue.asked]
    assert state.meta.status == "blocked"
    assert len(asked) == len(set(asked)) == 7
    assert state.facts == {}
    assert state.gate is not None
    assert [blocker.path for blocker in state.gate.blockers or ()] == asked
    assert [path_of(issue) for issue in state.issues if issue.status == "open"] == asked
    # It is no answer that there is none: the interview ends once it is known.
    talk.finish_all_at_once()
    end = talk.state
    assert end.meta.status == "ready"
    assert {issue.status for issue in end.issues} == {"resolved"}


def test_what_is_not_known_can_be_told_later_and_nothing_else_settles_it() -> None:
    talk = Talk()
    talk.says("Hello")
    talk.says("I do not know")
    (issue,) = talk.state.issues
    assert talk.question.path == "/version"
    # A model cannot bring the question back, and undo can.
    proof = [{"kind": "turn", "ref": "t1"}]
    talk.says("Hm", issue_updates=[{"id": issue.id, "status": "resolved", "evidence": proof}])
    assert [one.status for one in talk.state.issues] == ["open"]
    assert talk.question.path == "/version"
    talk.says("It is the editor", {"/product": ("editor", "the editor")})
    (issue,) = talk.state.issues
    assert (issue.status, [one.ref for one in issue.evidence or ()]) == ("resolved", ["/product", "t2", "t4"])
    talk.events += [Undone(at=NOW)] * 3
    assert talk.state.issues == ()
    assert talk.question.path == "/product"


def test_question_with_choices_that_got_no_answer_is_asked_in_other_words() -> None:
    talk = Talk()
    talk.says("It is the editor", {"/product": ("editor", "the editor")})
    talk.says("It is the viewer", {"/product": ("viewer", "the viewer")})
    first = talk.question
    asked = talk.state.dialogue.asked
    talk.says("Why do you ask?")
    # A side question is no answer: the same question still waits.
    assert (talk.question, talk.state.dialogue.asked) == (first, asked)
    talk.says("Let me think.")
    assert (talk.question.path, talk.question.facet, talk.question.choices) == (
        first.path,
        first.facet,
        first.choices,
    )
    assert talk.question.question_text == f"interview-still-open: {first.question_text}"


@pytest.mark.parametrize(
    ("limits", "asked"),
    [({"max_questions_per_run": 3}, 3), ({"max_history_turns": 4}, 2)],
    ids=["of questions", "of the history"],
)
def test_limit_holds(limits: dict[str, Any], asked: int) -> None:
    talk = Talk(**limits)
    for _ in range(6):
        talk.says("Hm")
    assert [turn.role for turn in talk.state.dialogue.history[:4]] == ["user", "assistant"] * 2
    assert len(talk.state.dialogue.asked) == asked
    assert talk.state.meta.status == "blocked"
    assert talk.state.gate is not None
    assert talk.state.gate.blockers


def test_value_that_was_asked_for_twice_is_still_confirmed_by_the_person() -> None:
    talk = Talk()
    talk.says("Hello")
    talk.says("Hm")
    assert [one.path for one in talk.state.dialogue.asked] == ["/product"] * 2
    talk.says("Guess!", {"/product": ("the editor", "")})
    rest = ("/version", "/steps", "/expected", "/actual", "/environment/os")
    while (path := talk.question.path) in (*rest, "/severity"):
        talk.says("1" if path == "/severity" else "nothing")
    assert (talk.question.path, talk.question.facet) == ("/product", "confirm")


def test_choice_that_the_schema_forbids_is_no_answer() -> None:
    talk = Talk()
    choices = tuple(Choice(id=word, label=word, value=word) for word in ("awful", "fine"))
    question = AskUser(
        question_text="How bad?", answer_format="choices", choices=choices, path="/severity", facet="value"
    )
    turns = [DialogueTurn(id="t", role="user", text="awful", at=NOW)]
    asking = NextAction(kind="ask_user", ask_user=question)
    answer = understand(talk.state.model_copy(update={"next_action": asking}), "awful", talk.mission)
    assert answer is not None
    with pytest.raises(PatchError, match="/domain/severity"):
        plan_answer(talk.state, talk.mission, answer, turns, say_code)


def test_none_is_an_answer() -> None:
    talk = Talk()
    talk.says("Hello")
    talk.says("Not applicable.")
    assert talk.state.facts["/product"].status == "not_applicable"
    assert talk.question.path == "/version"


def test_message_after_the_end_reopens_the_interview() -> None:
    talk = Talk()
    talk.says("Hello")
    talk.finish()
    talk.says("In fact it is the viewer", {"/product": ("viewer", "the viewer")})
    assert talk.state.meta.status == "collecting"
    assert talk.question.facet == "conflict"


POSSIBLE = (
    "interview-impossible: severity, catastrophic, I cannot work at all, "
    "I can work around it with effort, It is a nuisance"
)


@pytest.mark.parametrize(
    ("patch", "remark"),
    [
        ({"/severity": ("catastrophic", "catastrophic")}, POSSIBLE),
        ({"/colour": ("green", "green")}, "interview-noted: green"),
        ({"/environment": ("Linux", "Linux")}, "interview-unfit: environment, Linux"),
        ({"/severity": ("awful", "never said")}, ""),
    ],
    ids=["not in the list", "no such field", "wrong type", "never said"],
)
def test_value_outside_the_schema_is_explained_and_kept_as_a_note(
    patch: dict[str, tuple[Any, str]], remark: str
) -> None:
    talk = Talk()
    talk.says("It is catastrophic and green on Linux", {**patch, "/version": ("Linux", "Linux")})
    event = talk.events[-1]
    assert isinstance(event, TurnApplied)
    assert (talk.state.domain, event.remark) == ({"version": "Linux"}, remark)
    assert len(talk.state.issues) == (remark != "")
    assert talk.question.path == "/product"
    assert event.reply is not None
    assert event.reply.text == "\n".join(filter(None, [remark, talk.question.question_text]))
    talk.finish()
    assert talk.state.meta.status != "blocked"


SUPPLIER = {"name": "ООО «Север»", "role": "поставщик"}
NURSE = {"name": "Ann Lee", "role": "a nurse"}


@pytest.mark.parametrize(
    ("pack", "said", "op", "place", "written", "path", "value"),
    [
        ("contract_ru", "поставка", "add", "/domain/contract/kind", "поставка", "/contract/kind", "поставка"),
        ("contract_ru", "поставка", "add", "/contract/kind", "поставка", "/contract/kind", "поставка"),
        ("bug_report", "The editor", "replace", "/domain/product", "editor", "/product", "editor"),
        (
            "contract_ru",
            "Поставщик – ООО «Север»",
            "add",
            "/domain/parties/-",
            SUPPLIER,
            "/parties",
            [SUPPLIER],
        ),
        ("bug_report", "It is minor", "add", "/domain/severity", "MINOR", "/severity", "minor"),
        ("onboarding", "Ann Lee, a nurse", "add", "/domain", {"person": NURSE}, "/person", NURSE),
    ],
    ids=[
        "into nothing",
        "no prefix",
        "replace of nothing",
        "append to nothing",
        "other case",
        "whole object",
    ],
)
def test_patch_of_any_natural_form_means_the_value_that_stands_there(
    pack: str, said: str, op: str, place: str, written: Any, path: str, value: Any
) -> None:
    talk = Talk(pack)
    assert talk.state.domain == {}
    talk.says(said, raw=[{"op": op, "path": place, "value": written, "quote": said}])
    assert find(talk.state.domain, path) == value
    assert {fact.status for fact in talk.state.facts.values()} == {"confirmed"}


def test_correction_that_nobody_understands_changes_no_value_and_is_asked_about() -> None:
    talk = Talk()
    talk.says("version 2.1", {"/version": ("2.1", "version 2.1")})
    talk.says("Actually, the version, hm, it is somehow odd")
    assert talk.state.domain == {"version": "2.1"}
    assert (talk.question.path, talk.question.facet) == ("/version", "confirm")


@pytest.mark.parametrize(
    ("message", "written"),
    [
        ("Change the version.", "9.9"),
        ("The version is correct", ""),
        ("Don't change the version", ""),
        ("Actually the version is fine", "9.9"),
    ],
)
def test_confirmed_fact_that_is_named_keeps_its_value_unless_another_one_is_said(
    message: str, written: str
) -> None:
    talk = Talk()
    talk.says("version 2.1", {"/version": ("2.1", "version 2.1")})
    raw = [{"op": "replace", "path": "/version", "value": written, "quote": message}] if written else []
    talk.says(message, raw=raw, issue_updates=[])
    assert talk.state.domain == {"version": "2.1"}


def test_told_already_takes_nothing_but_the_answer_to_the_open_question() -> None:
    talk = Talk()
    talk.says("Actually I meant version 2.1 of the editor", {"/version": ("2.1", "version 2.1")})
    assert talk.question.path == "/product"
    turns = [turn for turn in talk.state.dialogue.history if turn.role == "user"]
    told = DialogueTurn(id="told", role="user", text="I told you already", at=NOW)
    output = StepOutput.model_validate({"step": "INTERPRET", "patch": [], "next_action": "proceed_to_gate"})
    event = plan_interpretation(talk.state, talk.mission, output, [told], say_code, heard=turns)
    talk.events.append(event)
    assert talk.state.domain == {"version": "2.1"}
    assert talk.state.facts["/version"].status == "confirmed"
