"""Work that somebody waits for, ended by an administrator's decision."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from bot.service.incoming import Place, Sender
from bot.service.people import Ask
from bot.telegram.outbound.retries import ChatGoneError, DeliveryError
from bot.telegram.services import Services


async def stop_work(services: Services, asks: Sequence[Ask], by: Sender) -> int:
    """End the work for questions, and say so where they were asked.

    Args:
        services: The running parts.
        asks: The questions.
        by: Who wants it.

    Returns:
        How many were not finished yet.
    """
    stopped = 0
    for ask in asks:
        place = Place(ask.chat_id, "group" if ask.chat_id < 0 else "private", ask.thread_id)
        # The work ends before its message is edited, so nothing is lost when that fails.
        with suppress(ChatGoneError, DeliveryError):
            stopped += await services.stopping.stop(ask, place, by)
    return stopped
