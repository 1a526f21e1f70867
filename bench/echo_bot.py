"""A bare python-telegram-bot that echoes every message: ``python -m bench.echo_bot ADDRESS TOKEN``.

It is the library's own example, except that updates are handled concurrently, so it shows the maximum speed.
It checks nothing, records nothing and keeps no order.
"""

from __future__ import annotations

import os
import sys
from typing import Any

os.environ.setdefault("PTB_TIMEDELTA", "1")

from telegram import Update
from telegram.ext import ApplicationBuilder, ContextTypes, MessageHandler, filters


async def echo(update: Update, _context: ContextTypes.DEFAULT_TYPE) -> None:
    """Send a message back to its chat."""
    if update.message is not None:
        await update.message.reply_text(update.message.text or "")


def main(address: str, token: str) -> None:
    """Run until the process is ended."""
    application: Any = (
        ApplicationBuilder()
        .token(token)
        .base_url(f"{address}/bot")
        .concurrent_updates(True)
        .connection_pool_size(64)
        .pool_timeout(600.0)
        .build()
    )
    application.add_handler(MessageHandler(filters.TEXT, echo))
    application.run_polling()


if __name__ == "__main__":
    main(*sys.argv[1:])
