"""One request to a chat server, by `pydantic-ai`, which only `providers` and `failures` know besides."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import httpx2
import openai
from pydantic import BaseModel
from pydantic_ai import ModelRequest, ModelResponse, ThinkingPart
from pydantic_ai import exceptions as theirs
from pydantic_ai.direct import model_request, model_request_stream
from pydantic_ai.messages import (
    ModelMessage,
    PartDeltaEvent,
    PartStartEvent,
    RetryFeedbackPart,
    RetryInfo,
    TextPart,
    TextPartDelta,
    UserPromptPart,
)
from pydantic_ai.models import Model, ModelRequestParameters
from pydantic_ai.models.openai import OpenAIChatModel, OpenAIChatModelSettings
from pydantic_ai.output import OutputObjectDefinition
from pydantic_ai.profiles.openai import OpenAIModelProfile
from pydantic_ai.providers import Provider
from pydantic_ai.providers.ollama import OllamaProvider
from pydantic_ai.providers.openai import OpenAIProvider
from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider

from rag.errors import ModelReplyError
from rag.models import dialect as dialects
from rag.models import failures
from rag.models.chat import ChatRequest
from rag.models.dialect import Dialect
from rag.models.endpoint import Endpoint
from rag.models.failures import Failure
from rag.models.http_client import open_client
from rag.models.providers import make_model
from rag.models.thinking import ThinkingFilter, without_thinking
from rag.models.typed_reply import Feedback

_NO_KEY = "none"
"""The OpenAI client insists on a key; servers without one do not look at it."""

_NO_TAGS = ("\x00think\x00", "\x00/think\x00")
"""Tags that no reply has: `rag.models.thinking` takes thinking out, also when tags come in pieces."""

_TheirErrors = (
    theirs.AgentRunError,  # all of pydantic-ai's own
    httpx2.HTTPError,  # a stream that breaks is not always wrapped
    TimeoutError,
    IndexError,  # pydantic-ai takes the first of the choices without asking whether there is one
)


@dataclass(frozen=True, slots=True)
class Reply:
    """The reply of a server; token counts are 0 when it did not count."""

    text: str
    finish_reason: str | None
    input_tokens: int
    output_tokens: int


@dataclass(frozen=True, slots=True)
class Outcome:
    """A reply, a failure, or both (a reply that cannot be used but was paid for).

    `next_dialect` is another way of asking that may work at once.
    """

    reply: Reply | None = None
    failure: Failure | None = None
    next_dialect: Dialect | None = None


class Wire:
    """A connection to one endpoint.

    Attributes:
        dialect: How to ask this server; callers put back what worked.
    """

    def __init__(self, endpoint: Endpoint) -> None:
        self.endpoint = endpoint
        self._client: openai.AsyncOpenAI | None = None
        self._models: dict[bool, Model] = {}
        if endpoint.kind == "provider":
            self._models = dict.fromkeys((True, False), make_model(endpoint))
        else:
            self._client = _client(endpoint)
        self.dialect = self._first_dialect()

    async def ask(
        self,
        request: ChatRequest,
        dialect: Dialect,
        on_text: Callable[[str], None] | None,
        refused: Sequence[tuple[Reply, Feedback]],
    ) -> Outcome:
        """Send one request.

        Args:
            request: What is asked.
            dialect: How it is asked.
            on_text: Streams the reply and takes its pieces.
            refused: Typed replies that could not be used, and why.
        """
        model = self._model(dialect)
        settings = _settings(request, dialect)
        endpoint = self.endpoint
        if request.timeout_seconds is not None:
            endpoint = replace(endpoint, timeout_seconds=request.timeout_seconds)
            settings["timeout"] = request.timeout_seconds
        parameters = _parameters(request, dialect)
        messages = _messages(request, refused)
        try:
            async with asyncio.timeout(endpoint.timeout_seconds):
                if on_text is None:
                    response = await model_request(
                        model, messages, model_settings=settings, model_request_parameters=parameters
                    )
                else:
                    response = await _streamed(model, messages, settings, parameters, on_text)
        except _TheirErrors as exc:
            failure = failures.failure_of(exc, endpoint)
            return Outcome(
                failure=failure,
                next_dialect=dialects.without(dialect, failure.rejected) if failure.rejected else None,
            )
        return self._read(response, dialect)

    def wrong_form(self, output: type[BaseModel], tries: int) -> ModelReplyError:
        """The error for a typed reply that could not be used in so many tries."""
        return failures.wrong_form(self.endpoint, output.__name__, tries)

    async def aclose(self) -> None:
        """Close the connections; those of providers belong to their clients, and close by themselves."""
        if self._client is not None:
            await self._client.close()

    def _read(self, response: ModelResponse, dialect: Dialect) -> Outcome:
        said = "".join(part.content for part in response.parts if isinstance(part, TextPart))
        text = without_thinking(said)
        reply = Reply(
            text=text,
            finish_reason=response.finish_reason,
            input_tokens=response.usage.input_tokens,
            output_tokens=response.usage.output_tokens,
        )
        if text.strip():
            return Outcome(reply=reply)
        thought = said.strip() or any(isinstance(part, ThinkingPart) for part in response.parts)
        only_thought = response.finish_reason == "length" and thought
        return Outcome(
            reply=reply,
            failure=Failure(failures.empty_reply(self.endpoint, response.finish_reason)),
            next_dialect=dialects.with_room_for_thinking(dialect) if only_thought else None,
        )

    def _first_dialect(self) -> Dialect:
        profile = self._model(Dialect()).profile
        if self.endpoint.kind == "provider":
            return Dialect(json_schema=bool(profile.get("supports_json_schema_output")))
        if self.endpoint.kind == "openai":
            if profile.get("openai_supports_reasoning") and profile.get("thinking_enabled_by_default"):
                return dialects.REASONING
            return Dialect(max_completion_tokens=True)
        return Dialect()

    def _model(self, dialect: Dialect) -> Model:
        wanted = dialect.max_completion_tokens
        if wanted not in self._models:
            assert self._client is not None  # a provider's model is there from the beginning
            self._models[wanted] = OpenAIChatModel(
                self.endpoint.model,
                provider=_provider(self.endpoint, self._client),
                profile=OpenAIModelProfile(
                    supports_json_schema_output=True,
                    supports_json_object_output=False,
                    openai_chat_supports_max_completion_tokens=wanted,
                    # A stream without an end was cut, and half an answer must not pass for a whole one.
                    openai_chat_streaming_requires_finish_reason=True,
                    thinking_tags=_NO_TAGS,
                ),
            )
        return self._models[wanted]


def _client(endpoint: Endpoint) -> openai.AsyncOpenAI:
    timeout = httpx2.Timeout(endpoint.timeout_seconds, connect=endpoint.connect_timeout_seconds)
    return openai.AsyncOpenAI(
        base_url=endpoint.base_url,
        api_key=endpoint.api_key.get_secret_value() or _NO_KEY,
        timeout=timeout,
        max_retries=0,
        http_client=open_client(timeout, is_loopback=endpoint.loopback),
    )


async def _streamed(
    model: Model,
    messages: list[ModelMessage],
    settings: OpenAIChatModelSettings,
    parameters: ModelRequestParameters,
    on_text: Callable[[str], None],
) -> ModelResponse:
    visible = ThinkingFilter()
    async with model_request_stream(
        model, messages, model_settings=settings, model_request_parameters=parameters
    ) as stream:
        async for event in stream:
            piece = ""
            if isinstance(event, PartStartEvent) and isinstance(event.part, TextPart):
                piece = event.part.content
            elif isinstance(event, PartDeltaEvent) and isinstance(event.delta, TextPartDelta):
                piece = event.delta.content_delta
            if shown := visible.feed(piece):
                on_text(shown)
        if rest := visible.finish():
            on_text(rest)
        return stream.get()


def _provider(endpoint: Endpoint, client: openai.AsyncOpenAI) -> Provider[openai.AsyncOpenAI]:
    if endpoint.kind == "openai":
        return OpenAIProvider(openai_client=client)
    if endpoint.kind == "ollama":
        return OllamaProvider(openai_client=client)
    return OpenAICompatibleProvider(endpoint.kind, openai_client=client)


def _settings(request: ChatRequest, dialect: Dialect) -> OpenAIChatModelSettings:
    settings = OpenAIChatModelSettings(max_tokens=request.max_tokens + dialect.thinking_tokens)
    if dialect.temperature:
        settings["temperature"] = request.temperature
    if dialect.reasoning_effort:
        settings["openai_reasoning_effort"] = dialect.reasoning_effort
    return settings


def _parameters(request: ChatRequest, dialect: Dialect) -> ModelRequestParameters:
    if request.output is None:
        return ModelRequestParameters()
    return ModelRequestParameters(
        output_mode="native" if dialect.json_schema else "prompted",
        output_object=OutputObjectDefinition(
            json_schema=request.output.model_json_schema(), name=request.output.__name__
        ),
    )


def _messages(request: ChatRequest, refused: Sequence[tuple[Reply, Feedback]]) -> list[ModelMessage]:
    messages: list[ModelMessage] = []
    for message in request.messages:
        if message.role == "user":
            messages.append(ModelRequest(parts=[UserPromptPart(message.text)]))
        else:
            messages.append(ModelResponse(parts=[TextPart(message.text)]))
    for reply, feedback in refused:
        messages.append(ModelResponse(parts=[TextPart(reply.text)]))
        # The library words the repair request, and fences what it quotes.
        messages.append(
            ModelRequest(
                parts=[RetryFeedbackPart(content=feedback, retry=RetryInfo(cause="validation_error"))]
            )
        )
    last = messages[-1]
    if isinstance(last, ModelRequest):
        last.instructions = request.instructions or None
    return messages
