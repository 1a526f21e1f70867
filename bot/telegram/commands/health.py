"""`/health`: one line for each part of the bot."""

from __future__ import annotations

from telegram.error import TelegramError

from bot.health import HealthCheck
from bot.telegram.commands.context import Context, Reply
from bot.telegram.rendering import code
from rag.errors import ThinkTwiceError


class BacklogError(ThinkTwiceError):
    """Telegram does not tell how many updates wait."""


async def health(context: Context) -> None:
    """Carry out `/health`: check every part and show the results."""
    services = context.services

    async def backlog() -> str:
        try:
            return str(await services.backlog())
        except TelegramError as exc:
            raise BacklogError(str(exc)) from exc

    check = HealthCheck(
        database=lambda: services.parts.chats.get(context.place.chat_id),
        jobs=services.jobs,
        library=services.parts.library,
        models=services.parts.app.models.describe,
        data_dir=services.parts.settings.data_dir,
        started_at=services.started_at,
        clock=services.clock,
        language=context.language,
        name_as=code,
        # A group must not see the operator's folders.
        path_as=lambda path: code(str(path) if context.is_private else path.name),
        others={"backlog": backlog},
        machines=services.parts.machines,
    )

    async def look() -> Reply:
        lines = [
            f"{'✔' if found.is_fine else '✖'} {context.text(f'health-{found.part}')}: {found.text}"
            for found in await check.look()
        ]
        return Reply.of("\n".join([context.text("health-title"), *lines]))

    await context.show(await context.do("look", look))
