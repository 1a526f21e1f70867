"""Stops answers because of an administrator's decision."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from bot.service.incoming import Place, Sender
from bot.service.keys import is_group
from bot.service.people import Ask
from bot.telegram.outbound.retries import ChatGoneError, DeliveryError
from bot.telegram.services import Services


async def stop_work(services: Services, asks: Sequence[Ask], by: Sender) -> int:
    """Stop the answers to questions, and say so in their chats.

    Args:
        services: The running parts.
        asks: The questions.
        by: The administrator who decided.

    Returns:
        The number of answers that were not finished yet.
    """
    stopped = 0
    for ask in asks:
        place = Place(ask.chat_id, "group" if is_group(ask.chat_id) else "private", ask.thread_id)
        # The job is cancelled before its message is edited, so a failed edit changes nothing.
        with suppress(ChatGoneError, DeliveryError):
            stopped += await services.stopping.stop(ask, place, by)
    return stopped
