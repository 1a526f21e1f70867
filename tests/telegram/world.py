"""The state of the Telegram server of one bot: chats, accounts, files, button presses, commands."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from tests.telegram.chats import Account, Chat, ChatKind, Clock, Message, Press, new_message
from tests.telegram.entities import Formatted, Wire
from tests.telegram.refusals import bad_request, forbidden, migrated
from tests.telegram.updates import Update, UpdateQueue


@dataclass(frozen=True)
class StoredFile:
    """A sent file; `size` is what Telegram declares, in bytes, and may be more than the content has."""

    file_id: str
    path: str
    name: str
    mime_type: str
    content: bytes
    size: int

    def wire(self) -> Wire:
        return {
            "file_id": self.file_id,
            "file_unique_id": f"unique-{self.file_id}",
            "file_name": self.name,
            "mime_type": self.mime_type,
            "file_size": self.size,
        }


@dataclass
class Webhook:
    url: str = ""
    secret_token: str = ""
    max_connections: int = 40
    last_error_date: int | None = None
    last_error_message: str = ""


@dataclass
class World:
    """The state behind the methods; code that reads or changes it must hold the lock.

    Args:
        draft_seconds: How long a draft can be seen after its last change.
        callback_seconds: How long a button press can be answered. Telegram documents no number.
        privacy_mode: In groups the bot gets only commands, replies to it, mentions and service messages.
    """

    bot: Account
    clock: Clock
    updates: UpdateQueue
    draft_seconds: float = 30.0
    callback_seconds: float = 60.0
    privacy_mode: bool = False
    lock: Any = field(default_factory=threading.RLock)
    chats: dict[int, Chat] = field(default_factory=dict)
    accounts: dict[int, Account] = field(default_factory=dict)
    files: dict[str, StoredFile] = field(default_factory=dict)
    presses: dict[str, Press] = field(default_factory=dict)
    commands: dict[tuple[str, str], list[Wire]] = field(default_factory=dict)
    descriptions: dict[tuple[str, str], str] = field(default_factory=dict)
    menu_button: Wire = field(default_factory=lambda: {"type": "default"})
    webhook: Webhook = field(default_factory=Webhook)
    # Called when the webhook or a chat changes which updates are to be delivered.
    on_change: Callable[[], None] = lambda: None
    _ids: itertools.count[int] = field(default_factory=lambda: itertools.count(1))
    _private_ids: itertools.count[int] = field(default_factory=lambda: itertools.count(1))

    def new_id(self) -> int:
        return next(self._ids)

    def account(self, first_name: str, **fields: Any) -> Account:
        account = Account(fields.pop("id", None) or 500_000_000 + self.new_id(), first_name, **fields)
        self.accounts[account.id] = account
        return account

    def new_chat(self, kind: ChatKind, title: str, chat_id: int | None = None, **fields: Any) -> Chat:
        """Make a new chat, with an id in the range that Telegram uses for its kind."""
        if chat_id is None:
            number = self.new_id()
            chat_id = -4_000_000 - number if kind == "group" else -1_001_000_000_000 - number
        chat = Chat(chat_id, kind, title, self.clock, **fields)
        self.chats[chat_id] = chat
        return chat

    def next_message_id(self, chat: Chat) -> int:
        """Return the next message id: one counter for all private chats and basic groups, one for each other chat."""
        if chat.kind in {"private", "group"}:
            return next(self._private_ids)
        chat.last_message_id += 1
        return chat.last_message_id

    def add_message(self, chat: Chat, sender: Account | None, formatted: Formatted, **fields: Any) -> Message:
        """Put a message into a chat; its date is now, unless a date is given."""
        date = int(fields.pop("date", None) or self.clock.now())
        return new_message(chat, self.next_message_id(chat), sender, date=date, formatted=formatted, **fields)

    def store_file(self, name: str, content: bytes, mime_type: str, size: int | None = None) -> StoredFile:
        number = self.new_id()
        folder = "photos" if mime_type.startswith("image/") else "documents"
        suffix = f".{name.rpartition('.')[2]}" if "." in name else ""
        stored = StoredFile(
            f"file-{number}",
            f"{folder}/file_{number}{suffix}",
            name,
            mime_type,
            content,
            len(content) if size is None else size,
        )
        self.files[stored.file_id] = stored
        return stored

    def send_update(self, kind: str, payload: Wire, lane: int) -> Update | None:
        return self.updates.push(kind, payload, lane)

    def answer_press(self, query_id: str, alert: str, *, show_alert: bool) -> None:
        """Show the answer to a button press, once and in time."""
        press = self.presses.get(query_id)
        if press is None or press.alert is not None or self.clock.now() > press.at + self.callback_seconds:
            raise bad_request("query is too old and response timeout expired or query ID is invalid")
        answered = replace(press, alert=alert, show_alert=show_alert)
        self.presses[query_id] = answered
        chat = press.message.chat
        chat.presses[chat.presses.index(press)] = answered

    def find_chat(self, chat_id: object) -> Chat:
        """Return the chat of a call; raise `Refusal` if there is none, or it has become a supergroup."""
        if chat_id is None or chat_id == "":
            raise bad_request("chat_id is empty")
        text = str(chat_id)
        if text.startswith("@"):
            chat = next((chat for chat in self.chats.values() if f"@{chat.username}" == text), None)
        else:
            chat = self.chats.get(int(text)) if text.lstrip("-").isdigit() else None
        if chat is None:
            raise bad_request("chat not found")
        if chat.migrated_to is not None:
            raise migrated(chat.migrated_to.id)
        return chat

    def find_writable_chat(self, chat_id: object) -> Chat:
        """Do the same as `find_chat` for a call that writes; raise 403 where the bot was removed."""
        chat = self.find_chat(chat_id)
        name = {"group": "group chat", "supergroup": "supergroup chat", "channel": "channel chat"}.get(
            chat.kind, ""
        )
        if chat.standing == "unstarted":
            raise forbidden("bot can't initiate conversation with a user")
        if chat.standing == "blocked":
            raise forbidden("bot was blocked by the user")
        if chat.standing == "kicked":
            raise forbidden(f"bot was kicked from the {name}")
        if chat.standing == "left":
            raise forbidden(f"bot is not a member of the {name}")
        return chat

    def role(self, chat: Chat, user_id: int) -> str:
        """Return a user's status in a chat, as getChatMember names it."""
        if user_id == self.bot.id:
            return {"blocked": "kicked", "unstarted": "left"}.get(chat.standing, chat.standing)
        return chat.members.get(user_id, "left")
