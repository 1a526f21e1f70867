"""What one server does not take: learned from its refusals, once for each server and model.

OpenAI-compatible servers differ: one refuses a system message, another `stream_options`, a third a limit
above its own. A refusal names the cause, so the client changes that one thing and asks again.

To add a quirk, add a field to `Quirks`, use it in `rag.models.client`, and add the words of its refusal to
`_RULES`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

from rag.models.endpoint import Endpoint

_REASONING_MODELS = re.compile(r"(?:o\d|gpt-[5-9]|gpt-oss)(?!.*chat)", re.IGNORECASE)
THINKING_TOKENS = 4000
"""Added to the token limit for models that think first, because thinking counts against the limit."""

_LEAST_TOKENS = 16
"""A smaller limit leaves no room for an answer, so the number in a refusal means something else."""
_LEAST_HALF = 64
"""A limit that is refused without a number is halved down to this one."""


@dataclass(frozen=True, slots=True)
class Quirks:
    """How one server wants to be asked.

    Args:
        json_schema: Request typed replies with ``response_format``; otherwise the schema is in the prompt.
        temperature: Send a temperature.
        limit: The name of the token limit.
        most_tokens: The highest limit that the server takes; 0: unknown.
        room: Tokens that are left for this one reply; 0: unknown.
        low_effort: Ask for little reasoning.
        thinking_tokens: Added to the limit of every reply.
        system: Send instructions as a system message; otherwise in front of the last message.
        stream: Stream replies.
        only_stream: Stream also where nobody listens.
        stream_options: Ask for the usage of a stream.
        path: Added to the server's address.
        native: Speak Ollama's own protocol, the only one in which it takes the size of its context.
    """

    json_schema: bool = True
    temperature: bool = True
    limit: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    most_tokens: int = 0
    room: int = 0
    low_effort: bool = False
    thinking_tokens: int = 0
    system: bool = True
    stream: bool = True
    only_stream: bool = False
    stream_options: bool = True
    path: str = ""
    native: bool = False

    def limit_for(self, tokens: int) -> int:
        """Return the token limit to send for a reply of so many tokens."""
        known = [most for most in (self.most_tokens, self.room) if most]
        return min(tokens + self.thinking_tokens, *known) if known else tokens + self.thinking_tokens


REASONING: Final = Quirks(
    temperature=False,
    limit="max_completion_tokens",
    low_effort=True,
    thinking_tokens=THINKING_TOKENS,
)
"""For OpenAI models that always think; low effort is enough, because the documents are in the prompt."""


def expect(endpoint: Endpoint) -> Quirks:
    """Return how to ask a server that has not been asked yet."""
    if endpoint.kind != "openai":
        return Quirks(native=endpoint.kind == "ollama")
    return REASONING if _REASONING_MODELS.match(endpoint.model) else Quirks(limit="max_completion_tokens")


def learn(quirks: Quirks, words: str, tokens: int) -> Quirks | None:
    """Return the way of asking without what a server refused in `words`; None if the cause is another.

    `tokens` are those that the reply could have had, without those for thinking.
    """
    for sign, field in _RULES:
        if not re.search(sign, words, re.IGNORECASE):
            continue
        if field == "most_tokens":
            changed = _with_less(quirks, words, quirks.limit_for(tokens))
        else:
            turned: Any = {field: field == "only_stream"}
            changed = replace(quirks, **turned)
        if changed is not None and changed != quirks:
            return changed
    return None


def plainest(quirks: Quirks) -> Quirks:
    """Return the plainest way of asking, for a server that refuses without saying what."""
    return replace(quirks, json_schema=False, temperature=False, low_effort=False, system=False, stream=False)


def with_room_for_thinking(quirks: Quirks) -> Quirks | None:
    """Return a way of asking with room for thinking; None if it already has that."""
    return None if quirks.thinking_tokens else replace(quirks, thinking_tokens=THINKING_TOKENS)


_WINDOW = re.compile(r"(?:context|window|limit|must be <=)\D{0,40}?(\d{3,8})", re.IGNORECASE)
_LIMIT = r"max(?:imum)?[ _]?(?:[a-z]{1,12}[ _]?)?tokens|token limit|num_predict"
_TOO_MANY = re.compile(r"exceed|less than|lower than|at most|<=?", re.IGNORECASE)
_BELOW = re.compile(r"exclusive|(?:less|lower|smaller) than (?!or\b)|must be < ", re.IGNORECASE)
_AFFORDABLE = re.compile(r"can only afford (\d{1,8})", re.IGNORECASE)
_PROMPT = re.compile(
    r"(\d{1,8}) (?:tokens? )?(?:(?:in|from|of) (?:the|your) (?:messages|prompt|input)|`?inputs?`? tokens)",
    re.IGNORECASE,
)


def _with_less(quirks: Quirks, words: str, sent: int) -> Quirks | None:
    """Lower the limit to a number that the server named, or else try its other name."""
    window, prompt = _WINDOW.search(words), _PROMPT.search(words)
    if window and prompt:
        room = int(window[1]) - int(prompt[1])
        return replace(quirks, room=room) if _LEAST_TOKENS <= room < sent else None
    if (affordable := _AFFORDABLE.search(words)) and _LEAST_TOKENS <= int(affordable[1]) < sent:
        return replace(quirks, room=int(affordable[1]))
    numbers = [int(number) for number in re.findall(r"(?<![\w.])\d{2,8}(?![\w.]\w)", words)]
    below = 1 if _BELOW.search(words) else 0
    if fitting := [number - below for number in numbers if _LEAST_TOKENS <= number - below < sent]:
        return replace(quirks, most_tokens=max(fitting))
    if re.search(_LIMIT, words, re.IGNORECASE) and _TOO_MANY.search(words) and sent >= 2 * _LEAST_HALF:
        return replace(quirks, most_tokens=sent // 2)  # it did not say how many
    if not re.search(r"max_(?:completion_)?tokens", words, re.IGNORECASE):
        return None
    return replace(quirks, limit="max_tokens" if "completion" in quirks.limit else "max_completion_tokens")


_RULES: Final = (
    (r"only supports? stream|false for non-streaming", "only_stream"),
    (r"stream_options|include_usage", "stream_options"),
    (
        r"response_format|json_schema|json mode|structured output|grammar|guided|json_validate|generate json",
        "json_schema",
    ),
    (r"temperature", "temperature"),
    (r"reasoning", "low_effort"),
    (rf"{_LIMIT}|context|too long", "most_tokens"),
    (r"system[ _](?:role|message|prompt|instruction)|developer (?:message|instruction|role)", "system"),
    (r"\broles?\b", "system"),
    (r"\bstream(?:ing)?\b.{0,40}\b(?:not|unsupported|disabled|must|cannot)\b", "stream"),
    (r"\b(?:un\w{4,12}|invalid)\b.{0,40}\bstream|\(stream\b", "stream"),
)
"""The words of a refusal, and the field to change; the first rule that changes something decides."""
