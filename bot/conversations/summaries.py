"""Summaries written by a chat model."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextvars import ContextVar
from typing import Protocol

from rag.errors import ModelError
from rag.language.detect import language_name
from rag.models.chat import ChatModel, ChatRequest, Message
from rag.prompting.library import PromptLibrary
from rag.prompting.untrusted import dialogue
from rag.values import ModelCall, Turn

of_conversation: ContextVar[str] = ContextVar("of_conversation", default="")
"""The conversation that is summarised in this task, for the function that counts a summary's tokens."""

_MAX_TOKENS = 300
_MAX_CHARACTERS = 2_000


class Spend(Protocol):
    """Stores a model call that belongs to no question. It must not fail, or the summary would be lost."""

    async def __call__(self, call: ModelCall) -> None:
        """Store `call`."""
        ...


class ModelSummaries:
    """Summarises with the prompt `summarize`; `spend` hears of failed calls, too, because they cost."""

    def __init__(self, model: ChatModel, prompts: PromptLibrary, spend: Spend) -> None:
        self._model = model
        self._prompts = prompts
        self._spend = spend

    async def __call__(self, summary: str, turns: Sequence[Turn], language: str) -> str:
        """Write a new summary of `summary` and `turns`; raise `ModelError` if no model wrote one."""
        prompt = self._prompts.render(
            "summarize", summary=summary, messages=dialogue(turns), language=language_name(language)
        )
        request = ChatRequest(
            role=prompt.role,
            instructions=prompt.instructions,
            messages=(Message("user", prompt.message),),
            max_tokens=_MAX_TOKENS,
            purpose="summarize",
        )
        started = time.perf_counter()
        try:
            completion = await self._model.complete(request)
        except ModelError as exc:
            tokens, seconds = (exc.input_tokens, exc.output_tokens), time.perf_counter() - started
            await self._spend(ModelCall(request.role, "", *tokens, seconds, max(exc.calls, 1)))
            raise
        await self._spend(
            ModelCall(
                request.role,
                completion.model,
                completion.input_tokens,
                completion.output_tokens,
                completion.seconds,
                completion.calls,
            )
        )
        # The summary is cut, because a long one would fill every later prompt.
        return completion.text.strip()[:_MAX_CHARACTERS]
