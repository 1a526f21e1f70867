"""Access control for everything that reaches the bot: messages, edits, buttons and commands."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from bot.clock import utcnow
from bot.service.incoming import Place, Presence, Sender
from bot.service.keys import NOBODY, PeerId
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
"""Message ids of refusals that tell the sender to contact an administrator."""


class Access:
    """Loads the values for the decisions of `bot.service.rights`, and carries out what administrators change.

    Every method raises `OperatorError` when the store cannot be used. A refusal that was shown is not shown
    again within `notice_window`.
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
        """Return the sender's role at a place; without a place, in a private chat with the bot."""
        place = place or Place(sender.id, "private")
        person, chat = await self._users.get(sender.id), await self._chats.get(place.chat_id)
        return role(sender, person, place, chat, self._policy)

    async def may_ask(self, place: Place, sender: Sender, by: str) -> Refusal | None:
        """Return why a question is not answered, or None; the same job `by` gets the same `is_notice_due`."""
        person, chat = await self._users.get(sender.id), await self._chats.get(place.chat_id)
        refusal = reason_not_to_answer(sender, person, place, chat, self._policy)
        if refusal is None:
            return None
        if refusal.message_id in LET_IN and await self.is_claimable():
            # There is no owner or administrator yet who could grant access.
            refusal = Refusal("start-unclaimed")
        return await self._show_once(refusal, place, sender, by)

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

        Administrators command everywhere, so that they can allow a group from inside it. An anonymous sender
        may not use a command that deletes something (`is_destructive`).
        """
        has = await self.role(sender, place)
        if name in OPEN_COMMANDS and place.kind == "private" and sender.kind == "person":
            return None
        if has not in ADMINS and (refusal := await self.may_ask(place, sender, by)) is not None:
            return refusal
        refusal = reason_not_to_obey(has, sender, audience, is_destructive=is_destructive)
        return None if refusal is None else await self._show_once(refusal, place, sender, by)

    async def decide_user(
        self, actor: Sender, place: Place, user_id: PeerId, decision: Decision
    ) -> Refusal | None:
        """Allow or deny a person; return the reason of a refusal, or None when it was carried out.

        A denied person also loses the administrator's role.
        """
        if refusal := await self._find_objection(actor, place, user_id):
            return refusal
        if decision == "denied":
            await self._users.set_role(user_id, None)
        await self._users.set_access(user_id, decision)
        return None

    async def decide_chat(
        self, actor: Sender, place: Place, chat_id: PeerId, decision: Decision
    ) -> Refusal | None:
        """Allow or deny a group; return the reason of a refusal, or None when it was carried out."""
        if await self.role(actor, place) not in ADMINS or actor.kind != "person":
            return Refusal("refused-admins-only" if actor.kind == "person" else "refused-named-only")
        await self._chats.set_access(chat_id, decision)
        return None

    async def appoint(
        self, actor: Sender, place: Place, user_id: PeerId, *, is_admin: bool
    ) -> Refusal | None:
        """Let an owner give or take the administrator's role; return the reason of a refusal, or None."""
        if refusal := await self._find_objection(actor, place, user_id):
            return refusal
        if await self.role(actor, place) != "owner":
            return Refusal("refused-owner-only")
        await self._users.set_role(user_id, "admin" if is_admin else None)
        return None

    async def admins(self) -> tuple[Person, ...]:
        """Return all owners and administrators, owners first."""
        stored = {person.id: person for person in await self._users.privileged()}
        for user_id in sorted(self._policy.owners):
            person = stored.get(user_id) or await self._users.get(user_id)
            stored[user_id] = replace(person, role="owner")
        in_order = sorted(stored.values(), key=lambda admin: (admin.role != "owner", admin.name, admin.id))
        return tuple(in_order)

    async def admit_group(self, presence: Presence) -> bool:
        """Allow a group to which an administrator added the bot, unless denied; return whether it is open."""
        place, by = presence.place, presence.by
        chat = await self._chats.get(place.chat_id)
        is_undecided = presence.is_active and place.kind == "group" and chat.access is None
        if is_undecided and by is not None and await self.role(by) in ADMINS:
            await self._chats.set_access(place.chat_id, "allowed")
            chat = await self._chats.get(place.chat_id)
        return presence.is_active and is_open_place(place, chat, self._policy)

    async def is_claimable(self) -> bool:
        """Return whether the bot has no owner yet, so that the claim code can make one."""
        return not self._policy.owners and not await self._users.has_owner()

    async def claim(self, sender: Sender, place: Place, code: str) -> ClaimOutcome:
        """Make the sender the owner if the code is right and the chat is private; the code works once."""
        if place.kind != "private" or sender.kind != "person":
            return "not_private"
        if not await self.is_claimable():
            # Also for a job killed after its claim succeeded: the restarted process has another code.
            return "yours" if await self.role(sender, place) == "owner" else "closed"
        outcome = self._claim.try_code(sender.id, code)
        if outcome == "owner":
            try:
                await self._users.set_role(sender.id, "owner")
            except BaseException:  # also on cancellation: the code must stay usable
                self._claim.reopen()
                raise
        return outcome

    async def _find_objection(self, actor: Sender, place: Place, user_id: PeerId) -> Refusal | None:
        if actor.kind != "person":
            return Refusal("refused-named-only")
        target = await self.role(Sender(user_id, "person"))
        return reason_not_to_change(await self.role(actor, place), actor.id, target, user_id)

    async def _show_once(self, refusal: Refusal, place: Place, sender: Sender, by: str) -> Refusal:
        if not refusal.is_notice_due:
            return refusal
        is_due = await self._notices.is_due(
            refusal.message_id,
            until=self._clock() + self._notice_window,
            by=by,
            chat_id=place.chat_id,
            # A refusal that concerns the whole group is shown once for the group, not once for each member.
            user_id=NOBODY if refusal.message_id == "refused-group" else sender.id,
        )
        return replace(refusal, is_notice_due=is_due)
