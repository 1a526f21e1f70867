"""What everybody asks of the bot first, and the commands about answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from bot.service.people import Json
from bot.telegram.buttons.confirming import confirm
from bot.telegram.commands import CommandPlace, description, listed
from bot.telegram.commands.context import Context, Reply, lines
from bot.telegram.outbound.retries import DeliveryError


async def start(context: Context) -> None:
    """Say who the bot is, what it answers from, and how to ask."""
    services = context.services

    async def look() -> Reply:
        held = await services.library.held()
        name = services.me.name or services.me.username
        is_group = not context.is_private
        is_discreet = is_group and not services.settings.access.answer_plain_questions
        return Reply.of(
            lines(
                [
                    context.text("start-what", name=name, documents=held.documents),
                    context.text("start-group", username=services.me.username)
                    if is_group
                    else context.text("start-private"),
                    context.text("start-label"),
                    context.text("start-discreet") if is_discreet else "",
                    context.text("start-admin") if context.is_admin and not is_group else "",
                    context.text("start-help"),
                ]
            )
        )

    await context.show(await context.do("look", look))


async def show_help(context: Context) -> None:
    """List the commands that the sender can use here."""
    await context.show(Reply.of(help_text(context)))


def help_text(context: Context) -> str:
    """The commands that somebody can use, as text."""
    place: CommandPlace = "private" if context.is_private else "group"
    everyone = listed(place, is_admin=False)
    more = [known for known in listed(place, is_admin=True) if known not in everyone]
    texts = [f"/{known.name} – {description(known, context.language)}" for known in everyone]
    if context.is_admin:
        texts += ["", context.text("help-admins")]
        texts += [f"/{known.name} – {description(known, context.language)}" for known in more]
    return "\n".join([context.text("help-title"), *texts])


async def ask(context: Context) -> None:
    """Say how to ask: a command with a question behind it does not come here."""
    await context.say("ask-how")


async def why(context: Context) -> None:
    """Show how an answer came about."""
    await context.services.showing.command(context.command, "why", context.run_step)


async def sources(context: Context) -> None:
    """Show what an answer is based on."""
    await context.services.showing.command(context.command, "sources", context.run_step)


async def stop(context: Context) -> None:
    """Stop what the sender waits for."""
    await context.services.stopping.command(context.command, context.run_step)


async def reset(context: Context) -> None:
    """Forget the conversation of this chat and topic; in a group it is everybody's, so not all may."""
    if context.is_private:
        await _forget(context)
        return
    try:
        may_reset = context.is_admin or await context.do("look", partial(_administers, context))
    except DeliveryError:
        await context.say("group-admins-unknown")
        return
    if may_reset:
        await confirm(context, context.text("reset-confirm"), {"name": "reset"})
    else:
        await context.say("reset-admins")


async def reset_confirmed(context: Context, _command: Mapping[str, Json]) -> None:
    """Forget the conversation of a group."""
    await _forget(context)


async def _administers(context: Context) -> bool:
    return await context.services.delivery.administers(context.place, context.sender.id)


async def _forget(context: Context) -> None:
    services = context.services

    async def carry_out() -> None:
        chat_id = await services.chats.current_id(context.place.chat_id)
        await services.memory.reset(replace(context.place, chat_id=chat_id).conversation_id)

    await context.do("carry out", carry_out)
    await context.say("chat-reset")
