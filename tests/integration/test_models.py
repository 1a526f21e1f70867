"""The client against a server that behaves well: replies whole and streamed, and what each server wants."""

from __future__ import annotations

import asyncio

import pytest

from rag.errors import ModelRejectedError, ModelReplyError
from tests.support.server_model import KEY, Model, text_request
from tests.support.servers import Fail, FakeOpenAI, Hang, Say


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
    assert pieces
    assert "".join(pieces) == completion.text == "Нужна Java 17, 참고 [1]."
    assert (completion.input_tokens, completion.output_tokens) == (9, 5)


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
