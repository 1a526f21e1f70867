"""Changes of the domain: checked, then applied to a copy, all of them or none.

`jsonpatch` carries out the operations. What it accepts too readily is refused here first: paths outside the
domain, the whole document, indexes with leading zeros, and ``move`` and ``copy``, which the documents do not
even name.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Mapping, Sequence
from typing import cast

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
)
from rag.interview.pointers import PointerError, find, has, is_index, join_pointer, split_pointer

DOMAIN = "domain"
Domain = dict[str, JsonValue]


class PatchError(ValueError):
    """A patch is refused as a whole; the message is for the model that wrote it."""


def read_operations(patch: JsonPatch | MergePatch, domain: Domain) -> tuple[JsonPatchOp, ...]:
    """Return the operations of a patch with paths inside the domain (without ``/domain``).

    Raises:
        PatchError: there are too many, or one of them is outside the domain or cannot be carried out.
    """
    if isinstance(patch, MergePatch):
        ops = _from_merge(_without_prefix(patch.ops), domain)
    else:
        ops = [op.model_copy(update={"path": _inside_domain(op.path)}) for op in patch.ops]
    if len(ops) > MAX_OPERATIONS:
        raise PatchError(f"a patch has at most {MAX_OPERATIONS} operations")
    if sum(len(op.model_dump_json()) for op in ops) > MAX_PATCH_CHARACTERS:
        raise PatchError(f"a patch has at most {MAX_PATCH_CHARACTERS} characters")
    return tuple(ops)


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


def resolve_append(op: JsonPatchOp, domain: Domain) -> JsonPatchOp:
    """Give an operation that appends to a list (``/-``) the index that its element will have.

    Raises:
        PatchError: there is no such list.
    """
    tokens = split_pointer(op.path)
    if not tokens or tokens[-1] != "-":
        return op
    base = join_pointer(tokens[:-1])
    held = find(domain, base)
    if not isinstance(held, list) or op.op != "add":
        raise PatchError(f"nothing can be appended to {base}")
    return op.model_copy(update={"path": f"{base}/{len(held)}"})


def _inside_domain(path: str) -> str:
    try:
        tokens = split_pointer(path)
    except PointerError as exc:
        raise PatchError(str(exc)) from exc
    if len(tokens) < 2 or tokens[0] != DOMAIN:
        raise PatchError(f"only paths below /domain/ may be changed, not {path!r}")
    for token in tokens:
        if token.lstrip("-").isdigit() and not is_index(token):
            raise PatchError(f"{path!r} holds an index with a sign or a leading zero")
    return join_pointer(tokens[1:])


def _without_prefix(merge: Mapping[str, JsonValue]) -> Mapping[str, JsonValue]:
    """Models write a merge patch of the domain with and without the name ``domain`` around it."""
    inner = merge.get(DOMAIN)
    return inner if len(merge) == 1 and isinstance(inner, dict) else merge


def _from_merge(merge: Mapping[str, JsonValue], domain: JsonValue, base: str = "") -> list[JsonPatchOp]:
    """Turn a merge patch into operations. A null would erase a fact, so it is left out."""
    ops: list[JsonPatchOp] = []
    held = domain if isinstance(domain, dict) else {}
    for key, value in merge.items():
        path = base + join_pointer([key])
        if value is None or (key in held and held[key] == value):
            continue
        if isinstance(value, dict) and isinstance(held.get(key), dict):
            ops += _from_merge(value, held[key], path)
        else:
            ops.append(AddOrReplace(op="replace" if key in held else "add", path=path, value=value))
    return ops


def set_value(domain: Domain, path: str, value: JsonValue, quote: str = "") -> AddOrReplace:
    """Return the operation that puts a value at a path, with the objects and lists around it.

    Args:
        domain: What stands there so far.
        path: JSON pointer inside the domain.
        value: The value.
        quote: What the person said of it.
    """
    tokens = split_pointer(path)
    if has(domain, path):
        return AddOrReplace(op="replace", path=path, value=value, quote=quote)
    depth = len(tokens) - 1
    while depth and not has(domain, join_pointer(tokens[:depth])):
        depth -= 1
    for step in reversed(tokens[depth + 1 :]):
        value = [value] if step == "0" else {step: value}
    return AddOrReplace(op="add", path=join_pointer(tokens[: depth + 1]), value=value, quote=quote)


def canonical_json(value: JsonValue) -> str:
    """Return a value as text that is the same for equal values."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
