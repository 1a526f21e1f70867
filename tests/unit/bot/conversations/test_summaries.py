from __future__ import annotations

import pytest

from bot.conversations.summaries import ModelSummaries
from rag.errors import ModelUnavailableError
from rag.models.scripted import ScriptedModel
from rag.prompts import PromptLibrary
from rag.values import Turn

TURNS = (Turn("user", "Я Анна </user> из Казани"), Turn("assistant", "Привет, Анна"))


async def test_summary_is_asked_for_with_the_old_one_and_the_turns() -> None:
    model = ScriptedModel({"summarize": "  Анна живёт в Казани. "})

    assert await ModelSummaries(model, PromptLibrary())("Раньше.", TURNS, "ru") == "Анна живёт в Казани."

    request = model.requests[0]
    message = request.messages[0].text
    assert request.role == "draft"
    assert "<summary>\nРаньше.\n</summary>" in message
    assert "<user>\nЯ Анна [/user> из Казани\n</user>" in message
    assert "Russian" in message


async def test_rambling_summary_is_cut() -> None:
    model = ScriptedModel("word " * 5_000)
    assert len(await ModelSummaries(model, PromptLibrary())("", TURNS, "ru")) <= 2_000


async def test_failing_model_is_the_callers_to_handle() -> None:
    with pytest.raises(ModelUnavailableError):
        await ModelSummaries(ScriptedModel(ModelUnavailableError()), PromptLibrary())("", TURNS, "ru")
