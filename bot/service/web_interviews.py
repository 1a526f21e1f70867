"""Interviews in the console or over HTTP.

They belong to a conversation of their own: an interview that was begun in a chat is not found here, because
its chat shows its state. Access and limits are those of the person's private chat with the bot.
"""

from __future__ import annotations

from bot.service import keys
from bot.service.admission import Access, Limits
from bot.service.incoming import Place, Sender
from bot.service.interview_ports import InterviewUnknownError
from bot.service.interview_values import Party, View
from bot.service.interviews import Interviews, carry_out
from bot.service.people import Refusal
from bot.service.spending import Spent, metered
from rag.interview.documents import StepName
from rag.interview.workflow import accept_message
from rag.loop.work import RunStep
from rag.reasons import Reason


class WebInterviews:
    """Holds interviews with people who use the console or HTTP.

    Methods raise what those of `Interviews` raise; a `Refusal` says why the person may not write now. A
    repeated call with the same `key` changes nothing, and returns the first result.

    Args:
        interviews: Holds the interviews of every channel.
        access: Decides who may ask.
        limits: Counts messages against the limits.
        spent: Adds up tokens.
    """

    def __init__(self, interviews: Interviews, access: Access, limits: Limits, spent: Spent) -> None:
        self._interviews = interviews
        self._access = access
        self._limits = limits
        self._spent = spent
        self.packs = interviews.packs

    async def create(self, sender: Sender, pack: str, message: str | None, *, key: str) -> View | Refusal:
        """Begin an interview; without a message it begins with the pack's first question."""
        self.packs.find(pack)
        if message is not None:
            accept_message(message)
        key = _prefix_key(key)
        if refusal := await self._refusal(sender, key):
            return refusal
        return await self._interviews.create(
            _party(sender), pack, initial_message=message or "", key=key, run_step=self._metered(sender)
        )

    async def get(self, sender: Sender, session_id: str) -> View:
        """Return the present state of an interview."""
        view = await self._interviews.get(_party(sender), session_id)
        if view.session.conversation_id != _party(sender).conversation_id:
            raise InterviewUnknownError(Reason("interview-unknown"))
        return view

    async def current(self, sender: Sender) -> View | None:
        """Return the open interview that was continued last, or None."""
        return await self._interviews.current(_party(sender))

    async def post(
        self, sender: Sender, session_id: str, message: str, *, answer_to: str | None, key: str
    ) -> View | Refusal:
        """Add a message as the interview's next turn."""
        await self.get(sender, session_id)
        accept_message(message)
        key = _prefix_key(key)
        if refusal := await self._refusal(sender, f"{session_id}:{key}"):
            return refusal
        return await self._interviews.post(
            _party(sender),
            session_id,
            message,
            answer_to=answer_to,
            key=key,
            run_step=self._metered(sender),
        )

    async def step(self, sender: Sender, session_id: str, step: StepName, *, key: str) -> View | Refusal:
        """Carry out a single step, for debugging."""
        await self.get(sender, session_id)
        if refusal := await self._refusal(sender, f"{session_id}:{_prefix_key(key)}"):
            return refusal
        return await self._interviews.step(_party(sender), session_id, step, run_step=self._metered(sender))

    async def undo(self, sender: Sender, session_id: str, *, key: str) -> View:
        """Undo the last turn."""
        await self.get(sender, session_id)
        return await self._interviews.undo(_party(sender), session_id, key=_prefix_key(key))

    async def finish(self, sender: Sender, session_id: str, *, key: str) -> View | Refusal:
        """End an interview if its gate finds it complete."""
        await self.get(sender, session_id)
        key = _prefix_key(key)
        if refusal := await self._refusal(sender, f"{session_id}:{key}"):
            return refusal
        party = _party(sender)
        view = await self._interviews.check(party, session_id, key=key, run_step=self._metered(sender))
        if view.state.meta.status != "ready":
            return view
        return await self._interviews.close(party, session_id)

    async def _refusal(self, sender: Sender, by: str) -> Refusal | None:
        place, work = Place(sender.id, "private", title=sender.name), f"{keys.web_run(sender.id, 'i')}:{by}"
        return await self._access.may_ask(place, sender, work) or await self._limits.check(
            place, sender, work
        )

    def _metered(self, sender: Sender) -> RunStep:
        return metered(carry_out, self._spent, chat_id=sender.id, user_id=sender.id)


def _party(sender: Sender) -> Party:
    return Party(sender.key, keys.web_interviews_key(sender.id))


def _prefix_key(key: str) -> str:
    """Return a client's idempotency key with the prefix of this channel, so that keys cannot collide."""
    return f"web:{keys.shorten(key)}"
