"""Read JSON as models write it.

Read are comments, single, curly and inner quotes, bare names and words, raw line breaks in strings, Python's
constants, "0,9", "9/10" and "90%", commas too many, and an end without its brackets. Each character is read
once. What can mean two things is refused: a name twice, NaN, 007, a string without an end.
"""

from __future__ import annotations

import json
import re
from typing import Any, Final

_DEEPEST = 50
_SPACE: Final = re.compile(r"(?:\s++|//[^\n]*+|#[^\n]*+|/\*(?:[^*]|\*(?!/))*+\*/)*+")
_AFTER = r"(?=\s*+(?:[,}\]:]|//|$))"
_DOUBLE: Final = re.compile(rf"""["“”„«]((?:[^"“”»\\]|\\.|["“”»](?!{_AFTER}))*+)["“”»]""", re.DOTALL)
_SINGLE: Final = re.compile(rf"""['‘’‚`]((?:[^'’‘`\\]|\\.|['’‘`](?!{_AFTER}))*+)['’‘`]""", re.DOTALL)
_ESCAPED: Final = re.compile(r'\\(?:u[0-9a-fA-F]{4}|.)|"', re.DOTALL)
_VALID = frozenset('"\\/bfnrtu')
_KEY: Final = re.compile(r"[^\W\d][\w$-]{0,80}+")
_PLAIN: Final = re.compile(r"[^,{}\[\]\"'\n]{1,200}")
_DECIMAL_COMMA: Final = re.compile(r"-?(?:0,\d{1,6}|\d{1,3},\d{1,2})(?=\s*+(?:[}\n]|,\s*+[\"'“\w]))")
_NUMBER: Final = re.compile(r"-?(?:0|[1-9]\d*+)(?:\.\d++)?(?:[eE][+-]?\d++)?")
_AS_TEXT: Final = re.compile(r"~?(?:0|[1-9]\d{0,2})(?:\.\d{1,6})?\s?(?:%|/\s?\d{1,3})?")
_CONSTANTS: Final = {"true": True, "false": False, "null": None, "none": None}
_NO_NUMBERS = frozenset({"nan", "infinity", "inf", "undefined"})


def read(text: str, start: int = 0) -> tuple[Any, int]:
    """Return the value that begins at a place of a text, and where it ends.

    Raises:
        ValueError: There is none, or it can mean two things.
    """
    return _Reader(text).read(start, 0)


class _Reader:
    def __init__(self, text: str) -> None:
        self._text = text

    def read(self, at: int, depth: int, *, is_member: bool = False) -> tuple[Any, int]:
        at = self._skip(at)
        first = self._text[at : at + 1]
        if depth > _DEEPEST:
            raise ValueError("it is nested too deep")
        if first == "{":
            return self._read_object(at + 1, depth + 1)
        if first == "[":
            return self._read_list(at + 1, depth + 1)
        if (string := self._read_string(at)) is not None:
            return string
        if is_member and (comma := _DECIMAL_COMMA.match(self._text, at)):
            return float(comma[0].replace(",", ".")), comma.end()
        return self._read_plain(at)

    def _skip(self, at: int) -> int:
        found = _SPACE.match(self._text, at)
        return found.end() if found else at

    def _read_object(self, at: int, depth: int) -> tuple[dict[str, Any], int]:
        found: dict[str, Any] = {}
        is_ended = False
        while (at := self._skip(at)) < len(self._text):
            if self._text[at] == "}":
                return found, at + 1
            if (string := self._read_string(at)) is not None:
                key, at = string
            elif bare := _KEY.match(self._text, at):
                key, at = bare[0], bare.end()
            else:
                raise ValueError("Expecting a name")
            at = self._skip(at)
            if self._text[at : at + 1] != ":":
                raise ValueError("Expecting ':' delimiter")
            value, at = self.read(at + 1, depth, is_member=True)
            if key in found:
                raise ValueError(f"the name {key!r} stands there twice")
            found[key] = value
            at, is_ended = self._end_entry(at, "}")
        if not is_ended:
            raise ValueError("it has no end")
        return found, at

    def _read_list(self, at: int, depth: int) -> tuple[list[Any], int]:
        found: list[Any] = []
        while (at := self._skip(at)) < len(self._text):
            if self._text[at] == "]":
                return found, at + 1
            value, at = self.read(at, depth)
            found.append(value)
            at, _ = self._end_entry(at, "]")
        raise ValueError("a list has no end")

    def _end_entry(self, at: int, end: str) -> tuple[int, bool]:
        """Return the place behind an entry, and whether the text may end there."""
        at = self._skip(at)
        if self._text[at : at + 1] == ",":
            return at + 1, False
        if self._text[at : at + 1] in {end, ""}:
            return at, True
        if self._text.startswith("```", at):
            return len(self._text), True  # the end of a fence, and of what stands in it
        raise ValueError("Expecting ',' delimiter")

    def _read_string(self, at: int) -> tuple[str, int] | None:
        found = _DOUBLE.match(self._text, at) or _SINGLE.match(self._text, at)
        if found is None:
            return None
        inner = _ESCAPED.sub(_escape, found[1])
        return json.loads(f'"{inner}"', strict=False), found.end()

    def _read_plain(self, at: int) -> tuple[Any, int]:
        found = _PLAIN.match(self._text, at)
        word = found[0].partition(" //")[0].rstrip() if found else ""
        if not word or word.casefold().lstrip("+-") in _NO_NUMBERS:
            raise ValueError(f"Expecting value, not {word!r}")
        at += len(word)
        if word.casefold() in _CONSTANTS:
            return _CONSTANTS[word.casefold()], at
        if _NUMBER.fullmatch(word):
            return json.loads(word), at
        if word[0].isalpha() or _AS_TEXT.fullmatch(word):
            return word, at
        raise ValueError(f"Expecting value, not {word!r}")


def _escape(found: re.Match[str]) -> str:
    escaped = found[0]
    if escaped == '"':
        return '\\"'
    if len(escaped) > 2 or escaped[1] in _VALID - {"u"}:
        return escaped
    # A path of Windows, a pattern or a formula; before a sign the backslash is one too many.
    return f"\\\\{escaped[1]}" if escaped[1].isalnum() else escaped[1]
