"""A Telegram server for tests: the Bot API over HTTP on loopback, and the people who use the bot.

    with FakeTelegram() as telegram:                    # or: async with
        ann = telegram.user("Ann", language_code="en")
        chat = telegram.private(ann)
        # start the bot with THINKTWICE_TELEGRAM__API_URL=telegram.url, …__TOKEN=telegram.token
        asked = ann.says(chat, "Which Java do we use?")
        answer = telegram.wait_until(lambda: chat.replies_to(asked.message_id))[0]    # or: await telegram.until
        ann.presses(answer, "useful")
        print(telegram.transcript(chat))

It runs in a thread of its own, so it outlives bots that are killed and restarted, and serves both sync and
async tests. python-telegram-bot takes ``telegram.base_url`` and ``telegram.base_file_url``.

**People** (tests.telegram.people): ``says``, ``edits``, ``touches`` (an edited_message without a new text),
``deletes``, ``presses``, ``sends_file``, ``forwards``, ``reacts``, ``stops`` (a draft), ``blocks``, ``unblocks``,
``changes_standing`` (of the bot in a group). Each returns a ``Sent`` with ``update_id`` and ``message_id``. Others:
``telegram.anonymous_admin(group)``, ``.channel_identity(channel)``, ``.linked_channel(channel)``; ``telegram.channel``
makes a channel, into which ``says`` puts a post.

**Chats** (tests.telegram.chats): ``telegram.private(person)``, ``.group(title, people, is_forum=…)``, ``.topic(group,
name)``, ``.migrate(group)``. Visible now: ``chat.messages``, ``chat.answers`` (the bot's), ``chat.texts``,
``chat.replies_to(message_id)``, ``chat.drafts`` (``all_drafts`` with their versions), ``chat.actions``, ``chat.presses``
(with the alert shown); ``message.text``, ``.entities``, ``.buttons``, ``.edits``, ``.reply_to``, ``.reactions``.

**Calls**: ``telegram.requests`` has every call in order, ``telegram.calls("sendMessage", chat)`` those of one method,
with ``params``, ``at``, ``status``, ``done`` (the call had its effect) and ``given_up`` (the client was gone before the answer).

**Updates**: ``telegram.pending`` (unconfirmed), ``.delivered`` (how often each id went out), ``.redeliver(update_id)``,
``.restart_ids_at(n)``, ``.clock.skip(seconds)`` (after 25 hours waiting updates are gone), ``says(…, ago=seconds)``.

**Faults**: ``fail_next(method, status=429, retry_after=3)``, ``garbage_next`` (a proxy's page), ``hang_next`` (a time-out;
``after=True``: though accepted), ``drop_next`` (closed before the effect), ``lose_next`` (closed after the effect), ``slow_next(…, seconds=…)``, each with
``chat_id``, ``times`` and ``where`` (a function of the Request); ``cut_polls()`` closes the running long poll;
``with telegram.hold("sendMessage", after=True) as gate`` holds calls (``gate.waiting``) until its end.
Files are downloaded by the method name ``download``.

**Limits** (tests.telegram.limits) are off unless asked for: ``FakeTelegram(rates=Rates())`` has Telegram's,
``Rates(group=(20, 2.0))`` gives a minute two seconds.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Any, Self, TypeVar

from tests.telegram import transcript as transcripts
from tests.telegram import waiting
from tests.telegram.about_commands import commands_seen
from tests.telegram.calls import Switchboard
from tests.telegram.chats import (
    ANONYMOUS_ADMIN,
    CHANNEL_IDENTITY,
    TELEGRAM,
    Account,
    Chat,
    Clock,
    Message,
    Standing,
)
from tests.telegram.entities import Formatted, Wire
from tests.telegram.faults import Gate, Script
from tests.telegram.limits import NO_RATES, Limits, Rates
from tests.telegram.orders import Orders
from tests.telegram.people import Person, Sent
from tests.telegram.record import Request
from tests.telegram.running import ServerThread
from tests.telegram.updates import Update, UpdateQueue
from tests.telegram.webhook import Delivery
from tests.telegram.world import World

T = TypeVar("T")

TOKEN = "7000000001:AAF-fake-token-for-the-tests-0123456789"


class FakeTelegram(Orders):
    """A Bot API server with one bot.

    Args:
        draft_seconds: How long a draft is visible after its last change (30 at Telegram).
        privacy_mode: In groups the bot gets only messages that address it.
        webhook_delays: Seconds until the first retry of a webhook, and at most.
    """

    def __init__(
        self,
        *,
        token: str = TOKEN,
        name: str = "Think Twice",
        username: str = "thinktwice_bot",
        rates: Rates = NO_RATES,
        draft_seconds: float = 30.0,
        callback_seconds: float = 60.0,
        privacy_mode: bool = False,
        webhook_delays: tuple[float, float] = (0.05, 1.0),
        webhook_timeout: float = 10.0,
    ) -> None:
        self.token = token
        self.clock = Clock()
        self.bot = Account(int(token.partition(":")[0]), name, username, is_bot=True)
        self.limits = Limits(rates)
        self.script = Script()
        self.world = World(
            self.bot,
            self.clock,
            UpdateQueue(self.clock),
            draft_seconds=draft_seconds,
            callback_seconds=callback_seconds,
            privacy_mode=privacy_mode,
        )
        for account in (self.bot, ANONYMOUS_ADMIN, CHANNEL_IDENTITY, TELEGRAM):
            self.world.accounts[account.id] = account
        self._webhook = (*webhook_delays, webhook_timeout)
        self.board = Switchboard(self.world, token, self.limits, self.script)
        self._thread: ServerThread | None = None

    # ---- running

    @property
    def url(self) -> str:
        assert self._thread is not None, "the server is not running"
        return f"http://127.0.0.1:{self._thread.port}"

    @property
    def base_url(self) -> str:
        return f"{self.url}/bot"

    @property
    def base_file_url(self) -> str:
        return f"{self.url}/file/bot"

    def __enter__(self) -> Self:
        first, longest, timeout = self._webhook
        self._thread = ServerThread(
            self.board,
            lambda: Delivery(self.world, first_delay=first, longest_delay=longest, timeout=timeout),
        )
        self.world.on_change = self.world.updates.on_change = self._thread.look
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._thread is not None, "the server is not running"
        self._thread.close()

    async def __aenter__(self) -> Self:
        return await asyncio.to_thread(self.__enter__)

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await asyncio.to_thread(self.__exit__, kind, error, trace)

    def _in_loop(self, call: Callable[[], object]) -> None:
        if self._thread is not None:
            self._thread.call(call)

    # ---- people and chats

    def user(self, first_name: str, **fields: Any) -> Person:
        """Make a new user; fields as of ``Account``: username, last_name, language_code, is_bot, id."""
        with self.world.lock:
            return Person(self.world, self.world.account(first_name, **fields))

    def private(self, person: Person, *, started: bool = True, is_forum: bool = False) -> Chat:
        """Return the private chat of a person with the bot; make it if there is none."""
        with self.world.lock:
            if person.id in self.world.chats:
                return self.world.chats[person.id]
            return self.world.new_chat(
                "private",
                person.name,
                person.id,
                username=person.account.username,
                person=person.account,
                is_forum=is_forum,
                standing="member" if started else "unstarted",
            )

    def group(
        self,
        title: str,
        people: Sequence[Person] = (),
        *,
        admins: Sequence[Person] = (),
        is_forum: bool = False,
        basic: bool = False,
        standing: Standing = "member",
    ) -> Chat:
        """Make a supergroup with the bot in it; ``basic`` makes a small group, which can migrate."""
        with self.world.lock:
            chat = self.world.new_chat(
                "group" if basic else "supergroup", title, is_forum=is_forum, standing=standing
            )
            chat.members = dict.fromkeys((person.id for person in people), "member")
            chat.members |= dict.fromkeys((person.id for person in admins), "administrator")
            return chat

    def channel(self, title: str, *, standing: Standing = "administrator") -> Chat:
        """Make a channel; messages of a person there are posts."""
        with self.world.lock:
            return self.world.new_chat("channel", title, standing=standing)

    def topic(self, chat: Chat, name: str) -> int:
        """Make a topic of a forum (or of a private chat with topics); return its thread id."""
        with self.world.lock:
            assert chat.is_forum, "only a chat with is_forum=True has topics"
            thread_id = self.world.next_message_id(chat) + 1
            chat.last_message_id = max(chat.last_message_id, thread_id)
            chat.topics[thread_id] = name
            return thread_id

    def anonymous_admin(self, group: Chat) -> Person:
        return Person(self.world, ANONYMOUS_ADMIN, group)

    def channel_identity(self, channel: Chat) -> Person:
        """Return a person who writes in groups in the name of a channel."""
        return Person(self.world, CHANNEL_IDENTITY, channel)

    def linked_channel(self, channel: Chat) -> Person:
        """Return a channel whose posts Telegram forwards into its discussion group."""
        origin = {"type": "channel", "chat": channel.wire(), "message_id": 1, "date": int(self.clock.now())}
        return Person(self.world, TELEGRAM, channel, {"is_automatic_forward": True, "forward_origin": origin})

    def migrate(self, group: Chat, admin: Person) -> Chat:
        """Turn a basic group into a supergroup: both chats get the service message; the old id is refused."""
        with self.world.lock:
            new = self.world.new_chat("supergroup", group.title, members=dict(group.members))
            for chat, name, other in (
                (group, "migrate_to_chat_id", new),
                (new, "migrate_from_chat_id", group),
            ):
                message = self.world.add_message(chat, admin.account, Formatted(""), extra={name: other.id})
                self.world.send_update("message", message.wire(), chat.id)
            group.migrated_to = new
            return new

    def chat(self, chat_id: int) -> Chat:
        return self.world.chats[chat_id]

    def menu(self, person: Person, chat: Chat) -> list[Wire]:
        return commands_seen(self.world, chat.id, person.id)

    def transcript(self, chat: Chat | int) -> str:
        with self.world.lock:
            return transcripts.transcript(self.chat(chat) if isinstance(chat, int) else chat)

    # ---- updates

    @property
    def pending(self) -> list[Update]:
        with self.world.lock:
            return self.world.updates.pending

    @property
    def delivered(self) -> dict[int, int]:
        return dict(self.world.updates.delivered)

    @property
    def is_polled(self) -> bool:
        return bool(self.board.polls)

    def redeliver(self, update_id: int) -> None:
        """Deliver an update once more, confirmed or not."""
        with self.world.lock:
            self.world.updates.redeliver(update_id)

    def restart_ids_at(self, update_id: int) -> None:
        """Give the next update another id, as after a week without any."""
        with self.world.lock:
            self.world.updates.restart_at(update_id)

    def age(self, sent: Sent, seconds: float) -> None:
        """Make a message older, and the update that waits for the bot with it."""
        with self.world.lock:
            assert sent.message is not None, "there is no message"
            sent.message.date = int(sent.message.date - seconds)
            if sent.update is not None:
                sent.update.payload["date"] = sent.message.date

    def push(self, kind: str, payload: Wire, lane: int = 0) -> Update | None:
        """Send any update, also of an unknown kind."""
        with self.world.lock:
            return self.world.send_update(kind, payload, lane)

    def cut_polls(self) -> None:
        self._in_loop(self.board.cut_polls)

    # ---- looking

    @property
    def requests(self) -> list[Request]:
        return self.board.requests

    def calls(self, method: str, chat: Chat | int | None = None) -> list[Request]:
        chat_id = chat.id if isinstance(chat, Chat) else chat
        with self.world.lock:
            return [
                request
                for request in self.requests
                if request.method == method and chat_id in {None, request.chat_id}
            ]

    def wait_until(self, predicate: Callable[[], T], timeout: float = 15.0) -> T:
        """Wait for a condition, in a sync test; return its first true value."""
        return waiting.wait_until(predicate, timeout, self.report)

    async def until(self, predicate: Callable[[], T], timeout: float = 15.0) -> T:  # noqa: ASYNC109 - a deadline with a report
        """Wait for a condition, in an async test; return its first true value."""
        return await waiting.until(predicate, timeout, self.report)

    def report(self) -> str:
        with self.world.lock:
            calls = [
                f"{request.method} {dict(request.params)} -> {request.status} {request.description}"
                for request in self.requests[-20:]
            ]
            talks = [f"--- {chat!r}\n{transcripts.transcript(chat)}" for chat in self.world.chats.values()]
        return "\n".join(("last calls:", *calls, *talks))


__all__ = [
    "TOKEN",
    "Account",
    "Chat",
    "FakeTelegram",
    "Gate",
    "Message",
    "Person",
    "Rates",
    "Request",
    "Sent",
]
