"""The client that talks to the Bot API."""

from __future__ import annotations

import ssl
from collections.abc import Sequence
from functools import cache
from typing import Any, Final

import httpx
from telegram import Bot
from telegram.error import EndPointNotFound
from telegram.request import HTTPXRequest

_BATCH: Final = 100
# Added to Telegram's own waiting time, for the network.
_PATIENCE_SECONDS: Final = 15.0


class Client(Bot):
    """The client of the Bot API, which can return updates as Telegram sent them."""

    async def raw_updates(
        self, offset: int | None, seconds: int, allowed: Sequence[str]
    ) -> list[dict[str, Any]]:
        """Return the next updates unparsed, and confirm those before `offset` (None: none).

        `get_updates` parses all updates: one that it cannot parse would block all others.

        Raises:
            TelegramError: Telegram does not answer, or refuses.
        """
        asked = {"offset": offset, "timeout": seconds, "limit": _BATCH, "allowed_updates": list(allowed)}
        patience = seconds + _PATIENCE_SECONDS
        try:
            # Telegram does not heed capitals; the library warns of the names of its own methods.
            updates: Any = await self.do_api_request("getupdates", asked, read_timeout=patience)
        except EndPointNotFound as exc:
            raise exc.__cause__ or exc from None  # what Telegram has said of the token
        return [update for update in updates if isinstance(update, dict)]


def open_bot(token: str, api_url: str) -> Client:
    """Build the client that sends requests to Telegram and receives its updates."""
    address = api_url.rstrip("/")
    request = HTTPXRequest(
        connection_pool_size=64,
        connect_timeout=10.0,
        read_timeout=20.0,
        write_timeout=20.0,
        pool_timeout=20.0,
        httpx_kwargs={"verify": _certificates()},
    )
    return Client(
        token,
        base_url=f"{address}/bot",
        base_file_url=f"{address}/file/bot",
        request=request,
        get_updates_request=request,
    )


@cache
def _certificates() -> ssl.SSLContext:
    """Load the trusted certificates once per process, because that takes 40 ms."""
    return httpx.create_ssl_context()
