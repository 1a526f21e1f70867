"""``thinktwice mcp``: tools for one agent over standard input and output."""

from __future__ import annotations

import asyncio

from bot.agent_tools import make_server
from bot.settings.tree import Settings
from rag.values import Answer, Mode, Question


def serve(overrides: dict[str, object]) -> None:
    """Serve one client until it closes standard input; the log goes to standard error.

    Raises:
        OperatorError: a setting or the corpus cannot be used, or the library of the protocol is missing.
    """
    asyncio.run(_serve(Settings.load(**overrides)))


async def _serve(settings: Settings) -> None:
    from bot.app import running

    async with running(settings) as app:

        async def ask(question: str, mode: Mode | None) -> Answer:
            return await app.engine.answer(Question(question, mode=mode))

        await make_server(ask, app.engine.tools.corpus).run_stdio_async()
