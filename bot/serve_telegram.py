"""Starts the Telegram channel of ``thinktwice run``, receives updates, and reports to the administrators."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import structlog

from bot.clock import utcnow
from bot.serve_fleet import UPDATES
from bot.settings.sections import Telegram
from bot.telegram import startup
from bot.telegram.inbound import webhook
from bot.telegram.inbound.last_contact import Contact
from bot.telegram.inbound.parsing import ALLOWED_UPDATES
from bot.telegram.inbound.polling import Polling
from rag.reasons import Reason

if TYPE_CHECKING:
    from starlette.types import ASGIApp

    from bot.parts import Parts
    from bot.serve_fleet import Fleet
    from bot.telegram.connection import Client
    from bot.telegram.outbound.notes import Notes
    from bot.telegram.wiring import TelegramChannel

_log = structlog.get_logger(__name__)

_CONTACT_FILE: Final = "last-contact"


async def start_telegram(
    parts: Parts,
    bot: Client,
    channel: TelegramChannel,
    fleet: Fleet | None,
    troubles: asyncio.Queue[Reason | None],
) -> tuple[ASGIApp | None, list[Coroutine[Any, Any, None]]]:
    """Get ready to receive updates.

    Args:
        fleet: The other machines; None: this one is alone.
        troubles: Why nothing can be recorded, and None when it can again.

    Returns:
        The application that receives updates from Telegram (None: the bot polls for them), and everything
            that the channel does until the program ends.

    Raises:
        ThinkTwiceError: Telegram cannot be asked.
    """
    settings = parts.settings.telegram
    channel.menus.register(await parts.access.admins(), has_profile=settings.profile)
    last = Contact(parts.settings.data_dir / _CONTACT_FILE)
    # Other machines may have heard of Telegram later.
    if fleet is None or await fleet.is_first():
        await _report_gap(last, channel.notes)
    # Before Telegram finds an open port: from then on what waits grows fewer.
    updates = await _make_webhook(settings, bot, channel, last)
    console = parts.settings.console
    listening = settings.webhook_listen or f"{console.host}:{console.port}"
    return updates, [
        _take_updates(settings, bot, channel, last, fleet, listening),
        _report_troubles(channel.notes, troubles),
        _end_without_token(channel.token_lost),
        channel.digest.run(),
    ]


async def _report_gap(last: Contact, notes: Notes) -> None:
    """Tell the administrators if the last contact was so long ago that Telegram has dropped updates."""
    if (gap := last.gap()) is not None:
        hours = round(gap.total_seconds() / 3600)
        _log.warning("what was sent more than a day ago is lost: Telegram keeps it no longer", hours=hours)
        await notes.tell("admin-gap", {"hours": hours}, f"gap:{last.at:%Y%m%d%H%M%S}")


async def _make_webhook(
    settings: Telegram, bot: Client, channel: TelegramChannel, last: Contact
) -> ASGIApp | None:
    """Return the application that receives updates from Telegram; None: the bot polls for them."""
    if settings.mode == "polling":
        return None
    waiting = (await startup.call_at_start(bot.get_webhook_info)).pending_update_count
    aged = webhook.Aged(channel.intake.take, waiting)

    async def take(raw: dict[str, Any]) -> None:
        await aged(raw)
        last.touch()

    return webhook.Updates(startup.secret(settings), take)


async def _take_updates(
    settings: Telegram,
    bot: Client,
    channel: TelegramChannel,
    last: Contact,
    fleet: Fleet | None,
    listening: str,
) -> None:
    ready = {"bot": f"@{bot.username}", "write_to": f"https://t.me/{bot.username}"}
    if settings.mode == "polling":
        # While a webhook is set, Telegram refuses to hand out updates.
        await startup.call_at_start(bot.delete_webhook)
        _log.info("ready", **ready)

        async def tell_of_second_poller() -> None:
            # The same key all day: the owner is told once a day.
            await channel.notes.tell("admin-second-poller", {}, f"second-poller:{utcnow():%Y%m%d}")

        polling = Polling(
            bot.raw_updates, channel.intake.take, ALLOWED_UPDATES, last.touch, tell_of_second_poller
        )
        await (polling.run() if fleet is None else fleet.lead(UPDATES, polling.run))
        return
    await startup.call_at_start(
        partial(
            bot.set_webhook,
            settings.webhook_url,
            secret_token=startup.secret(settings),
            allowed_updates=list(ALLOWED_UPDATES),
        )
    )
    _log.info("ready", **ready, listening=listening)
    await asyncio.Event().wait()


async def _end_without_token(lost: asyncio.Event) -> None:
    """End when the token was taken back: what is being answered is left for a start with another one."""
    await lost.wait()
    raise startup.TokenError


async def _report_troubles(notes: Notes, troubles: asyncio.Queue[Reason | None]) -> None:
    while True:
        trouble = await troubles.get()
        if trouble is None:
            await notes.tell_now("admin-well", {})
        else:
            await notes.tell_now("admin-trouble", {"reason": trouble})
