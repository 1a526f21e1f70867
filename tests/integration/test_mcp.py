"""Agents ask, search and read by the Model Context Protocol: played with the protocol's own client."""

from __future__ import annotations

import json
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from httpx2 import AsyncClient
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp.server import MCPServer
from mcp.types import CallToolResult, TextContent

from bot.agent_tools import make_server
from bot.telegram.ids import to_peer
from rag.engine import AnswerEngine
from rag.settings import Settings
from rag.values import Answer, Mode, Question
from tests.support import programs
from tests.support.console import MEMBER, Serve, Served
from tests.support.loop import scripted
from tests.support.servers import FakeOpenAI, Say


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    folder = tmp_path / "corpus"
    folder.mkdir()
    (folder / "java.md").write_text("# FxStore\n\n## Requirements\n\nFxStore needs Java 17.\n", "utf-8")
    (folder / "long.md").write_text("# Long\n\n" + "A line of no interest.\n\n" * 2_000, "utf-8")
    return folder


def told(result: CallToolResult) -> Any:
    assert not result.is_error, result.content
    assert isinstance(result.content[0], TextContent)
    return json.loads(result.content[0].text)


def server_of(engine: AnswerEngine) -> MCPServer:
    async def ask(question: str, mode: Mode | None) -> Answer:
        return await engine.answer(Question(question, mode=mode))

    return make_server(ask, engine.tools.corpus)


async def test_process_answers_an_agent_over_standard_input_and_output(tmp_path: Path, corpus: Path) -> None:
    with FakeOpenAI(lambda _: Say("FxStore needs Java 17.")) as server:
        given = programs.environment(
            THINKTWICE_DATA_DIR=str(tmp_path / "data"),
            THINKTWICE_CORPUS=str(corpus),
            THINKTWICE_MODEL="openai:test-model",
            OPENAI_BASE_URL=server.base_url,
            OPENAI_API_KEY="a-key",
        )
        command = StdioServerParameters(
            command=sys.executable, args=["-m", "bot.cli", "mcp"], env=dict(given)
        )
        async with Client(command) as client:
            tools = {tool.name for tool in (await client.list_tools()).tools}
            answer = told(await client.call_tool("ask", {"question": "Which Java does FxStore need?"}))
    assert tools == {"ask", "search", "read_document"}
    assert answer["label"] == "verified"
    assert answer["answer"].startswith("FxStore needs Java 17 [1]")
    assert [cited["source"] for cited in answer["citations"]] == ["java.md"]


async def test_documents_are_searched_and_read_in_parts(tmp_path: Path, corpus: Path) -> None:
    async with (
        AnswerEngine.open(tmp_path / "data", corpus=corpus, settings=Settings()) as engine,
        Client(server_of(engine)) as client,
    ):
        found = await client.call_tool("search", {"query": "Java", "limit": 1})
        parts = [
            told(await client.call_tool("read_document", {"source": "long.md", "part": part}))
            for part in (0, 2, 99)
        ]
        unknown = await client.call_tool("read_document", {"source": "../secrets"})
        empty = await client.call_tool("ask", {"question": " "})
    assert found.structured_content is not None
    assert [one["source"] for one in found.structured_content["result"]] == ["java.md"]
    assert [part["part"] for part in parts] == [1, 2, parts[0]["parts"]]
    assert parts[0]["text"].startswith("A line of no interest.")
    assert all(len(part["text"]) <= 20_000 for part in parts)
    assert unknown.is_error
    assert "search" in str(unknown.content)
    assert empty.is_error
    assert "the question is empty" in str(empty.content)


@asynccontextmanager
async def agent(console: Served, token: str) -> AsyncIterator[Client]:
    async with (
        AsyncClient(headers={"Authorization": f"Bearer {token}"}) as http,
        Client(streamable_http_client(f"{console.base}/mcp", http_client=http)) as client,
    ):
        yield client


async def test_running_bot_answers_an_agent_that_shows_a_token(serve: Serve) -> None:
    async with serve(scripted(draft="FxStore needs Java 17.")) as console:
        token = await console.parts.logins.token(to_peer(MEMBER), "an agent")
        async with agent(console, token) as client:
            answer = told(await client.call_tool("ask", {"question": "Which Java does FxStore need?"}))
            found = await client.call_tool("search", {"query": "Java", "limit": 1})
            empty = await client.call_tool("ask", {"question": " "})
        asked = await console.parts.answers.totals()
    assert (answer["label"], answer["answer"]) == ("verified", "FxStore needs Java 17 [1].")
    assert found.structured_content is not None
    assert "Java 17" in found.structured_content["result"][0]["text"]
    assert "question" in str(empty.content)
    assert empty.is_error
    assert sum(asked.questions.values()) == 1


@pytest.mark.parametrize("token", ["", "no-such-token"])
async def test_agent_without_a_token_is_told_nothing(serve: Serve, token: str) -> None:
    async with serve() as console:
        call = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
        async with AsyncClient(headers={"Authorization": f"Bearer {token}"} if token else {}) as http:
            reply = await http.post(f"{console.base}/mcp", json=call)
    assert reply.status_code == 401
    assert reply.json()["error"]["code"] == "web-error-401"
