"""`/correct` and `/answers`: the right answer to a question, from an administrator.

It becomes a document that alone answers this question from then on, see `bot.documents.given_answers`.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from functools import partial
from pathlib import PurePosixPath
from typing import Final

from bot.clock import local
from bot.documents.given_answers import Given
from bot.service.incoming import Commanded, File
from bot.service.keys import PeerId
from bot.telegram.commands.additions import fetch, find_aside, find_problem
from bot.telegram.commands.context import Context, Key, Reply, Told, lines
from bot.telegram.commands.reindexing import sync
from bot.telegram.rendering import code
from bot.telegram.rendering.characters import shorten
from bot.views.blocks import Blocks, Quote, message, paragraph
from rag.errors import OperatorError, ThinkTwiceError

UNDO: Final = "undo-answer"

_SHOWN: Final = 15
_QUESTION_CHARACTERS: Final = 150


@dataclass(frozen=True, slots=True)
class _Wanted:
    """The answer that is to be kept (empty: the file of the message), or the objection said instead."""

    question: str = ""
    answer: str = ""
    set_name: str = ""
    objection: str = ""


@dataclass(frozen=True, slots=True)
class _Kept:
    """The key of the file of a kept answer, or the reason why it was not kept."""

    file: str = ""
    problem: str = ""


async def correct(context: Context) -> None:
    """Keep the text or the file of the command as the answer to a question."""
    wanted: _Wanted = await context.do("look", partial(_look, context))
    if wanted.objection:
        await context.show(Reply.of(wanted.objection))
        return
    await _carry_out(context, wanted)


async def press_keep(context: Context, number: int) -> Told:
    """Keep the reply of a person to a passed question; who replied may, and an administrator."""
    wanted: _Wanted = await context.do("look", partial(_look_at_reply, context, number))
    if wanted.objection:
        return Told(wanted.objection, is_alert=True)
    await _carry_out(context, wanted)
    return Told()


async def _carry_out(context: Context, wanted: _Wanted) -> None:
    context = await context.open("add-began", name=code(shorten(wanted.question, _QUESTION_CHARACTERS)))
    kept: _Kept = await context.do("keep", partial(_keep, context, wanted))
    if kept.problem:
        await context.show(Reply.of(kept.problem))
        return
    await context.show(await context.do("index", partial(_index, context, wanted, kept.file)))


async def answers(context: Context) -> None:
    """List the answers that administrators gave."""
    await context.show(await context.do("look", partial(_listed, context)))


async def press_undo(context: Context, number: int) -> Told:
    """Take an answer back; the one that it took the place of is used again."""
    corrections = context.parts.library.corrections
    question: str | None = await context.do("keep", partial(asyncio.to_thread, corrections.undo, number))
    if question is None:
        return Told(context.text("correct-gone"), is_alert=True)
    await context.show(await context.do("index", partial(_index_undone, context, question)))
    return Told()


async def _look(context: Context) -> _Wanted:
    message, services = context.message, context.services
    chat_id = await services.parts.chats.current_id(context.place.chat_id)
    set_name = await services.parts.document_sets.name_of_chat(chat_id)
    question, answer = "", context.argument.strip()
    if (replied := message.replied) is not None and replied.message_id:
        question = await _question_of(context, chat_id, replied.message_id)
    if not question:
        question, _, answer = (part.strip() for part in answer.partition("\n"))
    if not question or not (answer or message.file):
        return _Wanted(objection=context.text("correct-how"))
    if len(question) > services.parts.settings.budget.question_characters:
        return _Wanted(objection=context.text("correct-how"))
    if message.file is not None:
        if objection := find_problem(context, message.file):
            return _Wanted(objection=objection)
        # The caption's words name the question at most: the file is the answer.
        answer = ""
    return _Wanted(question, answer, set_name)


async def _look_at_reply(context: Context, number: int) -> _Wanted:
    passed = await context.services.passed.get(number)
    if passed is None or not passed.reply:
        return _Wanted(objection=context.text("press-gone"))
    if passed.replied_by != context.sender.id and not context.is_admin:
        return _Wanted(objection=context.text("passed-not-yours"))
    return _Wanted(passed.question, passed.reply, passed.set_name)


def _file(context: Context) -> File | None:
    return context.message.file if isinstance(context.request, Commanded) else None


async def _question_of(context: Context, chat_id: PeerId, message_id: int) -> str:
    """The question that a message asks or answers; empty when it is neither, or is forgotten."""
    asks = context.services.asks
    ask = await asks.find_by_answer(chat_id, message_id) or await asks.find_by_message(chat_id, message_id)
    answer = await context.parts.memory.load_answer(ask.exchange) if ask is not None else None
    return " ".join(answer.question.split()) if answer is not None else ""


async def _keep(context: Context, wanted: _Wanted) -> _Kept:
    corrections = context.parts.library.corrections
    number = context.update_id
    day = f"{local(context.services.clock()):%Y-%m-%d}"
    file = _file(context)
    try:
        if file is None:
            title = context.text("correct-title")
            put = partial(corrections.put_text, wanted.question, wanted.answer, title)
            return _Kept(await asyncio.to_thread(put, number, day, wanted.set_name))
        return await _keep_file(context, wanted, file, number, day)
    except OperatorError as exc:
        name = code(shorten(wanted.question, _QUESTION_CHARACTERS))
        return _Kept(problem=context.text("add-failed", name=name, reason=context.reason(exc.reason)))


async def _keep_file(context: Context, wanted: _Wanted, file: File, number: int, day: str) -> _Kept:
    library = context.parts.library
    name = library.name(file.name)
    if problem := await fetch(context, file, name):
        return _Kept(problem=problem)
    aside = find_aside(context, name)
    try:
        content = await asyncio.to_thread(aside.read_bytes)
    finally:
        await asyncio.to_thread(library.uploads.delete, aside.name)
    put = partial(library.corrections.put_file, wanted.question, content, PurePosixPath(name).suffix)
    return _Kept(await asyncio.to_thread(put, number, day, wanted.set_name))


async def _index(context: Context, wanted: _Wanted, file: str) -> Reply:
    library = context.parts.library
    name = code(shorten(wanted.question, _QUESTION_CHARACTERS))
    try:
        await sync(context, waits=True)
        given = (await asyncio.to_thread(library.corrections.all)).get(file)
    except ThinkTwiceError as exc:
        return Reply.of(context.text("add-not-indexed", name=name, reason=context.reason(exc.reason)))
    if given is None:
        return Reply.of(context.text("correct-gone"))
    sent = _file(context)
    answer = f"📎 {sent.name}" if sent else wanted.answer
    notes = [
        context.text("correct-replaced") if given.replaced else "",
        context.text("correct-set", name=code(wanted.set_name)) if wanted.set_name else "",
    ]
    told: Blocks = (
        message(context.text("correct-done", question=name)),
        Quote((paragraph(answer),)),
        message(lines(notes)),
    )
    return Reply.drawn(told, ((Key(context.text("button-undo-answer"), f"{UNDO}:{given.number}"),),))


async def _index_undone(context: Context, question: str) -> Reply:
    name = code(shorten(question, _QUESTION_CHARACTERS))
    try:
        await context.parts.library.sync(context.sender.name, waits=True)
    except ThinkTwiceError as exc:
        return Reply.of(context.text("remove-not-indexed", name=name, reason=context.reason(exc.reason)))
    return Reply.of(context.text("correct-undone", question=name))


async def _listed(context: Context) -> Reply:
    known = await asyncio.to_thread(context.parts.library.corrections.all)
    if not known:
        return Reply.of(lines([context.text("answers-none"), context.text("correct-how")]))
    newest = [*known.items()][::-1]
    more = len(newest) - _SHOWN
    return Reply.of(
        lines(
            [
                context.text("answers-title", answers=len(known)),
                *(_line(context, file, given) for file, given in newest[:_SHOWN]),
                context.text("documents-more-notes", notes=more) if more > 0 else "",
                context.text("answers-remove"),
            ]
        )
    )


def _line(context: Context, file: str, given: Given) -> str:
    question = code(shorten(given.question, _QUESTION_CHARACTERS))
    return context.text("answers-line", day=given.day, question=question, name=code(file))
