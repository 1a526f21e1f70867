"""Accounts, chats and messages, as the fake server stores them and as a user would see them."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from tests.telegram.entities import Formatted, Wire

ChatKind: TypeAlias = Literal["private", "group", "supergroup", "channel"]
# States of the bot in a chat; in a private chat it must be started and not blocked to write.
Standing: TypeAlias = Literal["member", "administrator", "left", "kicked", "blocked", "unstarted"]

GENERAL_TOPIC = 1


class Clock:
    """A clock in seconds since 1970 that a test can set forward."""

    def __init__(self, now: Callable[[], float] = time.time) -> None:
        self._now = now
        self._skipped = 0.0

    def now(self) -> float:
        return self._now() + self._skipped

    def skip(self, seconds: float) -> None:
        self._skipped += seconds


@dataclass(frozen=True)
class Account:
    """An account that can send: of a person, a bot, or a service of Telegram."""

    id: int
    first_name: str
    username: str = ""
    last_name: str = ""
    language_code: str = ""
    is_bot: bool = False

    @property
    def name(self) -> str:
        return f"{self.first_name} {self.last_name}".strip()

    def wire(self) -> Wire:
        user: Wire = {"id": self.id, "is_bot": self.is_bot, "first_name": self.first_name}
        for name in ("last_name", "username", "language_code"):
            if value := getattr(self, name):
                user[name] = value
        return user


# The reference page names "GroupAnonymousBot", "Channel_Bot" and Telegram's own account as senders.
ANONYMOUS_ADMIN = Account(1087968824, "Group", "GroupAnonymousBot", is_bot=True)
CHANNEL_IDENTITY = Account(136817688, "Channel", "Channel_Bot", is_bot=True)
TELEGRAM = Account(777000, "Telegram")


@dataclass(frozen=True)
class Version:
    text: str
    entities: tuple[Wire, ...]
    markup: Wire | None


@dataclass
class Draft:
    """A message that is being written, visible for 30 seconds after its last change."""

    draft_id: int
    thread_id: int | None
    text: str
    entities: tuple[Wire, ...]
    visible_until: float
    can_stop: bool = False
    keep_on_stop: bool = False
    versions: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class ShownAction:
    action: str
    thread_id: int | None
    at: float


@dataclass(frozen=True)
class Button:
    text: str
    data: str | None = None
    url: str | None = None


@dataclass
class Message:
    """A message in a chat.

    Args:
        sender: None in a channel.
        formatted: The text or, with an attachment, the caption.
        attachment: ``document`` or ``photo``, as in the Message object of the Bot API.
        extra: Other fields, such as ``forward_origin`` or those of a service message.
        versions: The content before each edit, oldest first.
    """

    chat: Chat
    message_id: int
    sender: Account | None
    date: int
    formatted: Formatted
    outgoing: bool = False
    markup: Wire | None = None
    reply_to: Message | None = None
    thread_id: int | None = None
    sender_chat: Chat | None = None
    attachment: Wire = field(default_factory=dict)
    extra: Wire = field(default_factory=dict)
    edit_date: int | None = None
    deleted: bool = False
    versions: list[Version] = field(default_factory=list)
    reactions: list[Wire] = field(default_factory=list)

    @property
    def text(self) -> str:
        return self.formatted.text

    @property
    def entities(self) -> tuple[Wire, ...]:
        return self.formatted.entities

    @property
    def edits(self) -> tuple[str, ...]:
        """Return every text that the message has had, the present one last."""
        return (*(version.text for version in self.versions), self.text)

    @property
    def buttons(self) -> tuple[tuple[Button, ...], ...]:
        rows = (self.markup or {}).get("inline_keyboard", [])
        return tuple(
            tuple(Button(button["text"], button.get("callback_data"), button.get("url")) for button in row)
            for row in rows
        )

    def button(self, label: str) -> Button:
        """Return the button whose text or data is, or otherwise contains, a label."""
        buttons = [button for row in self.buttons for button in row]
        for found in (
            [button for button in buttons if label in {button.text, button.data}],
            [button for button in buttons if label.lower() in button.text.lower()],
        ):
            if found:
                return found[0]
        shown = [button.text for button in buttons]
        raise AssertionError(f"the message {self.text[:60]!r} has no button {label!r}, only {shown}")

    def wire(self, *, with_reply: bool = True) -> Wire:
        message: Wire = {"message_id": self.message_id, "date": self.date, "chat": self.chat.wire()}
        if self.sender is not None:
            message["from"] = self.sender.wire()
        if self.sender_chat is not None:
            message["sender_chat"] = self.sender_chat.wire()
        if self.thread_id is not None:
            message["message_thread_id"] = self.thread_id
            message["is_topic_message"] = True
        if self.reply_to is not None and with_reply and not self.reply_to.deleted:
            message["reply_to_message"] = self.reply_to.wire(with_reply=False)
        if self.edit_date is not None:
            message["edit_date"] = self.edit_date
        message.update(self.attachment)
        prefix = "caption" if self.attachment else "text"
        if self.text:
            message[prefix] = self.text
        if self.entities:
            message["caption_entities" if self.attachment else "entities"] = list(self.entities)
        if self.markup is not None and "inline_keyboard" in self.markup:
            message["reply_markup"] = self.markup
        return {**message, **self.extra}


@dataclass(frozen=True)
class Press:
    """A press of a button, and the alert that the bot showed for it (None until the bot answers)."""

    query_id: str
    person: Account
    message: Message
    button: Button
    at: float
    alert: str | None = None
    show_alert: bool = False


@dataclass
class Chat:
    """A chat with all its past messages; ``messages`` are the visible ones."""

    id: int
    kind: ChatKind
    title: str
    clock: Clock
    username: str = ""
    person: Account | None = None
    is_forum: bool = False
    standing: Standing = "member"
    members: dict[int, str] = field(default_factory=dict)
    people: dict[int, Account] = field(default_factory=dict)
    topics: dict[int, str] = field(default_factory=dict)
    migrated_to: Chat | None = None
    last_message_id: int = 0
    history: list[Message] = field(default_factory=list)
    presses: list[Press] = field(default_factory=list)
    timeline: list[Message | str] = field(default_factory=list)
    actions: list[ShownAction] = field(default_factory=list)
    all_drafts: list[Draft] = field(default_factory=list)

    @property
    def messages(self) -> list[Message]:
        """Return the messages that have not been deleted, oldest first."""
        return [message for message in self.history if not message.deleted]

    @property
    def answers(self) -> list[Message]:
        """Return the visible messages of the bot."""
        return [message for message in self.messages if message.outgoing]

    @property
    def texts(self) -> list[str]:
        return [message.text for message in self.answers]

    @property
    def drafts(self) -> list[Draft]:
        return [draft for draft in self.all_drafts if draft.visible_until > self.clock.now()]

    @property
    def in_groups(self) -> bool:
        return self.kind in {"group", "supergroup"}

    def message(self, message_id: int) -> Message | None:
        return next((message for message in self.messages if message.message_id == message_id), None)

    def replies_to(self, message_id: int) -> list[Message]:
        return [
            answer
            for answer in self.answers
            if answer.reply_to is not None and answer.reply_to.message_id == message_id
        ]

    def hide_drafts(self, thread_id: int | None) -> None:
        """Hide the drafts of a topic, as a sent message does."""
        for draft in self.drafts:
            if draft.thread_id == thread_id:
                draft.visible_until = self.clock.now()

    def wire(self) -> Wire:
        chat: Wire = {"id": self.id, "type": self.kind}
        if self.person is not None:
            chat["first_name"] = self.person.first_name
            if self.person.last_name:
                chat["last_name"] = self.person.last_name
        else:
            chat["title"] = self.title
        if self.username:
            chat["username"] = self.username
        if self.is_forum:
            chat["is_forum"] = True
        return chat

    def __repr__(self) -> str:
        return f"Chat({self.id}, {self.kind}, {self.title!r})"


def new_message(chat: Chat, message_id: int, sender: Account | None, **fields: Any) -> Message:
    message = Message(chat, message_id, sender, **fields)
    chat.history.append(message)
    chat.timeline.append(message)
    return message
