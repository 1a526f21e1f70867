"""Parses the parts of a message: its place, sender, file and the message replied to. Pure.

Texts for display are cut to one short line without invisible characters. Ids are checked here, because
the database accepts no others and python-telegram-bot checks no types.
"""

from __future__ import annotations

import re
from pathlib import PurePosixPath

from telegram import Chat, Document, Message, MessageOriginUser, User
from telegram.constants import ChatID, ChatType

from bot.service.incoming import File, Me, Place, PlaceKind, Recording, Replied, Sender
from bot.service.keys import LARGEST_TELEGRAM_ID, PeerId
from bot.telegram.ids import to_peer
from rag.language.visible import message_text, one_line

_NAME_CHARACTERS = 120
_FILE_NAME_CHARACTERS = 200
_VOICE_NAME = "voice.ogg"
_VIDEO_NAME = "video.mp4"
"""Names of recordings, by whose endings a server of transcriptions tells the format."""
_KINDS: dict[str, PlaceKind] = {
    ChatType.PRIVATE: "private",
    ChatType.GROUP: "group",
    ChatType.SUPERGROUP: "group",
    ChatType.CHANNEL: "channel",
}


class MalformedError(ValueError):
    """An update contains a value that Telegram never sends."""


def check_id(value: object) -> int:
    """Return `value` if it is a valid id; raises `MalformedError` if it is no integer or too large."""
    if not isinstance(value, int) or isinstance(value, bool) or abs(value) > LARGEST_TELEGRAM_ID:
        raise MalformedError("an id is no number of Telegram's")
    return value


def peer(value: object) -> PeerId:
    """Return the id of a person or a chat for Telegram's number; raises what `check_id` raises."""
    return to_peer(check_id(value))


def name(text: object, longest: int = _NAME_CHARACTERS) -> str:
    """Return a name for display: one line of at most `longest` characters; empty for anything but text."""
    return one_line(text)[:longest].strip() if isinstance(text, str) else ""


def place(chat: Chat, message: Message | None = None) -> Place:
    """Return the chat of a message, and its topic if it is in one."""
    kind = _KINDS.get(chat.type)
    if kind is None:
        raise MalformedError("a chat is of a kind that Telegram does not have")
    # Replies in groups without topics have a thread id as well, which names no topic.
    thread = message.message_thread_id if message is not None and message.is_topic_message else None
    title = chat.title or " ".join(filter(None, (chat.first_name, chat.last_name))) or chat.username
    return Place(peer(chat.id), kind, None if thread is None else check_id(thread), name(title))


def person(user: User) -> Sender:
    """Return a person or a bot as a sender."""
    language = user.language_code.partition("-")[0].lower() if isinstance(user.language_code, str) else ""
    return Sender(
        peer(user.id),
        "bot" if user.is_bot else "person",
        name(" ".join(filter(None, (user.first_name, user.last_name)))) or name(user.username),
        language if re.fullmatch(r"[a-z]{2}", language) else "",
        name(user.username),
    )


def sender(message: Message) -> Sender | None:
    """Return who wrote a message; None when the message does not tell.

    Anonymous administrators and channels write through service accounts of Telegram, so only `sender_chat`
    tells who they are.
    """
    chat, user = message.sender_chat, message.from_user
    if chat is not None:
        is_admin = chat.id == message.chat.id and chat.type != ChatType.CHANNEL
        shown = message.author_signature if is_admin and message.author_signature else chat.title
        return Sender(peer(chat.id), "anonymous_admin" if is_admin else "channel", name(shown))
    if user is None or user.id in {ChatID.ANONYMOUS_ADMIN, ChatID.FAKE_CHANNEL, ChatID.SERVICE_CHAT}:
        return None
    return person(user)


def replied(message: Message, me: Me) -> Replied | None:
    """Return the message that `message` replies to, or None."""
    original = message.reply_to_message
    quoted = message.quote.text if message.quote is not None else ""
    if original is None:
        # A quote from another chat has no message in this chat.
        return Replied(0, is_mine=False, text=message_text(quoted)) if quoted else None
    if original.forum_topic_created is not None:
        # In topics every message "replies" to the message that opened the topic.
        return None
    author = sender(original)
    return Replied(
        check_id(original.message_id),
        is_mine=author is not None and author.kind == "bot" and author.id == to_peer(me.id),
        author=author.name if author else "",
        text=message_text(quoted or original.text or original.caption or ""),
        file=file(original.document),
        author_id=_author_id(original, author),
    )


def _author_id(original: Message, author: Sender | None) -> PeerId | None:
    """Return the id of a message's author; of a message forwarded in private, its first author."""
    if original.forward_origin is not None and original.chat.type == ChatType.PRIVATE:
        origin = original.forward_origin
        is_named = isinstance(origin, MessageOriginUser) and not origin.sender_user.is_bot
        return peer(origin.sender_user.id) if is_named else None  # type: ignore[attr-defined]  # named
    return author.id if author and author.kind == "person" else None


def recording(message: Message) -> Recording | None:
    """Return what was spoken in a voice message or a round video message, or None."""
    spoken, name = (message.voice, _VOICE_NAME) if message.voice else (message.video_note, _VIDEO_NAME)
    if spoken is None:
        return None
    if not isinstance(spoken.file_id, str):
        raise MalformedError("a recording has no id")
    size = spoken.file_size if isinstance(spoken.file_size, int) else None
    return Recording(File(spoken.file_id, name, size), _read_seconds(spoken.to_dict().get("duration")))


def _read_seconds(value: object) -> int:
    """Return a duration; from the raw value, because the property of the class warns of a change to come."""
    if not isinstance(value, int) or value < 0:
        raise MalformedError("a recording has no duration")
    return value


def file(document: Document | None) -> File | None:
    """Return the attached file, or None; its name has no folders and no invisible characters."""
    if document is None:
        return None
    last = PurePosixPath(name(document.file_name, 4096).replace("\\", "/")).name
    stem, dot, suffix = last.rpartition(".")
    longest = _FILE_NAME_CHARACTERS - len(dot + suffix)
    short = f"{stem[:longest]}{dot}{suffix}" if longest > 0 else last[:_FILE_NAME_CHARACTERS]
    if not isinstance(document.file_id, str):
        raise MalformedError("a file has no id")
    size = document.file_size if isinstance(document.file_size, int) else None
    return File(document.file_id, short or "file", size)
