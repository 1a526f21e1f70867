"""The commands that newcomers use first, and the commands about answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from bot.service.people import Json
from bot.telegram.buttons.confirming import confirm
from bot.telegram.commands import CommandPlace, description, interviews, list_commands
from bot.telegram.commands.context import Context, Reply, lines
from bot.telegram.interviews import party_of
from bot.telegram.outbound.retries import DeliveryError


async def start(context: Context) -> None:
    """Carry out `/start`: say who the bot is, what it answers from, and how to ask."""
    services = context.services

    async def look() -> Reply:
        size = await services.parts.library.measure_size()
        name = services.me.name or services.me.username
        is_group = not context.is_private
        is_discreet = is_group and not services.parts.settings.access.answer_plain_questions
        return Reply.of(
            lines(
                [
                    context.text("start-what", name=name, documents=size.documents),
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
    """Carry out `/help`: list the commands that the sender can use in this chat."""
    await context.show(Reply.of(help_text(context)))


def help_text(context: Context) -> str:
    """Return the list of commands that the sender can use in this chat, as text."""
    place: CommandPlace = "private" if context.is_private else "group"
    everyone = list_commands(place, is_admin=False)
    more = [known for known in list_commands(place, is_admin=True) if known not in everyone]
    texts = [f"/{known.name} – {description(known, context.language)}" for known in everyone]
    if context.is_admin:
        texts += ["", context.text("help-admins")]
        texts += [f"/{known.name} – {description(known, context.language)}" for known in more]
    return "\n".join([context.text("help-title"), *texts])


async def ask(context: Context) -> None:
    """Carry out `/ask` without a question: say how to ask. With a question, it is parsed as a question."""
    await context.say("ask-how")


async def sources(context: Context) -> None:
    """Carry out `/sources`: show the quotes that an answer is based on."""
    await context.services.showing.command(context.command, "sources", context.run_step)


async def stop(context: Context) -> None:
    """Carry out `/stop`: end the open interview of a private chat as it is, or stop the sender's answers."""
    if context.is_private and await context.parts.interviews.current(party_of(context.place, context.sender)):
        await interviews.steer(context)
        return
    await context.services.stopping.command(context.command, context.run_step)


async def reset(context: Context) -> None:
    """Carry out `/reset`: forget the conversation of a chat and topic; in a group only administrators may."""
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
    """Forget the conversation of a group; runs after the confirmation."""
    await _forget(context)


async def _administers(context: Context) -> bool:
    return await context.services.delivery.administers(context.place, context.sender.id)


async def _forget(context: Context) -> None:
    services = context.services

    async def carry_out() -> None:
        chat_id = await services.parts.chats.current_id(context.place.chat_id)
        await services.parts.memory.reset(replace(context.place, chat_id=chat_id).conversation_id)

    await context.do("carry out", carry_out)
    await context.say("chat-reset")
