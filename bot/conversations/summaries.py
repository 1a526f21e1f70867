"""Summaries written by a chat model."""

from __future__ import annotations

from collections.abc import Sequence

from rag.fences import dialogue
from rag.language.detect import language_name
from rag.models.chat import ChatModel, ChatRequest, Message
from rag.prompts import PromptLibrary
from rag.values import Turn

_MAX_TOKENS = 300
_MAX_CHARACTERS = 2_000


class ModelSummaries:
    """Summarises with the prompt `summarize`.

    Args:
        model: Who writes.
        prompts: Where the prompt is.
    """

    def __init__(self, model: ChatModel, prompts: PromptLibrary) -> None:
        self._model = model
        self._prompts = prompts

    async def __call__(self, summary: str, turns: Sequence[Turn], language: str) -> str:
        """Write a new summary of `summary` and `turns`.

        Raises:
            ModelError: no model wrote one.
        """
        prompt = self._prompts.render(
            "summarize", summary=summary, messages=dialogue(turns), language=language_name(language)
        )
        completion = await self._model.complete(
            ChatRequest(
                role=prompt.role,
                instructions=prompt.instructions,
                messages=(Message("user", prompt.message),),
                max_tokens=_MAX_TOKENS,
                purpose="summarize",
            )
        )
        # A model that rambles must not fill every later prompt.
        return completion.text.strip()[:_MAX_CHARACTERS]
