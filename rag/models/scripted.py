"""A chat model that replies from a script.

For tests, benchmarks and people who extend the engine. It honours the contract of `ChatModel` (typed replies
are validated, streamed pieces add up to the reply), needs no server and answers at once.
"""

from __future__ import annotations

import inspect
import json
from asyncio import sleep
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, TypeAlias

from pydantic import BaseModel

from rag.errors import ModelReplyError
from rag.models import typed_reply
from rag.models.chat import ChatRequest, Completion
from rag.models.tokens import estimate_prompt_tokens, estimate_tokens
from rag.models.typed_reply import UnusableReplyError

Reply: TypeAlias = str | BaseModel | Mapping[str, Any] | Completion | Exception
"""A text, a typed reply (model or mapping), a whole completion, or an error to raise."""

Script: TypeAlias = (
    Callable[[ChatRequest], Reply | Awaitable[Reply]]
    | Mapping[str, Reply | Sequence[Reply]]
    | str
    | Exception
)
"""A function of the request; replies by purpose or role; or one text (or error) for every request."""

_PIECE_CHARACTERS = 8


class ScriptExhaustedError(LookupError):
    """The script has no reply for this request; no `ModelError`, because that would hide the gap."""


class ScriptedModel:
    """Answers from a script, and keeps the requests.

    A mapping is searched for the request's purpose first, then for its role. The replies of a list are used
    one after the other; a single reply is repeated. `requests` holds every request, in order.
    """

    def __init__(self, script: Script, name: str = "scripted") -> None:
        self.name = name
        self.requests: list[ChatRequest] = []
        self._script = script
        self._given: Counter[str] = Counter()

    async def complete(
        self, request: ChatRequest, on_text: Callable[[str], None] | None = None
    ) -> Completion:
        """Return the scripted reply; text is streamed in small pieces if `on_text` is given."""
        self.requests.append(request)
        reply = await self._reply(request)
        if isinstance(reply, Exception):
            raise reply
        completion = reply if isinstance(reply, Completion) else self._completion(request, reply)
        if on_text is not None and completion.parsed is None:
            for start in range(0, len(completion.text), _PIECE_CHARACTERS):
                on_text(completion.text[start : start + _PIECE_CHARACTERS])
                await sleep(0)
        return completion

    async def _reply(self, request: ChatRequest) -> Reply:
        script = self._script
        if isinstance(script, str | Exception):
            return script
        if isinstance(script, Mapping):
            for key in (request.purpose, request.role):
                if key in script:
                    replies = script[key]
                    if isinstance(replies, str) or not isinstance(replies, Sequence):
                        return replies
                    if self._given[key] >= len(replies):
                        raise ScriptExhaustedError(f"the replies for {key!r} are used up")
                    self._given[key] += 1
                    return replies[self._given[key] - 1]
            raise ScriptExhaustedError(f"no reply for purpose {request.purpose!r} or role {request.role!r}")
        answered = script(request)
        return await answered if inspect.isawaitable(answered) else answered

    def _completion(self, request: ChatRequest, reply: str | BaseModel | Mapping[str, Any]) -> Completion:
        parsed: BaseModel | None = None
        if request.output is not None:
            parsed = _typed(request, request.output, reply)
            text = parsed.model_dump_json()
        elif isinstance(reply, str):
            text = reply
        else:
            raise TypeError(f"{request.purpose or request.role} asked for text; the script holds {reply!r}")
        return Completion(
            text=text,
            finish_reason="stop",
            input_tokens=estimate_prompt_tokens(request.prompt),
            output_tokens=estimate_tokens(text),
            model=self.name,
            seconds=0.0,
            parsed=parsed,
        )


def _typed(
    request: ChatRequest, output: type[BaseModel], reply: str | BaseModel | Mapping[str, Any]
) -> BaseModel:
    if isinstance(reply, BaseModel):
        reply = reply.model_dump()
    text = reply if isinstance(reply, str) else json.dumps(dict(reply))
    try:
        return typed_reply.parse(text, output, request.validate)[0]
    except UnusableReplyError as exc:
        error = ModelReplyError(f"the scripted reply is no {output.__name__}: {exc}")
        error.replies = (text,)
        raise error from exc
