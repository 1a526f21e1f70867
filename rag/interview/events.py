"""The log of an interview. The state is its fold, so that undo, resume and replay need no model."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import AwareDatetime, Field, JsonValue, TypeAdapter

from rag.interview.documents import (
    AddOrReplace,
    AskedQuestion,
    Control,
    DialogueTurn,
    Document,
    Fact,
    Gate,
    HaltError,
    Issue,
    JsonPatchOp,
    Locale,
    Meta,
    NextAction,
    Remove,
    State,
    Status,
)
from rag.interview.patch import apply_operations, canonical_json, place
from rag.interview.pointers import has, is_within, read


class Started(Document):
    """The interview began."""

    type: Literal["started"] = "started"
    session_id: str
    schema_id: str
    schema_version: str
    locale: Locale
    control: Control
    at: AwareDatetime


class TurnApplied(Document):
    """The person said something, and everything that came of it; applied as a whole.

    Args:
        turns: The person's messages: those of failed turns before this one, and this one's; empty where the
            interview only asked its first question, or looked whether it is complete.
        remark: What is said to the person before the question; may be empty.
        ops: The operations that were kept, with paths inside the domain.
        facts: The facts that changed; None for one that went.
        gate: What is missing, if it was looked at.
        trace: What was decided and why, for `/why`.
    """

    type: Literal["turn_applied"] = "turn_applied"
    turns: tuple[DialogueTurn, ...]
    remark: str = ""
    reply: DialogueTurn | None = None
    ops: tuple[JsonPatchOp, ...] = ()
    facts: dict[str, Fact | None] = Field(default_factory=dict)
    issues: tuple[Issue, ...] = ()
    asked: AskedQuestion | None = None
    next_action: NextAction
    gate: Gate | None = None
    status: Status = "collecting"
    at: AwareDatetime
    trace: tuple[dict[str, JsonValue], ...] = ()


class TurnFailed(Document):
    """A turn could not be worked on: the message is kept, and the state is that of before."""

    type: Literal["turn_failed"] = "turn_failed"
    turn: DialogueTurn
    error: HaltError
    at: AwareDatetime
    trace: tuple[dict[str, JsonValue], ...] = ()


class Undone(Document):
    """The last applied turn was taken back."""

    type: Literal["undone"] = "undone"
    at: AwareDatetime


class Migrated(Document):
    """The session goes on with a newer version of its pack; `moves` has the facts' new paths by old ones."""

    type: Literal["migrated"] = "migrated"
    schema_version: str
    moves: dict[str, str] = Field(default_factory=dict)
    at: AwareDatetime


class Worded(Document):
    """A model has worded clauses of the document; the state stays as it is.

    The texts have the keys of their wishes (`papers.Wish`); where one is empty, the list of facts stands.
    """

    type: Literal["worded"] = "worded"
    clauses: dict[str, str]
    at: AwareDatetime


InterviewEvent: TypeAlias = Annotated[
    Started | TurnApplied | TurnFailed | Undone | Migrated | Worded, Field(discriminator="type")
]

_ADAPTER: TypeAdapter[InterviewEvent] = TypeAdapter(InterviewEvent)

MOMENT: TypeAdapter[datetime] = TypeAdapter(AwareDatetime)
"""Reads a time of a log, which knows its zone."""


def to_json(event: InterviewEvent) -> str:
    """Return an event as one line of JSON."""
    return event.model_dump_json()


def from_json(text: str) -> InterviewEvent:
    """Read an event.

    Raises:
        ValidationError: the text is no event of this version.
    """
    return _ADAPTER.validate_json(text)


def fold(events: Sequence[InterviewEvent]) -> State:
    """Return the state that a log leads to.

    Raises:
        ValueError: the log does not begin with `Started`, or takes back more turns than there are.
    """
    if not events or not isinstance(events[0], Started):
        raise ValueError("the log of an interview begins with its start")
    steps: list[TurnApplied | Migrated] = []
    for event in events[1:]:
        match event:
            case TurnApplied() | Migrated():
                steps.append(event)
            case Undone():
                last_turn = _find_last_turn(steps)
                if last_turn is None:
                    raise ValueError("there is no turn to take back")
                # What only looked at the state of that turn goes with it.
                steps[last_turn:] = [step for step in steps[last_turn:] if isinstance(step, Migrated)]
            case Started():
                raise ValueError("an interview begins once")
            case TurnFailed() | Worded():
                pass
    state = _begin(events[0])
    for step in steps:
        state = apply_turn(state, step) if isinstance(step, TurnApplied) else apply_migration(state, step)
    counted = [event for event in events if isinstance(event, TurnApplied | Undone | Migrated)]
    if len(counted) == len(steps):
        return state
    # A version is never given twice: who holds the state of before must notice that it is another.
    return state.model_copy(
        update={
            "meta": state.meta.model_copy(
                update={"state_version": len(counted), "updated_at": counted[-1].at}
            )
        }
    )


def _find_last_turn(steps: Sequence[TurnApplied | Migrated]) -> int | None:
    """Return the position of the last turn in which the person said something."""
    return next(
        (
            position
            for position in range(len(steps) - 1, -1, -1)
            if isinstance(step := steps[position], TurnApplied) and step.turns
        ),
        None,
    )


def apply_turn(state: State, turn: TurnApplied) -> State:
    """Return the state after a turn; the one that was given stays as it is."""
    facts = {**state.facts, **turn.facts}
    issues = {issue.id: issue for issue in (*state.issues, *turn.issues)}
    said = (*turn.turns, turn.reply) if turn.reply else turn.turns
    dialogue = state.dialogue.model_copy(
        update={
            "history": (*state.dialogue.history, *said),
            "asked": (*state.dialogue.asked, turn.asked) if turn.asked else state.dialogue.asked,
        }
    )
    meta = state.meta.model_copy(
        update={
            "status": turn.status,
            "updated_at": turn.at,
            "state_version": state.meta.state_version + 1,
        }
    )
    return state.model_copy(
        update={
            "meta": meta,
            "domain": apply_operations(state.domain, turn.ops),
            "facts": {path: fact for path, fact in facts.items() if fact is not None},
            "issues": tuple(issues.values()),
            "dialogue": dialogue,
            "gate": turn.gate,
            "next_action": turn.next_action,
        }
    )


def apply_migration(state: State, migration: Migrated) -> State:
    """Return the state under another version of its pack, with every path as that version names it.

    The open question, the questions that were asked and the issues name the new paths as well: an answer
    would otherwise go to a path that the pack does not describe, and a fact would be asked for anew.
    """
    domain, facts = state.domain, dict(state.facts)
    for old, new in migration.moves.items():
        if has(domain, old):
            value = read(domain, old)
            domain = apply_operations(domain, (Remove(op="remove", path=old),))
            domain = apply_operations(domain, place(domain, AddOrReplace(op="add", path=new, value=value)))
        for path in [path for path in facts if is_within(path, old)]:
            facts[_move(path, {old: new})] = facts.pop(path)
    meta = state.meta.model_copy(
        update={
            "schema_version": migration.schema_version,
            "updated_at": migration.at,
            "state_version": state.meta.state_version + 1,
        }
    )
    return state.model_copy(
        update={
            "meta": meta,
            "domain": domain,
            "facts": facts,
            **_move_references(state, migration.moves),
        }
    )


def _move_references(state: State, moves: Mapping[str, str]) -> dict[str, Any]:
    asked = tuple(one.model_copy(update={"path": _move(one.path, moves)}) for one in state.dialogue.asked)
    action = state.next_action
    if action is not None and action.ask_user is not None:
        path = _move(action.ask_user.path, moves)
        action = action.model_copy(update={"ask_user": action.ask_user.model_copy(update={"path": path})})
    return {
        "dialogue": state.dialogue.model_copy(update={"asked": asked}),
        "next_action": action,
        "issues": tuple(_move_issue(issue, moves) for issue in state.issues),
    }


def _move_issue(issue: Issue, moves: Mapping[str, str]) -> Issue:
    """Return an issue with the new paths; the key of a contradiction or an objection ends with one."""
    key = issue.key
    if key is not None and ":/" in key:
        kind, _, path = key.partition(":")
        key = f"{kind}:{_move(path, moves)}"
    evidence = issue.evidence and tuple(
        one.model_copy(update={"ref": _move(one.ref, moves)}) if one.kind == "fact_path" else one
        for one in issue.evidence
    )
    return issue.model_copy(update={"key": key, "evidence": evidence})


def _move(path: str, moves: Mapping[str, str]) -> str:
    """Return where a path stands after moves, which are carried out one after another."""
    for old, new in moves.items():
        if is_within(path, old):
            path = f"{new}{path[len(old) :]}"
    return path


def list_pending(events: Sequence[InterviewEvent]) -> tuple[DialogueTurn, ...]:
    """Return the messages of failed turns that no later turn has taken up."""
    pending: list[DialogueTurn] = []
    for event in events:
        match event:
            case TurnFailed():
                pending.append(event.turn)
            case TurnApplied():
                taken = {turn.id for turn in event.turns}
                pending = [turn for turn in pending if turn.id not in taken]
            case Started() | Undone() | Migrated() | Worded():
                pass
    return tuple(pending)


def hash_state(state: State) -> str:
    """Return the SHA-256 of a state, the same for equal states."""
    document: dict[str, Any] = state.model_dump(mode="json")
    return hashlib.sha256(canonical_json(document).encode()).hexdigest()


def _begin(started: Started) -> State:
    return State(
        meta=Meta(
            session_id=started.session_id,
            schema_id=started.schema_id,
            schema_version=started.schema_version,
            locale=started.locale,
            created_at=started.at,
            updated_at=started.at,
        ),
        control=started.control,
    )
