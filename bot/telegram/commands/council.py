"""`/council` without a question: how to ask it, and, for administrators, whether this chat may."""

from __future__ import annotations

from functools import partial

from bot.telegram.commands.context import Context, Reply, lines


async def council(context: Context) -> None:
    """Say how to ask the council; ``on`` and ``off`` decide for the chat."""
    switch = context.argument.casefold()
    if switch in {"on", "off"}:
        if not context.is_admin:
            await context.say("refused-admins-only")
            return
        chats, chat_id = context.parts.chats, context.place.chat_id
        await context.do("carry out", partial(chats.set_council, chat_id, is_on=switch == "on"))
        await context.say(f"council-switched-{switch}")
        return
    await context.show(await context.do("look", partial(_how, context)))


async def _how(context: Context) -> Reply:
    services = context.services
    settings = services.parts.settings.council
    if not settings.members:
        return Reply.of(context.text("council-no-members"))
    chat = await services.parts.chats.get(context.place.chat_id)
    return Reply.of(
        lines(
            [
                context.text("council-how", members=len(settings.members), limit=settings.chat_per_day),
                "" if chat.has_council else context.text("council-off"),
                context.text("council-how-admins") if context.is_admin else "",
            ]
        )
    )
