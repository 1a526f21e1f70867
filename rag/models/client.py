"""A chat model behind a server, accessed with `pydantic-ai`.

The library translates messages, schemas and errors of many servers. This module adds what `ChatModel`
promises: bounded retries, repair requests for typed replies, no truncated stream returned as a complete
reply, and errors that say what to do. Heavy imports are delayed until the first call.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import TYPE_CHECKING

from pydantic import BaseModel

from rag.errors import ModelError
from rag.models import typed_reply
from rag.models.chat import ChatRequest, Completion
from rag.models.endpoint import Endpoint
from rag.models.tokens import estimate_prompt_tokens, estimate_tokens
from rag.models.typed_reply import Feedback, UnusableReplyError
from rag.values import FinishReason

if TYPE_CHECKING:
    from rag.models.wire import Reply, Wire

_FIRST_PAUSE_SECONDS = 0.5
_MAX_PAUSE_SECONDS = 8.0


async def preload() -> None:
    """Import the client library before the first call, in a thread: the import takes a second or two."""
    await asyncio.to_thread(_wire_module)


class ServerModel:
    """Answers chat requests through one endpoint.

    Args:
        endpoint: Server, model and limits.
        sleep: Waits between two attempts.
        clock: Monotonic seconds.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        *,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.endpoint = endpoint
        self._sleep = sleep
        self._clock = clock
        self._wire: Wire | None = None
        self._starting = asyncio.Lock()

    async def start(self) -> None:
        """Load the client library and create the client."""
        async with self._starting:
            if self._wire is None:
                self._wire = await asyncio.to_thread(lambda: _wire_module().Wire(self.endpoint))

    async def complete(
        self, request: ChatRequest, on_text: Callable[[str], None] | None = None
    ) -> Completion:
        """Answer `request`. Text is streamed if `on_text` is given; typed replies are never streamed.

        Raises:
            ModelUnavailableError: No answer (dead, slow or unreachable server).
            ModelRejectedError: The server refused (key, model name, request).
            ModelReplyError: The reply could not be read, even after repair requests.
        """
        await self.start()
        assert self._wire is not None
        call = _Call(self._wire, request, on_text if request.output is None else None, self._sleep)
        started = self._clock()
        try:
            reply, parsed = await call.answer()
        except ModelError as error:
            error.calls, error.input_tokens, error.output_tokens = call.spent
            error.replies = call.said
            raise
        calls, input_tokens, output_tokens = call.spent
        return Completion(
            text=reply.text if parsed is None else typed_reply.json_text(reply.text),
            finish_reason=_finish_reason(reply.finish_reason),
            input_tokens=input_tokens,
            output_tokens=output_tokens,
            model=self.endpoint.name,
            seconds=self._clock() - started,
            calls=calls,
            parsed=parsed,
            replies=call.said,
        )

    async def aclose(self) -> None:
        """Close the connections."""
        wire, self._wire = self._wire, None
        if wire is not None:
            await wire.aclose()


@dataclass
class _Streamed:
    """Forwards streamed text, and records whether there was any: after that the call is not repeated."""

    on_text: Callable[[str], None]
    started: bool = False

    def __call__(self, piece: str) -> None:
        self.started = True
        self.on_text(piece)


class _Call:
    """One call with its retries and, for a typed reply, its repair requests."""

    def __init__(
        self,
        wire: Wire,
        request: ChatRequest,
        on_text: Callable[[str], None] | None,
        sleep: Callable[[float], Awaitable[None]],
    ) -> None:
        self._wire = wire
        self._request = request
        self._streamed = _Streamed(on_text) if on_text is not None else None
        self._sleep = sleep
        self._replies: list[Reply] = []

    @property
    def spent(self) -> tuple[int, int, int]:
        """Number of replies, and their input and output tokens; estimated if the server reports none."""
        prompt = (self._request.instructions, *(message.text for message in self._request.messages))
        return (
            len(self._replies),
            sum(reply.input_tokens or estimate_prompt_tokens(prompt) for reply in self._replies),
            sum(reply.output_tokens or estimate_tokens(reply.text) for reply in self._replies),
        )

    @property
    def said(self) -> tuple[str, ...]:
        """Every reply as the model wrote it, in order."""
        return tuple(reply.text for reply in self._replies)

    async def answer(self) -> tuple[Reply, BaseModel | None]:
        """Return the reply, and its typed form if one was requested."""
        request = self._request
        refused: list[tuple[Reply, Feedback]] = []
        while True:
            reply = await self._ask_with_retries(refused)
            if request.output is None:
                return reply, None
            try:
                return reply, typed_reply.parse(reply.text, request.output, request.validate)
            except UnusableReplyError as exc:
                refused.append((reply, exc.feedback))
                if len(refused) > request.repairs:
                    raise self._wire.wrong_form(request.output, len(refused)) from exc

    async def _ask_with_retries(self, refused: Sequence[tuple[Reply, Feedback]]) -> Reply:
        """Ask until there is a reply, the attempts are used up, or a retry cannot help."""
        dialects = {self._wire.dialect}
        dialect = self._wire.dialect
        failures = 0
        while True:
            # Failures are returned, not raised: an exception of the client library contains the request with
            # the key, and raising ours while it is handled would attach it.
            outcome = await self._wire.ask(self._request, dialect, self._streamed, refused)
            if outcome.reply is not None:
                self._replies.append(outcome.reply)
            failure = outcome.failure
            if failure is None:
                assert outcome.reply is not None
                self._wire.dialect = dialect
                return outcome.reply
            if self._streamed is not None and self._streamed.started:
                raise failure.error
            if outcome.next_dialect is not None and outcome.next_dialect not in dialects:
                dialect = outcome.next_dialect
                dialects.add(dialect)
                continue
            failures += 1
            if not failure.transient or failures >= self._wire.endpoint.attempts:
                raise failure.error
            await self._sleep(_pause(failures) if failure.wait_seconds is None else failure.wait_seconds)


def _pause(failures: int) -> float:
    return min(_FIRST_PAUSE_SECONDS * 2.0 ** (failures - 1), _MAX_PAUSE_SECONDS)


def _finish_reason(reason: str | None) -> FinishReason:
    return "stop" if reason == "stop" else "length" if reason == "length" else "other"


def _wire_module() -> ModuleType:
    # Imported here, so that only server calls pay for importing pydantic-ai and the OpenAI client.
    from rag.models import wire

    return wire
