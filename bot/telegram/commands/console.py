"""`/console`: sends an administrator a login link for the web console."""

from __future__ import annotations

from bot.service.logins import LINK_LIFETIME
from bot.settings import addresses
from bot.telegram.commands.context import Context, Reply, lines


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
