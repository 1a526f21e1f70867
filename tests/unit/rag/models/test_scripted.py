"""The scripted model keeps the contract of a chat model."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from rag.errors import ModelReplyError, ModelUnavailableError
from rag.models.chat import ChatModel, ChatRequest, Completion, Message, ModelRole
from rag.models.scripted import ScriptedModel, ScriptExhaustedError


class Grade(BaseModel):
    quality: str
    confidence: float


def request(
    purpose: str = "draft", role: ModelRole = "draft", output: type[BaseModel] | None = None
) -> ChatRequest:
    return ChatRequest(
        role=role,
        instructions="Answer.",
        messages=(Message("user", "Why?"),),
        max_tokens=100,
        output=output,
        purpose=purpose,
    )


async def test_replies_are_chosen_by_purpose_before_role_and_used_up_in_order() -> None:
    model = ScriptedModel({"evaluate": ["first", "second"], "judge": "by role"})
    said = [
        (await model.complete(request(purpose, "judge"))).text for purpose in ("evaluate", "x", "evaluate")
    ]
    assert said == ["first", "by role", "second"]


async def test_used_up_script_fails_the_test_that_uses_it() -> None:
    replies = ["only one"]
    model = ScriptedModel({"draft": replies})
    await model.complete(request())
    with pytest.raises(ScriptExhaustedError, match="'draft' are used up"):
        await model.complete(request())
    assert replies == ["only one"]


async def test_request_without_a_reply_names_purpose_and_role() -> None:
    with pytest.raises(ScriptExhaustedError, match=r"'rewrite'.*'writer'"):
        await ScriptedModel({"draft": "x"}).complete(request("rewrite", "writer"))


async def test_requests_are_kept() -> None:
    model = ScriptedModel("yes")
    await model.complete(request("one"))
    await model.complete(request("two"))
    assert [kept.purpose for kept in model.requests] == ["one", "two"]


async def test_function_sees_the_request_and_may_wait() -> None:
    gate = asyncio.Event()

    async def script(asked: ChatRequest) -> str:
        await gate.wait()
        return asked.purpose

    model: ChatModel = ScriptedModel(script)
    call = asyncio.create_task(model.complete(request("slow")))
    await asyncio.sleep(0)
    assert not call.done()
    gate.set()
    assert (await call).text == "slow"


async def test_scripted_error_is_raised() -> None:
    model = ScriptedModel({"draft": [ModelUnavailableError("gone"), "back"]})
    with pytest.raises(ModelUnavailableError, match="gone"):
        await model.complete(request())
    assert (await model.complete(request())).text == "back"


@pytest.mark.parametrize(
    "reply",
    [
        pytest.param({"quality": "adequate", "confidence": 0.9}, id="mapping"),
        pytest.param(Grade(quality="adequate", confidence=0.9), id="model"),
        pytest.param('{"quality": "adequate", "confidence": 0.9}', id="json text"),
    ],
)
async def test_typed_request_gets_a_typed_reply(reply: str | BaseModel | dict[str, object]) -> None:
    completion = await ScriptedModel({"draft": reply}).complete(request(output=Grade))
    assert completion.parsed == Grade(quality="adequate", confidence=0.9)
    assert Grade.model_validate_json(completion.text) == completion.parsed


@pytest.mark.parametrize(
    "reply", [pytest.param("fine, I think", id="prose"), pytest.param({"quality": 1}, id="wrong fields")]
)
async def test_typed_reply_that_does_not_validate_is_a_reply_error(reply: str | dict[str, object]) -> None:
    with pytest.raises(ModelReplyError, match="Grade"):
        await ScriptedModel({"draft": reply}).complete(request(output=Grade))


async def test_typed_reply_to_a_text_request_is_a_mistake_in_the_script() -> None:
    with pytest.raises(TypeError, match="asked for text"):
        await ScriptedModel({"draft": {"quality": "x"}}).complete(request())


async def test_completion_is_given_as_it_is() -> None:
    cut = Completion("It is", "length", input_tokens=3, output_tokens=2, model="m", seconds=0.1)
    assert await ScriptedModel({"draft": cut}).complete(request()) == cut


async def test_tokens_are_estimated() -> None:
    completion = await ScriptedModel("a reply of some length").complete(request())
    assert completion.input_tokens >= 4
    assert completion.output_tokens >= 4


@given(st.text())
def test_streamed_pieces_add_up_to_the_reply(text: str) -> None:
    pieces: list[str] = []
    completion = asyncio.run(ScriptedModel(text).complete(request(), pieces.append))
    assert "".join(pieces) == completion.text == text
