"""A link that logs an administrator in to the web console."""

from __future__ import annotations

from bot.service.logins import LINK_LIFETIME
from bot.settings import addresses
from bot.telegram.commands.context import Context, Reply, lines


async def console(context: Context) -> None:
    """Send a link that works once."""
    make_link, settings = context.services.console_link, context.services.settings.console
    if make_link is None:
        await context.say("console-off")
        return
    # No step: what comes of a step is recorded, and nobody is to read the link there. After a kill another
    # one is made, which harms nobody.
    link = await make_link(context.sender.id)
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
