"""`/interview` and what belongs to it: begin or resume one, look at it, take back, finish, hand out."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from typing import Final

from bot.service.interview_values import Party, View
from bot.service.interviews import Interviews
from bot.service.spending import metered
from bot.telegram.commands.context import Context, Key, Reply, Told, keyboard
from bot.telegram.commands.interview_sessions import LIST, list_key, list_sessions
from bot.telegram.interviews import BACK, FINISH, SKIP, party_of, short_id, under_question
from bot.telegram.outbound.messages import Posted, post, send_file
from bot.telegram.rendering import Part, draw
from bot.texts import TEXTS
from bot.views.blocks import message
from bot.views.interviews import after_turn, export_files, missing, state
from rag.errors import InputError
from rag.interview.events import TurnApplied
from rag.interview.missions import Mission
from rag.runs.run import RunStep

INTERVIEW: Final = "interview"
END: Final = "end"

_GO_ON: Final = "on"


@dataclass(frozen=True, slots=True)
class Pick:
    """The data of a button under a question: the session, the question, and the number of the choice, or what
    else to do.
    """

    session: str
    question: str
    what: str


async def interview(context: Context) -> None:
    """Begin or resume the named interview; `list` lists those of this chat, no name the packs."""
    if context.argument == LIST:
        await list_sessions(context)
    elif context.argument:
        await _begin(context, context.argument)
    else:
        packs = context.parts.interviews.packs
        keys = tuple((Key(packs.find(name).title, f"{INTERVIEW}:{name}"),) for name in packs.names)
        await context.show(Reply.of(context.text("interview-choose"), (*keys, (list_key(context),))))


async def press_interview(context: Context, name: str) -> Told:
    """Begin or resume the interview that was chosen."""
    await _begin(context, name)
    return Told()


def _metered(context: Context) -> RunStep:
    spent, chat_id = context.parts.spent, context.place.chat_id
    return metered(context.run_step, spent, chat_id=chat_id, user_id=context.sender.id)


async def _begin(context: Context, name: str) -> None:
    services = context.services
    party = _party(context)
    try:
        resumed: str = await context.do("interview find", partial(_resume, context, party, name))
        if resumed:
            view = await services.parts.interviews.get(party, resumed)
        else:
            view = await services.parts.interviews.create(
                party, name, key=context.job_id, run_step=_metered(context)
            )
    except InputError as exc:
        await context.show(Reply.of(context.reason(exc.reason)))
        return
    mission = _mission(context, view)
    heading = mission.title
    if not resumed and await services.screen.find_recipients(mission, party.owner):
        heading += f"\n{TEXTS.text('interview-report-due', mission.locale.language)}"
    await _show(context, view, heading, is_new=not resumed)


async def _resume(context: Context, party: Party, name: str) -> str:
    view = await context.parts.interviews.resume(party, name)
    return view.session.id if view else ""


async def status(context: Context) -> None:
    """Show what the open interview knows, and its open question once more."""
    view = await context.parts.interviews.current(_party(context))
    if view is None:
        await context.say("interview-none-open")
        return
    mission = _mission(context, view)
    await _show_question(context, view, draw(state(view, mission, mission.locale.language)))


async def _show_question(context: Context, view: View, before: tuple[Part, ...] = ()) -> None:
    mission = _mission(context, view)
    await post(
        context.run_step,
        context.services.delivery,
        context.place,
        (*before, *draw(after_turn(view, mission, is_noted=False))),
        after=context.asked_in,
        keyboard=under_question(view, mission.locale.language),
    )


async def steer(context: Context) -> None:
    """Carry out `/skip`, `/later`, `/back`, `/cancel`, `/stop`: the interview is told the word."""
    services = context.services
    view = await _change(context, partial(_say, services.parts.interviews, context.command.name))
    if view is not None:
        await _show(context, view)


async def _say(
    interviews: Interviews, message: str, party: Party, session_id: str, *, key: str, run_step: RunStep
) -> View:
    return await interviews.post(party, session_id, message, key=key, run_step=run_step)


async def _show(context: Context, view: View, heading: str = "", *, is_new: bool = False) -> None:
    screen, name, after = context.services.screen, context.sender.name, context.asked_in
    await screen.show(
        context.run_step, context.place, view, name, after=after, heading=heading, is_new=is_new
    )


async def _conclude(context: Context, session_id: str) -> None:
    view = await context.parts.interviews.get(_party(context), session_id)
    screen, name, after = context.services.screen, context.sender.name, context.asked_in
    await screen.conclude(context.run_step, context.place, view, name, after=after)


async def undo(context: Context) -> None:
    """Take the last answer back and ask that question again."""
    services = context.services
    view = await _change(context, services.parts.interviews.undo)
    if view is None:
        return
    await _show(context, view, context.text("interview-undone"))


async def finish(context: Context) -> None:
    """Finish the open interview, or say what is missing and whether to close it all the same."""
    services = context.services
    view = await _change(context, services.parts.interviews.check, can_close=True)
    if view is None:
        return
    party, session_id = _party(context), view.session.id
    mission = _mission(context, view)
    if view.state.meta.status == "ready":
        await context.do("carry out", partial(_close, context, party, session_id))
        known = state(view, mission, mission.locale.language)
        await context.show(Reply.drawn((message(context.text("interview-finished")), *known)))
        await _conclude(context, session_id)
        return
    last = view.events[-1]
    if isinstance(last, TurnApplied) and last.asked is not None:
        # Looking has found something to ask about.
        await _show(context, view)
        return
    open_ones = missing(view, mission, mission.locale.language)
    told = open_ones or (message(context.text("interview-unchecked")),)
    await context.show(Reply.drawn(told, _ends(context, session_id)))


async def press_end(context: Context, argument: str) -> Told:
    """Close an interview as it is, or continue it."""
    services, party = context.services, _party(context)
    view = await services.parts.interviews.current(party, is_open=None)
    if view is None or (argument != _GO_ON and short_id(view.session.id) != argument):
        return Told(context.text("press-too-late"))
    if argument == _GO_ON:
        await _show_question(context, view)
        return Told()
    await context.do("carry out", partial(_close, context, party, view.session.id))
    await context.show(Reply.of(context.text("interview-closed")))
    await _conclude(context, view.session.id)
    return Told()


async def export(context: Context) -> None:
    """Send the most recently used interview: its document, the data, and a page."""
    # Recorded, so that the files are found when the interview is deleted.
    session_id: str = await context.do("interview find", partial(_find, context, is_open=None))
    if not session_id:
        await context.say("interview-none-open")
        return
    interviews = context.parts.interviews
    view = await interviews.word(_party(context), session_id, key=context.job_id, run_step=_metered(context))
    paper = interviews.draw_up(view)
    files = await asyncio.to_thread(export_files, view, _mission(context, view), paper)
    name = f"{view.session.pack}-{short_id(view.session.id)}"
    above = context.asked_in
    for number, file in enumerate(files, 1):
        sending = partial(
            send_file,
            context.services.delivery,
            context.place,
            f"{name}.{file.ending}",
            file.content,
            context.text(file.caption),
            after=above,
        )
        posted: Posted = await context.do(f"document {number}", sending)
        above = posted.message_id


async def press_choice(context: Context, pick: Pick) -> Told:
    """Answer the open question with one of its choices."""
    services, party = context.services, _party(context)
    if pick.what == FINISH:
        await finish(context)
        return Told()
    found: tuple[str, str] = await context.do("interview find", partial(_find_choice, context, pick))
    session_id, label = found
    if not session_id:
        return Told(context.text("press-too-late"))
    try:
        view = await services.parts.interviews.post(
            party, session_id, label, answer_to=pick.question, key=context.job_id, run_step=_metered(context)
        )
    except InputError as exc:
        return Told(context.reason(exc.reason), is_alert=True)
    await context.do("mark", partial(services.delivery.mark, context.place, context.asked_in, keyboard(())))
    await _show(context, view)
    return Told(label)


def read_pick(text: str) -> Pick | None:
    """Return what a button under a question carries; None: no button of ours carries that."""
    parts = text.split(":")
    is_choice = len(parts) == 3 and parts[2].isdecimal() and len(parts[2]) <= 2
    return Pick(*parts) if is_choice or parts[2:] in ([SKIP], [BACK], [FINISH]) else None


async def _find_choice(context: Context, pick: Pick) -> tuple[str, str]:
    """Return the session and the label of a choice, both empty if there is no such choice."""
    view = await context.parts.interviews.current(_party(context))
    if view is None or short_id(view.session.id) != pick.session:
        return "", ""
    if pick.what in {SKIP, BACK}:
        language = _mission(context, view).locale.language
        return view.session.id, TEXTS.text(f"interview-{pick.what}", language)
    for event in view.events:
        question = event.next_action.ask_user if isinstance(event, TurnApplied) else None
        if question is not None and question.question_id == pick.question:
            choices = question.choices or ()
            if int(pick.what) < len(choices):
                return view.session.id, choices[int(pick.what)].label
    return "", ""


async def _change(
    context: Context, change: Callable[..., Awaitable[View]], *, can_close: bool = False
) -> View | None:
    """Return the open interview after a change of it; where there was none, say why and return None.

    `can_close` offers to close an interview that the change refuses.
    """
    session_id: str = await context.do("interview find", partial(_find, context))
    if not session_id:
        await context.say("interview-none-open")
        return None
    try:
        return await change(_party(context), session_id, key=context.job_id, run_step=_metered(context))
    except InputError as exc:
        keys = _ends(context, session_id) if can_close else ()
        await context.show(Reply.of(context.reason(exc.reason), keys))
        return None


async def _find(context: Context, *, is_open: bool | None = True) -> str:
    view = await context.parts.interviews.current(_party(context), is_open=is_open)
    return view.session.id if view else ""


async def _close(context: Context, party: Party, session_id: str) -> None:
    await context.parts.interviews.close(party, session_id)


def _ends(context: Context, session_id: str) -> tuple[tuple[Key, ...], ...]:
    return (
        (Key(context.text("interview-go-on"), f"{END}:{_GO_ON}"),),
        (Key(context.text("interview-close"), f"{END}:{short_id(session_id)}"),),
    )


def _mission(context: Context, view: View) -> Mission:
    return context.parts.interviews.packs.find(view.session.pack)


def _party(context: Context) -> Party:
    return party_of(context.place, context.sender)
