"""What work spends on models: counted with each step, so that answers that never arrive count as well.

A step's calls are added before the step is recorded. A step that a kill repeats pays again, and counts again;
one that is only handed back from its record counts once.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

from rag.errors import ThinkTwiceError
from rag.loop.run import Outcome, RunStep
from rag.models.tally import counted_embeddings, given_up
from rag.values import ModelCall


@dataclass(frozen=True, slots=True)
class Today:
    """Tokens of one UTC day.

    Args:
        bot: Of the whole bot.
        chat: Of one chat.
        user: Of one person, in all chats.
        until: When the day ends.
    """

    bot: int
    chat: int
    user: int
    until: datetime


class Spent(Protocol):
    """Adds up tokens; see `bot.storage.spent.Spent`. Raises `StorageError` when the store cannot be used."""

    async def add(self, tokens: int, *, chat_id: int = 0, user_id: int = 0) -> None:
        """Add tokens to this UTC day; 0 stands for no chat, and for nobody in particular."""
        ...

    async def today(self, chat_id: int, user_id: int) -> Today:
        """Return what this UTC day took in all, in a chat, and for a person in all chats."""
        ...


def metered(run_step: RunStep, spent: Spent, *, chat_id: int, user_id: int) -> RunStep:
    """Return `run_step` in a form that adds up what each step spends.

    Args:
        run_step: Carries out the steps.
        spent: Adds up tokens.
        chat_id: Where the work was asked for.
        user_id: Who asked for it.
    """

    async def stepped(name: str, work: Callable[[], Awaitable[Any]], /, *, is_light: bool = False) -> Any:  # noqa: ANN401 - a step's own type
        async def counted() -> Any:  # noqa: ANN401 - as above
            with counted_embeddings() as embedded:
                tokens = 0
                try:
                    outcome = await work()
                    tokens = _tokens(outcome.calls) if isinstance(outcome, Outcome) else 0
                except ThinkTwiceError as exc:
                    tokens = _tokens(exc.spent)
                    raise
                except asyncio.CancelledError as exc:
                    # Stopped: a server may charge for what it was sent.
                    tokens = _tokens(given_up(exc))
                    raise
                finally:
                    await spent.add(tokens + embedded.tokens, chat_id=chat_id, user_id=user_id)
            return outcome

        return await run_step(name, counted, is_light=is_light)

    return stepped


def _tokens(calls: Iterable[ModelCall]) -> int:
    return sum(call.input_tokens + call.output_tokens for call in calls)
