"""The client that talks to the Bot API."""

from __future__ import annotations

import json
import ssl
from collections.abc import Sequence
from functools import cache
from typing import Any, Final
from urllib.parse import urlencode

import httpx
from telegram import Bot
from telegram.request import BaseRequest, HTTPXRequest

_BATCH: Final = 100
# Added to Telegram's own waiting time, for the network.
_PATIENCE_SECONDS: Final = 15.0


class Client(Bot):
    """This client calls the methods of the Bot API; it returns updates as Telegram sent them."""

    def __init__(self, token: str, address: str, request: BaseRequest, updates: BaseRequest) -> None:
        super().__init__(token, f"{address}/bot", f"{address}/file/bot", request, updates)
        self._updates = updates

    async def raw_updates(
        self, offset: int | None, seconds: int, allowed: Sequence[str]
    ) -> list[dict[str, Any]]:
        """Return the next updates unparsed, and confirm those before `offset` (None: none).

        `get_updates` parses all updates: one that it cannot parse would block all others.

        Raises:
            TelegramError: Telegram does not answer, or refuses.
        """
        asked = {"timeout": seconds, "limit": _BATCH, "allowed_updates": json.dumps(list(allowed))}
        if offset is not None:
            asked["offset"] = offset
        address = f"{self.base_url}/getUpdates?{urlencode(asked)}"
        updates: Any = await self._updates.post(address, read_timeout=seconds + _PATIENCE_SECONDS)
        return [update for update in updates if isinstance(update, dict)]


def open_bot(token: str, api_url: str) -> Client:
    """Build the client that sends requests to Telegram and receives its updates."""
    given: dict[str, Any] = {"connect_timeout": 10.0, "read_timeout": 20.0}
    given["httpx_kwargs"] = {"verify": _certificates()}
    request = HTTPXRequest(connection_pool_size=64, write_timeout=20.0, pool_timeout=20.0, **given)
    # Updates wait behind no other call: two connections are theirs.
    return Client(token, api_url.rstrip("/"), request, HTTPXRequest(connection_pool_size=2, **given))


@cache
def _certificates() -> ssl.SSLContext:
    """Load the trusted certificates once per process, because that takes 40 ms."""
    return httpx.create_ssl_context()
