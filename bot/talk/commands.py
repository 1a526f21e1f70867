"""The commands; `COMMANDS` is the table of them.

To add one, write a function of an `Order` and list it; `/help` shows ``command-<name>`` of the catalogues.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final

from bot.jobs.personal import PersonalJobs
from bot.service.errors import ChatGoneError, DeliveryError
from bot.service.explanations import Explanations
from bot.service.incoming import Commanded, File, Sender
from bot.service.keys import is_group, name_in_channel, parse_peer
from bot.service.languages import spoken_to
from bot.service.logins import LINK_LIFETIME
from bot.service.people import Refusal, Role
from bot.service.rights import ADMINS, Audience
from bot.settings import addresses
from bot.settings.operator_words import in_operator_words
from bot.storage.erasure import count_kept, erase_person
from bot.storage.privacy import Privacy
from bot.talk.desk import Case, Desk
from bot.texts import TEXTS
from bot.texts.figures import size
from bot.views import answers
from bot.views.blocks import Blocks, bullets, code, message
from bot.views.indexing import explain_failure, unread
from bot.views.results import view
from rag.errors import OperatorError, ThinkTwiceError
from rag.reasons import Reason
from rag.runs.run import RunStep

_MOST_NAMED: Final = 50
_LARGEST_FILE: Final = 20_000_000


@dataclass(frozen=True, slots=True)
class Order:
    """A command that may be carried out."""

    case: Case
    commanded: Commanded
    language: str
    role: Role
    run_step: RunStep

    @property
    def desk(self) -> Desk:
        """Return the parts of the bot."""
        return self.case.desk

    @property
    def sender(self) -> Sender:
        """Return who sent it."""
        return self.commanded.message.sender

    @property
    def is_private(self) -> bool:
        """Return whether it was sent in a room with the bot alone."""
        return self.commanded.message.place.kind == "private"

    def text(self, name: str, /, **values: str | float) -> str:
        """Return a text of the message catalogues in the sender's language."""
        return TEXTS.text(name, self.language, **values)

    def reason(self, reason: Reason) -> str:
        """Return a reason in words, with settings named as the operator writes them."""
        return in_operator_words(TEXTS.reason(reason, self.language))

    async def say(self, name: str, /, **values: str | float) -> None:
        """Reply with a text of the message catalogues."""
        await self.show((message(self.text(name, **values)),))

    async def show(self, blocks: Blocks) -> None:
        """Reply with blocks."""
        await self.case.talker.reply(self.run_step, blocks)


async def carry_out(case: Case, commanded: Commanded, run_step: RunStep) -> None:
    """Carry out a command, or say why not.

    Raises:
        ChatGoneError: the room cannot be written to.
        OperatorError: the store cannot be used.
    """
    sender, place = commanded.message.sender, commanded.message.place
    known = COMMANDS.get(_OTHER_NAMES.get(commanded.name, commanded.name))
    parts = case.desk.parts
    await parts.chats.seen(place)
    person = await parts.users.get(sender.id)
    # What language a command is in, nobody can tell.
    await parts.users.seen(replace(sender, language=person.client_language))
    role = await parts.access.role(sender, place)
    order = Order(case, commanded, spoken_to(person), role, run_step)
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
    carry_out: Callable[[Order], Awaitable[None]]
    audience: Audience = "everyone"
    is_for_private: bool = False


async def _refusal(order: Order, known: _Known | None) -> Refusal | None:
    access, by = order.desk.parts.access, order.case.job_id
    place, name = order.commanded.message.place, order.commanded.name
    refusal = await access.may_command(place, order.sender, by, name, known.audience if known else "everyone")
    if refusal is not None and order.is_private and name in {"start", "help"} and await access.is_claimable():
        return Refusal("start-unclaimed")
    if refusal is not None and refusal.message_id == "refused-admins-only":
        refusal = replace(refusal, is_notice_due=True)
    if order.role not in ADMINS:
        refusal = await order.desk.limits.check_command(place, order.sender, by) or refusal
    return refusal


async def _start(order: Order) -> None:
    documents = (await order.desk.parts.library.measure_size()).documents
    told = [
        order.text("start-what", name=order.case.talker.bot_name, documents=documents),
        order.text("start-label"),
    ]
    told += [order.text("start-private")] if order.is_private else []
    told += [order.text("start-help")]
    await order.show(tuple(map(message, told)))


async def _help(order: Order) -> None:
    of_admins = [name for name, known in COMMANDS.items() if known.audience == "admins"]
    everyone = [name for name in COMMANDS if name not in of_admins]

    def listed(names: Sequence[str]) -> Blocks:
        return (bullets(f"/{name} – {order.text(f'command-{name}')}" for name in names),)

    shown = (message(order.text("help-title")), *listed(everyone))
    if order.role in ADMINS:
        shown += (message(order.text("help-admins")), *listed(of_admins))
    await order.show(shown)


async def _reset(order: Order) -> None:
    if not order.is_private and order.role not in ADMINS:
        await order.say("reset-admins")
        return
    reset = partial(order.desk.parts.memory.reset, order.commanded.message.place.conversation_id)
    await order.run_step("carry out", reset)
    await order.say("chat-reset")


async def _why(order: Order) -> None:
    async def look() -> Blocks:
        meant = await Explanations(order.desk.stores).meant_by(order.commanded)
        if meant.answer is None:
            return (message(order.text("chat-nothing-yet")),)
        return answers.why(meant.answer, order.language)

    # No step: it changes nothing, and the record need not hold it.
    await order.show(await look())


async def _privacy(order: Order) -> None:
    desk, user_id = order.desk, order.sender.id
    privacy, work = Privacy(desk.parts.database), PersonalJobs(desk.jobs)

    async def erase() -> None:
        place = order.commanded.message.place
        for ask in await desk.asks.open_of(user_id):
            await order.case.stopping.stop(ask, place)
        reset = partial(desk.parts.memory.reset, place.conversation_id)
        await erase_person(privacy, work, user_id, reset, desk.parts.settings.data_dir)

    counts: dict[str, Any] = await order.run_step("count", partial(count_kept, privacy, work, user_id))
    counts["days"] = math.ceil(desk.parts.settings.keep_work_days)
    if order.commanded.argument.casefold() == "delete":
        await order.run_step("carry out", erase)
        await order.say("privacy-erased", **counts)
    else:
        kept = message(order.text("privacy-kept", **counts))
        await order.show((kept, message(order.text("talk-privacy"))))


async def _claim(order: Order) -> None:
    if not order.commanded.argument:
        await order.say("claim-how")
        return
    place = order.commanded.message.place
    claim = partial(order.desk.parts.access.claim, order.sender, place, order.commanded.argument)
    outcome: str = await order.run_step("carry out", claim)
    await order.say(f"claim-{outcome.replace('_', '-')}")


async def _decide(order: Order, verb: str) -> None:
    access, place = order.desk.parts.access, order.commanded.message.place
    typed = order.commanded.argument
    target = parse_peer(typed) if typed else None if order.is_private else place.chat_id
    if target is None:
        await order.say(f"{verb}-how")
        return
    decide = access.decide_chat if is_group(target) else access.decide_user
    decision = partial(decide, order.sender, place, target, "allowed" if verb == "allow" else "denied")
    refusal: Refusal | None = await order.run_step("carry out", decision)
    if refusal is not None:
        await order.say(refusal.message_id, **refusal.values)
        return
    if verb == "deny":
        await order.run_step("abandon", partial(order.case.stopping.abandon, target))
    await order.say(f"{verb}-{'group' if is_group(target) else 'person'}", id=name_in_channel(target))


async def _documents(order: Order) -> None:
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


async def _reindex(order: Order) -> None:
    async def index() -> str | Any:  # noqa: ANN401 - the report of a sync
        try:
            return await order.desk.parts.library.sync(order.sender.name, refreshes=True)
        except ThinkTwiceError as exc:
            return explain_failure(exc, order.language)

    async with order.case.talker.writing():
        report = await index()
    await order.show(view(report, order.language))


async def _add(order: Order) -> None:
    file = order.commanded.message.file
    if file is None:
        endings = ", ".join(order.desk.parts.library.endings)
        await order.say("talk-add-how", endings=endings, size=size(_largest(order), order.language))
        return
    async with order.case.talker.writing():
        told: str = await order.run_step("index", partial(_add_file, order, file))
    await order.show((message(told),))


async def _add_file(order: Order, file: File) -> str:
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


def _largest(order: Order) -> int:
    return min(order.desk.parts.settings.knowledge.max_file_bytes, _LARGEST_FILE)


async def _console(order: Order) -> None:
    parts, settings = order.desk.parts, order.desk.parts.settings.console
    if not settings.enabled:
        await order.say("console-off")
        return
    # Not a step, whose record would contain the link; after a kill another link does no harm.
    link = addresses.link(settings, await parts.logins.link(order.sender.id))
    minutes = round(LINK_LIFETIME.total_seconds() / 60)
    await order.say("console-link", link=link, minutes=minutes)


COMMANDS: Final[dict[str, _Known]] = {
    "start": _Known(_start),
    "help": _Known(_help),
    "why": _Known(_why),
    "reset": _Known(_reset),
    "privacy": _Known(_privacy, is_for_private=True),
    "claim": _Known(_claim, is_for_private=True),
    "documents": _Known(_documents, "admins"),
    "add": _Known(_add, "admins"),
    "reindex": _Known(_reindex, "admins"),
    "allow": _Known(partial(_decide, verb="allow"), "admins"),
    "deny": _Known(partial(_decide, verb="deny"), "admins"),
    "console": _Known(_console, "admins", is_for_private=True),
}
"""The commands, by name."""

_OTHER_NAMES: Final = {"new": "reset"}

ORDERED: Final = frozenset({"why", "reset", "new"})
"""Commands that wait for the questions before them."""
