"""Tell whether the text that a model wrote is a call of a tool or an answer.

Such a call is the whole reply, or all of it behind a first sentence. JSON and code that somebody asked for
stand in a fence, behind a colon, or hold more than the names of a call; they are answers.
"""

from __future__ import annotations

import ast
from typing import Any, Final

import regex

from rag.models import loose_json

_LONGEST_SENTENCE = 400
_LONGEST_CODE = 20_000
_MARKS: Final = (
    r"<(?:\w{1,12}[:_-])?tool_?(?:calls?|use|code)>|\[TOOL_CALLS\]|<(?:start_)?function(?:_calls?)?[=>:]"
    r"|<invoke name=|<\|python_tag\|>|<\|tool_calls?(?:_\w{1,20}){0,3}\|>|<\|action_start\|>"
    r"|<｜tool▁calls?▁begin｜>|<｜DSML｜|functools\[\s{0,9}[{\]]|```tool_(?:code|calls?)\b|```function_calls?\b"
)
_REACT: Final = (
    r"Action(?: \d)?:[ \t]*+[\w.:-]{1,80}\s{1,4}(?:Action Input(?: \d)?:|Input(?: \d)?:\s{0,4}[{\[])"
)
_OBJECT: Final = (
    r"(?:\[\s{0,9})?\{\s{0,9}[\"'](?:type|id|name|function(?:_call|_name)?|tool(?:_name|_calls?|_input)?|action(?:_input)?"
    r"|arguments|parameters|recipient_name)[\"']\s{0,9}:"
)
_LIST: Final = r"\[\s{0,9}(?-i:[a-z_])[\w.]{0,80}\((?=\s{0,9}(?:\w{1,80}\s{0,9}=|\)))"
_BEGINNING: Final = regex.compile(
    rf"(?<=(?:^|\n|[.!?…:。！？])\s{{0,4}})(?:(?P<mark>{_MARKS})|(?P<react>{_REACT})|(?P<object>{_OBJECT})|(?P<list>{_LIST}))",
    regex.IGNORECASE,
)
_PROSE: Final = regex.compile(
    r"[ \t]++[^\W\d_][\w'’-]*+(?:[,;:]?[ \t]++[^\W\d_<{(\[]|[ \t]++</\w{1,40}>[ \t]++\w)"
    r"|[ \t]*+[\p{Han}\p{Hangul}\p{Hiragana}\p{Katakana}]|[ \t]*+[,;!?]|[ \t]*+[.:](?:\s|$)"
)
"""What stands behind a mark that a sentence names."""
_END: Final = regex.compile(r"(?:[>\]})]|```)\s*+$")
_BETWEEN: Final = regex.compile(r"[ \t\r\n;,]*+")
_NAME: Final = regex.compile(r"[a-z_][\w.:/-]{0,80}|[A-Z]\w{0,40}?[a-z0-9][A-Z_.][\w.]{0,40}")
_NAMES: Final = frozenset(
    {"name", "function", "function_name", "tool", "tool_name", "action", "recipient_name"}
)
_ARGUMENTS: Final = frozenset({"arguments", "parameters", "args", "input", "tool_input", "action_input"})
_WRAPPERS: Final = frozenset({"function", "function_call", "tool_call", "tool_calls"})
_BESIDE: Final = frozenset({"type", "id", "call_id", "index"})


class CallHold:
    """Holds back the part of a streamed reply that may be a call, until the reply is over."""

    def __init__(self) -> None:
        self._text = ""
        self._shown = 0
        self._state: str = "watching"

    def feed(self, piece: str) -> str:
        """Add the next visible piece, and return the text that is no call."""
        if self._state == "open":
            return piece
        self._text += piece
        if self._state == "holding":
            return ""
        found = _BEGINNING.search(self._text, self._shown, partial=True)
        if not found or not _is_in_front(self._text[: found.start()]):
            self._state = "open" if len(self._text) > _LONGEST_SENTENCE or "`" in self._text else "watching"
            return self._show(len(self._text))
        self._state = "watching" if found.partial else "holding"
        return self._show(found.start())

    def finish(self) -> str:
        """Return what was held back of a reply that is no call."""
        self._state = "open"
        return self._show(len(self._text))

    def _show(self, end: int) -> str:
        before, self._shown = self._shown, max(end, self._shown)
        return self._text[before : self._shown]


def is_call(reply: str) -> bool:
    """Return whether a reply without its thinking is a call of a tool."""
    text = reply.strip()
    found = _BEGINNING.search(text[: 2 * _LONGEST_SENTENCE])
    if found is None or not _is_in_front(before := text[: found.start()].rstrip()):
        return False
    if found["mark"]:
        if _PROSE.match(text, found.end()):
            return False
        return not before or _END.search(text[-20:]) is not None
    if found["react"]:
        return True
    if before.endswith(":"):
        return False
    call = text[found.start() :]
    return _is_list_of_calls(call) if found["list"] else _are_objects_of_calls(call)


def _is_in_front(sentence: str) -> bool:
    return len(sentence) <= _LONGEST_SENTENCE and "`" not in sentence and sentence.strip().count("\n\n") == 0


def _is_list_of_calls(text: str) -> bool:
    """Return whether a text is a list of calls with named arguments: ``[search(query="tea")]``."""
    if len(text) > _LONGEST_CODE:
        return False
    try:
        read = ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return isinstance(read, ast.List) and all(isinstance(one, ast.Call) and not one.args for one in read.elts)


def _are_objects_of_calls(text: str) -> bool:
    position = 0
    while position < len(text):
        try:
            value, end = loose_json.read(text, position)
        except (ValueError, RecursionError):
            return False
        if not _is_object_of_call(value):
            return False
        between = _BETWEEN.match(text, end)
        position = between.end() if between else end
    return True


def _is_object_of_call(value: Any) -> bool:  # noqa: ANN401 - any JSON value
    if isinstance(value, list):
        return bool(value) and all(map(_is_object_of_call, value))
    if not isinstance(value, dict):
        return False
    said = {name: one for name, one in value.items() if name not in _BESIDE}
    if len(said) == 1 and (inner := next(iter(said))) in _WRAPPERS:
        return _is_object_of_call(said[inner])
    if len(said) != 2 or isinstance(said.get("input"), str):
        return False
    name = next((said[one] for one in said if one in _NAMES), None)
    arguments = next((said[one] for one in said if one in _ARGUMENTS), None)
    is_schema = isinstance(arguments, dict) and "properties" in arguments
    is_named = isinstance(name, str) and _NAME.fullmatch(name) is not None
    return is_named and isinstance(arguments, dict | str) and not is_schema
