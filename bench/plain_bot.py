"""A plain python-telegram-bot that asks the model once for each message.

    python -m bench.plain_bot TELEGRAM TOKEN MODEL

It is the library's own example, except that updates are handled concurrently and a model answers, so it shows
the least that an answer costs. It checks nothing, records nothing and keeps no order.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

os.environ.setdefault("PTB_TIMEDELTA", "1")

import httpx
from telegram import Update
from telegram.ext import ApplicationBuilder, ContextTypes, MessageHandler, filters


def open_model(address: str) -> Callable[[str], Awaitable[str]]:
    client = httpx.AsyncClient(timeout=60.0, limits=httpx.Limits(max_connections=100))

    async def ask(text: str) -> str:
        asked = {"model": "m", "messages": [{"role": "user", "content": text}]}
        reply = await client.post(f"{address}/chat/completions", json=asked)
        return str(reply.raise_for_status().json()["choices"][0]["message"]["content"])

    return ask


def serve(
    telegram: str,
    token: str,
    answer: Callable[[str, int], Awaitable[str]],
    start: Callable[[Any], Coroutine[Any, Any, None]] | None = None,
) -> None:
    """Answer messages until the process is ended; `start` is called once before the first message."""

    async def reply(update: Update, _context: ContextTypes.DEFAULT_TYPE) -> None:
        if update.message is not None:
            said = await answer(update.message.text or "", update.message.chat_id)
            await update.message.reply_text(said)

    builder: Any = ApplicationBuilder()
    application = (
        builder.token(token)
        .base_url(f"{telegram}/bot")
        .concurrent_updates(True)
        .connection_pool_size(64)
        .pool_timeout(600.0)
        .post_init(start)
        .build()
    )
    application.add_handler(MessageHandler(filters.TEXT, reply))
    application.run_polling()


def main(telegram: str, token: str, model: str) -> None:
    ask = open_model(model)
    # Without a passage the model's double answers wrongly, and the answer would not be known as one.
    serve(telegram, token, lambda text, _chat: ask(f"<passage>{text}</passage>"))


if __name__ == "__main__":
    main(*sys.argv[1:])
