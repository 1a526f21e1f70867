"""Interviews with a scripted model behind the real service, for tests."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime
from functools import cache
from typing import Any

import jsonschema

from bot.clock import utcnow
from bot.service.interview_values import Party, View
from bot.service.interviews import Interviews
from bot.service.mission_packs import MissionPacks
from bot.settings.sections import Interviews as Bounds
from bot.storage.database import Database
from bot.storage.interviews import StoredInterviews
from rag.interview import workflow
from rag.interview.missions import SHIPPED
from rag.models.calls import ModelTools
from rag.models.chat import ChatModel, ChatRequest
from rag.models.scripted import Reply, ScriptedModel
from rag.runs.work import RunStep, Work
from rag.settings import Budget, Models
from tests.support.loop import PROMPTS

ANN = Party("telegram:7", "telegram:7:0")
BOB = Party("telegram:8", "telegram:8:0")

FACTS = {
    "/product": "the editor",
    "/version": "2.1",
    "/steps": "I press save",
    "/expected": "a saved file",
    "/actual": "an empty one",
    "/environment/os": "Linux",
}

EVERYTHING = ", ".join(FACTS.values())


def changes(facts: dict[str, str] | None = None, **more: Any) -> dict[str, Any]:
    """Build a reply to INTERPRET that notes facts, each with itself as its quote."""
    ops = [
        {"op": "add", "path": f"/domain{path}", "value": value, "quote": value}
        for path, value in (facts or {}).items()
    ]
    return {
        "step": "INTERPRET",
        "patch": {"format": "json_patch", "ops": ops},
        "next_action": {"kind": "proceed_to_gate"},
        **more,
    }


def passes(**more: Any) -> dict[str, Any]:
    """Build a reply to GATE_CHECK without objections."""
    return {
        "step": "GATE_CHECK",
        "next_action": {"kind": "proceed_to_skeleton"},
        "rationale": "All is clear.",
        **more,
    }


def objects(path: str, question: str = "Is that so?", severity: str = "critical") -> dict[str, Any]:
    """Build a reply to GATE_CHECK that objects to the fact at a path."""
    issue = {
        "severity": severity,
        "title": f"Something is odd about {path}",
        "why_it_matters": "It decides who looks at it.",
        "missing_or_conflict": question,
        "evidence": [{"kind": "fact_path", "ref": path}],
    }
    return passes(issue_updates=[issue], next_action={"kind": "proceed_to_gate"})


def attentive(request: ChatRequest) -> Reply:
    """Reply as a model that notes those of `FACTS` that are in the message, and objects to nothing."""
    if request.purpose == "word":
        return "Nothing that would do."
    return attentive_text(request.messages[-1].text)


def attentive_text(shown: str) -> dict[str, Any]:
    if "<last_message>" not in shown:
        return passes()
    message = shown.rpartition("<last_message>")[2]
    said = {**FACTS, "/severity": "blocker"}
    reply = changes({path: value for path, value in said.items() if value in message})
    for op in reply["patch"]["ops"]:
        if op["path"] == "/domain/environment/os":
            op.update(path="/domain/environment", value={"os": op["value"]})
    return reply


def check_state(state: Any) -> None:
    """Check that a state, and its domain, have the form of their schemas."""
    file = SHIPPED.parent / "schemas" / "pre_skeleton_state.schema.json"
    jsonschema.validate(state, json.loads(file.read_text(encoding="utf-8")))
    domain = shipped_packs().find(state["meta"]["schema_id"]).domain_schema
    for error in jsonschema.Draft202012Validator(domain).iter_errors(state["domain"]):
        assert error.validator in {"required", "minItems"}, error


class ModelEngine:
    def __init__(self, models: ChatModel, model: str = "openai:big") -> None:
        self._tools = ModelTools(
            models=models,
            prompts=PROMPTS,
            budget=Budget(calls=50),
            model_settings=Models(default=model),
        )

    def open_interview_work(self, run_step: RunStep | None = None) -> Work:
        return Work(workflow.with_budget(self._tools), run_step)


class ScriptedEngine(ModelEngine):
    def __init__(self, script: Any, model: str = "openai:big") -> None:
        self.model = ScriptedModel(script)
        super().__init__(self.model, model)


@cache
def shipped_packs() -> MissionPacks:
    """Return the shipped packs, read once per process, because reading them takes longer than most tests."""
    return MissionPacks.load()


def held_in(
    database: Database,
    script: Any = attentive,
    *,
    clock: Callable[[], datetime] = utcnow,
    model: str = "openai:big",
    **bounds: Any,
) -> tuple[Interviews, ScriptedEngine]:
    engine = ScriptedEngine(script, model)
    sessions = StoredInterviews(database, clock)
    return Interviews(engine, sessions, shipped_packs(), Bounds(**bounds), clock), engine


async def completed(interviews: Interviews, party: Party = ANN) -> View:
    view = await interviews.create(party, "bug_report", initial_message=EVERYTHING)
    return await interviews.post(party, view.session.id, "1")
