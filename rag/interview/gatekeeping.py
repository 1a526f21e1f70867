"""GATE_CHECK: a model looks at a state that code finds complete. It may object; it can open nothing.

What it objects to becomes a question to the person, once for each path, so that it cannot keep an interview
open for ever. A check that fails is no pass: the state stays as it is, and the check is made again with the
next message or when somebody asks for it.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from pydantic import JsonValue

from rag.interview.documents import Issue, IssueUpsert, State, StepOutput
from rag.interview.events import TurnApplied, apply_turn
from rag.interview.issues import Say, bound_severity, upsert_issues
from rag.interview.missions import Category, Mission, is_described
from rag.interview.replies import ModelReply, ask_for_output
from rag.interview.turns import finish_turn
from rag.language.detect import language_name
from rag.runs.work import Outcome, Work

GATE_CHECK = "gate check"


async def check(work: Work, state: State, mission: Mission) -> Outcome[ModelReply]:
    """Have a model look for what speaks against a complete state; errors are those of `ask_for_output`."""
    prompt = work.tools.prompts.render(
        "gate_check",
        persona=mission.persona,
        categories="\n".join(_describe_category(category, mission) for category in mission.categories),
        state_json=_show_state(state),
        llm_output_schema=json.dumps(mission.domain_schema, ensure_ascii=False),
        language=language_name(mission.locale.language),
    )
    return await ask_for_output(work, GATE_CHECK, prompt, lambda output: describe_problem(output, mission))


def describe_problem(output: StepOutput, mission: Mission) -> str:
    """Return why a reply is no gate check, as it is told to the model; an empty text if it is one."""
    if output.step != "GATE_CHECK":
        return "`step` must be GATE_CHECK"
    if output.patch.ops:
        return "a gate check changes no fact: leave `patch` out"
    for update in output.issue_updates:
        if not (update.title and update.why_it_matters and update.severity):
            return "an objection needs severity, title and why_it_matters"
        if not any(is_described(mission, path) for path in _paths(update)):
            return "an objection needs evidence of kind fact_path that names a path of the domain"
    if output.next_action.kind != "proceed_to_skeleton" and not output.issue_updates:
        return "name what is wrong in `issue_updates`, or proceed_to_skeleton"
    return ""


def apply_check(
    state: State, mission: Mission, turn: TurnApplied, output: StepOutput, say: Say
) -> TurnApplied:
    """Return a complete turn after its gate check: ready, or with a question about an objection."""
    objections = _read_objections(apply_turn(state, turn), mission, output)
    note: dict[str, JsonValue] = {
        "decision": "gate check",
        "objections": [issue.title for issue in objections],
        "rationale": output.rationale,
        "safety": output.safety.model_dump(),
    }
    turn = turn.model_copy(update={"trace": (*turn.trace, note)})
    if not any(issue.severity == "critical" for issue in objections):
        assert turn.gate is not None  # code has looked
        gate = turn.gate.model_copy(update={"summary": output.rationale})
        return turn.model_copy(update={"gate": gate, "issues": (*turn.issues, *objections)})
    return finish_turn(state, mission, turn.model_copy(update={"issues": (*turn.issues, *objections)}), say)


def postpone_check(turn: TurnApplied, code: str) -> TurnApplied:
    """Return a turn whose gate check could not be made: its changes stay, and the check is still to come."""
    note: dict[str, JsonValue] = {"decision": "gate check failed", "reason": code}
    assert turn.gate is not None  # code has looked
    return turn.model_copy(
        update={
            "status": "gating",
            "gate": turn.gate.model_copy(update={"ready_for_skeleton": False}),
            "next_action": turn.next_action.model_copy(update={"kind": "proceed_to_gate"}),
            "trace": (*turn.trace, note),
        }
    )


def _read_objections(state: State, mission: Mission, output: StepOutput) -> tuple[Issue, ...]:
    """Return new issues for the paths that nobody has objected to yet."""
    known = {issue.key for issue in state.issues}
    new: list[IssueUpsert] = []
    for update in output.issue_updates:
        path = next(path for path in _paths(update) if is_described(mission, path))
        if (key := f"objection:{path}") not in known:
            known.add(key)
            is_grave = update.severity in {"critical", "high"}
            severity = "critical" if is_grave else update.severity
            new.append(update.model_copy(update={"id": key, "key": key, "severity": severity}))
    before = {issue.id for issue in state.issues}
    looked_at = [turn.id for turn in state.dialogue.history[-1:]]
    upserted = upsert_issues(state, state.facts, new, looked_at)
    return bound_severity(state.issues, [issue for issue in upserted if issue.id not in before], mission)


def _paths(update: IssueUpsert) -> Sequence[str]:
    return [one.ref for one in update.evidence or () if one.kind == "fact_path"]


def _describe_category(category: Category, mission: Mission) -> str:
    groups = ((path,) for path in category.required)
    titles = [" or ".join(mission.title_of(path) for path in group) for group in (*groups, *category.any_of)]
    return f"{category.title}: {', '.join(titles)}"


def _show_state(state: State) -> str:
    document = state.model_dump(mode="json", exclude_none=True)
    document["dialogue"]["history"] = document["dialogue"]["history"][-state.control.limits.recent_turns :]
    return json.dumps(document, ensure_ascii=False)
