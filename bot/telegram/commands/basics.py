"""The commands that newcomers use first, and the commands about answers."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from bot.service.interview_values import View
from bot.service.people import Json
from bot.talk.orders import forget
from bot.telegram.buttons.confirming import confirm
from bot.telegram.commands import CommandPlace, description, interviews, list_commands
from bot.telegram.commands.context import Context, Reply, lines
from bot.telegram.ids import to_number
from bot.telegram.interviews import party_of
from bot.telegram.outbound.retries import DeliveryError
from bot.views.interviews import Explanation, explain_turn, find_turn
from bot.views.results import view


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
    place: CommandPlace = "private" if context.is_private else "group"
    everyone = list_commands(place, is_admin=False)
    more = [known for known in list_commands(place, is_admin=True) if known not in everyone]
    texts = [f"/{known.name} – {description(known, context.language)}" for known in everyone]
    if context.is_admin:
        texts += ["", context.text("help-admins")]
        texts += [f"/{known.name} – {description(known, context.language)}" for known in more]
    await context.show(Reply.of("\n".join([context.text("help-title"), *texts])))


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
        await forget(context)
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
    await forget(context)


async def _administers(context: Context) -> bool:
    return await context.services.delivery.administers(context.place, context.sender.id)


async def why(context: Context) -> None:
    """Carry out `/why`: explain the answer or interview turn that it replies to, or the last one."""
    explanation: Explanation | None = await context.do("interview find", partial(_explain, context))
    if explanation is None:
        await context.services.showing.command(context.command, "why", context.run_step)
    else:
        await context.show(Reply.drawn(view(explanation, context.language)))


async def _explain(context: Context) -> Explanation | None:
    """Return why the turn that is meant led to what it led to; None: no turn is meant."""
    if not context.is_private:
        return None
    found = await _find(context)
    if found is None:
        return None
    held, position = found
    mission = context.parts.interviews.packs.find(held.session.pack)
    return explain_turn(held, position, mission, context.language)


async def _find(context: Context) -> tuple[View, int | None] | None:
    """Return the interview and the position of the turn that is meant; None: no interview is meant."""
    services, place, replied = context.services, context.place, context.message.replied
    party = party_of(place, context.sender)
    if replied is None:
        held = await services.parts.interviews.current(party)
        if held is None:
            return None
        position = find_turn(held.events)
        answered = await services.asks.latest(place.chat_id, place.thread_id)
        at = held.session.created_at if position is None else held.events[position].at
        return (held, position) if answered is None or answered.asked_at < at else None
    turn_id = f"{to_number(place.chat_id)}:{replied.message_id}"
    until = None
    if replied.is_mine:
        if await services.asks.find_by_answer(place.chat_id, replied.message_id) is not None:
            return None
        turn_id, until = "", await services.delivery.sent_at(place.chat_id, replied.message_id)
        if until is None:
            return None
    views = await services.parts.interviews.list_all(party)
    found = [
        (held, position)
        for held in views
        if (position := find_turn(held.events, turn_id=turn_id, until=until)) is not None
    ]
    return max(found, key=lambda one: one[0].events[one[1]].at, default=None)
