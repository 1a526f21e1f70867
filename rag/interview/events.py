"""The log of an interview. The state is its fold, so that undo, resume and replay need no model."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import AwareDatetime, Field, JsonValue, TypeAdapter

from rag.interview.documents import (
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
    State,
    Status,
)
from rag.interview.patch import apply_operations, canonical_json


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
        turns: The person's messages: those of failed turns before this one, and this one's.
        reply: What was said to the person, or None.
        ops: The operations that were kept, with paths inside the domain.
        facts: The facts that changed; None for one that went.
        issues: The issues that are new or changed.
        asked: The question that was asked, or None.
        next_action: What happens next.
        gate: What is missing, if it was looked at.
        status: The status after the turn.
        trace: What was decided and why, for `/why`.
    """

    type: Literal["turn_applied"] = "turn_applied"
    turns: tuple[DialogueTurn, ...]
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


InterviewEvent: TypeAlias = Annotated[
    Started | TurnApplied | TurnFailed | Undone, Field(discriminator="type")
]

_ADAPTER: TypeAdapter[InterviewEvent] = TypeAdapter(InterviewEvent)


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
    started, applied, undone = events[0], list[TurnApplied](), 0
    for event in events[1:]:
        match event:
            case TurnApplied():
                applied.append(event)
            case Undone():
                if not applied:
                    raise ValueError("there is no turn to take back")
                applied.pop()
                undone += 1
            case Started():
                raise ValueError("an interview begins once")
            case TurnFailed():
                pass
    state = _begin(started)
    for turn in applied:
        state = apply_turn(state, turn)
    if not undone:
        return state
    # A version is never given twice: who holds the state of before must notice that it is another.
    version = sum(isinstance(event, TurnApplied | Undone) for event in events)
    last = next(event.at for event in reversed(events) if isinstance(event, TurnApplied | Undone))
    return state.model_copy(
        update={"meta": state.meta.model_copy(update={"state_version": version, "updated_at": last})}
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
            case Started() | Undone():
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
