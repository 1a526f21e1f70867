"""Reads what servers send as a chat reply: one object or many, in OpenAI's form or in Ollama's own.

If the text is there, it is taken; odd or missing bookkeeping is not looked at.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from rag.values import FinishReason

_STOPPED = {"", "stop", "eos", "eos_token", "end_turn", "stop_sequence", "complete", "done"}
_CUT = {"length", "max_tokens", "model_length", "max_output_tokens"}
_BROKEN = {"error", "network_error", "abort", "insufficient_system_resource"}
_FILTERED = (
    "content_filter",
    "safety",
    "block",
    "moderation",
    "refusal",
    "sensitive",
    "recitation",
    "prohibited",
    "guardrail",
    "inspection",
    "risk",
)
_MOST_JOINED = 20_000_000
"""Characters of objects over several lines that are read again with each line."""
_REASONING = ("reasoning_content", "reasoning", "thinking")


@dataclass(slots=True)
class Reply:
    """A reply while it comes in, and when it has been read; token counts are None when nobody counted.

    Attributes:
        text: The text so far; thinking is included until the reply has been read.
        finish: Why the model stopped, in the server's words and small letters.
        is_over: Whether the server said that the reply is whole.
        is_chat: Whether anything came that looks like a chat reply.
        is_empty: Whether a stream of events ended without a byte.
        is_page: Whether a web page came, as from a server that starts.
        has_reasoning: Whether thinking came in a field of its own.
        error: What the server reports instead of a reply.
    """

    text: str = ""
    finish: str = ""
    is_over: bool = False
    is_chat: bool = False
    is_empty: bool = False
    is_page: bool = False
    has_reasoning: bool = False
    refusal: str = ""
    has_tool_call: bool = False
    error: Any = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    _pending: str = field(default="", repr=False)
    _joined: int = field(default=0, repr=False)

    @property
    def finish_reason(self) -> FinishReason:
        """Why the model stopped."""
        is_token = "<" in self.finish
        return "length" if self.finish in _CUT else "stop" if is_token or self.finish in _STOPPED else "other"

    @property
    def is_filtered(self) -> bool:
        """Whether a filter of the provider ended the reply."""
        return any(sign in self.finish for sign in _FILTERED)

    @property
    def is_broken(self) -> bool:
        """Whether the server broke off the reply."""
        return self.finish in _BROKEN

    def take_line(self, line: str) -> str:
        """Take one line of a stream of events or of JSON lines, and return the text that it adds."""
        line = line.strip()
        name, colon, value = line.partition(":")
        if colon and name in {"data", "event", "id", "retry", ""}:
            line = value.strip() if name == "data" else ""
        if line == "[DONE]":
            self.is_over = True
            return ""
        if not line or (line.startswith(":") and not self._pending):
            return ""  # a keep-alive, which one gateway sends as data
        try:
            value_read = json.loads(self._pending + line)
        except (ValueError, RecursionError):
            # An object over several lines; what never becomes one is left out.
            self._joined += len(self._pending)
            goes_on = (self._pending or line).startswith("{") and self._joined < _MOST_JOINED
            self._pending = f"{self._pending}{line}\n" if goes_on else ""
            return ""
        self._pending = ""
        return self.take(value_read)

    def take_body(self, body: bytes) -> str:
        """Take a whole reply, one object or a stream that nobody asked for, and return its text."""
        text = body.decode("utf-8", "replace").lstrip("\ufeff \r\n\t")
        self.is_page = text.startswith("<")
        try:
            value, end = json.JSONDecoder().raw_decode(text)
        except (ValueError, RecursionError):
            value, end = None, 0
        # Some servers write "data: [DONE]" behind a whole object.
        if isinstance(value, dict) and not text[end:].lstrip().startswith("{"):
            self.is_over = True
            return self.take(value)
        return "".join(self.take_line(line) for line in text.splitlines())

    def take(self, value: object) -> str:
        """Take one object, and return the text that it adds."""
        if not isinstance(value, dict):
            return ""
        choices = value.get("choices")
        listed = choices if isinstance(choices, list) else []
        choice: dict[str, Any] = next((one for one in listed if isinstance(one, dict)), {})
        message = choice.get("delta") or choice.get("message") or value.get("message") or {}
        if not isinstance(message, dict):
            message = {"content": message} if choice and isinstance(message, str) else {}
        self.error = self.error or value.get("error") or (None if choice or message else _report(value))
        usage = value.get("usage") or (value if "done" in value else None)
        if isinstance(usage, dict):
            read = _count(usage, "prompt_tokens", "input_tokens", "prompt_eval_count")
            written = _count(usage, "completion_tokens", "output_tokens", "eval_count")
            self.input_tokens, self.output_tokens = read or self.input_tokens, written or self.output_tokens
        self.is_chat = self.is_chat or bool(choice or message)
        finish = choice.get("finish_reason") or value.get("done_reason")
        self.finish = str(finish).lower() if finish else self.finish
        self.is_over = self.is_over or bool(finish) or value.get("done") is True
        self.has_reasoning = self.has_reasoning or any(message.get(name) for name in _REASONING)
        is_call = message.get("tool_calls") or message.get("function_call")
        self.has_tool_call = self.has_tool_call or bool(is_call) or "malformed_function_call" in self.finish
        refusal = message.get("refusal")
        self.refusal += refusal if isinstance(refusal, str) else ""
        added = _text_of(message.get("content") or choice.get("text"))
        if self.text and not choice.get("delta") and choice.get("message"):
            # An event that repeats the reply so far, as some servers send each time and others at the end.
            added = added.removeprefix(self.text) if added.startswith(self.text) else ""
        self.text += added
        return added


def _count(usage: dict[str, Any], *names: str) -> int | None:
    counts = (usage.get(name) for name in names)
    return next((count for count in counts if isinstance(count, int) and count > 0), None)


def _text_of(content: object) -> str:
    """Return the text of a message's content: a string, or parts of which some are thinking."""
    if isinstance(content, list):
        return "".join(map(_text_of, content))
    if isinstance(content, dict):
        is_text = content.get("type", "text") in {"text", "output_text"}
        return str(content.get("text") or "") if is_text else ""
    return content if isinstance(content, str) else ""


def _report(value: dict[str, Any]) -> object:
    """Return an object without a reply if it reports a fault in a form of its own; None: only bookkeeping."""
    is_report = value.get("object") == "error" or not {"choices", "usage", "done"} & set(value)
    return value if is_report and (value.get("message") or value.get("detail")) else None
