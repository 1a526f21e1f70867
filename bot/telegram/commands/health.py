"""`/health`, one line for each part of the bot, and `/console`, a login link for the web console."""

from __future__ import annotations

from telegram.error import TelegramError

from bot.health import HealthCheck
from bot.service.logins import LINK_LIFETIME
from bot.settings import addresses
from bot.telegram.commands.context import Context, Reply, lines
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


async def console(context: Context) -> None:
    """Carry out `/console`: send a login link that works once."""
    parts = context.parts
    settings = parts.settings.console
    if not settings.enabled:
        await context.say("console-off")
        return
    # Not a step: the result of a step is recorded, and the record must not contain the link. After a kill
    # another link is made, which does no harm.
    link = addresses.link(settings, await parts.logins.link(context.sender.id))
    minutes = round(LINK_LIFETIME.total_seconds() / 60)
    is_here = not settings.public_url and addresses.is_loopback(settings)
    await context.show(
        Reply.of(
            lines(
                [
                    context.text("console-link", link=link, minutes=minutes),
                    context.text("console-local") if is_here else "",
                ]
            )
        )
    )
