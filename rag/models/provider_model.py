"""A model of a provider that has a protocol of its own, by `pydantic-ai`; importing it takes a while."""

from __future__ import annotations

import asyncio
import inspect
from typing import Any

import httpx2
from pydantic_ai import ModelRequest, ModelResponse, TextPart, ThinkingPart
from pydantic_ai import exceptions as theirs
from pydantic_ai.direct import model_request, model_request_stream
from pydantic_ai.messages import (
    ModelMessage,
    PartDeltaEvent,
    PartStartEvent,
    TextPartDelta,
    ToolCallPart,
    UserPromptPart,
)
from pydantic_ai.models import Model, ModelRequestParameters, infer_model
from pydantic_ai.output import OutputObjectDefinition
from pydantic_ai.providers import infer_provider_class
from pydantic_ai.settings import ModelSettings

from rag.errors import OperatorError
from rag.models import failures
from rag.models.chat import ChatRequest
from rag.models.client import Call, ServerModel, make_messages
from rag.models.endpoint import Endpoint
from rag.models.failures import Failure
from rag.models.quirks import Quirks
from rag.models.replies import Reply
from rag.models.thinking import ThinkingFilter
from rag.reasons import Reason


class ProviderModel(ServerModel):
    """Asks one model of a provider.

    Raises:
        OperatorError: The provider does not take the name or the credentials.
    """

    def __init__(self, endpoint: Endpoint) -> None:
        super().__init__(endpoint)
        self._model = _make_model(endpoint, self._client)
        self._quirks = Quirks(json_schema=bool(self._model.profile.get("supports_json_schema_output")))

    async def _send(self, call: Call, asked: Quirks) -> Reply | Failure:
        request, endpoint = call.request, call.endpoint
        call.begin()
        settings = ModelSettings(
            max_tokens=asked.limit_for(request.max_tokens), timeout=endpoint.timeout_seconds
        )
        if asked.temperature:
            settings["temperature"] = request.temperature
        parameters = _make_parameters(request, asked)
        try:
            async with asyncio.timeout(endpoint.timeout_seconds):
                if call.on_text is not None:
                    response = await self._stream(call, _translate(call, asked), settings, parameters)
                else:
                    response = await model_request(
                        self._model,
                        _translate(call, asked),
                        model_settings=settings,
                        model_request_parameters=parameters,
                    )
                    call.show(_incoming(response).text)
        except (theirs.AgentRunError, httpx2.HTTPError, TimeoutError) as exc:
            return self._with_next(_read_error(exc, endpoint), call, asked)
        return self._read(call, asked, _incoming(response))

    async def _stream(
        self,
        call: Call,
        messages: list[ModelMessage],
        settings: ModelSettings,
        parameters: ModelRequestParameters,
    ) -> ModelResponse:
        visible = ThinkingFilter(holds=False)
        async with model_request_stream(
            self._model, messages, model_settings=settings, model_request_parameters=parameters
        ) as stream:
            async for event in stream:
                if isinstance(event, PartStartEvent) and isinstance(event.part, TextPart):
                    call.show(visible.feed(event.part.content))
                elif isinstance(event, PartDeltaEvent) and isinstance(event.delta, TextPartDelta):
                    call.show(visible.feed(event.delta.content_delta))
            call.show(visible.finish())
            return stream.get()


def _make_model(endpoint: Endpoint, client: httpx2.AsyncClient | None) -> Model:
    key = endpoint.api_key.get_secret_value()

    def make_provider(name: str) -> Any:  # noqa: ANN401 - one of many classes without a common constructor
        made: Any = infer_provider_class(name)
        given: dict[str, Any] = {"api_key": key} if key else {}
        taken = inspect.signature(made.__init__).parameters.get("http_client")
        if taken is not None and "httpx2" in str(taken.annotation):
            given["http_client"] = client  # the others read what their own library reads
        return made(**given)

    try:
        model = infer_model(f"{endpoint.provider}:{endpoint.model}", make_provider)
    except theirs.UserError as exc:
        raise OperatorError(
            Reason("provider-refused", {"model": endpoint.name, "error": str(exc).splitlines()[0]})
        ) from exc
    library: Any = getattr(model, "client", None)
    if hasattr(library, "max_retries"):
        # Tries are counted in one place, ours.
        library.max_retries = 0
    return model


def _make_parameters(request: ChatRequest, asked: Quirks) -> ModelRequestParameters:
    if request.output is None or not asked.json_schema:
        return ModelRequestParameters()
    schema = request.output.model_json_schema()
    form = OutputObjectDefinition(json_schema=schema, name=request.output.__name__)
    return ModelRequestParameters(output_mode="native", output_object=form)


def _translate(call: Call, asked: Quirks) -> list[ModelMessage]:
    instructions, messages = None, list[ModelMessage]()
    for message in make_messages(call, asked):
        text = message["content"]
        if message["role"] == "system":
            instructions = text
        elif message["role"] == "user":
            messages.append(ModelRequest(parts=[UserPromptPart(text)], instructions=instructions))
        else:
            messages.append(ModelResponse(parts=[TextPart(text)]))
    return messages


def _incoming(response: ModelResponse) -> Reply:
    parts, usage = response.parts, response.usage
    return Reply(
        text="".join(part.content for part in parts if isinstance(part, TextPart)),
        finish=response.finish_reason or "other",
        is_over=True,
        is_chat=True,
        has_reasoning=any(isinstance(part, ThinkingPart) for part in parts),
        has_tool_call=any(isinstance(part, ToolCallPart) for part in parts),
        input_tokens=usage.input_tokens or None,
        output_tokens=usage.output_tokens or None,
    )


def _read_error(error: Exception, endpoint: Endpoint) -> Failure:
    match error:
        case theirs.ModelHTTPError(status_code=status, body=body, retry_after=pause):
            return failures.of_status(status, body, endpoint, {"retry-after": str(pause)} if pause else {})
        case theirs.ModelTimeoutError(phase="connect"):
            return failures.of_error(httpx2.ConnectTimeout(""), endpoint)
        case theirs.ModelTimeoutError() | theirs.ModelRequestTimeout() | TimeoutError():
            return failures.of_error(TimeoutError(), endpoint)
        case theirs.ModelConnectionError(phase="read"):
            return failures.of_error(httpx2.ReadError(""), endpoint)
        case theirs.ModelConnectionError():
            return failures.of_error(httpx2.ConnectError(""), endpoint)
        case httpx2.HTTPError():
            # A stream that breaks is not always wrapped.
            return failures.broke_off(endpoint)
        case theirs.ModelAPIError(body=body, message=message) if not isinstance(error.__cause__, ValueError):
            return failures.of_report(body or message, endpoint)
        case _:
            return failures.no_chat(endpoint)
