"""Interviews without a channel, for tests: turns as decisions, and turns with a scripted model."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from rag.interview.documents import AskUser, Control, DialogueTurn, State, StepOutput
from rag.interview.events import InterviewEvent, Started, fold, list_pending
from rag.interview.missions import SHIPPED, load_mission
from rag.interview.turns import open_question, plan_answer, plan_interpretation, understand
from rag.interview.workflow import Said, start, take_turn
from rag.models.calls import ModelTools
from rag.models.scripted import ScriptedModel
from rag.prompting.library import PromptLibrary
from rag.runs.work import Work
from rag.settings import Budget, Models
from rag.texts import Texts
from tests.support.loop import PROMPTS

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)
TEXTS = Texts()


def say(code: str, **values: str) -> str:
    return TEXTS.text(code, "en", **values)


def say_code(code: str, **values: str) -> str:
    """Name the code of a question instead of wording it."""
    return f"{code}: {', '.join(values.values())}"


class Talk:
    """An interview whose model is the test."""

    def __init__(self, pack: str = "bug_report", **limits: int) -> None:
        self.mission = load_mission(SHIPPED / pack)
        control = Control(limits=self.mission.limits.model_copy(update=limits), checks=self.mission.checks)
        self.events: list[InterviewEvent] = [
            Started(
                session_id="s1",
                schema_id=pack,
                schema_version="1.0.0",
                locale=self.mission.locale,
                control=control,
                at=NOW,
            )
        ]

    @property
    def state(self) -> State:
        return fold(self.events)

    @property
    def question(self) -> AskUser:
        question = open_question(self.state)
        assert question is not None
        return question

    def says(
        self,
        text: str,
        patch: dict[str, tuple[Any, str]] | None = None,
        *,
        raw: Sequence[dict[str, Any]] = (),
        **more: Any,
    ) -> None:
        """The person says something; the model sets the values at some paths, each with a quote.

        A message that code understands is no business of the model, unless there is a patch. `raw` holds
        operations as a model writes them.
        """
        turn = DialogueTurn(
            id=f"t{len(self.events)}", role="user", text=text, at=NOW + timedelta(minutes=len(self.events))
        )
        turns = (*list_pending(self.events), turn)
        answer = understand(self.state, text, self.mission)
        if answer is not None and patch is None and not raw:
            self.events.append(plan_answer(self.state, self.mission, answer, turns, say_code))
            return
        ops = [
            {"op": "add", "path": f"/domain{path}", "value": value, "quote": quote}
            for path, (value, quote) in (patch or {}).items()
        ]
        ops += raw
        output = StepOutput.model_validate(
            {
                "step": "INTERPRET",
                "patch": {"format": "json_patch", "ops": ops},
                "next_action": {"kind": "proceed_to_gate"},
                **more,
            }
        )
        self.events.append(plan_interpretation(self.state, self.mission, output, turns, say_code))

    def finish_all_at_once(self) -> None:
        self.says(
            "editor 2.1, save, a file, nothing, minor, Linux",
            {
                "/product": ("editor", "editor"),
                "/version": ("2.1", "2.1"),
                "/steps": ("save", "save"),
                "/expected": ("a file", "a file"),
                "/actual": ("nothing", "nothing"),
                "/severity": ("minor", "minor"),
                "/environment": ({"os": "Linux"}, "Linux"),
            },
        )

    def finish(self) -> None:
        self.says(
            "The editor 2.1 loses my text. I press save, expect a saved file, and get an empty one.",
            {
                "/product": ("editor", "The editor 2.1"),
                "/version": ("2.1", "The editor 2.1"),
                "/steps": ("I press save", "I press save"),
                "/expected": ("a saved file", "expect a saved file"),
                "/actual": ("an empty one", "get an empty one"),
            },
        )
        self.says("2")
        self.says("Linux", {"/environment": ({"os": "Linux"}, "Linux")})


class Interview:
    """An interview as a channel would hold it."""

    def __init__(
        self,
        script: Any,
        pack: str = "bug_report",
        model: str = "openai:big",
        prompts: PromptLibrary = PROMPTS,
    ) -> None:
        self.prompts = prompts
        self.mission = load_mission(SHIPPED / pack)
        self.model = ScriptedModel(script)
        self.model_name = model
        self.events: list[InterviewEvent] = [start("s1", self.mission, NOW)]

    async def says(self, text: str, **more: Any) -> InterviewEvent | None:
        tools = ModelTools(
            models=self.model,
            prompts=self.prompts,
            budget=Budget(calls=50),
            model_settings=Models(default=self.model_name),
        )
        said = Said(
            more.pop("turn_id", f"t{len(self.events)}"),
            text,
            NOW + timedelta(minutes=len(self.events)),
            **more,
        )
        event = await take_turn(Work(tools), self.mission, self.events, said, say)
        if event is not None:
            self.events.append(event)
        return event
