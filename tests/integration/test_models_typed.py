"""Replies in a form: how the client asks for them, and repairs those that do not fit."""

from __future__ import annotations

from dataclasses import replace

import pytest
from pydantic import BaseModel, Field

from rag.errors import ModelReplyError
from rag.models.chat import ChatRequest
from tests.support.loopback import Recorded
from tests.support.server_model import Model, text_request
from tests.support.servers import Behaviour, Fail, FakeOpenAI, Say


class Grade(BaseModel):
    quality: str
    confidence: float = Field(ge=0, le=1)


GOOD = {"quality": "adequate", "confidence": 0.9}


def typed_request() -> ChatRequest:
    return text_request(role="judge", output=Grade, purpose="evaluate")


async def test_typed_reply_is_never_streamed() -> None:
    pieces: list[str] = []
    with FakeOpenAI([Say(GOOD)]) as server:
        completion = await Model(server).client.complete(typed_request(), pieces.append)
    assert completion.parsed == Grade(**GOOD)
    assert pieces == []
    assert not server.requests[0].body.get("stream")


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
