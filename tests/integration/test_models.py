"""The client against a server that behaves well, badly and not at all."""

from __future__ import annotations

import asyncio
import logging
import socket
import traceback
from dataclasses import replace
from typing import Any

import pytest
from pydantic import BaseModel, Field, SecretStr

from rag.errors import ModelError, ModelRejectedError, ModelReplyError, ModelUnavailableError
from rag.models.chat import ChatRequest, Message
from rag.models.client import ServerModel
from rag.models.endpoint import Endpoint, ServerKind
from tests.support.loopback import Recorded
from tests.support.servers import Behaviour, CutStream, Fail, FakeOpenAI, Hang, HangUp, Raw, Say

KEY = "sk-test-very-secret-key"


class Grade(BaseModel):
    quality: str
    confidence: float = Field(ge=0, le=1)


GOOD = {"quality": "adequate", "confidence": 0.9}


def text_request(**changes: Any) -> ChatRequest:
    fields: dict[str, Any] = {
        "role": "draft",
        "instructions": "Answer briefly.",
        "messages": (Message("user", "Hi"), Message("assistant", "Hello!"), Message("user", "Which Java?")),
        "max_tokens": 200,
        "purpose": "draft",
    }
    return ChatRequest(**fields | changes)


def typed_request() -> ChatRequest:
    return text_request(role="judge", output=Grade, purpose="evaluate")


class Model:
    """A server model on a fake server, with recorded pauses instead of waiting."""

    def __init__(self, server: FakeOpenAI, *, attempts: int = 2, **changes: Any) -> None:
        self.pauses: list[float] = []
        fields: dict[str, Any] = {
            "name": "openai:test-model",
            "model": "test-model",
            "base_url": server.base_url,
            "api_key": SecretStr(KEY),
            "timeout_seconds": 10.0,
            "attempts": attempts,
        }
        self.server = server
        self.client = ServerModel(Endpoint(**fields | changes), sleep=self._pause)

    async def _pause(self, seconds: float) -> None:
        self.pauses.append(seconds)


async def test_text_reply_comes_whole_with_tokens_and_name() -> None:
    with FakeOpenAI([Say("Java 17.", usage=(31, 4))]) as server:
        completion = await Model(server).client.complete(text_request())
    assert completion.text == "Java 17."
    assert (completion.input_tokens, completion.output_tokens) == (31, 4)
    assert (completion.model, completion.finish_reason, completion.calls) == ("openai:test-model", "stop", 1)
    body = server.requests[0].body
    assert [(message["role"], message["content"]) for message in body["messages"]] == [
        ("system", "Answer briefly."),
        ("user", "Hi"),
        ("assistant", "Hello!"),
        ("user", "Which Java?"),
    ]
    assert (body["max_tokens"], body["temperature"]) == (200, 0.0)
    assert "response_format" not in body
    assert server.requests[0].headers["authorization"] == f"Bearer {KEY}"


async def test_reply_is_not_streamed_unless_somebody_listens() -> None:
    with FakeOpenAI([Say("Java 17.")]) as server:
        model = Model(server).client
        await model.complete(text_request())
        await model.complete(text_request(), lambda piece: None)
    assert [bool(request.body.get("stream")) for request in server.requests] == [False, True]


async def test_streamed_pieces_add_up_to_the_reply() -> None:
    pieces: list[str] = []
    with FakeOpenAI([Say("Нужна Java 17, 참고 [1].", usage=(9, 5))]) as server:
        completion = await Model(server).client.complete(text_request(), pieces.append)
    assert len(pieces) > 1
    assert "".join(pieces) == completion.text == "Нужна Java 17, 참고 [1]."
    assert (completion.input_tokens, completion.output_tokens) == (9, 5)


async def test_typed_reply_is_never_streamed() -> None:
    pieces: list[str] = []
    with FakeOpenAI([Say(GOOD)]) as server:
        completion = await Model(server).client.complete(typed_request(), pieces.append)
    assert completion.parsed == Grade(**GOOD)
    assert pieces == []
    assert not server.requests[0].body.get("stream")


@pytest.mark.parametrize("streamed", [False, True])
async def test_tokens_are_estimated_when_the_server_does_not_count(streamed: bool) -> None:
    with FakeOpenAI([Say("Java seventeen, since March.", usage=None)]) as server:
        completion = await Model(server).client.complete(text_request(), print if streamed else None)
    assert completion.input_tokens >= 5
    assert completion.output_tokens >= 5


@pytest.mark.parametrize(
    ("wire_reason", "expected"), [("stop", "stop"), ("length", "length"), ("content_filter", "other")]
)
async def test_finish_reason_is_mapped(wire_reason: str, expected: str) -> None:
    with FakeOpenAI([Say("Java", finish_reason=wire_reason)]) as server:
        completion = await Model(server).client.complete(text_request())
    assert completion.finish_reason == expected


async def test_typed_reply_is_asked_for_by_json_schema() -> None:
    with FakeOpenAI([Say(GOOD)]) as server:
        completion = await Model(server).client.complete(typed_request())
    assert completion.parsed == Grade(**GOOD)
    assert Grade.model_validate_json(completion.text) == completion.parsed
    wanted = server.requests[0].body["response_format"]
    assert wanted["type"] == "json_schema"
    assert set(wanted["json_schema"]["schema"]["properties"]) == {"quality", "confidence"}


async def test_reply_that_does_not_validate_gets_one_repair_request_with_the_error() -> None:
    with FakeOpenAI([Say({"quality": "adequate", "confidence": 7}, usage=(10, 3)), Say(GOOD)]) as server:
        completion = await Model(server).client.complete(typed_request())
    assert completion.parsed == Grade(**GOOD)
    assert (completion.calls, completion.input_tokens) == (2, 21)
    first, second = (request.body["messages"] for request in server.requests)
    assert second[: len(first)] == first
    assert "7" in second[len(first)]["content"]
    assert "less than or equal to 1" in second[-1]["content"]


async def test_reply_that_never_validates_is_given_up_after_one_repair_request() -> None:
    with (
        FakeOpenAI([Say("It is fine, I would say.", usage=(10, 3))]) as server,
        pytest.raises(ModelReplyError, match=r"did not give a Grade in the form .* two tries") as caught,
    ):
        await Model(server).client.complete(typed_request())
    assert len(server.requests) == 2
    assert (caught.value.calls, caught.value.input_tokens, caught.value.output_tokens) == (2, 20, 6)


async def test_two_repair_requests_show_the_model_both_of_its_mistakes() -> None:
    request = replace(typed_request(), repairs=2)
    with FakeOpenAI([Say('{"quality": 1, "quality": 2}'), Say("Fine."), Say(GOOD)]) as server:
        completion = await Model(server).client.complete(request)
    assert (completion.calls, completion.parsed) == (3, Grade(**GOOD))
    assert completion.replies[:2] == ('{"quality": 1, "quality": 2}', "Fine.")
    messages = server.requests[-1].body["messages"]
    said = [message["content"] for message in messages if message["role"] == "assistant"]
    assert said[-2:] == ['{"quality": 1, "quality": 2}', "Fine."]
    told = " ".join(message["content"] for message in messages if message["role"] != "assistant")
    assert "'quality' stands there twice" in told
    assert "the reply is not one JSON object: Expecting value" in messages[-1]["content"]


async def test_typed_reply_without_repair_requests_is_asked_for_once() -> None:
    with (
        FakeOpenAI([Say("Fine.")]) as server,
        pytest.raises(ModelReplyError, match="in one try") as caught,
    ):
        await Model(server).client.complete(replace(typed_request(), repairs=0))
    assert len(server.requests) == 1
    assert caught.value.replies == ("Fine.",)


async def test_fault_that_only_code_can_see_stands_in_the_repair_request() -> None:
    def validate(grade: Grade) -> str:
        return "" if grade.confidence < 0.5 else "nobody is so sure of this"

    request = replace(typed_request(), validate=validate)
    modest = {**GOOD, "confidence": 0.4}
    with FakeOpenAI([Say(GOOD), Say(modest)]) as server:
        completion = await Model(server).client.complete(request)
    assert completion.parsed == Grade(**modest)
    assert "nobody is so sure of this" in server.requests[1].body["messages"][-1]["content"]


@pytest.mark.parametrize(
    "rejection",
    [
        pytest.param(Fail(400, "unknown parameter", param="response_format"), id="by parameter"),
        pytest.param(Fail(422, "response_format is not supported by this server"), id="by message"),
    ],
)
async def test_server_without_json_schema_gets_the_schema_in_the_prompt(rejection: Fail) -> None:
    def behave(request: Recorded) -> Behaviour:
        if "response_format" in request.body:
            return rejection
        return Say('```json\n{"quality": "adequate", "confidence": 0.9}\n```')

    with FakeOpenAI(behave) as server:
        model = Model(server).client
        completion = await model.complete(typed_request())
        await model.complete(typed_request())
    assert completion.parsed == Grade(**GOOD)
    assert completion.text.startswith("{")
    assert '"confidence"' in str(server.requests[1].body["messages"])
    # Learnt once: the second call does not try the schema again.
    assert ["response_format" in request.body for request in server.requests] == [True, False, False]


async def test_model_that_rejects_the_temperature_is_asked_without_it() -> None:
    def behave(request: Recorded) -> Behaviour:
        if "temperature" in request.body:
            return Fail(400, "Unsupported value: 'temperature' does not support 0", param="temperature")
        return Say("Java 17.")

    with FakeOpenAI(behave) as server:
        model = Model(server).client
        assert (await model.complete(text_request())).text == "Java 17."
        await model.complete(text_request())
    assert len(server.requests) == 3


async def test_limit_is_renamed_for_a_server_that_knows_only_the_new_name() -> None:
    def behave(request: Recorded) -> Behaviour:
        if "max_tokens" in request.body:
            return Fail(
                400, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens'.", param="max_tokens"
            )
        return Say(str(request.body["max_completion_tokens"]))

    with FakeOpenAI(behave) as server:
        assert (await Model(server).client.complete(text_request())).text == "200"


async def test_parameter_that_is_rejected_under_both_names_is_given_up() -> None:
    with (
        FakeOpenAI([Fail(400, "max_tokens is too large: 200")]) as server,
        pytest.raises(ModelRejectedError, match="max_tokens is too large"),
    ):
        await Model(server).client.complete(text_request())
    assert len(server.requests) == 2


async def test_reasoning_model_of_openai_gets_room_to_think_and_no_temperature() -> None:
    with FakeOpenAI([Say("Java 17.")]) as server:
        await Model(server, kind="openai", model="gpt-5-mini").client.complete(text_request())
    body = server.requests[0].body
    assert "temperature" not in body
    assert "max_tokens" not in body
    assert body["max_completion_tokens"] > 200
    assert body["reasoning_effort"] == "low"


@pytest.mark.parametrize("streamed", [False, True])
async def test_inline_thinking_is_taken_out(streamed: bool) -> None:
    pieces: list[str] = []
    with FakeOpenAI([Say("<think>11 or 17?</think>\n\nJava 17.")]) as server:
        completion = await Model(server).client.complete(text_request(), pieces.append if streamed else None)
    assert completion.text == "Java 17."
    assert "".join(pieces) == ("Java 17." if streamed else "")


@pytest.mark.parametrize(
    "only_thinking",
    [
        pytest.param(Say("<think>11? 17? 11?", finish_reason="length"), id="inline"),
        pytest.param(Say("", finish_reason="length", reasoning="11? 17? 11?"), id="in a field of its own"),
    ],
)
async def test_model_that_used_up_its_limit_by_thinking_gets_more_room_once(only_thinking: Say) -> None:
    with FakeOpenAI([only_thinking, Say("Java 17.")]) as server:
        completion = await Model(server).client.complete(text_request())
    assert (completion.text, completion.calls) == ("Java 17.", 2)
    limits = [request.body["max_tokens"] for request in server.requests]
    assert limits[0] == 200
    assert limits[1] > 1000
    with (
        FakeOpenAI([only_thinking]) as server,
        pytest.raises(ModelReplyError, match="used up its limit by thinking"),
    ):
        await Model(server).client.complete(text_request())
    assert len(server.requests) == 2


@pytest.mark.parametrize(
    ("behaviour", "error", "message", "asked"),
    [
        pytest.param(
            Fail(401), ModelRejectedError, "refused the key: check models.openai_api_key", 1, id="401"
        ),
        pytest.param(
            Fail(403), ModelRejectedError, "refused the key: check models.openai_api_key", 1, id="403"
        ),
        pytest.param(
            Fail(404, "model not found"),
            ModelRejectedError,
            "knows no model 'test-model': check models.default",
            1,
            id="404",
        ),
        pytest.param(
            Fail(429, "quota", code="insufficient_quota"),
            ModelRejectedError,
            "no credit left",
            1,
            id="no credit",
        ),
        pytest.param(
            Fail(400, "too long", code="context_length_exceeded"),
            ModelRejectedError,
            "longer than .* can read",
            1,
            id="prompt too long",
        ),
        pytest.param(Fail(400, "bad image"), ModelRejectedError, r"\(400\): bad image", 1, id="400"),
        pytest.param(Fail(429), ModelUnavailableError, "takes no more requests", 2, id="429"),
        pytest.param(Fail(500), ModelUnavailableError, r"has failed \(500\)", 2, id="500"),
        pytest.param(Fail(503), ModelUnavailableError, r"has failed \(503\)", 2, id="503"),
        pytest.param(
            HangUp(), ModelUnavailableError, "cannot be reached|closed the connection", 2, id="hangs up"
        ),
        pytest.param(Raw(b"{not json"), ModelReplyError, "no chat reply", 1, id="garbage JSON"),
        pytest.param(Raw(b"\xff\xfe\x00"), ModelReplyError, "no chat reply", 1, id="binary"),
        pytest.param(Raw(b"<html>", "text/html"), ModelReplyError, "no chat reply", 1, id="a web page"),
        pytest.param(Raw(b"[]"), ModelReplyError, "no chat reply", 1, id="a list"),
        pytest.param(Raw(b"null"), ModelReplyError, "no chat reply", 1, id="null"),
        pytest.param(Raw(b'{"choices": []}'), ModelReplyError, "no chat reply", 1, id="no choices"),
        pytest.param(Raw(b'{"choices": [{}]}'), ModelReplyError, "no chat reply", 1, id="empty choice"),
        pytest.param(Say(""), ModelReplyError, "empty reply", 1, id="empty reply"),
        pytest.param(Say("  \n"), ModelReplyError, "empty reply", 1, id="blank reply"),
        pytest.param(
            Say("", finish_reason="content_filter"),
            ModelReplyError,
            "filter held the reply back",
            1,
            id="filter",
        ),
    ],
)
async def test_fault_of_the_server_becomes_one_clear_error(
    behaviour: Behaviour, error: type[ModelError], message: str, asked: int
) -> None:
    with FakeOpenAI([behaviour]) as server, pytest.raises(error, match=message):
        await Model(server).client.complete(text_request())
    assert len(server.requests) == asked


@pytest.mark.parametrize(
    ("behaviour", "error", "message"),
    [
        pytest.param(
            CutStream(("Java ", "1")), ModelError, "middle of its reply|closed the connection", id="broken"
        ),
        pytest.param(
            CutStream(("Java ", "1"), politely=True), ModelReplyError, "middle of its reply", id="no end"
        ),
        pytest.param(CutStream(()), ModelError, "reached|closed|middle", id="broken before the first word"),
        pytest.param(
            Raw(b"data: {oops\n\n", "text/event-stream"), ModelReplyError, "no chat reply", id="garbage"
        ),
        pytest.param(Raw(b"<html>", "text/html"), ModelReplyError, "middle|no chat reply", id="a web page"),
        pytest.param(
            Raw(b'data: {"error": {"message": "out of memory"}}\n\n', "text/event-stream"),
            ModelError,
            "out of memory|middle",
            id="error inside",
        ),
        pytest.param(Say(""), ModelReplyError, "empty reply", id="empty reply"),
    ],
)
async def test_broken_stream_is_never_taken_for_a_whole_reply(
    behaviour: Behaviour, error: type[ModelError], message: str
) -> None:
    with FakeOpenAI([behaviour]) as server, pytest.raises(error, match=message):
        await Model(server).client.complete(text_request(), lambda piece: None)


async def test_stream_that_broke_after_the_first_words_is_not_asked_again() -> None:
    pieces: list[str] = []
    with FakeOpenAI([CutStream(("Java ", "1")), Say("Java 17.")]) as server, pytest.raises(ModelError):
        await Model(server, attempts=3).client.complete(text_request(), pieces.append)
    assert len(server.requests) == 1
    assert "".join(pieces) in {"Java ", "Java 1"}


async def test_server_that_recovers_is_asked_again_after_a_growing_pause() -> None:
    with FakeOpenAI([Fail(500), HangUp(), Say("Java 17.")]) as server:
        model = Model(server, attempts=3)
        completion = await model.client.complete(text_request())
    assert completion.text == "Java 17."
    assert len(model.pauses) == 2
    assert 0 < model.pauses[0] < model.pauses[1]


async def test_short_retry_after_is_honoured() -> None:
    with FakeOpenAI([Fail(429, headers={"Retry-After": "3"}), Say("Java 17.")]) as server:
        model = Model(server)
        assert (await model.client.complete(text_request())).text == "Java 17."
    assert model.pauses == [3.0]


async def test_long_retry_after_is_reported_instead_of_waited_for() -> None:
    with FakeOpenAI([Fail(429, headers={"Retry-After": "600"}), Say("Java 17.")]) as server:
        model = Model(server)
        with pytest.raises(ModelUnavailableError, match="asks to wait 600 s"):
            await model.client.complete(text_request())
    assert model.pauses == []


@pytest.mark.parametrize("streamed", [False, True])
async def test_server_that_never_answers_is_given_up_at_the_timeout(streamed: bool) -> None:
    with FakeOpenAI([Hang()]) as server:
        model = Model(server, timeout_seconds=0.2).client
        with pytest.raises(ModelUnavailableError, match=r"did not answer in 0.2 s: is it running") as caught:
            await model.complete(text_request(), print if streamed else None)
        assert caught.value.timed_out
        assert len(server.requests) == 1


async def test_dead_server_is_named_with_its_address() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{unused.getsockname()[1]}/v1"
    with FakeOpenAI() as server:
        model = Model(server, base_url=address)
        with pytest.raises(ModelUnavailableError, match=f"{address} cannot be reached: is it running"):
            await model.client.complete(text_request())
    assert len(model.pauses) == 1


@pytest.mark.parametrize(
    ("kind", "key", "status", "message"),
    [
        pytest.param("compatible", "", 401, "request without a key: set models.openai_api_key", id="no key"),
        pytest.param("ollama", "", 404, "ollama pull test-model", id="ollama without the model"),
        pytest.param("compatible", KEY, 404, "models.openai_base_url", id="address without v1"),
    ],
)
async def test_rejection_names_the_setting_to_change(
    kind: ServerKind, key: str, status: int, message: str
) -> None:
    with FakeOpenAI([Fail(status)]) as server, pytest.raises(ModelRejectedError, match=message):
        await Model(server, kind=kind, api_key=SecretStr(key)).client.complete(text_request())


@pytest.mark.parametrize(
    "behaviour",
    [
        pytest.param(Fail(401, f"Incorrect API key provided: {KEY}"), id="401 that repeats the key"),
        pytest.param(Fail(400, f"cannot use {KEY} here"), id="400 that repeats the key"),
        pytest.param(Fail(500, f"crashed with {KEY}"), id="500"),
        pytest.param(Raw(b"nonsense"), id="garbage"),
        pytest.param(HangUp(), id="hangs up"),
    ],
)
async def test_key_reaches_no_message_no_cause_and_no_log(
    behaviour: Behaviour, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    with FakeOpenAI([behaviour]) as server, pytest.raises(ModelError) as caught:
        await Model(server).client.complete(text_request())
    seen = [repr(error) + repr(vars(error)) for error in _chain(caught.value)]
    assert len(seen) == 1
    assert KEY not in "".join(seen) + "".join(traceback.format_exception(caught.value))
    ours = [record.getMessage() for record in caplog.records if record.name.startswith("rag")]
    assert KEY not in "".join(ours)


def _chain(error: BaseException | None) -> list[BaseException]:
    chain: list[BaseException] = []
    while error is not None:
        chain.append(error)
        error = error.__cause__ or error.__context__
    return chain


async def test_cancelled_call_stops_waiting() -> None:
    with FakeOpenAI([Hang()]) as server:
        call = asyncio.create_task(Model(server).client.complete(text_request()))
        async with asyncio.timeout(30):
            await asyncio.to_thread(server.asked.wait)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call


async def test_proxy_of_the_environment_is_not_asked_for_loopback(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.delenv("NO_PROXY", raising=False)
    with FakeOpenAI([Say("Java 17.")]) as server:
        assert (await Model(server).client.complete(text_request())).text == "Java 17."


async def test_closed_model_can_be_used_again() -> None:
    with FakeOpenAI([Say("Java 17.")]) as server:
        model = Model(server).client
        await model.complete(text_request())
        await model.aclose()
        await model.aclose()
        assert (await model.complete(text_request())).text == "Java 17."
        await model.aclose()
