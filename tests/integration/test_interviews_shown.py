"""What is told of an interview: its page, what is settled and missing, and why a turn came out as it did."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from bot.service.interview_values import View
from bot.service.mission_packs import MissionPacks
from bot.storage.database import Database
from bot.views.interviews import describe, explain_turn, export_json, export_page, find_turn
from rag.errors import ModelError
from rag.interview.events import TurnApplied
from rag.models.chat import ChatRequest
from rag.models.scripted import Reply
from tests.support.interviews import ANN, FACTS, attentive, changes, held_in, objects, passes


async def test_page_shows_what_was_said_as_text(database: Database) -> None:
    evil = "<img src=x onerror=alert(1)> & the editor"
    interviews, _ = held_in(database, lambda _request: changes({"/product": evil}))
    view = await interviews.create(ANN, "bug_report", initial_message=evil)
    mission = interviews.packs.find("bug_report")
    page = export_page(view, mission, "en")
    assert "<img" not in page
    assert page.count("&lt;img src=x onerror=alert(1)&gt; &amp; the editor") == 3
    standing = describe(view, mission, "en")
    assert (standing.done, standing.total) == (1, 7)
    assert standing.missing[0] == "version"


async def test_fact_that_does_not_apply_does_not_count_for_a_group_that_has_another(
    database: Database,
) -> None:
    replies: Iterator[dict[str, Any]] = iter(
        [
            {
                "/person": {"name": "Kim", "role": "tester", "team": "QA"},
                "/start": {"date": "1 June", "place": "office"},
                "/equipment": {"laptop": "any"},
                "/access": {"systems": "wiki"},
            },
            {"/equipment/no_phone_reason": "one of her own"},
        ]
    )

    def script(request: ChatRequest) -> Reply:
        if request.purpose == "gate check":
            return passes()
        ops = [
            {"op": "add", "path": f"/domain{path}", "value": value, "quote": told}
            for path, value in next(replies).items()
        ]
        return changes(patch={"format": "json_patch", "ops": ops})

    interviews, _ = held_in(database, script)
    mission = interviews.packs.find("onboarding")
    told = "Kim, tester, QA, 1 June, office, any, wiki"
    view = await interviews.create(ANN, "onboarding", initial_message=told)
    standing = describe(view, mission, "en")
    assert (standing.done, standing.total, standing.missing) == (7, 8, ("phone",))
    view = await interviews.post(ANN, view.session.id, "not needed")
    standing = describe(view, mission, "en")
    assert (standing.done, standing.total, standing.missing) == (7, 8, ("why no phone is needed",))
    (equipment,) = (part for part in standing.parts if part.title == "Equipment")
    assert equipment.paths == (
        "/equipment/laptop",
        "/equipment/no_phone_reason",
        "/equipment/phone",
    )
    told = "one of her own"
    view = await interviews.post(ANN, view.session.id, told)
    standing = describe(view, mission, "en")
    assert (standing.done, standing.total, standing.missing) == (8, 8, ())
    assert view.state.meta.status == "ready"


async def test_trail_of_a_turn_tells_prompts_tokens_words_and_decisions(database: Database) -> None:
    def script(_request: ChatRequest) -> Reply:
        reply = changes({"/product": "the editor"}, rationale="I heard a product.")
        reply["safety"] = {"detected_conflict": True}
        return reply

    interviews, _ = held_in(database, script)
    view = await interviews.create(ANN, "bug_report", initial_message="the editor")
    turn = view.events[-1]
    assert isinstance(turn, TurnApplied)
    step, raw, words = turn.trace
    assert json.loads(export_json(view))["events"][-1]["trace"] == [step, raw, words]
    assert step["step"] == "interpret"
    assert str(step["prompt"]).startswith("interpret@1#")
    assert isinstance(step["tokens"], int)
    assert "I heard a product." in str(raw["raw"])
    assert words["rationale"] == "I heard a product."
    assert words["safety"] == {
        "detected_conflict": True, "has_unconfirmed_assumptions": False, "repeat_question_risk": False,
    }  # fmt: skip


def sections(view: View, language: str = "en", turn_id: str = "") -> dict[str, tuple[str, ...]]:
    """What the explanation of a turn says, by its headings."""
    position = find_turn(view.events, turn_id=turn_id)
    assert position is not None
    mission = MissionPacks.load().find(view.session.pack)
    found = explain_turn(view, position, mission, language)
    return {section.heading: section.lines for section in found.sections}


async def test_turn_is_explained_by_what_was_asked_noted_refused_and_decided(database: Database) -> None:
    replies = iter(
        [
            changes({"/product": "the editor"}),
            changes(
                {"/product": "the viewer", "/version": "2.1", "/steps": "I press save"},
                rationale="I am sure.",
            ),
        ]
    )

    def script(_request: ChatRequest) -> Reply:
        reply = next(replies)
        if len(reply["patch"]["ops"]) > 1:
            # Nobody has said how to reproduce it, and nobody has asked for that to go again.
            reply["patch"]["ops"][2]["quote"] = "nobody said this"
            reply["patch"]["ops"].append({"op": "remove", "path": "/domain/steps", "quote": "nor this"})
        return reply

    interviews, _ = held_in(database, script)
    view = await interviews.create(ANN, "bug_report", initial_message="the editor", key="first")
    view = await interviews.post(ANN, view.session.id, "no, the viewer, 2.1", key="second")
    told = sections(view)
    (asked,) = told["What a model was asked:"]
    assert asked.startswith("Reading what was said: changes: 4, issues: 0 (interpret@1#")
    assert "scripted" in asked
    assert "tok" in asked
    assert told["What was noted:"] == (
        "steps to reproduce: I press save; you did not say this yourself, so you are asked to confirm it",
        "version: 2.1, because you said “2.1”",
    )
    assert told["What was not taken over:"] == (
        "product: you have confirmed another value, and only your answer to a question can change it",
        "steps to reproduce: the model wanted to delete it, and you did not say so",
        "product: “the editor” is noted, and now you said “the viewer”; you are asked which one is right",
    )
    assert told["What else was decided:"] == ("the model said of its reply: “I am sure.”",)
    # An earlier turn, and an answer that code understands.
    assert sections(view, turn_id="first")["What was noted:"] == (
        "product: the editor, because you said “the editor”",
    )
    view = await interviews.post(ANN, view.session.id, "the viewer", key="third")
    told = sections(view)
    assert told["What a model was asked:"] == ("no model was asked: the answer was understood without one",)
    assert told["What was noted:"] == ("product: the viewer, because you said “the viewer”",)


@pytest.mark.parametrize("language", ["en", "ru", "ko", "zh", "id", "es"])
async def test_explanation_has_every_word_in_every_language(database: Database, language: str) -> None:
    """A turn that failed, one whose check failed, one that was objected to, one at its limits."""
    failures: list[Reply | Exception] = [ModelError("it is down")]

    def script(request: ChatRequest) -> Reply:
        if failures:
            raise failures.pop()  # type: ignore[misc]  # errors only
        is_said = "<last_message>" in request.messages[-1].text
        return attentive(request) if is_said else objects("/version")

    interviews, _ = held_in(database, script)
    view = await interviews.create(ANN, "bug_report", initial_message=f"{', '.join(FACTS.values())} blocker")
    failed = sections(view, language)
    view = await interviews.post(ANN, view.session.id, f"{', '.join(FACTS.values())} blocker")
    objected = sections(view, language)
    assert (len(failed), len(objected)) == (2, 3)
    english = {line for part in (*sections(view).values(),) for line in part}
    shown = {line for part in objected.values() for line in part}
    if language != "en":
        assert not english & shown
