"""The client that talks to the Bot API."""

from __future__ import annotations

from telegram import Bot
from telegram.request import HTTPXRequest


def open_bot(token: str, api_url: str) -> Bot:
    """Build the client for everything that is sent; it also serves to receive.

    Args:
        token: The bot's token.
        api_url: Address of the Bot API server, without the token.
    """
    address = api_url.rstrip("/")
    return Bot(
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
