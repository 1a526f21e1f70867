"""Changes of the domain: read as a model means them, checked, then applied to a copy.

Models write the same change in many ways: with and without ``/domain``, as operations or as a merge, with
``replace`` for what is missing, into parents that are not there yet, with an object that leaves out what is
known. All of them mean "this value stands there", and are read as that: one operation for each value, whose
parents `place` makes. What stands in the log are operations that `jsonpatch` carries out as they are.
"""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterator, Sequence
from typing import Final, cast

import jsonpatch
from jsonpointer import JsonPointerException
from pydantic import JsonValue

from rag.interview.documents import (
    MAX_OPERATIONS,
    MAX_PATCH_CHARACTERS,
    AddOrReplace,
    JsonPatch,
    JsonPatchOp,
    MergePatch,
    State,
)
from rag.interview.missions import Mission, find_path, fit_value
from rag.interview.pointers import PointerError, find, has, is_index, join_pointer, split_pointer
from rag.interview.quotes import is_quoted

DOMAIN = "domain"
Domain = dict[str, JsonValue]

_FORBIDDEN: Final = State.model_fields.keys() - {DOMAIN}
"""Parts of the state that no model changes."""

_MARKS: Final = re.compile(r"[.\[\]/#$]+")


class PatchError(ValueError):
    """A patch is refused as a whole; the message is for the model that wrote it."""


def read_operations(
    patch: JsonPatch | MergePatch, domain: Domain, mission: Mission | None = None, said: str = ""
) -> tuple[tuple[JsonPatchOp, ...], tuple[str, ...]]:
    """Return the operations that a patch means, each with one value and its path inside the domain.

    Args:
        domain: What is known so far; an element that is appended to a list gets its index.
        mission: The pack, whose schema says which path and which of its values is meant.
        said: The person's words: a value that stands in them is its own quote where the model gives none.

    Returns:
        The operations, and the paths that are left out because they are outside the domain.

    Raises:
        PatchError: they are too many or too long, or one cannot be carried out.
    """
    wishes: Sequence[JsonPatchOp] = (
        (AddOrReplace(op="add", path="", value=patch.ops),) if isinstance(patch, MergePatch) else patch.ops
    )
    ops: list[JsonPatchOp] = []
    outside: list[str] = []
    appended: dict[tuple[str, ...], int] = {}
    for wish in wishes:
        is_value = isinstance(wish, AddOrReplace) and wish.op != "test"
        try:
            base = _read_path(wish.path)
        except PointerError:
            outside.append(wish.path)
            continue
        if base[-1:] == ("-",):
            appended.pop(_inside_domain(base)[:-1], None)
        values = (
            _take_apart(wish.value, base) if isinstance(wish, AddOrReplace) and is_value else [(base, None)]
        )
        for written, value in values:
            tokens = _inside_domain(written)
            if not tokens or (tokens[0] in _FORBIDDEN and not _is_own(mission, tokens[0])):
                outside.append(join_pointer(written))
                continue
            path = join_pointer(_number(tokens, domain, appended))
            if mission is not None:
                path = find_path(mission, path)
            if not is_value:
                ops.append(wish.model_copy(update={"path": path}))
                continue
            fitted = fit_value(mission, path, value) if mission is not None else value
            quote = wish.quote
            if not is_quoted(quote, said):
                words = (one for one in (value, fitted) if isinstance(one, str | int | float))
                quote = next((str(one) for one in words if is_quoted(str(one), said)), quote)
            op = AddOrReplace(op="add", path=path, value=fitted, quote=quote)
            ops.append(op)
            domain = apply_operations(domain, place(domain, op))
    if len(ops) > MAX_OPERATIONS:
        raise PatchError(f"a patch has at most {MAX_OPERATIONS} operations")
    if sum(len(op.model_dump_json()) for op in ops) > MAX_PATCH_CHARACTERS:
        raise PatchError(f"a patch has at most {MAX_PATCH_CHARACTERS} characters")
    return tuple(ops), tuple(outside)


def apply_operations(domain: Domain, ops: Sequence[JsonPatchOp]) -> Domain:
    """Return the domain after the operations; the one that was given stays as it is.

    Raises:
        PatchError: an operation cannot be carried out.
    """
    raw = [op.model_dump(exclude={"quote"}, mode="json") for op in ops]
    try:
        changed = jsonpatch.apply_patch(copy.deepcopy(domain), raw, in_place=True)
    except jsonpatch.JsonPatchTestFailed as exc:
        raise PatchError(f"a test of the patch fails: {exc}") from exc
    except (jsonpatch.JsonPatchException, JsonPointerException, TypeError, KeyError, IndexError) as exc:
        raise PatchError(f"the patch cannot be applied: {exc}") from exc
    return cast("Domain", changed)


def place(domain: Domain, op: AddOrReplace) -> tuple[AddOrReplace, ...]:
    """Return the operations that put a value at a path, with the objects and lists around it."""
    tokens = split_pointer(op.path)
    if has(domain, op.path):
        return (op.model_copy(update={"op": "replace"}),)
    depth = len(tokens) - 1
    while depth and not has(domain, join_pointer(tokens[:depth])):
        depth -= 1
    value = op.value
    for step in reversed(tokens[depth + 1 :]):
        value = [*({} for _ in range(int(step))), value] if _is_position(step) else {step: value}
    before: list[AddOrReplace] = []
    holder = find(domain, join_pointer(tokens[:depth]))
    if isinstance(holder, list) and _is_position(tokens[depth]):
        # The elements before it are not known yet.
        before = [
            AddOrReplace(op="add", path=join_pointer([*tokens[:depth], index]), value={})
            for index in range(len(holder), int(tokens[depth]))
        ]
    elif holder is not None and not isinstance(holder, dict):
        # A single value stands where an object is meant.
        path = join_pointer(tokens[:depth])
        whole = [value] if _is_position(tokens[depth]) else {tokens[depth]: value}
        return (op.model_copy(update={"op": "replace", "path": path, "value": whole}),)
    path = join_pointer(tokens[: depth + 1])
    return (*before, op.model_copy(update={"op": "add", "path": path, "value": value}))


def canonical_json(value: JsonValue) -> str:
    """Return a value as text that is the same for equal values."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def _read_path(path: str) -> tuple[str, ...]:
    """Return the tokens of a path, also of ``contract.kind``, ``$.parties[0].name`` and ``#/contract``."""
    if path and not path.startswith("/"):
        path = "/" + _MARKS.sub("/", path).strip("/")
    tokens = split_pointer(path)
    if any(token.lstrip("-").isdigit() and not is_index(token) for token in tokens):
        raise PointerError(f"{path!r} holds an index with a sign or a leading zero")
    return tokens


def _read_key(key: str) -> tuple[str, ...]:
    """Return the tokens of a key, which may be a path; one that cannot be is a name, such as ``007``."""
    try:
        return _read_path(key if key.startswith("/") else f"/{key}")
    except PointerError:
        return (key,)


def _inside_domain(tokens: tuple[str, ...]) -> tuple[str, ...]:
    tokens = tokens[1:] if tokens[:2] == ("state", DOMAIN) else tokens
    return tokens[1:] if tokens[:1] == (DOMAIN,) else tokens


def _is_own(mission: Mission | None, name: str) -> bool:
    """Whether a pack has a field of this name itself."""
    properties = mission.domain_schema.get("properties") if mission is not None else None
    return isinstance(properties, dict) and name in properties


def _is_position(token: str) -> bool:
    return is_index(token) and int(token) < MAX_OPERATIONS


def _take_apart(value: JsonValue, base: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], JsonValue]]:
    """Yield the single values of a value with their tokens; a list of single values is one of them.

    Nothing is nothing said: a null, an empty object or an empty list erases nothing.
    """
    match value:
        case None | "":
            return
        case dict():
            for key, part in value.items():
                yield from _take_apart(part, (*base, *_read_key(key)))
        case list() if any(isinstance(part, dict | list) for part in value):
            for index, part in enumerate(value):
                yield from _take_apart(part, (*base, str(index)))
        case []:
            return
        case _:
            yield base, value


def _number(tokens: tuple[str, ...], domain: Domain, appended: dict[tuple[str, ...], int]) -> tuple[str, ...]:
    """Replace the ``-`` of an element that is appended to a list by the index that it gets.

    Several values with ``-`` are one element as long as none of them is there twice; `appended` holds the
    index of the last new element of each list.
    """
    for position, step in enumerate(tokens):
        if step == "-":
            base, rest = tokens[:position], tokens[position + 1 :]
            held = find(domain, join_pointer(base))
            index = appended.get(base, -1)
            if index < 0 or has(domain, join_pointer((*base, index, *rest))):
                index = len(held) if isinstance(held, list) else 0
            appended[base] = index
            tokens = (*base, str(index), *rest)
    return tokens
