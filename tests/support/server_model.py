"""The client of a model server on loopback, and a request to it."""

from __future__ import annotations

from typing import Any

from pydantic import SecretStr

from rag.models.chat import ChatRequest, Message
from rag.models.client import ServerModel
from rag.models.endpoint import Endpoint
from tests.support.servers import FakeOpenAI

KEY = "sk-test-very-secret-key"


def text_request(**changes: Any) -> ChatRequest:
    fields: dict[str, Any] = {
        "role": "draft",
        "instructions": "Answer briefly.",
        "messages": (Message("user", "Hi"), Message("assistant", "Hello!"), Message("user", "Which Java?")),
        "max_tokens": 200,
        "purpose": "draft",
    }
    return ChatRequest(**fields | changes)


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
