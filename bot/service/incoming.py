"""What an update means, as values: who said what, where, and what it asks of the bot.

`bot.telegram.inbound.parsing` makes these from an update; nothing behind it looks at an update again.
Names and titles are for display only: rights come from ids.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, TypeAlias

from bot.service import keys

PlaceKind = Literal["private", "group", "channel"]

SenderKind = Literal["person", "anonymous_admin", "channel", "bot"]
"""An anonymous admin speaks as the group itself, a channel through its own name; both have no person's id."""

AskedWork = Literal["answer", "council"]
"""What is done for a question."""

Address = Literal["private", "mention", "reply", "command"]
"""Why a message is for the bot."""


@dataclass(frozen=True, slots=True)
class Me:
    """The bot itself, as `getMe` tells."""

    id: int
    username: str
    name: str = ""


@dataclass(frozen=True, slots=True)
class Place:
    """A chat, and the topic in it.

    Args:
        chat_id: Telegram's id; negative for groups.
        kind: A private chat, a group or supergroup, or a channel.
        thread_id: The topic, or None outside topics (also in the topic "General").
        title: The group's title or the person's name, for display.
    """

    chat_id: int
    kind: PlaceKind
    thread_id: int | None = None
    title: str = ""

    @property
    def lane(self) -> str:
        """What is worked on one at a time and in order."""
        return keys.lane(self.chat_id, self.thread_id)

    @property
    def conversation_id(self) -> str:
        """The conversation of this chat and topic."""
        return keys.conversation_key(self.chat_id, self.thread_id)


@dataclass(frozen=True, slots=True)
class Sender:
    """Who wrote or pressed.

    Args:
        id: The person's id; the chat's id for an anonymous admin and for a channel.
        kind: What kind of identity it is; only a person can have rights of their own.
        name: For display and for the history of a group.
        language: ISO 639-1 code of the person's Telegram, or an empty string.
    """

    id: int
    kind: SenderKind
    name: str = ""
    language: str = ""

    @property
    def key(self) -> str:
        """The person's key with messages and answered questions, by which they are exported and erased."""
        return keys.person_key(self.id)


@dataclass(frozen=True, slots=True)
class File:
    """A file sent to the bot; not downloaded yet. `size` in bytes, None when Telegram does not say."""

    id: str
    name: str
    size: int | None = None


@dataclass(frozen=True, slots=True)
class Replied:
    """The message that a message answers to.

    Args:
        message_id: Telegram's id inside the chat.
        is_mine: The bot wrote it.
        author: Name of whoever wrote it.
        text: Text or caption, or the part of it that was quoted.
        file: The file it carries.
        author_id: Id of the person who wrote it; None for the bot, other bots, groups and channels.
    """

    message_id: int
    is_mine: bool
    author: str = ""
    text: str = ""
    file: File | None = None
    author_id: int | None = None


@dataclass(frozen=True, slots=True)
class Message:
    """A message as it was sent.

    Args:
        update_id: The update that brought it.
        place: Where.
        sender: Who.
        message_id: Telegram's id inside the chat.
        text: Text or caption, without characters nobody can see; empty when there is none.
        sent_at: When it was sent, or edited.
        is_edit: It replaces the text of an earlier message with the same id.
        is_forwarded: Somebody else wrote it first.
        replied: What it answers to.
        file: The file it carries.
        is_caption: The text stands under a file, a picture or a recording.
    """

    update_id: int
    place: Place
    sender: Sender
    message_id: int
    text: str
    sent_at: datetime
    is_edit: bool = False
    is_forwarded: bool = False
    replied: Replied | None = None
    file: File | None = None
    is_caption: bool = False


@dataclass(frozen=True, slots=True)
class Asked:
    """A question to the bot.

    Args:
        message: The message that asks.
        text: The question without the mention or the command before it.
        address: Why it is for the bot.
        work: Who is asked: the bot, or its council.
    """

    message: Message
    text: str
    address: Address
    work: AskedWork = "answer"

    @property
    def fingerprint(self) -> str:
        """Tells an edit of the words, or of whom they ask, from one that changes something else."""
        replied = self.message.replied.text if self.message.replied else ""
        council = "\0council" if self.work == "council" else ""
        return hashlib.sha256(f"{self.text}\0{replied}{council}".encode("utf-8", "replace")).hexdigest()


@dataclass(frozen=True, slots=True)
class Commanded:
    """A command to the bot: `name` without slash, lower case; `argument` is the rest of the text."""

    message: Message
    name: str
    argument: str = ""


@dataclass(frozen=True, slots=True)
class Pressed:
    """A button under one of the bot's messages; `payload` is what the button carries."""

    update_id: int
    place: Place
    sender: Sender
    message_id: int
    callback_id: str
    payload: str


@dataclass(frozen=True, slots=True)
class Overheard:
    """A group message that is not for the bot."""

    message: Message


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A message to the bot that holds nothing it can read: a picture, a voice message, a sticker."""

    message: Message


@dataclass(frozen=True, slots=True)
class StoppedWatching:
    """The reader pressed Telegram's own stop button under a draft."""

    update_id: int
    place: Place


@dataclass(frozen=True, slots=True)
class Presence:
    """The bot was blocked, removed, unblocked or added; `by` is who did it."""

    update_id: int
    place: Place
    is_active: bool
    by: Sender | None = None


@dataclass(frozen=True, slots=True)
class Migrated:
    """A group became a supergroup and has another id now."""

    update_id: int
    old_chat_id: int
    new_chat_id: int


@dataclass(frozen=True, slots=True)
class Ignored:
    """Nothing to do; `reason` is for the log."""

    update_id: int
    reason: str


Incoming: TypeAlias = (
    Asked | Commanded | Pressed | Overheard | Unreadable | StoppedWatching | Presence | Migrated | Ignored
)
