"""The gate in front of everything that reaches the bot: messages, edits, buttons and commands.

It brings the values for the decisions in `bot.service.rights`, sees to it that a refusal is told once, and
carries out what administrators change.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from bot.clock import utcnow
from bot.service.incoming import Place, Presence, Sender
from bot.service.owner_claim import Claim, ClaimOutcome
from bot.service.people import Decision, Person, Refusal, Role
from bot.service.rights import (
    ADMINS,
    OPEN_COMMANDS,
    Audience,
    Policy,
    is_open_place,
    reason_not_to_answer,
    reason_not_to_change,
    reason_not_to_obey,
    role,
)
from bot.service.stores import Chats, Notices, Users

LET_IN: Final = frozenset({"refused-private", "refused-private-groups"})
"""Refusals that send somebody to an administrator."""


class Access:
    """Brings the values for the decisions, and carries out what administrators change.

    Every method raises `OperatorError` when the store cannot be used.

    Args:
        users: People.
        chats: Chats.
        notices: What was said a moment ago.
        policy: The settings.
        claim: The code of the first owner.
        notice_window: How long a refusal is not repeated.
        clock: Tells the time.
    """

    def __init__(
        self,
        users: Users,
        chats: Chats,
        notices: Notices,
        policy: Policy,
        claim: Claim,
        notice_window: timedelta = timedelta(hours=1),
        clock: Callable[[], datetime] = utcnow,
    ) -> None:
        self._users = users
        self._chats = chats
        self._notices = notices
        self._policy = policy
        self._claim = claim
        self._notice_window = notice_window
        self._clock = clock

    async def role(self, sender: Sender, place: Place | None = None) -> Role:
        """Return what somebody may do at a place; without one, in a chat with the bot alone."""
        place = place or Place(sender.id, "private")
        person, chat = await self._users.get(sender.id), await self._chats.get(place.chat_id)
        return role(sender, person, place, chat, self._policy)

    async def may_ask(self, place: Place, sender: Sender, by: str) -> Refusal | None:
        """Return why nobody answers, or None.

        Args:
            place: Where it is asked, or a button pressed.
            sender: Who asks or presses.
            by: The work that asks; told again to the same work, the notice stays due.
        """
        person, chat = await self._users.get(sender.id), await self._chats.get(place.chat_id)
        refusal = reason_not_to_answer(sender, person, place, chat, self._policy)
        if refusal is None:
            return None
        if refusal.message_id in LET_IN and await self.is_claimable():
            # Nobody is there who could let them in.
            refusal = Refusal("start-unclaimed")
        return await self._once(refusal, place, sender, by)

    async def may_command(
        self,
        place: Place,
        sender: Sender,
        by: str,
        name: str,
        audience: Audience,
        *,
        is_destructive: bool = False,
    ) -> Refusal | None:
        """Return why a command is not carried out, or None.

        Administrators command everywhere, so that they can allow a group from inside it.

        Args:
            place: Where.
            sender: Who.
            by: The work that asks.
            name: The command, without slash.
            audience: Who may use it.
            is_destructive: It takes something away; only a named person may.
        """
        has = await self.role(sender, place)
        if name in OPEN_COMMANDS and place.kind == "private" and sender.kind == "person":
            return None
        if has not in ADMINS and (refusal := await self.may_ask(place, sender, by)) is not None:
            return refusal
        refusal = reason_not_to_obey(has, sender, audience, is_destructive=is_destructive)
        return None if refusal is None else await self._once(refusal, place, sender, by)

    async def decide_user(
        self, actor: Sender, place: Place, user_id: int, decision: Decision
    ) -> Refusal | None:
        """Allow or deny a person; whoever is denied loses the administrator's role as well.

        Returns:
            Why it is not done, or None when it is.
        """
        if refusal := await self._not_to_change(actor, place, user_id):
            return refusal
        if decision == "denied":
            await self._users.set_role(user_id, None)
        await self._users.set_access(user_id, decision)
        return None

    async def decide_chat(
        self, actor: Sender, place: Place, chat_id: int, decision: Decision
    ) -> Refusal | None:
        """Allow or deny a group; return why it is not done, or None when it is."""
        if await self.role(actor, place) not in ADMINS or actor.kind != "person":
            return Refusal("refused-admins-only" if actor.kind == "person" else "refused-named-only")
        await self._chats.set_access(chat_id, decision)
        return None

    async def appoint(self, actor: Sender, place: Place, user_id: int, *, is_admin: bool) -> Refusal | None:
        """Make a person an administrator, or no longer one; only the owner may.

        Returns:
            Why it is not done, or None when it is.
        """
        if refusal := await self._not_to_change(actor, place, user_id):
            return refusal
        if await self.role(actor, place) != "owner":
            return Refusal("refused-owner-only")
        await self._users.set_role(user_id, "admin" if is_admin else None)
        return None

    async def admins(self) -> tuple[Person, ...]:
        """Return everybody who may command, owners first."""
        stored = {person.id: person for person in await self._users.privileged()}
        for user_id in sorted(self._policy.owners):
            person = stored.get(user_id) or await self._users.get(user_id)
            stored[user_id] = replace(person, role="owner")
        in_order = sorted(stored.values(), key=lambda admin: (admin.role != "owner", admin.name, admin.id))
        return tuple(in_order)

    async def joined(self, presence: Presence) -> bool:
        """Allow the group that an administrator has added the bot to, unless it was denied.

        Returns:
            Whether people may ask there now.
        """
        place, by = presence.place, presence.by
        chat = await self._chats.get(place.chat_id)
        is_undecided = presence.is_active and place.kind == "group" and chat.access is None
        if is_undecided and by is not None and await self.role(by) in ADMINS:
            await self._chats.set_access(place.chat_id, "allowed")
            chat = await self._chats.get(place.chat_id)
        return presence.is_active and is_open_place(place, chat, self._policy)

    async def is_claimable(self) -> bool:
        """Whether there is no owner yet, so that the code makes one."""
        return not self._policy.owners and not await self._users.has_owner()

    async def claim(self, sender: Sender, place: Place, code: str) -> ClaimOutcome:
        """Make the sender the owner when the code is right; once, and in a private chat."""
        if place.kind != "private" or sender.kind != "person":
            return "not_private"
        if not await self.is_claimable():
            # Also to the work that a kill interrupted behind its claim: the code it knew is gone.
            return "yours" if await self.role(sender, place) == "owner" else "closed"
        outcome = self._claim.tried(sender.id, code)
        if outcome == "owner":
            try:
                await self._users.set_role(sender.id, "owner")
            except BaseException:  # also when the process is told to stop: the code must not be lost
                self._claim.reopen()
                raise
        return outcome

    async def _not_to_change(self, actor: Sender, place: Place, user_id: int) -> Refusal | None:
        if actor.kind != "person":
            return Refusal("refused-named-only")
        target = await self.role(Sender(user_id, "person"))
        return reason_not_to_change(await self.role(actor, place), actor.id, target, user_id)

    async def _once(self, refusal: Refusal, place: Place, sender: Sender, by: str) -> Refusal:
        if not refusal.is_notice_due:
            return refusal
        is_due = await self._notices.is_due(
            refusal.message_id,
            until=self._clock() + self._notice_window,
            by=by,
            chat_id=place.chat_id,
            # What a whole group is told, it is told once.
            user_id=0 if refusal.message_id == "refused-group" else sender.id,
        )
        return replace(refusal, is_notice_due=is_due)
