"""`/why`: how an answer was produced, or why a turn of an interview led to what it led to."""

from __future__ import annotations

from functools import partial

from bot.service.interview_values import View
from bot.telegram.commands.context import Context, Reply
from bot.telegram.ids import to_number
from bot.telegram.interviews import party_of
from bot.views.interviews import Explanation, explain_turn, find_turn
from bot.views.results import view


async def why(context: Context) -> None:
    """Carry out `/why`.

    As a reply it explains what it replies to: an answer, a message of an interview, or what the person said
    to an interview. Otherwise it explains what came last: the last answer, or the last turn of the open
    interview.
    """
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
