"""A model scripted from a mission: it hears what the person states, and misbehaves as the row says."""

from __future__ import annotations

import re
from typing import Any

from rag.interview.engine import InterviewEngine
from rag.interview.missions import Mission
from rag.models.calls import ModelTools
from rag.models.chat import ChatRequest
from rag.models.scripted import Reply, ScriptedModel
from rag.prompting.library import PromptLibrary
from rag.settings import Budget, Models
from tests.support.missions import MissionRow

_INVENTED = "made up"


def scripted_engine(row: MissionRow, mission: Mission, prompts: PromptLibrary) -> InterviewEngine:
    return InterviewEngine(
        ModelTools(
            models=ScriptedModel(MissionModel(row, mission)),
            prompts=prompts,
            budget=Budget(),
            model_settings=Models(default="scripted:mission"),
        )
    )


class MissionModel:
    def __init__(self, row: MissionRow, mission: Mission) -> None:
        self._row = row
        self._mission = mission
        self._calls = 0
        self._objected = False

    def __call__(self, request: ChatRequest) -> Reply:
        if request.purpose == "gate check":
            return self._check()
        self._calls += 1
        shown = request.messages[-1].text
        if "prose" in self._row.habits and self._calls == 2:
            return "I am glad to help! The product seems to be fine."
        reply = self._interpret(_element(shown, "last_message"))
        if "meddler" in self._row.habits and self._calls in {1, 3}:
            reply["patch"]["ops"].append({"op": "replace", "path": "/meta/status", "value": "ready"})
        return reply

    def _interpret(self, message: str) -> dict[str, Any]:
        stated: dict[str, tuple[Any, str]] = {}
        for utterance in self._row.utterances:
            if utterance.text in message:
                stated.update(utterance.states)
        if "inventor" in self._row.habits and self._calls == 1:
            path = next(path for path in self._row.answers if path not in stated)
            stated[path] = (_INVENTED, "")
        ops: list[dict[str, Any]] = []
        # Into whatever is there, as models write it: nothing is looked up, and no parent is made.
        for path, (value, quote) in stated.items():
            ops.append({"op": "add", "path": f"/domain{path}", "value": value, "quote": quote})
        action: dict[str, Any] = {"kind": "proceed_to_gate"}
        if "hasty" in self._row.habits:
            action = {"kind": "proceed_to_skeleton"}
        if "repeater" in self._row.habits:
            path = self._mission.categories[0].required[0]
            action = {"kind": "ask_user", "ask_user": {"question_text": "Tell me more?", "path": path}}
        return {
            "step": "INTERPRET",
            "patch": {"format": "json_patch", "ops": ops},
            "next_action": action,
        }

    def _check(self) -> Reply:
        reply: dict[str, Any] = {"step": "GATE_CHECK", "next_action": {"kind": "proceed_to_skeleton"}}
        if "objector" in self._row.habits and not self._objected:
            self._objected = True
            issue = {
                "severity": "high",
                "title": "This looks odd",
                "why_it_matters": "It must be right.",
                "missing_or_conflict": "?",
                "evidence": [{"kind": "fact_path", "ref": self._mission.categories[0].required[0]}],
            }
            reply = {**reply, "issue_updates": [issue], "next_action": {"kind": "proceed_to_gate"}}
        return reply


def _element(shown: str, tag: str) -> str:
    found = re.search(rf"<{tag}>\n?(.*?)\n?</{tag}>", shown, re.DOTALL)
    return found[1] if found else ""
