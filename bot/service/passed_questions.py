"""Questions that the documents did not answer, passed on to the people who know.

Whoever asked presses a button; the people whom the setting `access.experts` names get the question with the
answer that did not help. The first reply is the answer: whoever asked gets it at once, and it is remembered
in the conversation.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, Literal, Protocol

from bot.clock import utcnow
from bot.conversations.memory import ConversationMemory
from bot.service.incoming import Place
from bot.service.keys import PeerId, parse_peer
from bot.service.runs import Runs
from bot.service.stores import Users
from rag.language.detect import detect
from rag.reasons import Reason
from rag.values import Answer, Label, Usage, Verdict

PASSED: Final = "passed-question"
"""The kind of a job that shows a passed question to those who know; its payload is JSON: `number`."""

REPLIED: Final = "passed-reply"
"""The kind of a job that brings a reply to whoever asked; its payload is the same."""

PASSABLE: Final[frozenset[Label]] = frozenset({"unverified", "partly", "not_in_documents"})
"""Labels of answers below which a person can be asked."""

REMINDED_AFTER: Final = timedelta(days=1)
FORGOTTEN_AFTER: Final = timedelta(days=90)
_MOST_REMINDERS: Final = timedelta(days=7)
_CHARACTERS: Final = 3000
"""Of an answer that did not help, as those who know see it."""

Outcome = Literal["passed", "waiting", "replied", "gone", "nobody"]
"""What became of a press: passed on; passed on earlier, without or with a reply; the answer is forgotten;
nobody is named who knows."""


@dataclass(frozen=True, slots=True)
class PassedQuestion:
    """A question that its asker passed on to the people who know.

    Args:
        conversation_id: The conversation that the reply belongs to.
        message_id: The message that asked it on Telegram, or None.
        run_id: The run that waits for the reply; empty: a chat on Telegram does.
        answer: The answer that did not help.
        set_name: The document set of the chat; empty: all documents.
        asked_at: When it was passed on.
        reply: What a person answered; empty as long as nobody did.
        is_named: Whether whoever asked sees who answered; None: as the setting says.

    One that was withdrawn has neither words nor people; its number stays, so that late replies are known.
    """

    number: int
    person: PeerId
    conversation_id: str
    place: Place
    message_id: int | None
    run_id: str
    question: str
    answer: str
    set_name: str
    asked_at: datetime
    reply: str = ""
    replied_by: PeerId | None = None
    is_named: bool | None = None


def exchange_of(number: int, run_id: str) -> str:
    """Return the key under which the reply to a question is remembered."""
    return run_id or f"passed:{number}"


class Store(Protocol):
    """Keeps passed questions. Every method raises `StorageError` when the store cannot be used."""

    async def make(self, new: PassedQuestion, exchange: str) -> tuple[PassedQuestion, bool]:
        """Keep a question, its number aside; return it, and whether it is new for this exchange."""
        ...

    async def get(self, number: int) -> PassedQuestion | None:
        """Return a question."""
        ...

    async def reply(
        self, number: int, text: str, by: PeerId, work: str, *, is_named: bool | None
    ) -> PassedQuestion | None:
        """Keep the first reply; return the question, or None where other work has brought a reply."""
        ...

    async def withdraw(self, run_id: str) -> None:
        """Withdraw the question whose reply a run waits for."""
        ...

    async def open(self) -> tuple[PassedQuestion, ...]:
        """Return the questions without a reply, the oldest first."""
        ...

    async def take_due(self, before: datetime) -> tuple[PassedQuestion, ...]:
        """Return the open questions that experts were last asked before this moment, as asked now."""
        ...

    async def prune(self, age: timedelta) -> tuple[str, ...]:
        """Delete the questions that were asked longer ago; return the runs that wait for a reply to them."""
        ...


class PassedQuestions:
    """Passes questions on and brings the replies back.

    The asynchronous methods raise `StorageError` when the store cannot be used.

    Args:
        experts: Those who know, as the setting names them: numbers, each alone or as ``SET=NUMBER``.
        name_of_set: Returns the name of the document set of a chat; empty: all documents.
        submit: Records a job: its id, kind, payload and person; one that is known stays the only one.
        together: Makes a reply and the job that brings it one transaction.
        are_named: Whether whoever asked sees who answered, if nothing else is chosen for a reply.
    """

    def __init__(
        self,
        store: Store,
        memory: ConversationMemory,
        runs: Runs,
        users: Users,
        name_of_set: Callable[[PeerId], Awaitable[str]],
        experts: Sequence[str],
        submit: Callable[[str, str, str, PeerId], Awaitable[None]],
        together: Callable[[], AbstractAsyncContextManager[None]],
        *,
        are_named: bool,
        clock: Callable[[], datetime] = utcnow,
    ) -> None:
        self._store = store
        self._memory = memory
        self._runs = runs
        self._users = users
        self._name_of_set = name_of_set
        named = [one.rpartition("=") for one in experts]
        self._experts = [(name.strip(), peer) for name, _, number in named if (peer := parse_peer(number))]
        self.are_named = are_named
        self._submit = submit
        self._together = together
        self._clock = clock

    @property
    def named(self) -> set[PeerId]:
        """Everybody whom the setting names, for all documents or for some."""
        return {peer for _, peer in self._experts}

    def experts(self, set_name: str, *asking: PeerId) -> tuple[PeerId, ...]:
        """Return the people named for a document set, or else for all of them, without those who ask."""
        own = [peer for name, peer in self._experts if name and name == set_name]
        named = own or [peer for name, peer in self._experts if not name]
        return tuple(dict.fromkeys(peer for peer in named if peer not in asking))

    def waits_for(self, asked: PassedQuestion, person: PeerId, *, is_admin: bool) -> bool:
        """Return whether a person may answer a question: those who know about it, and administrators."""
        return is_admin or person in self.experts(asked.set_name, asked.person)

    async def is_offered(self, chat_id: PeerId, answer: Answer) -> bool:
        """Return whether a person can be asked below an answer."""
        if not self._experts or answer.label not in PASSABLE:
            return False
        return bool(self.experts(await self._name_of_set(chat_id), chat_id))

    async def pass_on(
        self,
        exchange: str,
        person: PeerId,
        place: Place,
        conversation_id: str,
        *,
        message_id: int | None = None,
        run_id: str = "",
    ) -> Outcome:
        """Pass the question of an exchange on; again, nothing is passed on."""
        answer = await self._memory.load_answer(exchange)
        if answer is None:
            return "gone"
        set_name = await self._name_of_set(place.chat_id)
        if not self.experts(set_name, person, place.chat_id):
            return "nobody"
        question, said = answer.standalone or answer.question, answer.text[:_CHARACTERS]
        new = PassedQuestion(
            0, person, conversation_id, place, message_id, run_id, question, said, set_name, self._clock()
        )
        kept, is_new = await self._store.make(new, exchange)
        await self._tell(PASSED, kept, "asked")
        if kept.reply:
            return "replied"
        return "passed" if is_new or kept.run_id == run_id != "" else "waiting"

    async def reply(
        self, number: int, text: str, by: PeerId, work: str, *, is_named: bool | None = None
    ) -> PassedQuestion | None:
        """Keep a person's answer to a question, and record the job that brings it to the asker.

        Again by the same `work`, it changes nothing. Returns the question; None where it is withdrawn, or
        somebody else has answered.
        """
        async with self._together():
            done = await self._store.reply(number, text.strip(), by, work, is_named=is_named)
            if done is not None:
                await self._tell(REPLIED, done, "reply")
        return done

    async def bring(self, number: int) -> None:
        """Remember a reply in the conversation of its question, and end the run that waits for it.

        Again, it changes nothing; neither does it where the question has been erased meanwhile.
        """
        done = await self._store.get(number)
        if done is None or not done.reply:
            return
        exchange = exchange_of(done.number, done.run_id)
        answer = await self.answer(done)
        await self._memory.remember(
            done.conversation_id, done.question, answer, user_key=done.person, exchange=exchange
        )
        if done.run_id:
            await self._runs.end(done.run_id, "complete", {"label": answer.label, "exchange": exchange})
            await self._runs.flush()

    async def answer(self, done: PassedQuestion) -> Answer:
        """Return the reply of a person as an answer, which no check has read."""
        is_named = self.are_named if done.is_named is None else done.is_named
        name = (await self._users.get(done.replied_by)).name if done.replied_by and is_named else ""
        text = f"**{name.replace('*', '')}:** {done.reply}" if name else done.reply
        verdict = Verdict("adequate", Reason("verdict-person"), 1.0, "person")
        language = detect(done.reply, "en")
        return Answer(done.question, text, "person", language, verdict, (), (), False, 0, Usage(), 0.0, ())

    async def get(self, number: int) -> PassedQuestion | None:
        """Return a question."""
        return await self._store.get(number)

    async def withdraw(self, run_id: str) -> None:
        """Withdraw the question whose reply a run waits for."""
        await self._store.withdraw(run_id)

    async def open(self) -> tuple[PassedQuestion, ...]:
        """Return the questions that nobody has answered, the oldest first."""
        return await self._store.open()

    async def remind(self) -> None:
        """Ask again about what waits for a day, for a week; forget what nobody needs any more."""
        now = self._clock()
        for one in await self._store.take_due(now - REMINDED_AFTER):
            if now - one.asked_at < _MOST_REMINDERS:
                await self._tell(PASSED, one, f"{now:%Y%m%d}")
        for run_id in await self._store.prune(FORGOTTEN_AFTER):
            await self._runs.end(run_id, "cancelled")

    async def _tell(self, kind: str, about: PassedQuestion, when: str) -> None:
        payload = json.dumps({"number": about.number})
        await self._submit(f"{kind}:{about.number}:{when}", kind, payload, about.person)
