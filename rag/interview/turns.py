"""One turn of an interview, as a decision: what a person said and a model made of it becomes an event.

An answer that code understands (a choice, yes, no, "not applicable") needs no model.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from pydantic import JsonValue

from rag.interview.documents import (
    AskedQuestion,
    AskUser,
    Choice,
    DialogueTurn,
    Fact,
    Issue,
    IssueEvidence,
    IssueStatus,
    JsonPatchOp,
    NextAction,
    Remove,
    State,
    StepOutput,
)
from rag.interview.events import TurnApplied, apply_turn
from rag.interview.gate import check_gate, is_wanted
from rag.interview.issues import (
    bound_severity,
    conflict_key,
    is_about_unknown,
    is_objection,
    leave_open,
    open_conflicts,
    path_of,
    strip_reserved_names,
    upsert_issues,
)
from rag.interview.missions import Mission, domain_errors
from rag.interview.patch import PatchError, apply_operations, read_operations, set_value
from rag.interview.pointers import is_within
from rag.interview.policy import Changes, decide_changes
from rag.interview.questions import NO, NONE, SAID, YES, Say, choose_question, list_exhausted
from rag.interview.quotes import normalise

_SHORT_ANSWER_WORDS = 4


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer that needs no model: a choice, that there is no such thing, or that it is not known."""

    question: AskUser
    choice: Choice | None = None
    is_unknown: bool = False


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
    is_asked_for = question.facet == "value" or (question.facet == "objection" and not choices)
    if is_asked_for and said in {normalise(words) for words in mission.not_applicable}:
        return Answer(question)
    if question.facet == "value" and said in {normalise(words) for words in mission.unknown}:
        return Answer(question, is_unknown=True)
    return None


def plan_opening(state: State, mission: Mission, at: datetime, say: Say) -> TurnApplied:
    """Return the first question of an interview in which nobody has said anything yet."""
    draft = TurnApplied(turns=(), next_action=NextAction(kind="proceed_to_gate"), at=at)
    return finish_turn(state, mission, draft, say)


def plan_list(state: State, mission: Mission, turns: Sequence[DialogueTurn]) -> TurnApplied:
    """Return the turn of somebody who thinks that all is said: the gate names what is missing.

    The question that waits still waits, and nothing is asked twice because of it.
    """
    assert state.next_action is not None  # a question waits
    return TurnApplied(
        turns=tuple(turns),
        next_action=state.next_action,
        gate=check_gate(state, mission),
        status=state.meta.status,
        at=turns[-1].at,
    )


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
    if answer.is_unknown:
        left_open: dict[str, JsonValue] = {"decision": "left open", "path": path}
        draft = _draft(turns, Changes((), state.domain, {}), (leave_open(path, turn.id),), [left_open])
        return finish_turn(state, mission, draft, say)
    if answer.choice is None or (facet == "value" and answer.choice.id == NONE):
        facts = {path: Fact(status="not_applicable", source_turn=turn.id, quote=turn.text)}
    elif facet == "value" or (facet == "conflict" and answer.choice.id == SAID):
        ops = (set_value(state.domain, path, answer.choice.value),)
    elif facet in {"confirm", "objection"} and answer.choice.id == NO:
        ops = (Remove(op="remove", path=path),)
        facts = {known: None for known in state.facts if is_within(known, path)}
    elif facet == "objection":
        facts = {}
    domain = apply_operations(state.domain, ops)
    _check_domain(mission, domain)
    issues: tuple[Issue, ...] = ()
    if facet == "conflict":
        issues = _resolve_conflict(state.issues, path, turn.id)
    elif facet == "objection":
        is_left = answer.choice is not None and answer.choice.id == YES
        issues = _settle_objections(state.issues, path, turn.id, "dismissed" if is_left else "resolved")
    draft = _draft(turns, Changes(ops, domain, facts), issues)
    return finish_turn(state, mission, draft, say)


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
        is_settling=question is not None and question.facet in {"conflict", "objection"},
    )
    _check_domain(mission, changes.domain)
    facts = dict(changes.facts)
    settled: tuple[Issue, ...] = ()
    for conflict in changes.conflicts:
        # The fact may be as new as the conflict: one message said both values.
        held = facts.get(conflict.path) or state.facts[conflict.path]
        facts[conflict.path] = held.model_copy(update={"status": "disputed"})
    if question is not None and question.facet == "conflict":
        new = facts.get(question.path)
        if new is not None and new.status == "confirmed":
            settled = _resolve_conflict(state.issues, question.path, turn.id)
    if question is not None and question.facet == "objection":
        # Any answer resolves the objection, so a model cannot repeat it for ever.
        settled = _settle_objections(state.issues, question.path, turn.id, "resolved")
    updates = strip_reserved_names(state.issues, output.issue_updates)
    known = {path: fact for path, fact in {**state.facts, **facts}.items() if fact is not None}
    issues = upsert_issues(state, known, updates, [one.id for one in turns])
    before = {issue.id: issue for issue in state.issues}
    changed = bound_severity(
        state.issues, [issue for issue in issues if before.get(issue.id) != issue], mission
    )
    opened = tuple(open_conflicts(state.issues, changes.conflicts, turn.id))
    decisions: list[dict[str, JsonValue]] = [
        {"decision": "dropped", "path": path, "reason": reason} for path, reason in changes.dropped
    ]
    draft = _draft(
        turns,
        Changes(changes.ops, changes.domain, facts),
        (*changed, *settled, *opened),
        (*trace, *decisions),
    )
    return finish_turn(state, mission, draft, say, output.next_action.ask_user)


def finish_turn(
    state: State, mission: Mission, draft: TurnApplied, say: Say, proposed: AskUser | None = None
) -> TurnApplied:
    """Return a turn with what follows from its changes: is it enough, and if not, what is asked next.

    Args:
        state: The state before the turn.
        mission: Its mission pack.
        draft: The turn's messages and changes.
        say: Words questions in the language of the talk.
        proposed: The model's question.
    """
    after = apply_turn(state, draft)
    if learned := _resolve_unknown(after, mission, draft):
        draft = draft.model_copy(update={"issues": (*draft.issues, *learned)})
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
            update={
                "gate": gate,
                "status": "blocked",
                "next_action": NextAction(kind="proceed_to_gate"),
                "trace": (*draft.trace, exhausted),
            }
        )
    number = len(after.dialogue.asked) + 1
    question = question.model_copy(update={"question_id": f"q{number}"})
    asked = AskedQuestion(
        id=f"q{number}",
        text=question.question_text,
        at=draft.at,
        path=question.path,
        facet=question.facet,
    )
    reply = DialogueTurn(id=f"q{number}:asked", role="assistant", text=question.question_text, at=draft.at)
    return draft.model_copy(
        update={
            "gate": gate,
            "asked": asked,
            "reply": reply,
            "status": "collecting",
            "next_action": NextAction(kind="ask_user", ask_user=question),
        }
    )


def _draft(
    turns: Sequence[DialogueTurn],
    changes: Changes,
    issues: tuple[Issue, ...],
    trace: Sequence[dict[str, JsonValue]] = (),
) -> TurnApplied:
    return TurnApplied(
        turns=tuple(turns),
        ops=changes.ops,
        facts=dict(changes.facts),
        issues=issues,
        next_action=NextAction(kind="proceed_to_gate"),
        at=turns[-1].at,
        trace=tuple(trace),
    )


def _check_domain(mission: Mission, domain: dict[str, JsonValue]) -> None:
    if errors := domain_errors(mission, domain):
        raise PatchError("; ".join(errors[:5]))


def _resolve_conflict(issues: Sequence[Issue], path: str, turn_id: str) -> tuple[Issue, ...]:
    """Resolve the contradiction at a path: the person has said which value holds."""
    proof = IssueEvidence(kind="turn", ref=turn_id)
    return tuple(
        issue.model_copy(update={"status": "resolved", "evidence": (*(issue.evidence or ()), proof)})
        for issue in issues
        if issue.key == conflict_key(path) and issue.status == "open"
    )


def _resolve_unknown(after: State, mission: Mission, draft: TurnApplied) -> tuple[Issue, ...]:
    """Resolve what the person did not know: now it is known, or another fact makes up for it."""
    proof = tuple(IssueEvidence(kind="turn", ref=turn.id) for turn in draft.turns[-1:])
    return tuple(
        issue.model_copy(update={"status": "resolved", "evidence": (*(issue.evidence or ()), *proof)})
        for issue in after.issues
        if is_about_unknown(issue)
        and issue.status == "open"
        and not is_wanted(after, mission, path_of(issue))
    )


def _settle_objections(
    issues: Sequence[Issue], path: str, turn_id: str, status: IssueStatus
) -> tuple[Issue, ...]:
    """Close what a model objected to at a path: the person has answered."""
    proof = IssueEvidence(kind="turn", ref=turn_id)
    return tuple(
        issue.model_copy(update={"status": status, "evidence": (*(issue.evidence or ()), proof)})
        for issue in issues
        if is_objection(issue) and path_of(issue) == path
    )


def _is_one_of(said: str, words: Sequence[str]) -> bool:
    """Whether a short message is one of some words, or begins with one."""
    known = {normalise(word) for word in words}
    parts = said.split()
    return said in known or (bool(parts) and len(parts) <= _SHORT_ANSWER_WORDS and parts[0] in known)
