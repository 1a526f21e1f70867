"""``thinktwice console``: prints a new link that logs the owner in while ``thinktwice run`` is at work."""

from __future__ import annotations

import asyncio
import socket
from contextlib import closing
from typing import Final
from urllib.parse import urlsplit

from rich.console import Console

from bot.service import keys
from bot.service.logins import Logins
from bot.settings import addresses
from bot.settings.tree import Settings
from bot.storage import data_folder
from bot.storage.database import open_database
from bot.storage.logins import StoredLogins
from rag.errors import OperatorError

_CONNECT_SECONDS: Final = 3.0


def console(overrides: dict[str, object]) -> int:
    """Print a one-time link for the owner of a machine without Telegram.

    Raises:
        OperatorError: no such link can be made, or nothing serves the console.
    """
    settings = Settings.load(**overrides)
    data_folder.check_data(settings)
    if not settings.console.enabled:
        raise OperatorError("the console is switched off: set console.enabled=true")
    if settings.has_bot:
        raise OperatorError(
            "where there is a bot, it makes these links: send it /console in a private chat, as an "
            "administrator"
        )
    if not settings.console.port:
        raise OperatorError(
            "console.port is 0, so the port of the console is known to `thinktwice run` alone: start it "
            "again, and it prints a link, or set console.port"
        )
    _check_is_served(settings)
    link = asyncio.run(_make_link(settings))
    # The link alone on standard output, so that another program can open it.
    Console(highlight=False, soft_wrap=True, markup=False).print(link)
    Console(stderr=True, highlight=False, soft_wrap=True).print(
        "The link works once, within 10 minutes.", style="dim"
    )
    return 0


def _check_is_served(settings: Settings) -> None:
    """Raise `OperatorError` when nothing listens on the console's port: the link would lead nowhere."""
    listening = urlsplit(addresses.listening(settings.console))
    address = (listening.hostname or "", listening.port or 0)
    try:
        with closing(socket.create_connection(address, timeout=_CONNECT_SECONDS)):
            return
    except OSError as exc:
        raise OperatorError(
            f"nothing serves the console at {listening.geturl()}: start `thinktwice run`; it prints a link"
        ) from exc


async def _make_link(settings: Settings) -> str:
    url = settings.database_url.get_secret_value()
    async with open_database(settings.data_dir, url) as database:
        return addresses.link(settings.console, await Logins(StoredLogins(database)).link(keys.LOCAL_OWNER))
