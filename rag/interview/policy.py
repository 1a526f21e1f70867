"""Which changes of a turn are kept, and what becomes of facts.

A model proposes; this module decides:

- what the person has confirmed is never overwritten: another value opens a conflict instead;
- a value that the person did not say is only proposed, and is asked about before the interview ends.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from pydantic import JsonValue

from rag.interview.documents import (
    AddOrReplace,
    Fact,
    JsonPatchOp,
    State,
)
from rag.interview.patch import Domain, apply_operations, place
from rag.interview.pointers import (
    find,
    has,
    is_index,
    is_within,
    join_pointer,
    list_leaves,
    read,
    split_pointer,
)
from rag.interview.quotes import is_quoted, states_value

SETTLED = frozenset({"confirmed", "not_applicable"})
"""Facts in these states are what the person has said, or said that there is none of."""

PROTECTED = SETTLED | {"disputed"}
"""Facts in these states change only by a question that the person answers."""

DropReason = Literal[
    "confirmed", "moves_confirmed", "same_value", "erases_without_quote", "outside", "impossible", "not_there"
]
"""`outside` the domain; `impossible` by the schema of the pack; `not_there`: nothing to remove."""


@dataclass(frozen=True, slots=True)
class Conflict:
    """The person said one thing and now another.

    Args:
        path: JSON pointer of the fact.
        held: The value that stands.
        said: The value that came.
        quote: What the person said of it.
    """

    path: str
    held: JsonValue
    said: JsonValue
    quote: str = ""


@dataclass(frozen=True, slots=True)
class Changes:
    """The operations of a patch that are kept.

    Args:
        ops: The operations to apply, in order.
        domain: The domain after them.
        facts: The facts that change; None for one that goes.
        conflicts: What contradicts a confirmed fact.
        impossible: The values that the schema of the pack does not allow.
        dropped: The path of each operation that is left out, and why.
    """

    ops: tuple[JsonPatchOp, ...]
    domain: Domain
    facts: Mapping[str, Fact | None]
    conflicts: tuple[Conflict, ...] = ()
    impossible: tuple[AddOrReplace, ...] = ()
    dropped: tuple[tuple[str, DropReason], ...] = ()


@dataclass(slots=True)
class _Work:
    domain: Domain
    facts: dict[str, Fact]
    kept: list[JsonPatchOp] = field(default_factory=list)
    conflicts: list[Conflict] = field(default_factory=list)
    impossible: list[AddOrReplace] = field(default_factory=list)
    dropped: list[tuple[str, DropReason]] = field(default_factory=list)


def decide_changes(
    state: State,
    ops: Sequence[JsonPatchOp],
    said: str,
    turn_id: str,
    *,
    answered_path: str = "",
    settled: Collection[str] = (),
    faults: Callable[[Domain], Sequence[str]] = lambda _domain: (),
    words_for: Callable[[str, JsonValue], JsonValue] = lambda _path, value: value,
) -> Changes:
    """Decide which operations of a patch are kept.

    Args:
        state: The state before.
        ops: Operations with paths inside the domain.
        said: The person's message of this turn.
        turn_id: The turn of that message.
        answered_path: The path that the message answers a question about; empty if it answers none. A value
            at this path needs no figures of its own in the quote: "the second one" may be an answer.
        settled: Paths whose facts may change, because the message corrects them by name, or answers a
            question that asked which of two values holds.
        faults: Returns what the schema of the pack objects to in a domain.
        words_for: Returns what people call a value at a path: "it is a nuisance" for "minor".

    Raises:
        PatchError: an operation cannot be carried out.
    """
    language = state.meta.locale.language
    work = _Work(state.domain, dict(state.facts))
    for op in ops:
        placed: tuple[JsonPatchOp, ...] = (op,)
        if isinstance(op, AddOrReplace) and op.op != "test":
            placed = place(work.domain, op)
            if faults(apply_operations(work.domain, placed)):
                work.dropped.append((op.path, "impossible"))
                work.impossible.append(op)
                continue
        if reason := _objection(op, work, said, settled):
            work.dropped.append((op.path, reason))
            continue
        for path, value in _leaves_after(op):
            is_protected = path in work.facts and work.facts[path].status in PROTECTED
            if is_protected and path not in settled:
                continue  # the same value as before
            is_said = is_quoted(op.quote, said) and (
                (answered_path != "" and is_within(path, answered_path))
                or path in settled
                or any(states_value(op.quote, one, language) for one in (value, words_for(path, value)))
            )
            work.facts[path] = Fact(
                status="confirmed" if is_said else "proposed",
                source_turn=turn_id,
                quote=op.quote if is_said else "",
            )
        before = work.domain
        work.domain = apply_operations(work.domain, placed)
        work.kept.extend(placed)
        for path in _gone(before, work.domain, op.path):
            work.facts.pop(path, None)
    changed = {
        path: work.facts.get(path)
        for path in {*state.facts, *work.facts}
        if state.facts.get(path) != work.facts.get(path)
    }
    return Changes(
        tuple(work.kept),
        work.domain,
        changed,
        tuple(work.conflicts),
        tuple(work.impossible),
        tuple(work.dropped),
    )


def _objection(op: JsonPatchOp, work: _Work, said: str, settled: Collection[str]) -> DropReason | None:
    """Say why an operation is left out, and note the conflicts that it would have made."""
    if isinstance(op, AddOrReplace) and op.op == "test":
        return None
    if not isinstance(op, AddOrReplace) and not has(work.domain, op.path):
        return "not_there"
    if isinstance(op, AddOrReplace) and op.path not in settled and find(work.domain, op.path) == op.value:
        return "same_value"
    if _moves_confirmed(op, work):
        return "moves_confirmed"
    touched = [
        path
        for path, fact in work.facts.items()
        if fact.status in PROTECTED
        and (path not in settled or not is_quoted(op.quote, said))
        and (is_within(path, op.path) or is_within(op.path, path))
    ]
    contradicted = [
        path
        for path in touched
        if (path != op.path and is_within(op.path, path)) or _new_value(op, path) != find(work.domain, path)
    ]
    if contradicted:
        # A contradiction that nobody said is the model's slip: the fact stands, and nobody is asked.
        work.conflicts += [
            Conflict(path, find(work.domain, path), _new_value(op, path), op.quote)
            for path in contradicted
            if is_quoted(op.quote, said) and _new_value(op, path) is not None
        ]
        return "confirmed"
    if op.op == "remove" and not is_quoted(op.quote, said):
        return "erases_without_quote"
    return None


def _new_value(op: JsonPatchOp, path: str) -> JsonValue:
    """Return the value at `path` after the operation, as far as it is known; None if there is none."""
    if not isinstance(op, AddOrReplace):
        return None
    if is_within(path, op.path):
        rest = path[len(op.path) :]
        return find(op.value, rest)
    return op.value


def _moves_confirmed(op: JsonPatchOp, work: _Work) -> bool:
    """Whether removing from a list would move a confirmed fact to another path."""
    tokens = split_pointer(op.path)
    base = join_pointer(tokens[:-1])
    if not (op.op == "remove" and isinstance(find(work.domain, base), list)):
        return False
    index = int(tokens[-1]) if is_index(tokens[-1]) else 0
    for path, fact in work.facts.items():
        if fact.status in PROTECTED and path.startswith(f"{base}/"):
            here = split_pointer(path)[len(tokens) - 1]
            if is_index(here) and int(here) > index:
                return True
    return False


def _leaves_after(op: JsonPatchOp) -> Iterable[tuple[str, JsonValue]]:
    """The scalars that an operation sets; an empty object or list says nothing yet."""
    if not isinstance(op, AddOrReplace) or op.op == "test":
        return ()
    return [(path, value) for path, value in list_leaves(op.value, op.path) if value not in ({}, [], None)]


def _leaves_of(domain: Domain, path: str) -> set[str]:
    return {leaf for leaf, _value in list_leaves(read(domain, path), path)} if has(domain, path) else set()


def _gone(before: Domain, after: Domain, path: str) -> set[str]:
    """The leaves that an operation took away, also those that moved to another index."""
    base = join_pointer(split_pointer(path)[:-1])
    return _leaves_of(before, base) - _leaves_of(after, base)
