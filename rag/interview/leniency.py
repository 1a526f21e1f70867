"""The forms in which models write a reply to a step, brought to the one that `documents` describes.

What is written is taken where it leaves no doubt: a patch without its format, a bare list of operations, a
bare object of facts, a next action in one word. Names that nobody knows are left out. What it changes is not
decided here.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from typing import Any, Final

_PATCHES: Final = ("patch", "json_patch", "merge_patch", "ops", "operations", "changes", "patches")
_PATHS: Final = ("path", "pointer", "field", "key")
_OPS: Final = {
    **dict.fromkeys(("add", "set", "update", "upsert", "append", "insert", "put"), "add"),
    **dict.fromkeys(("remove", "delete", "unset", "clear"), "remove"),
    "replace": "replace",
    "test": "test",
}
_TEXTS: Final = ("question_text", "question", "text", "message")
_REASONS: Final = ("why_this_question", "why", "reason", "rationale")
_SEVERITIES: Final = {"medium": "med", "minor": "low", "major": "high", "blocker": "critical"}


def read_loosely(reply: Any, known: Collection[str]) -> Any:  # noqa: ANN401 - whatever a model wrote
    """Return a reply with the names of `known`; what no rule knows stays as it is, and is refused."""
    if isinstance(reply, list):
        reply = {"patch": reply}
    if not isinstance(reply, Mapping):
        return reply
    if "op" in reply:
        reply = {"patch": [reply]}
    elif not (reply.keys() & {*known, *_PATCHES}) and len(reply) == 1:
        (inner,) = reply.values()
        return read_loosely(inner, known) if isinstance(inner, Mapping) else reply
    read = {name: value for name, value in reply.items() if name in known and value is not None}
    written = next((reply[name] for name in _PATCHES if reply.get(name) is not None), None)
    if written is not None:
        read["patch"] = _patch(written)
        read.setdefault("step", "INTERPRET")
    if isinstance(step := read.get("step"), str):
        read["step"] = step.strip().upper().replace(" ", "_").replace("-", "_")
    if "step" in read or "next_action" in read or "ask_user" in reply:
        read["next_action"] = _action(reply)
    if isinstance(issues := read.get("issue_updates"), Mapping):
        read["issue_updates"] = [issues]
    if isinstance(issues := read.get("issue_updates"), list):
        read["issue_updates"] = [_issue(one) for one in issues]
    if not isinstance(read.get("safety", {}), Mapping):
        del read["safety"]
    if isinstance(observations := read.get("observations"), str):
        read["observations"] = [observations]
    return read


def _patch(written: Any) -> Any:  # noqa: ANN401 - whatever a model wrote
    if isinstance(written, str):
        try:
            written = json.loads(written)
        except ValueError:
            return written
    if isinstance(written, Mapping):
        inner = next((written[name] for name in _PATCHES if written.get(name) is not None), None)
        if "merge" in str(written.get("format", "")).casefold() and isinstance(inner, Mapping):
            return {"format": "merge_patch", "ops": inner}
        if inner is not None and written.keys() <= {"format", *_PATCHES}:
            return _patch(inner)
        if not written.keys() & {"op", *_PATHS}:
            return {"format": "merge_patch", "ops": {key: written[key] for key in written if key != "format"}}
        written = [written]
    if not isinstance(written, list):
        return written
    if written and all(isinstance(one, Mapping) and not one.keys() & {"op", *_PATHS} for one in written):
        merged = {name: value for one in written for name, value in one.items()}
        return {"format": "merge_patch", "ops": merged}
    return {"format": "json_patch", "ops": [_operation(one) for one in written]}


def _operation(written: Any) -> Any:  # noqa: ANN401 - whatever a model wrote
    if not isinstance(written, Mapping):
        return written
    name = str(written.get("op", "add")).strip().casefold()
    op = _OPS.get(name, name)
    read: dict[str, Any] = {"op": op}
    if (path := next((written[one] for one in _PATHS if one in written), None)) is not None:
        read["path"] = path
    if op != "remove" and "value" in written:
        read["value"] = written["value"]
    if isinstance(quote := written.get("quote"), str):
        read["quote"] = quote
    return read


def _action(reply: Mapping[str, Any]) -> Any:  # noqa: ANN401 - whatever a model wrote
    written = reply.get("next_action")
    if isinstance(written, str):
        written = {"kind": written}
    if written is not None and not isinstance(written, Mapping):
        return written
    action = dict(written or {})
    asked = action.get("ask_user", reply.get("ask_user"))
    if isinstance(asked, str):
        asked = {"question_text": asked}
    if not isinstance(asked, Mapping):
        asked = action
    text = next((asked[one] for one in _TEXTS if isinstance(asked.get(one), str) and asked[one]), None)
    kind = str(action.get("kind", "ask_user" if text else "proceed_to_gate")).strip().casefold()
    if kind == "ask_user":
        if text is None:
            return {"kind": "proceed_to_gate"}
        why = next((asked[one] for one in _REASONS if isinstance(asked.get(one), str)), "")
        path = asked.get("path")
        question = {"question_text": text, "why_this_question": why}
        return {"kind": kind, "ask_user": {**question, **({"path": path} if isinstance(path, str) else {})}}
    return {"kind": kind, "error": action["error"]} if "error" in action else {"kind": kind}


def _issue(written: Any) -> Any:  # noqa: ANN401 - whatever a model wrote
    if not isinstance(written, Mapping):
        return written
    read = {name: value for name, value in written.items() if value is not None}
    if isinstance(severity := read.get("severity"), str):
        read["severity"] = _SEVERITIES.get(severity.casefold(), severity.casefold())
    return read
