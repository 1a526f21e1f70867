"""Which changes of a turn are kept, and what becomes of facts.

A model proposes; this module decides:

- what the person has confirmed is never overwritten: another value opens a conflict instead;
- a value that the person did not say is only proposed, and is asked about before the interview ends.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from pydantic import JsonValue

from rag.interview.documents import AddOrReplace, Fact, JsonPatchOp, State
from rag.interview.patch import Domain, apply_operations, place
from rag.interview.pointers import find, has, is_within, join_pointer, list_leaves, read, split_pointer
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
    """The person said one thing (`held`) and now another (`said`); `path` is a JSON pointer."""

    path: str
    held: JsonValue
    said: JsonValue
    quote: str = ""


@dataclass(frozen=True, slots=True)
class Changes:
    """The operations of a patch that are kept.

    Args:
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
        ops: Operations with paths inside the domain.
        answered_path: The path that the message answers a question about; empty if it answers none. A value
            at this path needs no figures of its own in the quote: "the second one" may be an answer.
        settled: Paths whose facts may change to what the person said, because the message corrects them by
            name, or answers a question that asked which of two values holds.
        faults: Returns what the schema of the pack objects to in a domain.
        words_for: Returns what people call a value at a path: "it is a nuisance" for "minor".

    Raises:
        PatchError: an operation cannot be carried out.
    """
    language = state.meta.locale.language
    domain, facts = state.domain, dict(state.facts)
    kept: list[JsonPatchOp] = []
    conflicts: list[Conflict] = []
    impossible: list[AddOrReplace] = []
    dropped: list[tuple[str, DropReason]] = []

    def is_said(path: str, value: JsonValue) -> bool:
        return (answered_path != "" and is_within(path, answered_path)) or any(
            states_value(op.quote, one, language) for one in (value, words_for(path, value))
        )

    for op in ops:
        sets = op if isinstance(op, AddOrReplace) and op.op != "test" else None
        is_there, is_quote = has(domain, op.path), is_quoted(op.quote, said)
        if op.op == "remove" and not is_there:
            dropped.append((op.path, "not_there"))
            continue
        placed: tuple[JsonPatchOp, ...] = (op,) if sets is None else place(domain, sets)
        after = apply_operations(domain, placed)
        if sets is not None and faults(after):
            dropped.append((op.path, "impossible"))
            impossible.append(sets)
            continue
        if sets is not None and op.path not in settled and is_there and read(domain, op.path) == sets.value:
            dropped.append((op.path, "same_value"))
            continue
        # Whatever an operation looks like, what counts is what it would do to what the person has said.
        changed = [
            path
            for path, fact in facts.items()
            if fact.status in PROTECTED
            and (has(domain, path), find(domain, path)) != (has(after, path), find(after, path))
            and not (path in settled and is_quote and (sets is None or is_said(path, sets.value)))
        ]
        if changed:
            meant = [path for path in changed if is_within(path, op.path) or is_within(op.path, path)]
            # A contradiction that nobody said is the model's slip: the fact stands, and nobody is asked.
            conflicts += [
                Conflict(path, find(domain, path), find(after, path), op.quote)
                for path in meant
                if is_quote and sets is not None
            ]
            dropped.append((op.path, "confirmed" if meant else "moves_confirmed"))
            continue
        if op.op == "remove" and not is_quote:
            dropped.append((op.path, "erases_without_quote"))
            continue
        for path, value in list_leaves(sets.value, op.path) if sets is not None else ():
            if path not in settled and path in facts and facts[path].status in PROTECTED:
                continue  # the same value as before
            confirms = is_quote and is_said(path, value)
            facts[path] = Fact(
                status="confirmed" if confirms else "proposed",
                source_turn=turn_id,
                quote=op.quote if confirms else "",
            )
        kept.extend(placed)
        for path in _leaves_beside(domain, op.path) - _leaves_beside(after, op.path):
            facts.pop(path, None)
        domain = after
    changes = {
        path: facts.get(path) for path in {*state.facts, *facts} if state.facts.get(path) != facts.get(path)
    }
    return Changes(tuple(kept), domain, changes, tuple(conflicts), tuple(impossible), tuple(dropped))


def _leaves_beside(domain: Domain, path: str) -> set[str]:
    """The leaves around a path: what is taken from a list moves those behind it."""
    base = join_pointer(split_pointer(path)[:-1])
    return {leaf for leaf, _value in list_leaves(read(domain, base), base)} if has(domain, base) else set()
