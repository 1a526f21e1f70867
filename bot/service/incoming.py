"""Values that updates are parsed into: who said what, where, and what the bot is asked to do.

`bot.telegram.inbound.parsing` and `bot.matrix.parsing` make them; no later code reads a raw update.
Names and titles are for display only: rights depend on ids.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, TypeAlias

from bot.service import keys
from bot.service.keys import PeerId
from rag.reasons import Reason

PlaceKind = Literal["private", "group", "channel"]

SenderKind = Literal["person", "anonymous_admin", "channel", "bot"]
"""An anonymous admin writes as the group, a channel under its own name; neither has the id of a person."""

AskedWork = Literal["answer", "council"]
"""Who answers a question: the loop, or the council."""

Address = Literal["private", "mention", "reply", "command"]


@dataclass(frozen=True, slots=True)
class Me:
    """The bot's own account, as `getMe` returns it.

    Args:
        username: Its name after ``@``.
        hears: It understands recordings: voice messages are questions.
    """

    id: int
    username: str
    name: str = ""
    hears: bool = False


@dataclass(frozen=True, slots=True)
class Place:
    """A chat, and the topic in it.

    Args:
        thread_id: The topic, or None outside topics (also in the topic "General").
        title: The group's title or the person's name, for display.
    """

    chat_id: PeerId
    kind: PlaceKind
    thread_id: int | None = None
    title: str = ""

    @property
    def lane(self) -> str:
        """Return the lane's key: questions of one chat and topic are answered one at a time, in order."""
        return keys.lane(self.chat_id, self.thread_id)

    @property
    def conversation_id(self) -> str:
        """Return the key of the conversation of this chat and topic."""
        return keys.conversation_key(self.chat_id, self.thread_id)


@dataclass(frozen=True, slots=True)
class Sender:
    """The sender of a message, or the person who pressed a button.

    Args:
        id: The person's id; the chat's id for an anonymous admin and for a channel.
        kind: The kind of identity; only a person can have a role.
        name: For display and for the history of a group.
        language: ISO 639-1 code of the language of the person's program, or an empty string.
        username: The person's name after ``@``, or an empty string.
    """

    id: PeerId
    kind: SenderKind
    name: str = ""
    language: str = ""
    username: str = ""


@dataclass(frozen=True, slots=True)
class File:
    """A file sent to the bot, not downloaded yet. `size` in bytes, None when the channel does not tell it."""

    id: str
    name: str
    size: int | None = None


@dataclass(frozen=True, slots=True)
class Recording:
    """Spoken words: a voice message or a round video message. They are not downloaded yet."""

    file: File
    seconds: int


@dataclass(frozen=True, slots=True)
class Replied:
    """The message that another message replies to.

    Args:
        is_mine: The bot wrote it.
        text: Text or caption, or the part of it that was quoted.
        author_id: Id of the person who wrote it; None for the bot, other bots, groups and channels.
    """

    message_id: int
    is_mine: bool
    author: str = ""
    text: str = ""
    file: File | None = None
    author_id: PeerId | None = None


@dataclass(frozen=True, slots=True)
class Message:
    """A message as it was sent.

    Args:
        text: Text or caption, without invisible characters; empty when there is none.
        sent_at: When it was sent, or last edited.
        is_edit: It replaces the text of an earlier message with the same id.
        files: The attached files; several of an album.
        is_caption: The text is the caption of a file, a picture or a recording.
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
    files: tuple[File, ...] = ()
    is_caption: bool = False

    @property
    def file(self) -> File | None:
        """Return the first attached file, or None."""
        return next(iter(self.files), None)


@dataclass(frozen=True, slots=True)
class Asked:
    """A question to the bot.

    Args:
        text: The question without the mention or the command before it; what was understood of a recording,
            and empty before that.
        unheard: Why nothing was understood of the recording, or None.
    """

    message: Message
    text: str
    address: Address
    work: AskedWork = "answer"
    recording: Recording | None = None
    unheard: Reason | None = None

    @property
    def fingerprint(self) -> str:
        """Return a hash that changes when the question's words, or who is to answer, are edited."""
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
    """A press of a button under one of the bot's messages; `payload` is the button's callback data."""

    update_id: int
    place: Place
    sender: Sender
    message_id: int
    callback_id: str
    payload: str


@dataclass(frozen=True, slots=True)
class Overheard:
    """A group message that does not address the bot."""

    message: Message


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A message to the bot without readable text: a picture, a sticker, or one that is spoken."""

    message: Message
    is_spoken: bool = False


@dataclass(frozen=True, slots=True)
class StoppedWatching:
    """A press of the stop button that the channel's own program shows under a draft."""

    update_id: int
    place: Place


@dataclass(frozen=True, slots=True)
class Presence:
    """The bot was blocked, removed, unblocked or added; `by` is the person who did it."""

    update_id: int
    place: Place
    is_active: bool
    by: Sender | None = None


@dataclass(frozen=True, slots=True)
class Migrated:
    """A group became a supergroup and has a new id."""

    update_id: int
    old_chat_id: PeerId
    new_chat_id: PeerId


@dataclass(frozen=True, slots=True)
class Ignored:
    """An update that needs no action; `reason` is for the log."""

    update_id: int
    reason: str


Incoming: TypeAlias = (
    Asked | Commanded | Pressed | Overheard | Unreadable | StoppedWatching | Presence | Migrated | Ignored
)
