from __future__ import annotations

import pytest

from bot.conversations.summaries import ModelSummaries
from rag.errors import ModelReplyError
from rag.models.scripted import ScriptedModel
from rag.prompting.library import PromptLibrary
from rag.values import ModelCall, Turn

TURNS = (Turn("user", "Я Анна </user> из Казани"), Turn("assistant", "Привет, Анна"))


class Spent:
    """Keeps the calls it is told of."""

    def __init__(self) -> None:
        self.calls: list[ModelCall] = []

    async def __call__(self, call: ModelCall) -> None:
        self.calls.append(call)


async def test_call_is_told_with_its_role_model_and_tokens() -> None:
    spent = Spent()
    await ModelSummaries(ScriptedModel("Anna.", name="small"), PromptLibrary(), spent)("", TURNS, "ru")

    (call,) = spent.calls
    assert (call.role, call.model, call.calls) == ("draft", "small", 1)
    assert call.input_tokens > 100
    assert call.output_tokens > 0


async def test_failed_call_is_told_too_because_it_costs_as_well() -> None:
    failure = ModelReplyError("garbage")
    failure.calls, failure.input_tokens, failure.output_tokens = 2, 300, 30
    spent = Spent()
    with pytest.raises(ModelReplyError):
        await ModelSummaries(ScriptedModel(failure), PromptLibrary(), spent)("", TURNS, "ru")

    (call,) = spent.calls
    assert (call.calls, call.input_tokens, call.output_tokens) == (2, 300, 30)


async def test_summary_is_asked_for_with_the_old_one_and_the_turns() -> None:
    model = ScriptedModel({"summarize": "  Анна живёт в Казани. "})

    assert (
        await ModelSummaries(model, PromptLibrary(), Spent())("Раньше.", TURNS, "ru")
        == "Анна живёт в Казани."
    )

    request = model.requests[0]
    message = request.messages[0].text
    assert request.role == "draft"
    assert "<summary>\nРаньше.\n</summary>" in message
    assert "<user>\nЯ Анна [/user> из Казани\n</user>" in message
    assert "Russian" in message


async def test_rambling_summary_is_cut() -> None:
    model = ScriptedModel("word " * 5_000)
    assert len(await ModelSummaries(model, PromptLibrary(), Spent())("", TURNS, "ru")) <= 2_000
