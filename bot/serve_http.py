"""Opens the ports: one for the console, and the webhook at the same address or at its own."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from ipaddress import ip_address, ip_network
from typing import Final
from urllib.parse import urlsplit

import structlog
from starlette.applications import Starlette
from starlette.routing import Route
from starlette.types import ASGIApp

from bot import http_server
from bot.service import keys
from bot.settings import addresses
from bot.settings.tree import Settings
from bot.telegram import startup
from bot.web.guard import ANY_HOST
from bot.web.wiring import Console

_SHARE: Final = 4
"""One address gets this part of the connections to the console."""

_log = structlog.get_logger(__name__)


@asynccontextmanager
async def listening(settings: Settings, web: Console, updates: ASGIApp | None) -> AsyncIterator[None]:
    """Serve the console, and take updates where they are sent to the same address or to one of their own.

    Raises:
        ListenError: an address cannot be used.
    """
    shown, telegram = settings.console, settings.telegram
    is_apart = updates is not None and bool(telegram.webhook_listen)
    routes = {urlsplit(telegram.webhook_url).path or "/": updates} if updates and not is_apart else {}
    async with AsyncExitStack() as stack:
        if updates is not None and is_apart:
            host, port = startup.read_listening_address(telegram)
            await stack.enter_async_context(
                http_server.listening(
                    updates,
                    host,
                    port,
                    setting="telegram.webhook_listen",
                    most_connections=telegram.webhook_connections,
                )
            )
        if shown.enabled or routes:
            answers = web.application(routes) if shown.enabled else _only(routes)
            await stack.enter_async_context(
                http_server.listening(
                    answers,
                    shown.host,
                    shown.port,
                    setting="console.host and console.port",
                    most_connections=shown.connections,
                    most_of_address=max(shown.connections // _SHARE, 1),
                    is_proxy=partial(_is_among, shown.trusted_proxies),
                    reserved=ANY_HOST,
                )
            )
            if shown.enabled:
                await _tell_console(settings, web)
        yield


def _only(routes: Mapping[str, ASGIApp]) -> ASGIApp:
    return Starlette(routes=[Route(path, app, methods=["POST"]) for path, app in routes.items()])


def _is_among(networks: Sequence[str], address: str) -> bool:
    return any(ip_address(address) in ip_network(network) for network in networks)


async def _tell_console(settings: Settings, web: Console) -> None:
    shown = settings.console
    base = addresses.base(shown)
    if not addresses.is_loopback(shown) and not addresses.is_encrypted(shown):
        _log.warning(
            "the console is open to the network without encryption: put a server with a certificate in front "
            "and set console.public_url, or set console.host=127.0.0.1",
            console=base,
        )
    if settings.has_bot:
        _log.info("the console is open", console=base, log_in="send /console to the bot")
        return
    link = addresses.link(shown, await web.parts.logins.link(keys.LOCAL_OWNER))
    # In the sentence, not in a field: it is to be opened as it stands.
    _log.warning(
        f"there is no Telegram token, so there is the console alone; open it within 10 minutes: {link}"
    )
