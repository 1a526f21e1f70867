"""The commands; `COMMANDS` is the table of them.

To add one, write a function of an `Order` and list it; `/help` shows ``command-<name>`` of the catalogues.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final

from bot.service.errors import ChatGoneError, DeliveryError
from bot.service.explanations import Explanations
from bot.service.incoming import Commanded, File
from bot.service.keys import parse_peer
from bot.service.languages import spoken_to
from bot.service.people import Decision, Refusal
from bot.service.rights import Audience
from bot.storage.erasure import count_kept
from bot.talk.desk import Case
from bot.talk.orders import Order, claim, console, decide, erase, forget
from bot.texts.figures import size
from bot.views import answers
from bot.views.blocks import Blocks, bullets, code, message
from bot.views.indexing import explain_failure, unread
from bot.views.results import view
from rag.errors import OperatorError, ThinkTwiceError
from rag.runs.run import RunStep

_MOST_NAMED: Final = 50
_LARGEST_FILE: Final = 20_000_000


@dataclass(frozen=True, slots=True)
class TalkOrder(Order):
    """A command of a channel of plain messages."""

    case: Case
    commanded: Commanded

    async def tell(self, *texts: str) -> None:
        """Reply with lines; empty ones are left out."""
        await self.show(tuple(message(text) for text in texts if text))

    async def show(self, blocks: Blocks) -> None:
        """Reply with blocks."""
        await self.case.talker.reply(self.run_step, blocks)


async def carry_out(case: Case, commanded: Commanded, run_step: RunStep) -> None:
    """Carry out a command, or say why not; raises `ChatGoneError` or, from the store, `OperatorError`."""
    sender, place = commanded.message.sender, commanded.message.place
    known = COMMANDS.get(_OTHER_NAMES.get(commanded.name, commanded.name))
    parts = case.desk.parts
    await parts.chats.seen(place)
    person = await parts.users.get(sender.id)
    # What language a command is in, nobody can tell.
    await parts.users.seen(replace(sender, language=person.client_language))
    role = await parts.access.role(sender, place)
    order = TalkOrder(
        case.desk,
        case.stopping,
        place,
        sender,
        role,
        spoken_to(person),
        commanded.argument,
        run_step,
        case,
        commanded,
    )
    refusal: Refusal | None = await run_step("admit", partial(_refusal, order, known))
    if refusal is not None:
        if refusal.is_notice_due:
            await order.say(refusal.message_id, **refusal.values)
    elif known is None:
        await order.say("chat-unknown-command", command=f"/{commanded.name}")
    elif known.is_for_private and not order.is_private:
        await order.say("command-elsewhere", command=f"/{commanded.name}")
    else:
        await known.carry_out(order)


@dataclass(frozen=True, slots=True)
class _Known:
    carry_out: Callable[[TalkOrder], Awaitable[None]]
    audience: Audience = "everyone"
    is_for_private: bool = False


async def _refusal(order: TalkOrder, known: _Known | None) -> Refusal | None:
    access, by = order.desk.parts.access, order.case.job_id
    place, name = order.commanded.message.place, order.commanded.name
    refusal = await access.may_command(place, order.sender, by, name, known.audience if known else "everyone")
    if refusal is not None and order.is_private and name in {"start", "help"} and await access.is_claimable():
        return Refusal("start-unclaimed")
    if refusal is not None and refusal.message_id == "refused-admins-only":
        refusal = replace(refusal, is_notice_due=True)
    if not order.is_admin:
        refusal = await order.desk.limits.check_command(place, order.sender, by) or refusal
    return refusal


async def _start(order: TalkOrder) -> None:
    documents = (await order.desk.parts.library.measure_size()).documents
    await order.tell(
        order.text("start-what", name=order.case.talker.bot_name, documents=documents),
        order.text("start-label"),
        order.text("start-private") if order.is_private else "",
        order.text("start-help"),
    )


async def _help(order: TalkOrder) -> None:
    of_admins = [name for name, known in COMMANDS.items() if known.audience == "admins"]
    everyone = [name for name in COMMANDS if name not in of_admins]

    def listed(names: Sequence[str]) -> Blocks:
        return (bullets(f"/{name} – {order.text(f'command-{name}')}" for name in names),)

    shown = (message(order.text("help-title")), *listed(everyone))
    if order.is_admin:
        shown += (message(order.text("help-admins")), *listed(of_admins))
    await order.show(shown)


async def _reset(order: TalkOrder) -> None:
    if not order.is_private and not order.is_admin:
        await order.say("reset-admins")
    else:
        await forget(order)


async def _why(order: TalkOrder) -> None:
    # No step: it changes nothing, and the record need not hold it.
    meant = await Explanations(order.desk.stores).meant_by(order.commanded)
    if meant.answer is None:
        await order.say("chat-nothing-yet")
    else:
        await order.show(answers.why(meant.answer, order.language))


async def _privacy(order: TalkOrder) -> None:
    if order.argument.casefold() == "delete":
        await erase(order)
        return
    desk = order.desk
    count = partial(count_kept, desk.privacy, desk.personal_jobs, order.sender.id)
    counts: dict[str, int] = await order.do("count", count)
    await order.tell(order.text("privacy-kept", **counts, days=desk.days_of_work), order.text("talk-privacy"))


async def _allow_or_deny(order: TalkOrder, decision: Decision) -> None:
    here = None if order.is_private else order.place.chat_id
    await decide(order, parse_peer(order.argument) if order.argument else here, decision)


async def _documents(order: TalkOrder) -> None:
    entries = await order.desk.parts.library.entries()
    if not entries:
        await order.say("documents-none")
        return
    title = order.text("documents-title", documents=len(entries), page=1, pages=1)
    named = [
        f"{entry.name} · {order.text('documents-passages', passages=entry.passages)}"
        for entry in entries[:_MOST_NAMED]
    ]
    more = [order.text("documents-more-notes", notes=len(entries) - _MOST_NAMED)]
    await order.show((message(title), bullets(named + (more if len(entries) > _MOST_NAMED else []))))


async def _reindex(order: TalkOrder) -> None:
    async def index() -> str | Any:  # noqa: ANN401 - the report of a sync
        try:
            return await order.desk.parts.library.sync(order.sender.name, refreshes=True)
        except ThinkTwiceError as exc:
            return explain_failure(exc, order.language)

    async with order.case.talker.writing():
        report = await index()
    await order.show(view(report, order.language))


async def _add(order: TalkOrder) -> None:
    file = order.commanded.message.file
    if file is None:
        endings = ", ".join(order.desk.parts.library.endings)
        await order.say("talk-add-how", endings=endings, size=size(_largest(order), order.language))
        return
    async with order.case.talker.writing():
        told: str = await order.run_step("index", partial(_add_file, order, file))
    await order.show((message(told),))


async def _add_file(order: TalkOrder, file: File) -> str:
    """Download a file, read it, and index it; return what came of it. Again, it does no harm."""
    library, name = order.desk.parts.library, order.desk.parts.library.name(file.name)
    if not name:
        return order.text("add-kind", name=code(file.name), endings=", ".join(library.endings))
    too_big = order.text("add-too-big", name=code(name), size=size(_largest(order), order.language))
    if (file.size or 0) > _largest(order):
        return too_big
    try:
        content = await order.case.talker.download(file)
    except (ChatGoneError, DeliveryError):
        return order.text("talk-add-gone", name=code(name))
    if len(content) > _largest(order):
        return too_big
    known = await asyncio.to_thread(library.uploads.find, name)
    name = known or name
    aside = library.uploads.aside(name, order.commanded.message.update_id)
    try:
        if problems := await library.put_aside(aside, content):
            return order.text("add-unreadable", name=code(name), reason=order.reason(problems[0]))
        await asyncio.to_thread(library.uploads.keep, aside, name)
    except OperatorError as exc:
        return order.text("add-failed", name=code(name), reason=order.reason(exc.reason))
    try:
        report = await library.sync(order.sender.name, waits=True)
        entries = {entry.path: entry for entry in await library.entries()}
    except ThinkTwiceError as exc:
        return order.text("add-not-indexed", name=code(name), reason=order.reason(exc.reason))
    entry = entries.get(str(library.uploads.folder / name))
    if entry is None or not entry.passages:
        return "\n".join(unread(report, order.language)) or order.text(
            "add-unreadable", name=code(name), reason="–"
        )
    return order.text("add-replaced" if known else "add-done", name=code(name), passages=entry.passages)


def _largest(order: TalkOrder) -> int:
    return min(order.desk.parts.settings.knowledge.max_file_bytes, _LARGEST_FILE)


COMMANDS: Final[dict[str, _Known]] = {
    "start": _Known(_start),
    "help": _Known(_help),
    "why": _Known(_why),
    "reset": _Known(_reset),
    "privacy": _Known(_privacy, is_for_private=True),
    "claim": _Known(claim, is_for_private=True),
    "documents": _Known(_documents, "admins"),
    "add": _Known(_add, "admins"),
    "reindex": _Known(_reindex, "admins"),
    "allow": _Known(partial(_allow_or_deny, decision="allowed"), "admins"),
    "deny": _Known(partial(_allow_or_deny, decision="denied"), "admins"),
    "console": _Known(console, "admins", is_for_private=True),
}

_OTHER_NAMES: Final = {"new": "reset"}

ORDERED: Final = frozenset({"why", "reset", "new"})
"""Commands that wait for the questions before them."""
