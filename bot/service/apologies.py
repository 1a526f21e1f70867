"""Ends questions whose job was given up: the asker gets the answer found before the failure, or an apology.

Either replaces the placeholder.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Final

import structlog

from bot.service.answering import ANSWER, Answering
from bot.service.errors import ChatGoneError, DeliveryError, StorageError
from bot.service.incoming import Asked
from bot.service.languages import spoken
from bot.service.messenger import Messenger, Posted
from bot.service.people import Ask
from bot.service.stores import Stores
from bot.texts import TEXTS
from rag.runs.run import RunStep
from rag.values import Answer

_log = structlog.get_logger(__name__)

STEPS: Final = ("find", "apologise")
"""Names of the steps, besides those of delivering an answer."""

_BEHIND_THE_ANSWER: Final = 101
"""Message number of an apology in step names; the messages of an answer tried before have lower numbers."""

Recorded = Callable[[str, str], Awaitable[object]]
"""Returns the recorded result of a job's step, or None: ``await recorded(work_id, step)``."""


@dataclass(frozen=True, slots=True)
class _Left:
    """The remains of a job that was given up; `known` messages hold no finished answer to an earlier text."""

    language: str
    ask: Ask | None = None
    answer: Answer | None = None
    known: tuple[Posted, ...] = ()


class Apologies:
    """Ends questions whose job was given up; `work_id` returns the id of the job that answers a question."""

    def __init__(
        self,
        stores: Stores,
        messenger: Messenger,
        answering: Answering,
        recorded: Recorded,
        work_id: Callable[[Asked], str],
    ) -> None:
        self._stores = stores
        self._messenger = messenger
        self._answering = answering
        self._recorded = recorded
        self._work_id = work_id

    async def apologise(
        self,
        asked: Asked,
        work_id: str,
        run_step: RunStep,
        *,
        is_addressed: bool = True,
    ) -> None:
        """End a question whose job was given up.

        Args:
            work_id: Id of the job that was given up; empty: the job that answers this text.
            is_addressed: The message was addressed to the bot; otherwise no apology is sent, and the
                placeholder is removed.

        Raises:
            DeliveryError: the channel rejects the apology.
        """
        work_id = work_id or self._work_id(asked)
        left: _Left = await run_step("find", partial(self._find, asked, work_id))
        text: str = await run_step("apologise", partial(self._close, left))
        try:
            if left.ask is not None and left.answer is not None:
                # If the delivery of this answer is what failed, it fails again and the apology follows.
                with suppress(DeliveryError):
                    await self._answering.finish(
                        asked, left.ask, left.answer, left.language, left.known, run_step
                    )
                    return
            if is_addressed:
                await self._messenger.deliver(
                    run_step,
                    asked,
                    left.ask if left.known else None,
                    text,
                    left.language,
                    known=left.known,
                    first=_BEHIND_THE_ANSWER,
                )
            elif left.known:
                messages = [posted.message_id for posted in left.known]
                there = left.known[0].of(asked.message.place)
                await run_step("tidy", partial(self._messenger.retract, there, messages))
        except ChatGoneError:
            _log.info("nobody is told that a question was given up", work=work_id)

    async def _find(self, asked: Asked, work_id: str) -> _Left:
        sender = asked.message.sender
        try:
            language = spoken(sender, (await self._stores.users.get(sender.id)).language)
            ask = await self._stores.asks.find_by_workflow(self._work_id(asked))
            if ask is None:
                return _Left(language)
            answer = await self._recorded(work_id, ANSWER)
            if isinstance(answer, Answer):
                messages = await self._stores.asks.messages(ask.id)
                known = tuple(Posted(ask.chat_id, message_id) for message_id in messages)
                return _Left(language, ask, answer, known)
            # Without a placeholder the messages still hold the answer to a former text.
            placeholder = () if ask.placeholder_id is None else (Posted(ask.chat_id, ask.placeholder_id),)
            return _Left(language, ask, known=placeholder)
        except StorageError:
            return _Left(spoken(sender))

    async def _close(self, left: _Left) -> str:
        """Mark the question as failed; return the sentence for its asker."""
        if left.ask is not None and left.ask.is_open:
            with suppress(StorageError):
                await self._stores.asks.set_state(left.ask.id, "failed")
                await self._stores.runs.end(left.ask.workflow_id, "error", {"code": "given-up"})
        return TEXTS.text("answer-failed", left.language)
