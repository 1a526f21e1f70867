"""The client that talks to the Bot API."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from telegram import Bot
from telegram.request import HTTPXRequest

_BATCH: Final = 100
# Beyond Telegram's own time, for the answer to travel.
_PATIENCE_SECONDS: Final = 15.0


class Client(Bot):
    """The client; it also hands out updates as Telegram sent them."""

    async def raw_updates(
        self, offset: int | None, seconds: int, allowed: Sequence[str]
    ) -> list[dict[str, Any]]:
        """Return the next updates, and confirm those before `offset`.

        `get_updates` parses all of them: one that it cannot parse would keep all others from coming.

        Args:
            offset: The first update to return; None for whatever comes first.
            seconds: How long Telegram waits for one.
            allowed: Kinds of updates to ask for.

        Raises:
            TelegramError: there is no answer, or a refusal.
        """
        asked: dict[str, Any] = {"timeout": seconds, "limit": _BATCH, "allowed_updates": list(allowed)}
        if offset is not None:
            asked["offset"] = offset
        updates: Any = await self._post("getUpdates", asked, read_timeout=seconds + _PATIENCE_SECONDS)
        return [update for update in updates if isinstance(update, dict)]


def open_bot(token: str, api_url: str) -> Client:
    """Build the client for everything that is sent; it also serves to receive.

    Args:
        token: The bot's token.
        api_url: Address of the Bot API server, without the token.
    """
    address = api_url.rstrip("/")
    return Client(
        token,
        base_url=f"{address}/bot",
        base_file_url=f"{address}/file/bot",
        request=HTTPXRequest(
            connection_pool_size=64,
            connect_timeout=10.0,
            read_timeout=20.0,
            write_timeout=20.0,
            pool_timeout=20.0,
        ),
        get_updates_request=HTTPXRequest(connection_pool_size=2, connect_timeout=10.0, read_timeout=20.0),
    )
