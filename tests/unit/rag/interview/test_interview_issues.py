"""Issues of a model: it says that one is resolved, and code looks whether the person has answered."""

from __future__ import annotations

from typing import Any

import pytest

from rag.interview.documents import Issue
from tests.support.talks import Talk


def opened(path: str = "/version", **more: Any) -> dict[str, Any]:
    """An update that opens an issue about a path; an empty one: about none."""
    evidence = [{"kind": "fact_path", "ref": path}] if path else []
    return {
        "key": "odd", "severity": "high", "title": "Odd", "why_it_matters": "It decides.", "evidence": evidence,
        **more,
    }  # fmt: skip


def resolved(path: str = "/version", turn: str = "t1") -> dict[str, Any]:
    """An update that says that the issue is resolved, with all the proof that a model can name."""
    evidence = [{"kind": "fact_path", "ref": path}, {"kind": "turn", "ref": turn}]
    return {"key": "odd", "status": "resolved", "evidence": evidence}


def the_issue(talk: Talk) -> Issue:
    (issue,) = talk.state.issues
    return issue


def test_model_is_believed_in_the_turn_in_which_the_person_answers_and_later() -> None:
    for is_late in (False, True):
        talk = Talk()
        talk.says("Something fails", issue_updates=[opened()])
        updates = [] if is_late else [resolved()]
        talk.says("It is version 2.1", {"/version": ("2.1", "version 2.1")}, issue_updates=updates)
        assert the_issue(talk).status == ("open" if is_late else "resolved")
        talk.says("Well?", issue_updates=[resolved()])
        assert the_issue(talk).status == "resolved"


@pytest.mark.parametrize(
    "answer", ["not applicable", "yes"], ids=["there is none", "a proposed value is confirmed"]
)
def test_model_is_believed_where_the_person_has_confirmed(answer: str) -> None:
    talk = Talk(max_asks_per_path=1)
    talk.says("Something fails", issue_updates=[opened("/product")])
    if answer == "yes":
        talk.says("Guess!", {"/product": ("editor", "")}, issue_updates=[resolved("/product")])
        assert the_issue(talk).status == "open"
        while talk.question.facet != "confirm":
            talk.says("1" if talk.question.choices else "nothing")
    assert talk.question.path == "/product"
    talk.says(answer)
    assert the_issue(talk).status == "open"
    talk.says("Well?", issue_updates=[resolved("/product")])
    assert the_issue(talk).status == "resolved"


def test_model_is_not_believed_where_nobody_has_answered() -> None:
    talk = Talk()
    talk.says("Something fails", issue_updates=[opened()])
    # Nothing is said of it.
    talk.says("Well?", issue_updates=[resolved()])
    assert the_issue(talk).status == "open"
    # A value is made up.
    talk.says("Well?", {"/version": ("9", "")}, issue_updates=[resolved()])
    assert talk.state.facts["/version"].status == "proposed"
    assert the_issue(talk).status == "open"
    # Something else is said, and shown as the proof.
    talk.says("The editor", {"/product": ("editor", "The editor")}, issue_updates=[resolved("/product")])
    assert talk.state.facts["/product"].status == "confirmed"
    assert the_issue(talk).status == "open"


@pytest.mark.parametrize("turn", ["t1", "t2", "t99"])
def test_what_was_said_before_an_issue_is_no_answer_to_it(turn: str) -> None:
    talk = Talk()
    talk.says("It is version 2.1", {"/version": ("2.1", "version 2.1")})
    # A critical issue keeps the interview open until the person has been asked about it.
    talk.says("Well?", issue_updates=[opened(severity="critical"), resolved(turn=turn)])
    assert the_issue(talk).status == "open"
    talk.says("Well?", issue_updates=[resolved(turn=turn)])
    assert the_issue(talk).status == "open"
    talk.finish()
    while talk.question.facet != "objection":
        talk.says("1")
    assert talk.question.path == "/version"
    assert talk.state.gate is not None
    assert not talk.state.gate.ready_for_skeleton
    talk.says("yes")
    assert the_issue(talk).status == "dismissed"
    assert talk.state.gate.ready_for_skeleton


def test_contradiction_is_no_answer_until_the_person_has_chosen() -> None:
    talk = Talk()
    talk.says("It is version 2.1", {"/version": ("2.1", "version 2.1")}, issue_updates=[opened()])
    talk.says("It is version 2.2", {"/version": ("2.2", "version 2.2")}, issue_updates=[resolved()])
    assert talk.question.facet == "conflict"
    assert [issue.status for issue in talk.state.issues] == ["open", "open"]
    talk.says("2")
    talk.says("Well?", issue_updates=[resolved()])
    assert {issue.status for issue in talk.state.issues} == {"resolved"}


def test_issue_that_names_no_path_is_resolved_by_the_fact_that_a_model_names() -> None:
    talk = Talk()
    talk.says("The editor", {"/product": ("editor", "The editor")})
    talk.says("Something fails", issue_updates=[opened("")])
    talk.says("Well?", issue_updates=[{"key": "odd", "status": "resolved", "evidence": []}])
    assert the_issue(talk).status == "open"
    talk.says("2.1", {"/version": ("2.1", "2.1")}, issue_updates=[resolved()])
    assert the_issue(talk).status == "resolved"
    # It may find that it was wrong: that is stricter.
    talk.says("Well?", issue_updates=[{"key": "odd", "status": "open"}])
    assert the_issue(talk).status == "open"


def test_issue_about_an_object_is_resolved_by_what_was_said_of_its_parts() -> None:
    talk = Talk()
    talk.says("Something fails", issue_updates=[opened("/environment")])
    told: dict[str, tuple[Any, str]] = {"/environment": ({"os": "Linux", "browser": "Firefox"}, "on Linux")}
    talk.says("on Linux", told, issue_updates=[resolved("/environment")])
    # The browser was made up.
    assert the_issue(talk).status == "open"
    found = talk.state.facts
    assert {path: fact.status for path, fact in found.items() if path.startswith("/environment")} == {
        "/environment/os": "confirmed", "/environment/browser": "proposed",
    }  # fmt: skip
    told = {"/environment/browser": ("Firefox ESR", "Firefox ESR")}
    talk.says("in Firefox ESR", told, issue_updates=[resolved("/environment")])
    assert the_issue(talk).status == "resolved"
