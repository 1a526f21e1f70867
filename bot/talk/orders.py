"""A command that may be carried out, as every channel knows it, and the commands that are the same in all."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TypeVar

from bot.service.errors import ChatGoneError, DeliveryError
from bot.service.incoming import Place, Sender
from bot.service.keys import PeerId, is_group, name_in_channel
from bot.service.logins import LINK_LIFETIME
from bot.service.people import Ask, Decision, Role
from bot.service.rights import ADMINS
from bot.service.stopping import Stopping
from bot.settings import addresses
from bot.settings.operator_words import in_operator_words
from bot.storage.erasure import count_kept, erase_person
from bot.talk.desk import Desk
from bot.texts import TEXTS
from rag.reasons import Reason, Value
from rag.runs.run import RunStep

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Order(ABC):
    """A command, with what carries it out and replies to it."""

    desk: Desk
    stopping: Stopping
    place: Place
    sender: Sender
    role: Role
    language: str
    argument: str
    run_step: RunStep = field(repr=False)

    @abstractmethod
    async def tell(self, *texts: str) -> None:
        """Reply with lines; empty ones are left out."""

    @property
    def is_private(self) -> bool:
        """Return whether the chat is private."""
        return self.place.kind == "private"

    @property
    def is_admin(self) -> bool:
        """Return whether the sender is an administrator or owner of the bot."""
        return self.role in ADMINS

    def text(self, message: str, /, **values: Value) -> str:
        """Return a catalogue message in the sender's language."""
        return TEXTS.text(message, self.language, **values)

    def reason(self, *reasons: Reason) -> str:
        """Return reasons in the sender's language, with settings named as the operator writes them."""
        return in_operator_words("; ".join(TEXTS.reason(reason, self.language) for reason in reasons))

    async def do(self, name: str, work: Callable[[], Awaitable[T]]) -> T:
        """Carry out a step, whose result is recorded; after a kill the recorded result is returned."""
        outcome: T = await self.run_step(name, work)
        return outcome

    async def say(self, message: str, /, **values: str | float) -> None:
        """Reply with a catalogue message."""
        await self.tell(self.text(message, **values))


async def claim(order: Order) -> None:
    """Carry out `/claim`: make the sender the owner if the code is right."""
    if not order.argument:
        await order.say("claim-how")
        return
    claiming = partial(order.desk.parts.access.claim, order.sender, order.place, order.argument)
    outcome: str = await order.do("carry out", claiming)
    if outcome in {"owner", "yours"}:
        await order.do("menus", partial(order.desk.role_changed, order.sender.id))
    await order.say(f"claim-{outcome.replace('_', '-')}")


async def decide(order: Order, target: PeerId | None, decision: Decision) -> bool:
    """Carry out `/allow` or `/deny` for a person or a group; return whether that was done.

    A denial stops the answers to its target. A target of None is unclear, which the sender is told.
    """
    verb = "allow" if decision == "allowed" else "deny"
    if target is None:
        await order.say(f"{verb}-how")
        return False
    is_done, told = await order.do("carry out", partial(_decide, order, target, decision, verb))
    await order.tell(*told)
    return is_done


async def _decide(
    order: Order, target: PeerId, decision: Decision, verb: str
) -> tuple[bool, tuple[str, ...]]:
    desk, parts, is_person = order.desk, order.desk.parts, not is_group(target)
    # A person who has never written can be allowed, but the reply says so: an id is easily mistyped.
    is_unknown = bool(order.argument) and not (
        (await parts.users.get(target)).name or (await parts.chats.get(target)).title
    )
    had_role = is_person and (await parts.users.get(target)).role is not None
    deciding = parts.access.decide_user if is_person else parts.access.decide_chat
    refusal = await deciding(order.sender, order.place, target, decision)
    if refusal is not None:
        return False, (order.text(refusal.message_id, **refusal.values),)
    stopped = 0
    if decision == "denied":
        if had_role:
            await desk.role_changed(target)
        open_ones = await (desk.asks.open_of(target) if is_person else desk.asks.open_in_chat(target))
        stopped = await stop_work(order, open_ones)
    return True, (
        order.text(f"{verb}-{'person' if is_person else 'group'}", id=name_in_channel(target)),
        order.text("decided-unknown") if is_unknown else "",
        order.text("stop-done", answers=stopped) if stopped else "",
    )


async def console(order: Order) -> None:
    """Carry out `/console`: send a login link for the web console that works once."""
    parts, settings = order.desk.parts, order.desk.parts.settings.console
    if not settings.enabled:
        await order.say("console-off")
        return
    # Not a step: the result of a step is recorded, and the record must not contain the link. After a kill
    # another link is made, which does no harm.
    link = addresses.link(settings, await parts.logins.link(order.sender.id))
    minutes = round(LINK_LIFETIME.total_seconds() / 60)
    is_here = not settings.public_url and addresses.is_loopback(settings)
    told = order.text("console-link", link=link, minutes=minutes)
    await order.tell(told, order.text("console-local") if is_here else "")


async def forget(order: Order) -> None:
    """Forget the conversation of the chat and topic."""

    async def carry_out() -> None:
        chat_id = await order.desk.parts.chats.current_id(order.place.chat_id)
        await order.desk.parts.memory.reset(replace(order.place, chat_id=chat_id).conversation_id)

    await order.do("carry out", carry_out)
    await order.say("chat-reset")


async def erase(order: Order) -> None:
    """Erase the data stored about the sender, and say how much that was."""
    desk, user_id = order.desk, order.sender.id
    # Counted before the erasure, as a recorded step, so that a repetition reports the same numbers.
    count = partial(count_kept, desk.privacy, desk.personal_jobs, user_id)
    counts: dict[str, int] = await order.do("count", count)

    async def carry_out() -> None:
        await stop_work(order, await desk.asks.open_of(user_id))
        reset = partial(desk.parts.memory.reset, order.place.conversation_id)
        folder = desk.parts.settings.data_dir
        await erase_person(desk.privacy, desk.personal_jobs, user_id, reset, folder)

    await order.do("carry out", carry_out)
    await order.say("privacy-erased", **counts, days=desk.days_of_work)


async def stop_work(order: Order, asks: Sequence[Ask]) -> int:
    """Stop the answers to questions, and say so in their chats; return how many were not finished yet."""
    stopped = 0
    for ask in asks:
        place = Place(ask.chat_id, "group" if is_group(ask.chat_id) else "private", ask.thread_id)
        # The job is cancelled before its message is edited, so a failed edit changes nothing.
        with suppress(ChatGoneError, DeliveryError):
            stopped += await order.stopping.stop(ask, place, order.sender)
    return stopped
