"""Agents ask, search and read by the Model Context Protocol: played with the protocol's own client."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters
from mcp.types import CallToolResult, TextContent

from bot.terminal.mcp import make_server
from rag.engine import AnswerEngine
from rag.settings import Settings
from tests.support import programs
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
        Client(make_server(engine)) as client,
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
