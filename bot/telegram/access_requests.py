"""Requests for access: a stranger's `/start` reaches the administrators, who allow or refuse by a button.
With an invitation, it lets the stranger in.

Each administrator gets a message of their own; once one of them has decided, all of these messages say what
was decided and by whom, and the stranger is told.
"""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, Final

import structlog

from bot.jobs.values import Job
from bot.service.access import LET_IN
from bot.service.access_requests import MOST_A_DAY, AccessRequest, Outcome
from bot.service.incoming import Place, Sender
from bot.service.keys import PeerId, name_in_channel, read_peer
from bot.service.languages import spoken_to
from bot.service.people import Refusal
from bot.storage.access_requests import StoredAccessRequests
from bot.telegram import invitations
from bot.telegram.commands.context import Key, keyboard
from bot.telegram.ids import keep_those_of_telegram
from bot.telegram.outbound.messages import Posted, post
from bot.telegram.outbound.retries import ChatGoneError, DeliveryError
from bot.telegram.rendering import Entity, Part, code, text_parts
from bot.telegram.rendering.characters import shorten, utf16_length
from bot.texts import TEXTS
from rag.language.visible import one_line
from rag.runs.run import RunStep

if TYPE_CHECKING:
    from bot.telegram.services import Services

_log = structlog.get_logger(__name__)

REQUEST: Final = "access-request"
"""The kind of a job that shows a request to the administrators; its payload is JSON: `user`, `username`."""

ALLOW: Final = "request-allow"
REFUSE: Final = "request-refuse"
"""Verbs of the buttons; the stranger's id stands behind them."""


_NAME_CHARACTERS: Final = 64
_WELCOME_NUMBER: Final = 100
"""Number of the message to the stranger in the names of the steps: replies of the same work come before."""

_TOLD: Final = {"new": "request-sent", "waiting": "request-waiting", "declined": "request-declined"}


class AccessRequests:
    """Passes requests on, shows them and what was decided about them."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._parts = services.parts
        self._stored = StoredAccessRequests(services.parts.database, services.clock)

    async def ask(
        self, place: Place, sender: Sender, by: str, refusal: Refusal, invitation: str = ""
    ) -> Refusal | None:
        """Pass the request of a stranger who sends `/start` on, and return what the stranger is told.

        Whoever brings an invitation is let in instead, which the administrators see, and is told nothing.

        Args:
            by: The work that asks; for the same work, a request is passed on once.
            refusal: What the stranger is told where nothing is passed on.
        """
        is_stranger = refusal.message_id in LET_IN and place.kind == "private" and sender.kind == "person"
        invited_by = await self._let_in(sender, by, invitation) if is_stranger else None
        rules = self._parts.settings.access
        if not is_stranger or not rules.request_days:
            return None if invited_by else refusal
        again_after = timedelta(days=rules.request_days)
        made = await self._stored.make(sender.id, by=by, again_after=again_after, most_a_day=MOST_A_DAY)
        if invited_by:
            await self._stored.decide(sender.id, "allowed", invited_by, by)
        if made == "new":
            payload = json.dumps({"user": sender.id, "username": sender.username})
            await self._services.jobs.submit(Job(f"{by}:{REQUEST}", REQUEST, payload, person=sender.id))
        if invited_by:
            return None
        if made == "too many":
            _log.warning("a request for access is not passed on: too many today", user=sender.id)
            return refusal
        told = Refusal(_TOLD[made], {"user": code(name_in_channel(sender.id))})
        if made == "new":
            return told
        is_due = await self._parts.notices.is_due(
            told.message_id,
            until=self._services.clock() + timedelta(minutes=rules.notice_minutes),
            by=by,
            chat_id=place.chat_id,
            user_id=sender.id,
        )
        return replace(told, is_notice_due=is_due)

    async def _let_in(self, sender: Sender, by: str, code: str) -> PeerId | None:
        """Let the bearer of an invitation in, once; return who invited, or None if it does not hold."""
        token = self._parts.settings.telegram.token.get_secret_value()
        invitation = invitations.read(token, code)
        if invitation is None or invitation.until <= self._services.clock():
            return None
        kind = f"invitation:{invitation.id}"
        if not await self._parts.notices.is_due(kind, until=invitation.until, by=by):
            return None
        admin, place = Sender(invitation.admin, "person"), Place(invitation.admin, "private")
        refusal = await self._parts.access.decide_user(admin, place, sender.id, "allowed")
        return invitation.admin if refusal is None else None

    async def tell(self, payload: str, run_step: RunStep) -> None:
        """Show a request to every administrator; carries out `REQUEST`."""
        request = json.loads(payload)
        user_id = read_peer(request["user"])
        number_of_stranger = name_in_channel(user_id)
        told: tuple[tuple[PeerId, str, str], ...] = await run_step("request", partial(self._told, user_id))
        # Payloads recorded by an earlier version have no username.
        username = request.get("username")
        shown = f"@{username}" if username else (await self._parts.users.get(user_id)).name
        for number, (admin_id, language, text) in enumerate(told, 1):
            keys = [
                Key(TEXTS.text(f"button-{verb}", language), f"{verb}:{number_of_stranger}")
                for verb in (ALLOW, REFUSE)
            ]
            part = _add_profile(text_parts(text)[0], shown or number_of_stranger, number_of_stranger)
            place = Place(admin_id, "private")
            try:
                (posted,) = await post(
                    run_step,
                    self._services.delivery,
                    place,
                    (part,),
                    first=number,
                    keyboard=keyboard((tuple(keys),)),
                )
            except (ChatGoneError, DeliveryError) as exc:
                # An administrator who has never written to the bot cannot be written to.
                _log.warning("an admin could not be told", admin=admin_id, reason=str(exc))
                continue
            await run_step(
                f"shown {number}", partial(self._stored.shown, user_id, admin_id, posted.message_id)
            )
        # Somebody may have decided while the others were being told.
        await run_step("marked", partial(self._mark, user_id))

    async def settle(
        self,
        user_id: PeerId,
        outcome: Outcome,
        admin: Sender,
        by: str,
        run_step: RunStep,
        pressed: Posted | None = None,
    ) -> bool:
        """Decide about an open request, show it to all administrators, and tell the stranger.

        Return whether this work has decided; not when there is no request, or somebody else was faster.
        """
        deciding = partial(self._decide, user_id, outcome, admin, by)
        is_decided: bool = await run_step("request", deciding)
        await run_step("marked", partial(self._mark, user_id, pressed))
        if is_decided:
            await self._welcome(user_id, outcome, run_step)
        return is_decided

    async def request(self, user_id: PeerId) -> AccessRequest | None:
        """Return the newest request of a stranger."""
        return await self._stored.get(user_id)

    async def name(self, user_id: PeerId | None, language: str) -> str:
        """Return the name of a person, shown as code."""
        person = await self._parts.users.get(user_id) if user_id else None
        if person is None or not person.name:
            return (
                TEXTS.text("request-somebody", language)
                if user_id is None
                else code(name_in_channel(user_id))
            )
        return code(shorten(person.name, _NAME_CHARACTERS))

    async def _told(self, user_id: PeerId) -> tuple[tuple[PeerId, str, str], ...]:
        """Return who is told of a request: the administrator, the language, and the text."""
        told = []
        for admin in keep_those_of_telegram(await self._parts.access.admins()):
            language = spoken_to(admin)
            name = await self.name(user_id, language)
            text = TEXTS.text("request-title", language, name=name, user=code(name_in_channel(user_id)))
            told.append((admin.id, language, text))
        return tuple(told)

    async def _decide(self, user_id: PeerId, outcome: Outcome, admin: Sender, by: str) -> bool:
        if not await self._stored.decide(user_id, outcome, admin.id, by):
            return False
        if outcome == "allowed":
            await self._parts.access.decide_user(admin, Place(admin.id, "private"), user_id, "allowed")
        return True

    async def _mark(self, user_id: PeerId, pressed: Posted | None = None) -> None:
        """Say in the administrators' messages what was decided; nothing while nothing is."""
        request = await self._stored.get(user_id)
        if request is None or request.outcome is None:
            return
        shown = dict(await self._stored.messages(user_id))
        if pressed is not None:
            shown.setdefault(pressed.chat_id, pressed.message_id)
        for admin_id, message_id in shown.items():
            language = spoken_to(await self._parts.users.get(admin_id))
            text = TEXTS.text(
                f"request-{request.outcome}",
                language,
                name=await self.name(user_id, language),
                admin=await self.name(request.decided_by, language),
                user=code(name_in_channel(user_id)),
            )
            try:
                await self._services.delivery.edit(
                    Place(admin_id, "private"), message_id, text_parts(text)[0]
                )
            except (ChatGoneError, DeliveryError) as exc:
                _log.warning("an admin does not see what was decided", admin=admin_id, reason=str(exc))

    async def _welcome(self, user_id: PeerId, outcome: Outcome, run_step: RunStep) -> None:
        language: str = await run_step("welcome", partial(self._language, user_id))
        text = TEXTS.text("request-granted" if outcome == "allowed" else "request-declined", language)
        try:
            place = Place(user_id, "private")
            await post(run_step, self._services.delivery, place, text_parts(text), first=_WELCOME_NUMBER)
        except (ChatGoneError, DeliveryError) as exc:
            _log.info("a stranger is not told what was decided", user=user_id, reason=str(exc))

    async def _language(self, user_id: PeerId) -> str:
        return spoken_to(await self._parts.users.get(user_id))


def _add_profile(part: Part, shown: str, number: str) -> Part:
    """Return a message with a last line that leads to the profile of the person with this number."""
    above, line = f"{part.text}\n👤 ", one_line(shown)[:_NAME_CHARACTERS]
    offset, length = utf16_length(above), utf16_length(line)
    link = Entity("text_link", offset, length, f"tg://user?id={number}")
    return Part(above + line, (*part.entities, link))
