"""Providers that are reached by their name: what must be set, and a real client against a server on loopback."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel, SecretStr

from bot.settings.operator_words import in_operator_words
from rag.errors import ModelRejectedError, ModelReplyError, ModelUnavailableError, OperatorError
from rag.models.chat import ChatRequest, Message
from rag.models.endpoint import PROVIDERS, Provider
from rag.models.roles import RoleModels
from rag.settings import Council, Models
from tests.support.servers import Fail, FakeOpenAI

KEY = "sk-ant-test-very-secret-key"


class Grade(BaseModel):
    quality: str


class Anthropic:
    """Speaks as much of ``/v1/messages`` as one reply needs."""

    def __init__(self) -> None:
        self.texts = ["Java 17."]
        self.statuses: list[int] = []
        self.bodies: list[dict[str, Any]] = []
        self.keys: list[str] = []
        fake = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                fake.bodies.append(body)
                sent = self.headers["x-api-key"] or self.headers["Authorization"] or ""
                fake.keys.append(sent.removeprefix("Bearer "))
                status = fake.statuses.pop(0) if fake.statuses else 200
                if status != 200:
                    kind = "authentication_error" if status == 401 else "overloaded_error"
                    error = {"type": "error", "error": {"type": kind, "message": f"no: {KEY}"}}
                    self.respond(status, "application/json", json.dumps(error))
                elif body.get("stream"):
                    self.respond(200, "text/event-stream", fake.streamed())
                else:
                    self.respond(200, "application/json", json.dumps(fake.message()))

            def respond(self, status: int, kind: str, text: str) -> None:
                content = text.encode()
                self.send_response(status)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *_: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)

    def message(self) -> dict[str, Any]:
        text = self.texts[min(len(self.bodies), len(self.texts)) - 1]
        return {
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "model": "claude-test",
            "content": [{"type": "text", "text": text}],
            "stop_reason": "end_turn",
            "stop_sequence": None,
            "usage": {"input_tokens": 31, "output_tokens": 4},
        }

    def streamed(self) -> str:
        start = {**self.message(), "content": []}
        text = self.message()["content"][0]["text"]
        events: list[dict[str, Any]] = [
            {"type": "message_start", "message": start},
            {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
            *(
                {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": piece}}
                for piece in (text[:4], text[4:])
            ),
            {"type": "content_block_stop", "index": 0},
            {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 4}},
            {"type": "message_stop"},
        ]
        return "".join(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events)


@pytest.fixture
def anthropic(monkeypatch: pytest.MonkeyPatch) -> Iterator[Anthropic]:
    fake = Anthropic()
    thread = threading.Thread(target=fake.server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    monkeypatch.setenv("ANTHROPIC_BASE_URL", f"http://127.0.0.1:{fake.server.server_address[1]}")
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    yield fake
    fake.server.shutdown()
    fake.server.server_close()
    thread.join()


def models(folder: Path, **changes: Any) -> RoleModels:
    return RoleModels(Models(**{"default": "anthropic:claude-test", "attempts": 2} | changes), folder)


def request(**changes: Any) -> ChatRequest:
    fields: dict[str, Any] = {
        "role": "draft",
        "instructions": "Answer briefly.",
        "messages": (Message("user", "Which Java?"),),
        "max_tokens": 200,
        "purpose": "draft",
    }
    return ChatRequest(**fields | changes)


async def test_anthropic_answers_with_tokens_and_name(anthropic: Anthropic, tmp_path: Path) -> None:
    completion = await models(tmp_path).complete(request())
    assert completion.text == "Java 17."
    assert (completion.input_tokens, completion.output_tokens) == (31, 4)
    assert completion.model == "anthropic:claude-test"
    assert anthropic.keys == [KEY]
    assert (anthropic.bodies[0]["model"], anthropic.bodies[0]["max_tokens"]) == ("claude-test", 200)


async def test_anthropic_streams(anthropic: Anthropic, tmp_path: Path) -> None:
    pieces: list[str] = []
    completion = await models(tmp_path).complete(request(), pieces.append)
    assert "".join(pieces) == completion.text == "Java 17."


@pytest.mark.parametrize("streamed", [False, True])
async def test_text_longer_than_any_answer_is_none(
    streamed: bool, anthropic: Anthropic, tmp_path: Path
) -> None:
    anthropic.texts = ["Java 17. " * 20_000]
    with pytest.raises(ModelReplyError):
        await models(tmp_path).complete(request(), list[str]().append if streamed else None)


async def test_typed_reply_of_anthropic_is_read_and_asked_again(anthropic: Anthropic, tmp_path: Path) -> None:
    anthropic.texts = ["it is adequate", '{"quality": "adequate"}']
    completion = await models(tmp_path).complete(request(role="judge", output=Grade))
    assert completion.parsed == Grade(quality="adequate")
    assert completion.calls == 2


async def test_tries_are_ours_alone(anthropic: Anthropic, tmp_path: Path) -> None:
    anthropic.statuses = [529] * 9
    with pytest.raises(ModelUnavailableError):
        await models(tmp_path).complete(request())
    assert len(anthropic.bodies) == 2


async def test_refused_key_names_the_variable_and_never_the_key(anthropic: Anthropic, tmp_path: Path) -> None:
    anthropic.statuses = [401]
    with pytest.raises(ModelRejectedError) as caught:
        await models(tmp_path).complete(request())
    assert "check ANTHROPIC_API_KEY" in str(caught.value)
    assert KEY not in str(caught.value)


async def test_key_of_the_settings_comes_first(anthropic: Anthropic, tmp_path: Path) -> None:
    await models(tmp_path, keys={"anthropic": SecretStr("sk-ant-of-the-settings")}).complete(request())
    assert anthropic.keys == ["sk-ant-of-the-settings"]


async def test_provider_is_not_asked_before_the_first_call(anthropic: Anthropic, tmp_path: Path) -> None:
    (status, *_) = await models(tmp_path).describe()
    assert status.reachable
    assert status.address == "anthropic"
    assert anthropic.bodies == []


def test_missing_key_is_said_at_the_start(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("OPENROUTER_API_KEY", raising=False)
    with pytest.raises(OperatorError) as caught:
        models(tmp_path, default="openrouter:some/model")
    assert in_operator_words(str(caught.value)) == (
        "openrouter needs a key: set OPENROUTER_API_KEY or THINKTWICE_MODELS__KEYS, or name another model"
    )


def test_missing_package_is_said_at_the_start(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("rag.models.endpoint.find_spec", lambda name: None)
    with pytest.raises(OperatorError, match="anthropic needs the package anthropic: install it"):
        models(tmp_path)


def test_address_of_a_provider_is_its_own(anthropic: Anthropic, tmp_path: Path) -> None:
    seats = {"strict": {"model": "anthropic:claude-test", "base_url": "http://127.0.0.1:1/v1"}}
    council = Council.model_validate({"members": ["strict"], "seats": seats})
    with pytest.raises(OperatorError, match="has a base_url, but anthropic has its own"):
        RoleModels(Models(), tmp_path, council)


@pytest.mark.parametrize("name", PROVIDERS)
def test_table_agrees_with_the_library(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The library, asked without a key, names the variable or the package that the table has."""
    from pydantic_ai.exceptions import UserError
    from pydantic_ai.providers import infer_provider

    for provider in PROVIDERS.values():
        monkeypatch.delenv(provider.key or "NO_SUCH_VARIABLE", raising=False)
    provider = PROVIDERS[name]
    with pytest.raises((UserError, ImportError)) as caught:
        infer_provider(name)
    wanted = provider.package if isinstance(caught.value, ImportError) else provider.key
    assert f"`{wanted}`" in str(caught.value) or wanted == "mistralai"


@pytest.mark.parametrize("name", [name for name, known in PROVIDERS.items() if known.address and name != "huggingface"])  # fmt: skip
def test_address_agrees_with_the_library(name: str) -> None:
    """The library knows no address of Hugging Face, whose own client would read replies without a limit."""
    from pydantic_ai.providers import infer_provider_class

    make: Any = infer_provider_class(name)
    assert make(api_key="x").base_url.rstrip("/") == PROVIDERS[name].address


async def test_provider_that_speaks_openais_protocol_is_asked_with_its_key(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with FakeOpenAI([Fail(401)]) as server:
        known = {**PROVIDERS, "deepseek": Provider("DEEPSEEK_API_KEY", server.base_url)}
        monkeypatch.setattr("rag.models.endpoint.PROVIDERS", known)
        monkeypatch.setenv("DEEPSEEK_API_KEY", KEY)
        with pytest.raises(ModelRejectedError, match=r"check DEEPSEEK_API_KEY or models\.keys"):
            await models(tmp_path, default="deepseek:test-model").complete(request())
    assert server.requests[0].headers["authorization"] == f"Bearer {KEY}"
