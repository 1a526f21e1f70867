"""JSON pointers (RFC 6901): read, compare, list the leaves of a value."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from pydantic import JsonValue

_BAD_ESCAPE = re.compile(r"~(?![01])")
_INDEX = re.compile(r"0|[1-9][0-9]*")


class PointerError(ValueError):
    """A text is no JSON pointer, or there is nothing where it points."""


def split_pointer(pointer: str) -> tuple[str, ...]:
    """Return the tokens of a pointer.

    Raises:
        PointerError: it does not begin with a slash, or holds a bad escape.
    """
    if not pointer:
        return ()
    if not pointer.startswith("/"):
        raise PointerError(f"{pointer!r} does not begin with a slash")
    if _BAD_ESCAPE.search(pointer):
        raise PointerError(f"{pointer!r} holds a tilde that is neither ~0 nor ~1")
    return tuple(token.replace("~1", "/").replace("~0", "~") for token in pointer[1:].split("/"))


def join_pointer(tokens: Sequence[str | int]) -> str:
    """Return the pointer with these tokens."""
    return "".join(f"/{str(token).replace('~', '~0').replace('/', '~1')}" for token in tokens)


def read(value: JsonValue, pointer: str) -> JsonValue:
    """Return what a pointer points to.

    Raises:
        PointerError: there is nothing.
    """
    for token in split_pointer(pointer):
        match value:
            case dict() if token in value:
                value = value[token]
            case list() if _INDEX.fullmatch(token) and int(token) < len(value):
                value = value[int(token)]
            case _:
                raise PointerError(f"there is nothing at {pointer!r}")
    return value


def find(value: JsonValue, pointer: str) -> JsonValue:
    """Return what a pointer points to, or None if there is nothing."""
    return read(value, pointer) if has(value, pointer) else None


def has(value: JsonValue, pointer: str) -> bool:
    """Return whether a pointer points to something."""
    try:
        read(value, pointer)
    except PointerError:
        return False
    return True


def list_leaves(value: JsonValue, base: str = "") -> Iterator[tuple[str, JsonValue]]:
    """Yield the pointer and value of every scalar, and of every empty object and list, below `base`."""
    match value:
        case dict() if value:
            for key, part in value.items():
                yield from list_leaves(part, base + join_pointer([key]))
        case list() if value:
            for index, part in enumerate(value):
                yield from list_leaves(part, base + join_pointer([index]))
        case _:
            yield base, value


def is_within(pointer: str, outer: str) -> bool:
    """Return whether a pointer points to `outer` or below it."""
    return pointer == outer or pointer.startswith(f"{outer}/")


def is_index(token: str) -> bool:
    """Return whether a token is an index of a list: no sign, no leading zero."""
    return _INDEX.fullmatch(token) is not None


def matches(pointer: str, pattern: str) -> bool:
    """Return whether a pointer fits a pattern, in which ``*`` stands for any one token."""
    tokens, wanted = split_pointer(pointer), split_pointer(pattern)
    return len(tokens) == len(wanted) and all(
        one in {"*", token} for token, one in zip(tokens, wanted, strict=True)
    )


def expand(value: JsonValue, pattern: str) -> list[str]:
    """Return the pointers of `value` that a pattern stands for.

    Only ``*`` is expanded, by what is there; without one the pattern itself is returned, whether something
    is there or not. A ``*`` over an empty or missing list stands for its first element.
    """
    found = [""]
    for step in split_pointer(pattern):
        if step != "*":
            found = [pointer + join_pointer([step]) for pointer in found]
            continue
        widened: list[str] = []
        for pointer in found:
            inner = find(value, pointer)
            keys: Sequence[str | int] = (
                list(inner)
                if isinstance(inner, dict)
                else range(len(inner))
                if isinstance(inner, list)
                else ()
            )
            widened += [pointer + join_pointer([key]) for key in (keys or [0])]
        found = widened
    return found
