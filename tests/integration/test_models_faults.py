"""The client against a server that fails, breaks off, refuses, hangs or is not there."""

from __future__ import annotations

import logging
import socket
import traceback

import pytest
from pydantic import SecretStr

from rag.errors import ModelError, ModelRejectedError, ModelReplyError, ModelUnavailableError
from rag.models.endpoint import ServerKind
from tests.support.server_model import KEY, Model, text_request
from tests.support.servers import Behaviour, CutStream, Fail, FakeOpenAI, Hang, HangUp, Raw, Say


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
        pytest.param(Fail(400, "bad image"), ModelRejectedError, r"\(400\): bad image", 2, id="400"),
        pytest.param(Fail(429), ModelUnavailableError, "takes no more requests", 2, id="429"),
        pytest.param(Fail(500), ModelUnavailableError, r"has failed \(500\)", 2, id="500"),
        pytest.param(Fail(503), ModelUnavailableError, r"has failed \(503\)", 2, id="503"),
        pytest.param(
            HangUp(), ModelUnavailableError, "cannot be reached|closed the connection", 2, id="hangs up"
        ),
        pytest.param(Raw(b"{not json"), ModelReplyError, "no chat reply", 1, id="garbage JSON"),
        pytest.param(Raw(b"\xff\xfe\x00"), ModelReplyError, "no chat reply", 1, id="binary"),
        pytest.param(Raw(b"<html>", "text/html"), ModelReplyError, "no chat reply", 2, id="a web page"),
        pytest.param(Raw(b"[]"), ModelReplyError, "no chat reply", 1, id="a list"),
        pytest.param(Raw(b"null"), ModelReplyError, "no chat reply", 1, id="null"),
        pytest.param(Raw(b'{"choices": []}'), ModelReplyError, "no chat reply", 2, id="no choices"),
        pytest.param(Raw(b'{"choices": [{}]}'), ModelReplyError, "no chat reply", 2, id="empty choice"),
        pytest.param(Say(""), ModelReplyError, "empty reply", 2, id="empty reply"),
        pytest.param(Say("  \n"), ModelReplyError, "empty reply", 2, id="blank reply"),
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
    with FakeOpenAI([Say("Java 17."), CutStream(("Java ", "1")), Say("Java 17.")]) as server:
        model = Model(server, attempts=3).client
        await model.complete(text_request(), lambda piece: None)
        with pytest.raises(ModelError):
            await model.complete(text_request(), pieces.append)
    assert len(server.requests) == 2
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
