"""A chat model behind a server that speaks OpenAI's protocol or Ollama's own, over plain HTTP.

Liberal in what it reads: see `rag.models.replies`. What a server does not take is left out: see
`rag.models.quirks`. It adds what `ChatModel` promises: bounded retries, patience with a server that loads its
model, repair requests for typed replies, and errors that say what to do.
"""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

import httpx2
import structlog
from pydantic import BaseModel

from rag.errors import ModelError
from rag.models import failures, quirks, typed_reply
from rag.models.chat import ChatRequest, Completion
from rag.models.endpoint import Endpoint, open_client
from rag.models.failures import Failure
from rag.models.quirks import Quirks
from rag.models.refusals import is_refusal
from rag.models.replies import Reply
from rag.models.thinking import Opening, ThinkingFilter
from rag.models.tokens import estimate_prompt_tokens, estimate_tokens
from rag.models.tool_calls import CallHold, is_call
from rag.models.typed_reply import UnusableReplyError
from rag.reasons import Reason

_FIRST_PAUSE_SECONDS = 0.5
_MAX_PAUSE_SECONDS = 8.0
_LOADING_SECONDS = 60.0
"""How long a server that loads its model is waited for."""
_MOST_CHARACTERS: Final = 100_000
"""No honest answer is longer: fifty pages. What comes after would cost minutes of reading and drawing."""
_LEAST_CONTEXT = 8192
_OUR_SHARE = 0.6
"""If a server counts fewer tokens than this share of our estimate of the prompt, it has cut the prompt."""
_LEAST_CUT = 1000
"""No server has so small a context, so a smaller count is no count of the whole prompt."""
_VERSION = re.compile(r"/v\d\w*(?:/|$)")
_SENTENCE_ENDS = tuple('.!?…。！？।۔؟`)]"”»')

_log = structlog.get_logger(__name__)


@dataclass(slots=True)
class Call:
    """One call to `endpoint`, which has the time limit of this call, with what came of it so far.

    Attributes:
        is_shown: Whether a piece was passed on; after that the call is not repeated.
        replies: Every reply, also those that could not be used.
        refused: Typed replies that could not be used, and why.
    """

    request: ChatRequest
    endpoint: Endpoint
    on_text: Callable[[str], None] | None
    is_shown: bool = False
    incoming: Reply = field(default_factory=Reply)
    replies: list[Reply] = field(default_factory=list)
    refused: list[tuple[Reply, str]] = field(default_factory=list)
    cut: Reason | None = None
    _hold: CallHold = field(default_factory=CallHold)
    _characters: int = 0

    def begin(self) -> None:
        """Forget what came of the try before."""
        self.incoming, self._hold, self._characters = Reply(), CallHold(), 0

    def show(self, text: str) -> None:
        """Pass on a visible piece, unless it may be a part of a call of a tool.

        Raises:
            httpx2.DecodingError: No answer is as long as this text.
        """
        self._characters += len(text)
        if self._characters > _MOST_CHARACTERS:
            raise httpx2.DecodingError("the text is too long")
        self._pass_on(self._hold.feed(text))

    def show_rest(self) -> None:
        """Pass on what was held back, now that it is no call."""
        self._pass_on(self._hold.finish())

    def _pass_on(self, text: str) -> None:
        if text and self.on_text is not None:
            self.is_shown = True
            self.on_text(text)

    def cost(self) -> tuple[int, int, int]:
        """Return the number of replies, and their input and output tokens; estimated where not counted."""
        prompt = estimate_prompt_tokens(self.request.prompt)
        return (
            len(self.replies),
            sum(prompt if one.input_tokens is None else one.input_tokens for one in self.replies),
            sum(
                estimate_tokens(one.text) if one.output_tokens is None else one.output_tokens
                for one in self.replies
            ),
        )


class ServerModel:
    """Answers chat requests through one endpoint.

    Attributes:
        cut: What to say of a server that has read only a part of a prompt; None: it has not.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        *,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self.endpoint = endpoint
        self.cut: Reason | None = None
        self._sleep = sleep
        self._client: httpx2.AsyncClient | None = self._open_client()
        self._quirks = quirks.expect(endpoint)
        self._opening: Opening = "marked" if endpoint.kind in {"openai", "embedded"} else "unknown"
        self._context = _LEAST_CONTEXT

    async def complete(
        self, request: ChatRequest, on_text: Callable[[str], None] | None = None
    ) -> Completion:
        """Answer `request`. Text is streamed if `on_text` is given; typed replies are never streamed.

        Raises:
            ModelUnavailableError: No answer (dead, slow or unreachable server).
            ModelRejectedError: The server refused (key, model name, request).
            ModelReplyError: The reply could not be read, even after repair requests.
        """
        endpoint = self.endpoint
        if request.timeout_seconds is not None:
            endpoint = replace(endpoint, timeout_seconds=request.timeout_seconds)
        call = Call(request, endpoint, None if request.output else on_text)
        started = time.monotonic()
        try:
            reply, parsed, text = await self._answer(call)
        except ModelError as error:
            error.calls, error.input_tokens, error.output_tokens = call.cost()
            error.replies = tuple(one.text for one in call.replies)
            raise
        calls, input_tokens, output_tokens = call.cost()
        return Completion(
            text=text,
            finish_reason=reply.finish_reason,
            input_tokens=input_tokens,
            output_tokens=output_tokens,
            model=endpoint.name,
            seconds=time.monotonic() - started,
            calls=calls,
            parsed=parsed,
            replies=tuple(one.text for one in call.replies),
            cut=call.cut,
        )

    async def aclose(self) -> None:
        """Close the connections."""
        client, self._client = self._client, None
        if client is not None:
            await client.aclose()

    async def _answer(self, call: Call) -> tuple[Reply, BaseModel | None, str]:
        request = call.request
        while True:
            reply = await self._ask(call)
            if request.output is None:
                return reply, None, reply.text
            try:
                is_cut = reply.finish_reason == "length"
                return reply, *typed_reply.parse(reply.text, request.output, request.validate, is_cut=is_cut)
            except UnusableReplyError as exc:
                call.refused.append((reply, str(exc)))
                if len(call.refused) > request.repairs:
                    raise failures.wrong_form(call.endpoint, request.output, len(call.refused)) from exc

    async def _ask(self, call: Call) -> Reply:
        first = asked = self._quirks
        tried = {asked}
        failed, waited = 0, 0.0
        while True:
            # Failures are returned, not raised: an exception of a client library contains the request with
            # the key, and raising ours while it is handled would attach it.
            came = await self._send(call, asked)
            if isinstance(came, Reply):
                call.show_rest()
                call.replies.append(came)
                if asked != first:
                    self._quirks = replace(asked, room=0)
                return came
            if came.reply is not None:
                call.replies.append(came.reply)
            if call.is_shown:
                raise came.error
            if came.next_quirks is not None and came.next_quirks not in tried:
                asked = came.next_quirks
                tried.add(asked)
                continue
            if came.is_loading and came.transient and waited < _LOADING_SECONDS:
                pause = came.wait_seconds or min(1.0 + waited / 2, _MAX_PAUSE_SECONDS)
                waited += pause
            else:
                failed += 1
                if not came.transient or failed >= self.endpoint.attempts:
                    raise came.error
                growing = min(_FIRST_PAUSE_SECONDS * 2.0 ** (failed - 1), _MAX_PAUSE_SECONDS)
                pause = growing if came.wait_seconds is None else came.wait_seconds
            await self._sleep(pause)

    async def _send(self, call: Call, asked: Quirks) -> Reply | Failure:
        endpoint, key = call.endpoint, call.endpoint.api_key.get_secret_value()
        self._client = self._client or self._open_client()
        call.begin()
        try:
            async with (
                asyncio.timeout(endpoint.timeout_seconds),
                self._client.stream(
                    "POST",
                    self._address(asked),
                    content=json.dumps(self._body(call, asked), ensure_ascii=False).encode(
                        "utf-8", "replace"
                    ),
                    headers={"Content-Type": "application/json"}
                    | ({"Authorization": f"Bearer {key}"} if key else {}),
                    timeout=_timeout(endpoint),
                ) as response,
            ):
                if response.status_code < 400:
                    return await self._receive(call, asked, response)
                body = await response.aread()
                failure = failures.of_status(response.status_code, body, endpoint, response.headers)
                return self._with_next(failure, call, asked)
        except httpx2.DecodingError:
            return failures.no_chat(endpoint)
        except (httpx2.HTTPError, httpx2.StreamError, TimeoutError) as exc:
            return failures.broke_off(endpoint) if call.incoming.text else failures.of_error(exc, endpoint)

    def _open_client(self) -> httpx2.AsyncClient:
        return open_client(_timeout(self.endpoint), is_loopback=self.endpoint.loopback)

    def _address(self, asked: Quirks) -> str:
        base = self.endpoint.base_url
        if asked.native:
            return f"{_VERSION.split(base)[0]}/api/chat"
        return f"{base}{asked.path}/chat/completions"

    def _body(self, call: Call, asked: Quirks) -> dict[str, Any]:
        request = call.request
        messages, limit = make_messages(call, asked), asked.limit_for(request.max_tokens)
        is_streamed = asked.only_stream or (call.on_text is not None and asked.stream)
        body: dict[str, Any] = {"model": self.endpoint.model, "messages": messages}
        schema = request.output.model_json_schema() if request.output and asked.json_schema else None
        if self.endpoint.kind == "ollama":
            needed = round(1.25 * _estimate(messages)) + limit
            while self._context < needed:
                self._context *= 2
            body["options"] = {"num_ctx": self._context}
        if asked.native:
            body |= {"stream": is_streamed} | ({"format": schema} if schema else {})
            body["options"] |= {"num_predict": limit, "temperature": request.temperature}
            return body
        body[asked.limit] = limit
        if asked.temperature:
            body["temperature"] = request.temperature
        if asked.low_effort:
            body["reasoning_effort"] = "low"
        if schema and request.output:
            form = {"name": request.output.__name__, "schema": schema}
            body["response_format"] = {"type": "json_schema", "json_schema": form}
        if is_streamed:
            body["stream"] = True
            if asked.stream_options:
                body["stream_options"] = {"include_usage": True}
        return body

    def _with_next(self, failure: Failure, call: Call, asked: Quirks) -> Failure:
        if failure.is_lost:
            # No Ollama or one behind a gate, or an address whose "/v1" was forgotten.
            following = replace(asked, native=False) if asked.native else self._with_version(asked)
        else:
            said = failure.refused
            following = quirks.learn(asked, said, call.request.max_tokens) if said else None
            following = following or (quirks.plainest(asked) if failure.is_vague else None)
        return replace(failure, next_quirks=following)

    def _with_version(self, asked: Quirks) -> Quirks | None:
        base = self.endpoint.base_url
        return None if not base or _VERSION.search(base) else replace(asked, path="/v1")

    async def _receive(self, call: Call, asked: Quirks, response: httpx2.Response) -> Reply | Failure:
        incoming, visible = call.incoming, ThinkingFilter(holds=self._opening != "marked")
        kind = response.headers.get("content-type", "")
        if "event-stream" in kind or "ndjson" in kind or "jsonl" in kind:
            rest, incoming.is_empty = bytearray(), True
            async for piece in response.aiter_bytes():
                incoming.is_empty = incoming.is_empty and not piece.strip()
                rest += piece
                if b"\n" not in piece and b"\r" not in piece:
                    continue  # a line in thousands of pieces is looked at once
                *lines, rest = rest.replace(b"\r", b"\n").split(b"\n")
                for line in filter(None, lines):
                    call.show(visible.feed(incoming.take_line(line.decode("utf-8", "replace"))))
            added = incoming.take_line(rest.decode("utf-8", "replace"))
        else:
            added = incoming.take_body(await response.aread())
        call.show(visible.feed(added))
        came = self._read(call, asked, incoming)
        if isinstance(came, Reply):
            call.show(visible.finish())
        return came

    def _read(self, call: Call, asked: Quirks, incoming: Reply) -> Reply | Failure:
        endpoint = call.endpoint
        if incoming.error is not None:
            return self._with_next(failures.of_report(incoming.error, endpoint), call, asked)
        if incoming.is_broken:
            return failures.broke_off(endpoint)
        whole = ThinkingFilter()
        text = whole.feed(incoming.text) + whole.finish()
        if not (incoming.is_over or incoming.is_empty) and not text.rstrip().endswith(_SENTENCE_ENDS):
            if incoming.text:
                return failures.broke_off(endpoint)
            following = None if incoming.is_chat else self._with_version(asked)
            missing = failures.no_chat(endpoint, transient=incoming.is_page)
            return replace(missing, next_quirks=following)
        written, incoming.text = incoming.text, text
        is_tool = call.request.output is None and is_call(text)
        if call.request.output is None and not is_tool and is_refusal(text):
            incoming.refusal = incoming.refusal or text
        elif text.strip() and not is_tool:
            if call.request.output is None and (whole.is_unmarked or self._opening == "unknown"):
                self._opening = "unmarked" if whole.is_unmarked else "marked"
            self._notice_cut(call, incoming, _estimate(make_messages(call, asked)))
            return incoming
        if not incoming.is_chat:
            plain = replace(asked, stream=False) if call.on_text is not None else None
            return replace(failures.no_chat(endpoint, transient=True), next_quirks=plain)
        is_cut = incoming.finish_reason == "length"
        # Nothing else takes up a limit without a text.
        thought = incoming.has_reasoning or whole.thought or is_cut
        is_tool = is_tool or incoming.has_tool_call or "<|call|>" in written
        failure = failures.without_text(endpoint, incoming, is_tool=is_tool, thought=thought)
        roomy = quirks.with_room_for_thinking(asked) if is_cut else None
        return replace(failure, reply=incoming, next_quirks=roomy)

    def _notice_cut(self, call: Call, reply: Reply, sent: int) -> None:
        """Note a server that has read only a part of the prompt: the instructions go first."""
        read = reply.input_tokens
        if read is None or not _LEAST_CUT <= read < _OUR_SHARE * sent:
            return
        call.cut = Reason("model-cut", {"model": failures.who(self.endpoint), "sent": sent, "read": read})
        if self.cut is None:
            _log.warning(
                "the model server has read only a part of the prompt: raise its context length "
                "(for Ollama: OLLAMA_CONTEXT_LENGTH)",
                model=self.endpoint.name,
                address=self.endpoint.address,
                tokens_sent=sent,
                tokens_read=read,
            )
        self.cut = call.cut


def make_messages(call: Call, asked: Quirks) -> list[dict[str, str]]:
    """Return the messages; two of one speaker become one, because many templates demand turns."""
    request = call.request
    instructions, form = request.instructions, ""
    if request.output is not None:
        schema = json.dumps(request.output.model_json_schema(), ensure_ascii=False)
        form = f"Answer with one JSON object and nothing else. It must fit this JSON schema:\n{schema}"
    if form and not asked.json_schema:
        instructions = f"{instructions}\n\n{form}".lstrip()
    said: list[tuple[str, str]] = [(message.role, message.text) for message in request.messages]
    for reply, fault in call.refused:
        asked_again = (
            f"This reply cannot be used:\n{fault}\nWrite the whole object again, corrected.\n\n{form}"
        )
        said += [("assistant", reply.text), ("user", asked_again)]
    messages: list[dict[str, str]] = []
    for role, text in said:
        if messages and messages[-1]["role"] == role:
            messages[-1]["content"] += f"\n\n{text}"
        else:
            messages.append({"role": role, "content": text})
    if instructions and asked.system:
        messages.insert(0, {"role": "system", "content": instructions})
    elif instructions:
        messages[-1]["content"] = f"{instructions}\n\n{messages[-1]['content']}"
    return messages


def _timeout(endpoint: Endpoint) -> httpx2.Timeout:
    return httpx2.Timeout(endpoint.timeout_seconds, connect=endpoint.connect_timeout_seconds)


def _estimate(messages: Sequence[dict[str, str]]) -> int:
    return estimate_prompt_tokens(message["content"] for message in messages)
