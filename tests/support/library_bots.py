"""Bots of python-telegram-bot that talk to the Telegram server for tests, and a client without a library."""

from __future__ import annotations

from typing import Any

import httpx
from telegram import Bot
from telegram.ext import Application, ApplicationBuilder

from tests.telegram.server import TOKEN, FakeTelegram


def new_bot(telegram: FakeTelegram, token: str = TOKEN) -> Bot:
    return Bot(token, base_url=telegram.base_url, base_file_url=telegram.base_file_url)


def new_application(telegram: FakeTelegram) -> Application[Any, Any, Any, Any, Any, Any]:
    return (
        ApplicationBuilder()
        .token(telegram.token)
        .base_url(telegram.base_url)
        .base_file_url(telegram.base_file_url)
        .build()
    )


def post(telegram: FakeTelegram, method: str, **params: Any) -> httpx.Response:
    """Make a call with a JSON body, as other clients do."""
    return httpx.post(f"{telegram.base_url}{telegram.token}/{method}", json=params)
