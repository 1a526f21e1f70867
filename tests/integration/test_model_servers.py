"""Model servers as they are: every way that a server was seen to behave, as its users report it.

Each behaviour is one that public issue threads of servers and of their clients describe.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import structlog
from pydantic import BaseModel

from rag.errors import ModelError, ModelRejectedError, ModelReplyError, ModelUnavailableError
from rag.models.calls import ModelTools
from rag.models.chat import ChatRequest, Message
from rag.models.roles import RoleModels
from rag.prompting.library import PromptLibrary, RenderedPrompt
from rag.reasons import Reason
from rag.runs.work import Outcome, Work
from rag.settings import Budget, Models
from tests.support.loopback import Recorded
from tests.support.server_model import Model, text_request
from tests.support.servers import Behaviour, Fail, FakeOpenAI, Raw, Say

ANSWER = "Java 17 [1]."


def raw(value: Any, **changes: Any) -> Raw:
    return Raw(json.dumps(value).encode(), **changes)


def events(*lines: object, end: str = "\n\n", data: str = "data: ") -> Raw:
    """A stream of events; texts are lines as they are."""
    said = "".join(line if isinstance(line, str) else f"{data}{json.dumps(line)}{end}" for line in lines)
    return Raw(said.encode(), "text/event-stream; charset=utf-8")


def whole(content: Any = ANSWER, finish: Any = "stop", **message: Any) -> dict[str, Any]:
    return {
        "choices": [
            {"message": {"role": "assistant", "content": content, **message}, "finish_reason": finish}
        ]
    }


def chunk(content: Any = None, finish: Any = None, **delta: Any) -> dict[str, Any]:
    return {"choices": [{"index": 0, "delta": {"content": content, **delta}, "finish_reason": finish}]}


def refuses(test: Callable[[dict[str, Any]], Any], refusal: Behaviour) -> Callable[[Recorded], Behaviour]:
    return lambda request: refusal if test(request.body) else Say(ANSWER)


def once(fault: Behaviour) -> list[Behaviour]:
    return [fault, Say(ANSWER)]


def has_system(body: dict[str, Any]) -> bool:
    return any(message["role"] == "system" for message in body["messages"])


def limit_above(most: int) -> Callable[[dict[str, Any]], bool]:
    return lambda body: (body.get("max_tokens") or body.get("max_completion_tokens") or 0) > most


STREAM = (chunk("Java "), chunk("17 [1]."))
DONE = "data: [DONE]\n\n"

ANSWERED: dict[str, Any] = {
    # A whole reply whose text is in its place.
    "no id, no object": [raw({"id": None, "object": "", "created": "now", **whole()})],
    "usage null": [raw({**whole(), "usage": None})],
    "usage partial": [raw({**whole(), "usage": {"prompt_tokens": 7180, "completion_tokens": None}})],
    "usage a list": [raw({**whole(), "usage": [1]})],
    "finish reason missing": [raw({"choices": [{"message": {"content": ANSWER}}]})],
    "finish reason of another protocol": [raw(whole(finish="end_turn"))],
    "finish reason a token": [raw(whole(finish="<｜end▁of▁sentence｜>"))],
    "finish reason empty": [raw(whole(finish=""))],
    "content in parts": [raw(whole([{"type": "text", "text": "Java "}, {"type": "text", "text": "17 [1]."}]))],
    "thinking in parts": [
        raw(whole([{"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]}, {"type": "text", "text": ANSWER}]))
    ],
    "thinking in a field": [raw(whole(reasoning_content="11? 17?"))],
    "text of a completion": [raw({"choices": [{"text": ANSWER, "finish_reason": "stop"}]})],
    "error null beside the reply": [raw({**whole(), "error": None})],
    "a byte order mark in front": [Raw(b"\xef\xbb\xbf" + json.dumps(whole()).encode())],
    "white space in front": [Raw(b"\n\n   " + json.dumps(whole(), indent=2).encode())],
    "content type of a text": [raw(whole(), content_type="text/plain")],
    "status 201": [raw(whole(), status=201)],
    "done behind a whole reply": [Raw(f"{json.dumps(whole())}\n\n{DONE}".encode())],
    "a stream that nobody asked for": [events(*STREAM, chunk(finish="stop"), DONE)],
    "a whole reply instead of a stream": [raw(whole())],
    "a whole reply as one event": [events(whole(), DONE)],
    # Streams.
    "done without a finish reason": [events(*STREAM, DONE)],
    "a finish reason without done": [events(*STREAM, chunk(finish="stop"))],
    "neither, but the sentence is whole": [events(*STREAM)],
    "no space behind data": [events(*STREAM, chunk(finish="stop"), "data:[DONE]\n\n", data="data:")],
    "carriage returns": [events(*STREAM, chunk(finish="stop"), DONE, end="\r\n\r\n")],
    "single line ends": [events(*STREAM, chunk(finish="stop"), DONE, end="\n")],
    "keep-alive comments": [events(": OPENROUTER PROCESSING\n\n", *STREAM, ": ping\n\n", chunk(finish="stop"), DONE)],
    "a keep-alive as data": [events("data: : OPENROUTER PROCESSING\n\n", *STREAM, chunk(finish="stop"), DONE)],
    "named events": [events("event: message\n", STREAM[0], "id: 7\nretry: 10\n", STREAM[1], chunk(finish="stop"), DONE)],
    "empty data": [events("data: \n\n", *STREAM, "data:\n\n", chunk(finish="stop"), DONE)],
    "no choices in the first event": [events({"choices": [], "prompt_filter_results": []}, *STREAM, chunk(finish="stop"), DONE)],
    "a choice without a delta": [events(*STREAM, {"choices": [{"index": 0, "finish_reason": None}]}, chunk(finish="stop"), DONE)],
    "delta null": [events({"choices": [{"delta": None}]}, *STREAM, chunk(finish="stop"), DONE)],
    "usage in every event": [events(*({**one, "usage": {"prompt_tokens": 9}} for one in STREAM), chunk(finish="stop"), DONE)],
    "a last event with the whole reply": [events(*STREAM, {**whole(), "object": "chat.completion"}, DONE)],
    "the last piece with the finish reason": [events(chunk("Java "), chunk("17 [1].", "stop"), DONE)],
    "parts in a stream": [events(chunk([{"type": "thinking", "thinking": []}]), chunk([{"type": "text", "text": ANSWER}]), DONE)],
    "no content type": [Raw(events(*STREAM, chunk(finish="stop"), DONE).body, "")],
    "JSON lines": [
        Raw(b'{"message": {"content": "Java "}, "done": false}\n{"message": {"content": "17 [1]."}, "done": true}\n', "application/x-ndjson")
    ],
    "an object without an end in front": [events('data: {"a": [\n', "data: 1,\n" * 4000, *STREAM, DONE)],
    "an object over two data lines": [events('data: {"choices": [{"delta":\ndata: {"content": "Java 17 [1]."}}]}\n\n', DONE)],
    # What is refused is left out.
    "no system role": refuses(has_system, Fail(400, "System role not supported")),
    "only user and assistant": refuses(has_system, Fail(500, "Jinja Exception: Only user and assistant roles are supported!")),
    "roles must alternate": refuses(has_system, Fail(400, "Conversation roles must alternate user/assistant/user/assistant/...")),
    "developer instruction": refuses(has_system, raw({"error": {"code": 400, "message": "Developer instruction is not enabled for models/gemma-3-27b-it"}}, status=400)),
    "error without an envelope": refuses(has_system, raw({"object": "error", "message": "System role not supported", "code": 400}, status=400)),
    "error that is a text": refuses(has_system, raw({"error": "system messages are not supported"}, status=400)),
    "no stream options": refuses(lambda body: "stream_options" in body, Fail(400, "Unrecognized request argument supplied: stream_options")),
    "stream options forbidden": refuses(
        lambda body: "stream_options" in body,
        raw({"detail": [{"type": "extra_forbidden", "loc": ["body", "stream_options"], "msg": "Extra inputs are not permitted"}]}, status=422),
    ),
    "no streaming": refuses(lambda body: body.get("stream"), Fail(400, "Streaming is not supported for this model")),
    "no temperature": refuses(lambda body: "temperature" in body, Fail(400, "Unsupported parameter: 'temperature'", param="temperature")),
    "the new name of the limit": refuses(lambda body: "max_tokens" in body, Fail(400, "Use 'max_completion_tokens' instead of 'max_tokens'.")),
    "limit too high": refuses(limit_above(100), Fail(400, "max_tokens is too large: 200. This model supports at most 100 completion tokens")),
    "limit as a range": refuses(limit_above(100), Fail(400, "Invalid max_tokens value, the valid range of max_tokens is [1, 100]")),
    "limit with the name of the model": refuses(limit_above(100), Fail(400, "max_tokens for `llama-3.1-8b-instant` must be less than or equal to 100")),
    "refuses without a word": refuses(lambda body: "temperature" in body, Raw(b"", status=400)),
    # Faults that pass.
    "error with status 200": once(raw({"error": {"message": "Upstream error", "code": 502}})),
    "error and choices null": once(raw({"choices": None, "error": {"message": "Provider returned error", "code": 429}})),
    "no choices": once(raw({"choices": []})),
    "choices null": once(raw({"id": "x", "choices": None})),
    "an empty reply": once(raw(whole(""))),
    "an error in the stream": once(events({"error": {"message": "overloaded", "code": 503}})),
    "502 of a proxy": once(Raw(b"<html>Bad Gateway</html>", "text/html", 502)),
    "529": once(Fail(529, "Overloaded")),
}  # fmt: skip


@pytest.mark.parametrize("streamed", [False, True])
@pytest.mark.parametrize("way", ANSWERED)
async def test_text_that_is_there_is_taken(way: str, streamed: bool) -> None:
    pieces: list[str] = []
    with FakeOpenAI(ANSWERED[way]) as server:
        model = Model(server)
        completion = await model.client.complete(text_request(), pieces.append if streamed else None)
        asked = len(server.requests)
        if callable(ANSWERED[way]):
            await model.client.complete(text_request(), pieces.append if streamed else None)
            assert len(server.requests) == asked + 1  # learned once
    assert completion.text == ANSWER
    assert completion.finish_reason == "stop"
    assert "".join(pieces).replace(ANSWER, "") == ""
    assert bool(pieces) is streamed


async def test_instructions_come_with_the_question_where_no_system_message_is_taken() -> None:
    with FakeOpenAI(refuses(has_system, Fail(400, "System role not supported"))) as server:
        await Model(server).client.complete(text_request())
    *_, last = server.requests[-1].body["messages"]
    assert last == {"role": "user", "content": "Answer briefly.\n\nWhich Java?"}


@pytest.mark.parametrize("words", ["The system is overloaded", "upstream error: stream reset", "no context"])
async def test_passing_fault_teaches_nothing(words: str) -> None:
    with FakeOpenAI([Fail(503, words), Say(ANSWER)]) as server:
        await Model(server).client.complete(text_request(), lambda piece: None)
    first, second = (request.body for request in server.requests)
    assert first == second


async def test_room_of_one_prompt_is_not_kept_for_the_next() -> None:
    refusal = Fail(
        400, "maximum context length is 512 tokens, requested (400 in the messages, 200 in the completion)"
    )
    with FakeOpenAI([refusal, Say(ANSWER)]) as server:
        model = Model(server).client
        await model.complete(text_request())
        await model.complete(text_request())
    assert [request.body["max_tokens"] for request in server.requests] == [200, 112, 200]


async def test_prompt_that_leaves_no_room_is_said_to_be_too_long() -> None:
    words = "This model's maximum context length is 512 tokens. However, your prompt has 600 input tokens."
    with FakeOpenAI([Fail(400, words)]) as server, pytest.raises(ModelRejectedError, match="longer than"):
        await Model(server).client.complete(text_request())


@pytest.mark.parametrize(
    "loading",
    [
        Fail(503, "Loading model"),
        raw({"error": "Model x is currently loading", "estimated_time": 2.0}, status=503),
        Fail(500, "llm server loading model"),
    ],
)
async def test_server_that_loads_its_model_is_waited_for(loading: Behaviour) -> None:
    with FakeOpenAI([loading] * 5 + [Say(ANSWER)]) as server:
        model = Model(server)
        assert (await model.client.complete(text_request())).text == ANSWER
    assert len(model.pauses) == 5


async def test_server_that_loads_for_ever_is_given_up() -> None:
    with FakeOpenAI([Fail(503, "Loading model")]) as server:
        model = Model(server)
        with pytest.raises(ModelUnavailableError):
            await model.client.complete(text_request())
    assert 50 < sum(model.pauses) < 100


async def test_retry_after_can_be_a_date() -> None:
    past = {"Retry-After": "Wed, 21 Oct 2015 07:28:00 GMT"}
    with FakeOpenAI([Fail(429, headers=past), Say(ANSWER)]) as server:
        model = Model(server)
        assert (await model.client.complete(text_request())).text == ANSWER
    assert model.pauses == [0.0]


@pytest.mark.parametrize("streamed", [False, True])
@pytest.mark.parametrize(
    ("said", "message"),
    [
        (whole(None, refusal="I can't help with that."), "declined to answer: I can't help with that"),
        (whole(None, "content_filter"), "filter held the reply back"),
        (whole("", "SAFETY"), "filter held the reply back"),
        (whole(None, "tool_calls", tool_calls=[{"function": {"name": "search"}}]), "a tool call instead of text"),
        (whole('<tool_call>{"name": "search"}</tool_call>'), "a tool call instead of text"),
        (whole("[TOOL_CALLS]search{}"), "a tool call instead of text"),
        (whole("<|channel|>commentary to=functions.search<|message|>{}<|call|>"), "a tool call instead of text"),
    ],
)  # fmt: skip
async def test_reply_without_an_answer_is_said_as_what_it_is(
    said: dict[str, Any], message: str, streamed: bool
) -> None:
    pieces: list[str] = []
    with FakeOpenAI([raw(said)]) as server, pytest.raises(ModelReplyError, match=message):
        await Model(server).client.complete(text_request(), pieces.append if streamed else None)
    assert pieces == []
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    "filtered",
    [
        Fail(400, "The response was filtered due to the prompt triggering a content management policy"),
        Fail(403, "Your input was flagged", code="moderation"),
    ],
)
async def test_filter_that_refuses_the_prompt_is_said(filtered: Fail) -> None:
    with FakeOpenAI([filtered]) as server, pytest.raises(ModelReplyError, match="filter"):
        await Model(server).client.complete(text_request())


THOUGHT = "Okay, 11 or 17? 99 days maybe."


@pytest.mark.parametrize(
    "dress",
    ["<thinking>{}</thinking>\n", "{}\n</think>\n\n", "<|channel|>analysis<|message|>{}<|end|><|channel|>final<|message|>"],
)  # fmt: skip
async def test_thinking_is_in_no_piece_of_the_first_or_a_later_stream(dress: str) -> None:
    with FakeOpenAI([Say(dress.replace("{}", THOUGHT) + ANSWER)]) as server:
        model = Model(server).client
        for _ in range(3):
            pieces: list[str] = []
            completion = await model.complete(text_request(), pieces.append)
            assert completion.text == "".join(pieces) == ANSWER


async def test_model_that_does_not_think_streams_from_its_second_reply_on() -> None:
    counts = []
    with FakeOpenAI([Say(ANSWER)]) as server:
        model = Model(server).client
        for _ in range(2):
            pieces: list[str] = []
            await model.complete(text_request(), pieces.append)
            counts.append(len(pieces))
    assert counts == [1, 2]


@pytest.mark.parametrize("base", ["", "/v1/", "/v1/chat/completions"])
async def test_address_without_version_or_with_the_path_of_chats_is_put_right(base: str) -> None:
    from rag.models.endpoint import check_base_url

    def behave(request: Recorded) -> Behaviour:
        return Say(ANSWER) if request.path == "/v1/chat/completions" else Fail(404, "Not Found")

    with FakeOpenAI(behave) as server:
        address = check_base_url(f"{server.address}{base}", "models.openai_base_url")
        model = Model(server, base_url=address).client
        await model.complete(text_request())
        assert (await model.complete(text_request())).text == ANSWER
    assert len(server.requests) <= 3


class Verdict(BaseModel):
    quality: str


async def test_schema_that_is_ignored_is_shown_to_the_model_in_the_next_request() -> None:
    with FakeOpenAI([Say("It is fine."), Say({"quality": "good"})]) as server:
        completion = await Model(server).client.complete(text_request(role="judge", output=Verdict))
    assert completion.parsed == Verdict(quality="good")
    assert '"quality"' in server.requests[1].body["messages"][-1]["content"]


def long_request(words: int) -> ChatRequest:
    return text_request(messages=(Message("user", "tool " * words),))


OLLAMA = Raw(
    b'{"message": {"role": "assistant", "content": "Java ", "thinking": ""}, "done": false}\n'
    b'{"message": {"role": "assistant", "content": "17 [1]."}, "done": false}\n'
    b'{"message": {"role": "assistant", "content": ""}, "done": true, "done_reason": "stop", '
    b'"prompt_eval_count": 31, "eval_count": 4}\n',
    "application/x-ndjson",
)


async def test_ollama_is_asked_in_its_own_protocol_for_a_context_that_fits() -> None:
    with FakeOpenAI([OLLAMA]) as server:
        model = Model(server, kind="ollama").client
        completion = await model.complete(text_request(), lambda piece: None)
        await model.complete(long_request(20_000))
        await model.complete(text_request())
    assert (completion.text, completion.input_tokens, completion.output_tokens) == (ANSWER, 31, 4)
    assert [request.path for request in server.requests] == ["/api/chat"] * 3
    small, large, after = (request.body["options"]["num_ctx"] for request in server.requests)
    assert small >= 8192
    # Twenty thousand words are that many tokens or more; going back would load the model again.
    assert after == large > 25_000


async def test_ollama_behind_a_gate_is_asked_as_any_server() -> None:
    def behave(request: Recorded) -> Behaviour:
        return Say(ANSWER) if request.path == "/v1/chat/completions" else Fail(404, "Not Found")

    with FakeOpenAI(behave) as server:
        model = Model(server, kind="ollama").client
        assert (await model.complete(text_request())).text == ANSWER
        await model.complete(text_request())
    assert [request.path for request in server.requests] == ["/api/chat", *["/v1/chat/completions"] * 2]
    assert server.requests[-1].body["options"]["num_ctx"] >= 8192


async def test_ollama_without_the_model_says_how_to_get_it() -> None:
    missing = raw({"error": "model 'test-model' not found"}, status=404)
    with FakeOpenAI([missing]) as server, pytest.raises(ModelRejectedError, match="ollama pull test-model"):
        await Model(server, kind="ollama").client.complete(text_request())
    assert len(server.requests) == 1


async def test_typed_reply_of_ollama_is_asked_for_by_its_schema() -> None:
    with FakeOpenAI([raw({"message": {"content": '{"quality": "good"}'}, "done": True})]) as server:
        completion = await Model(server, kind="ollama").client.complete(text_request(output=Verdict))
    assert completion.parsed == Verdict(quality="good")
    assert "quality" in server.requests[0].body["format"]["properties"]


@pytest.mark.parametrize(("read", "is_cut"), [(2050, True), (9000, False), (100, False), (None, False)])
async def test_prompt_that_the_server_cut_is_told_once(read: int | None, is_cut: bool) -> None:
    usage = None if read is None else (read, 4)
    with FakeOpenAI([Say(ANSWER, usage=usage)]) as server, structlog.testing.capture_logs() as logs:
        model = Model(server).client
        for _ in range(2):
            await model.complete(long_request(8000))
    told = [line for line in logs if "only a part of the prompt" in line["event"]]
    assert len(told) == int(is_cut)
    assert all(line["tokens_read"] == read for line in told)


async def test_reply_without_end_is_not_read_for_ever() -> None:
    endless = Raw(b"data: " + b"x" * 17_000_000, "text/event-stream")
    with FakeOpenAI([endless]) as server, pytest.raises(ModelError):
        await Model(server, attempts=1).client.complete(text_request(), lambda piece: None)


@pytest.mark.parametrize("streamed", [False, True])
async def test_text_longer_than_any_answer_is_none(streamed: bool) -> None:
    pieces: list[str] = []
    with FakeOpenAI([Say("Java 17. " * 20_000)]) as server:
        model = Model(server, attempts=1).client
        model._opening = "marked"
        with pytest.raises(ModelReplyError):
            await model.complete(text_request(), pieces.append if streamed else None)
    assert len("".join(pieces)) <= 100_000


async def test_prompt_that_the_server_cut_stands_once_in_the_trail_of_the_answer(tmp_path: Path) -> None:
    with FakeOpenAI([Say(ANSWER, usage=(2050, 4))], models=["m"]) as server:
        chosen = Models(default="openai:m", openai_base_url=server.base_url)
        models = RoleModels(chosen, tmp_path)
        work = Work(
            ModelTools(models=models, prompts=PromptLibrary(), budget=Budget(), model_settings=chosen)
        )

        async def ask() -> Outcome[str]:
            prompt = RenderedPrompt("Answer.", "tool " * 8000, "p@1", "draft")
            completion, call = await work.ask("draft", prompt)
            return Outcome(completion.text, Reason("not-recorded"), (call,))

        for _ in range(2):
            await work.step("draft", ask)
        notes = [note for line in work.trace for note in line.notes]
        described = await models.describe()
        await models.aclose()
    assert [note.code for note in notes] == ["model-cut"]
    assert "read only 2050 of about" in str(notes[0]).replace(",", "")
    assert described[0].reason == notes[0]


async def test_trial_of_a_model_shows_that_its_server_cuts_long_prompts(tmp_path: Path) -> None:
    def behave(request: Recorded) -> Behaviour:
        characters = sum(len(message["content"]) for message in request.body["messages"])
        return Say("Yes.", usage=(min(characters // 4, 2048), 1))

    with FakeOpenAI(behave, models=["m"]) as server:
        models = RoleModels(Models(default="openai:m", openai_base_url=server.base_url), tmp_path)
        status, *_ = await models.describe(is_tried=True)
        await models.aclose()
    assert status.reachable
    assert status.reason is not None
    assert status.reason.code == "model-cut"
