"""One turn of an interview, as a decision: what a person said and a model made of it becomes an event.

An answer that code understands (a choice, yes, no, "not applicable") needs no model.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import JsonValue

from rag.interview.documents import (
    AskedQuestion,
    AskUser,
    Choice,
    DialogueTurn,
    Fact,
    Issue,
    IssueEvidence,
    JsonPatchOp,
    NextAction,
    Remove,
    State,
    StepOutput,
)
from rag.interview.events import TurnApplied, apply_turn
from rag.interview.gate import check_gate
from rag.interview.missions import Mission, domain_errors
from rag.interview.patch import PatchError, apply_operations, read_operations, set_value
from rag.interview.policy import (
    Changes,
    conflict_key,
    decide_changes,
    open_conflicts,
    upsert_issues,
)
from rag.interview.questions import NO, NONE, SAID, YES, Say, choose_question, list_exhausted
from rag.interview.quotes import normalise

_SHORT_ANSWER_WORDS = 4


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer that needs no model: a choice, or that there is no such thing."""

    question: AskUser
    choice: Choice | None = None


def open_question(state: State) -> AskUser | None:
    """Return the question that waits for an answer."""
    return state.next_action.ask_user if state.next_action else None


def understand(question: AskUser | None, message: str, mission: Mission) -> Answer | None:
    """Return the answer that a message gives to the open question if code can tell, or None.

    A message is a choice if it is the number, the id or the label of one; "yes" and "no" in the words of the
    pack choose among yes and no.
    """
    if question is None:
        return None
    said = normalise(message)
    choices = question.choices or ()
    for number, choice in enumerate(choices, 1):
        if said in {str(number), normalise(choice.id), normalise(choice.label)}:
            return Answer(question, choice)
    by_id = {choice.id: choice for choice in choices}
    for wanted, words in ((YES, mission.affirmative), (NO, mission.negative)):
        if wanted in by_id and _is_one_of(said, words):
            return Answer(question, by_id[wanted])
    if question.facet == "value" and said in {normalise(words) for words in mission.not_applicable}:
        return Answer(question)
    return None


def plan_answer(
    state: State, mission: Mission, answer: Answer, turns: Sequence[DialogueTurn], say: Say
) -> TurnApplied:
    """Return what comes of an answer that needs no model.

    Args:
        state: The state before.
        mission: Its mission pack.
        answer: What was understood.
        turns: The person's messages; the last one holds the answer.
        say: Words questions in the language of the talk.

    Raises:
        PatchError: the value does not fit the schema of the pack.
    """
    question, turn = answer.question, turns[-1]
    path, facet = question.path, question.facet
    confirmed = Fact(status="confirmed", source_turn=turn.id, quote=turn.text)
    ops: tuple[JsonPatchOp, ...] = ()
    facts: dict[str, Fact | None] = {path: confirmed}
    if answer.choice is None or (facet == "value" and answer.choice.id == NONE):
        facts = {path: Fact(status="not_applicable", source_turn=turn.id, quote=turn.text)}
    elif facet == "value" or (facet == "conflict" and answer.choice.id == SAID):
        ops = (set_value(state.domain, path, answer.choice.value),)
    elif facet == "confirm" and answer.choice.id == NO:
        ops, facts = (Remove(op="remove", path=path),), {path: None}
    domain = apply_operations(state.domain, ops)
    _check_domain(mission, domain)
    issues = _settle(state.issues, path, turn.id) if facet == "conflict" else ()
    return _conclude(state, mission, say, turns, Changes(ops, domain, facts), issues, None, ())


def plan_interpretation(
    state: State,
    mission: Mission,
    output: StepOutput,
    turns: Sequence[DialogueTurn],
    say: Say,
    trace: Sequence[dict[str, JsonValue]] = (),
) -> TurnApplied:
    """Return what comes of a message that a model has interpreted.

    Raises:
        PatchError: the patch is refused as a whole; its message goes back to the model.
    """
    turn = turns[-1]
    said = "\n".join(one.text for one in turns)
    question = open_question(state)
    ops = read_operations(output.patch, state.domain)
    changes = decide_changes(
        state,
        ops,
        said,
        turn.id,
        answered_path=question.path if question else "",
        is_settling=question is not None and question.facet == "conflict",
    )
    _check_domain(mission, changes.domain)
    facts = dict(changes.facts)
    settled: tuple[Issue, ...] = ()
    for conflict in changes.conflicts:
        facts[conflict.path] = state.facts[conflict.path].model_copy(update={"status": "disputed"})
    if question is not None and question.facet == "conflict":
        new = facts.get(question.path)
        if new is not None and new.status == "confirmed":
            settled = _settle(state.issues, question.path, turn.id)
    issues = upsert_issues(state.issues, output.issue_updates, turn.id)
    before = {issue.id: issue for issue in state.issues}
    changed = tuple(issue for issue in issues if before.get(issue.id) != issue)
    opened = tuple(open_conflicts(state.issues, changes.conflicts, turn.id))
    decisions: list[dict[str, JsonValue]] = [
        {"decision": "dropped", "path": path, "reason": reason} for path, reason in changes.dropped
    ]
    return _conclude(
        state,
        mission,
        say,
        turns,
        Changes(changes.ops, changes.domain, facts),
        (*changed, *settled, *opened),
        output.next_action.ask_user,
        (*trace, *decisions),
    )


def _conclude(
    state: State,
    mission: Mission,
    say: Say,
    turns: Sequence[DialogueTurn],
    changes: Changes,
    issues: tuple[Issue, ...],
    proposed: AskUser | None,
    trace: Sequence[dict[str, JsonValue]],
) -> TurnApplied:
    """Put the turn together: is it enough, and if not, what is asked next."""
    turn = turns[-1]
    draft = TurnApplied(
        turns=tuple(turns),
        ops=changes.ops,
        facts=dict(changes.facts),
        issues=issues,
        next_action=NextAction(kind="proceed_to_gate"),
        at=turn.at,
        trace=tuple(trace),
    )
    after = apply_turn(state, draft)
    gate = check_gate(after, mission)
    if gate.ready_for_skeleton:
        return draft.model_copy(
            update={
                "gate": gate,
                "status": "ready",
                "next_action": NextAction(kind="proceed_to_skeleton"),
            }
        )
    question = choose_question(after, mission, say, proposed)
    if question is None:
        left = list_exhausted(after, mission)
        exhausted: dict[str, JsonValue] = {"decision": "limits used up", "paths": list(left)}
        return draft.model_copy(
            update={"gate": gate, "status": "blocked", "trace": (*draft.trace, exhausted)}
        )
    number = len(after.dialogue.asked) + 1
    question = question.model_copy(update={"question_id": f"q{number}"})
    asked = AskedQuestion(
        id=f"q{number}", text=question.question_text, at=turn.at, path=question.path, facet=question.facet
    )
    reply = DialogueTurn(id=f"{turn.id}:reply", role="assistant", text=question.question_text, at=turn.at)
    return draft.model_copy(
        update={
            "gate": gate,
            "asked": asked,
            "reply": reply,
            "next_action": NextAction(kind="ask_user", ask_user=question),
        }
    )


def _check_domain(mission: Mission, domain: dict[str, JsonValue]) -> None:
    if errors := domain_errors(mission, domain):
        raise PatchError("; ".join(errors[:5]))


def _settle(issues: Sequence[Issue], path: str, turn_id: str) -> tuple[Issue, ...]:
    """Resolve the contradiction at a path: the person has said which value holds."""
    proof = IssueEvidence(kind="turn", ref=turn_id)
    return tuple(
        issue.model_copy(update={"status": "resolved", "evidence": (*(issue.evidence or ()), proof)})
        for issue in issues
        if issue.key == conflict_key(path) and issue.status == "open"
    )


def _is_one_of(said: str, words: Sequence[str]) -> bool:
    """Whether a short message is one of some words, or begins with one."""
    known = {normalise(word) for word in words}
    parts = said.split()
    return said in known or (bool(parts) and len(parts) <= _SHORT_ANSWER_WORDS and parts[0] in known)
