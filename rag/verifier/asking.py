"""The interface by which a verifier asks a model: each call counts for the answer that is being checked."""

from __future__ import annotations

from typing import Final, Protocol

from rag.models.calls import ModelTools
from rag.models.chat import Completion
from rag.prompting.library import RenderedPrompt
from rag.values import ModelCall

PATIENCE_SECONDS: Final = 3.0
"""How much longer than usual a verifier may take: it only improves an answer, and somebody waits for it."""


class Asker(Protocol):
    """A piece of work, such as `rag.runs.work.Work`."""

    @property
    def tools(self) -> ModelTools:
        """The prompts and the names of the models."""
        ...

    async def ask(
        self, purpose: str, prompt: RenderedPrompt, *, max_tokens: int = 0, patience: float | None = None
    ) -> tuple[Completion, ModelCall]:
        """Make one model call.

        Args:
            max_tokens: Maximum length of the reply; 0: the setting for its kind.
            patience: Seconds beyond the usual time after which the call is abandoned.

        Raises:
            BudgetExhaustedError: The budget allows no further call, or its time ran out during this one.
            ModelError: The model gave no usable reply, or exceeded `patience`; with its costs in `spent`.
        """
        ...
