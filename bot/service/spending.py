"""Counts the tokens that jobs spend on models, step by step, so that answers that never arrive count as well.

The tokens of a step are added in the transaction that records the step. A step that is repeated after a kill
spends and counts tokens again; a step that is replayed from its record counts once. A call that was under way
when the process died is counted when its step is repeated: with its prompt, because nobody knows how much of
the reply was written. A call that an orderly stop cuts off, and one whose record failed, count that prompt
twice; a second kill in the same step adds nothing.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any, Protocol

from bot.current_step import may_have_run, write_with_record
from bot.service.keys import NOBODY, PeerId
from rag.errors import ThinkTwiceError
from rag.models.tokens import count_embeddings, given_up
from rag.runs.run import Outcome, RunStep
from rag.values import ModelCall


@dataclass(frozen=True, slots=True)
class Today:
    """Tokens of one day in the team's time zone; `user`: of one person, in all chats."""

    bot: int
    chat: int
    user: int
    until: datetime


class Spent(Protocol):
    """Adds up tokens; see `bot.storage.spent.Spent`. Methods raise `StorageError`."""

    async def add(self, tokens: int, *, chat_id: PeerId = NOBODY, user_id: PeerId = NOBODY) -> None:
        """Add tokens to this day; with `NOBODY`, no chat or no particular person has spent them."""
        ...

    async def today(self, chat_id: PeerId, user_id: PeerId) -> Today:
        """Return the tokens of this day: in all, of a chat, and of a person in all chats."""
        ...


def metered(run_step: RunStep, spent: Spent, *, chat_id: PeerId, user_id: PeerId) -> RunStep:
    """Wrap `run_step` so that the tokens of each step are added up."""

    async def run_counted(name: str, work: Callable[[], Awaitable[Any]], /, *, is_light: bool = False) -> Any:  # noqa: ANN401 - a step's own type
        async def count() -> Any:  # noqa: ANN401 - as above
            with count_embeddings() as embedded:
                calls: Sequence[ModelCall] = ()
                try:
                    outcome = await work()
                    calls = outcome.calls if isinstance(outcome, Outcome) else ()
                except ThinkTwiceError as exc:
                    calls = exc.spent
                    raise
                except asyncio.CancelledError as exc:
                    # A stopped step counts as well: the server may charge for the request.
                    calls = given_up(exc)
                    raise
                finally:
                    tokens = _tokens(calls) + embedded.tokens
                    if calls and may_have_run():
                        # The process that died had sent the same prompt, and counted nothing. Repair requests
                        # repeat the prompt, and one call of the record holds them all.
                        tokens += calls[0].input_tokens // max(calls[0].calls, 1)
                    if tokens:
                        await write_with_record(partial(spent.add, tokens, chat_id=chat_id, user_id=user_id))
            return outcome

        return await run_step(name, count, is_light=is_light)

    return run_counted


def _tokens(calls: Iterable[ModelCall]) -> int:
    return sum(call.input_tokens + call.output_tokens for call in calls)
