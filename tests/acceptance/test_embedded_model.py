"""The real embedded model starts in its child process and answers."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Literal

import pytest
from pydantic import BaseModel

from rag.models.chat import ChatRequest, Message
from rag.models.embedded import EmbeddedModel
from rag.models.roles import weights
from rag.settings import Models

pytestmark = [pytest.mark.acceptance, pytest.mark.timeout(600)]

REPOSITORY = Path(__file__).resolve().parent.parent.parent


class Verdict(BaseModel):
    answer: Literal["yes", "no"]
    reason: str


@pytest.fixture
async def model(tmp_path: Path) -> AsyncIterator[EmbeddedModel]:
    data = Path(os.environ.get("TEST_DATA_DIR", REPOSITORY / ".data"))
    settings = Models(timeout_seconds=300)
    file = weights(settings, data)
    if problem := file.problem():
        pytest.skip(f"{problem} (data folder {data}; set TEST_DATA_DIR for another)")
    embedded = EmbeddedModel(file, settings, tmp_path / "embedded-model.log")
    yield embedded
    await embedded.aclose()


async def test_embedded_model_answers_streams_and_gives_typed_replies(model: EmbeddedModel) -> None:
    text = ChatRequest(
        role="draft",
        instructions="Answer with one word.",
        messages=(Message("user", "What is the capital of France?"),),
        max_tokens=10,
    )
    pieces: list[str] = []
    completion = await model.complete(text, pieces.append)
    assert "Paris" in completion.text
    assert "".join(pieces) == completion.text
    assert completion.input_tokens > 10
    assert completion.model == "embedded"

    typed = ChatRequest(
        role="judge",
        instructions="Answer as JSON with the fields answer (yes or no) and reason (at most five words).",
        messages=(Message("user", "Is Paris the capital of France?"),),
        max_tokens=80,
        output=Verdict,
    )
    judged = await model.complete(typed)
    assert isinstance(judged.parsed, Verdict)
    assert judged.parsed.answer == "yes"
