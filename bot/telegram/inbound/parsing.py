"""Parses raw updates into the values of `bot.service.incoming`. Pure: it neither calls Telegram nor stores.

An update that is not for the bot becomes `Ignored` with a reason. No update, however malformed, raises: one
bad update must not block the others.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from telegram import CallbackQuery, Chat, ChatMember, ChatMemberUpdated, Message, Update
from telegram.constants import ChatMemberStatus

from bot.service import incoming
from bot.service.incoming import Ignored, Incoming, Me
from bot.telegram.inbound import identities, mentions
from bot.telegram.inbound.identities import MalformedError, check_id, peer
from rag.language.visible import message_text

ALLOWED_UPDATES = (
    Update.MESSAGE,
    Update.EDITED_MESSAGE,
    Update.CALLBACK_QUERY,
    Update.MY_CHAT_MEMBER,
    "stopped_message_generation",
)
"""Kinds of updates to ask for. python-telegram-bot does not know the last one yet."""

# python-telegram-bot checks no types, so a missing or mistyped field fails where it is used.
_BROKEN = (AttributeError, LookupError, TypeError, ValueError, OverflowError, OSError, RecursionError)

SWITCHES = frozenset({"on", "off"})
"""Arguments of `/council` for administrators; any other argument is a question."""

_DEEPEST = 40
_SURROGATE = re.compile("[\ud800-\udfff]")
_CONTENT = (
    "animation", "audio", "checklist", "contact", "dice", "document", "game", "gift", "invoice", "live_photo",
    "location", "paid_media", "photo", "poll", "sticker", "story", "unique_gift", "venue", "video",
    "video_note", "voice",
)  # fmt: skip
_PRESENT = {ChatMemberStatus.OWNER, ChatMemberStatus.ADMINISTRATOR, ChatMemberStatus.MEMBER}


def clean(raw: dict[str, Any]) -> dict[str, Any]:
    """Return the update without lone surrogates, and without values nested deeper than Telegram's are.

    A lone surrogate is replaced by one UTF-16 unit, so that the offsets of entities stay right.
    """
    return {_text(key): _clean_value(value, 1) for key, value in raw.items()}


def parse_raw_update(raw: dict[str, Any], me: Me) -> Incoming:
    """Parse a raw update; a malformed one becomes `Ignored`."""
    try:
        update = Update.de_json(clean(raw))
    except _BROKEN as exc:
        return Ignored(_update_id(raw.get("update_id")), f"malformed: {type(exc).__name__}")
    return parse_update(update, me)


def parse_update(update: Update, me: Me) -> Incoming:
    """Parse an update of python-telegram-bot; a malformed one becomes `Ignored`."""
    update_id = _update_id(update.update_id)
    try:
        return _parse_by_kind(update, check_id(update.update_id), me)
    except _BROKEN as exc:
        what = str(exc) if isinstance(exc, MalformedError) else type(exc).__name__
        return Ignored(update_id, f"malformed: {what}")


def _parse_by_kind(update: Update, update_id: int, me: Me) -> Incoming:
    if update.message is not None:
        parts = [Message.de_json(raw) for raw in update.api_kwargs.get("parts", ())]
        return _message(update_id, update.message, me, parts, is_edit=False)
    if update.edited_message is not None:
        return _message(update_id, update.edited_message, me, (), is_edit=True)
    if update.callback_query is not None:
        return _press(update_id, update.callback_query)
    if update.my_chat_member is not None:
        return _presence(update_id, update.my_chat_member)
    if stopped := update.api_kwargs.get("stopped_message_generation"):
        chat = Chat.de_json(stopped["chat"])
        thread = stopped.get("message_thread_id")
        there = identities.place(chat)
        thread_id = None if thread is None else check_id(thread)
        return incoming.StoppedWatching(
            update_id, incoming.Place(there.chat_id, there.kind, thread_id, there.title)
        )
    return Ignored(update_id, "an update of a kind that the bot does not use")


def _message(
    update_id: int, message: Message, me: Me, parts: Sequence[Message], *, is_edit: bool
) -> Incoming:
    place = identities.place(message.chat, message)
    if message.migrate_to_chat_id is not None:
        return incoming.Migrated(update_id, place.chat_id, peer(message.migrate_to_chat_id))
    if message.migrate_from_chat_id is not None:
        return incoming.Migrated(update_id, peer(message.migrate_from_chat_id), place.chat_id)
    sender = identities.sender(message)
    if sender is None or (reason := _reason_to_ignore(message, place, sender)):
        return Ignored(update_id, reason if sender else "nobody can tell who wrote it")
    raw = message.text or message.caption or ""
    entities = message.entities if message.text else message.caption_entities
    sent = incoming.Message(
        update_id=update_id,
        place=place,
        sender=sender,
        message_id=check_id(message.message_id),
        text=message_text(raw),
        sent_at=_moment(message.edit_date or message.date if is_edit else message.date),
        is_edit=is_edit,
        is_forwarded=message.forward_origin is not None,
        replied=identities.replied(message, me),
        files=tuple(file for each in parts or (message,) if (file := identities.file(each.document))),
        is_caption=not message.text and bool(message.caption),
    )
    command = mentions.command(raw, entities, me)
    if command is not None:
        return _command(sent, command)
    mention = mentions.mention(raw, entities, me)
    recording = None if is_edit else identities.recording(message)
    if recording is not None and not me.hears:
        heard = _parse_words(sent, raw, mention, None, has_media=True)
        return replace(heard, is_spoken=True) if isinstance(heard, incoming.Unreadable) else heard
    return _parse_words(sent, raw, mention, recording, has_media=not message.text)


def _reason_to_ignore(message: Message, place: incoming.Place, sender: incoming.Sender) -> str:
    if place.kind == "channel":
        return "a post of a channel"
    if message.is_automatic_forward:
        return "a post of the linked channel"
    if sender.kind == "bot" or message.via_bot is not None or message.sender_business_bot is not None:
        return "written by a bot"
    if not (message.text or message.caption) and not any(getattr(message, part) for part in _CONTENT):
        return "a message about the chat itself"
    return ""


def _command(sent: incoming.Message, command: mentions.Command) -> Incoming:
    if not command.is_mine:
        return Ignored(sent.update_id, "a command to another bot")
    if sent.is_forwarded:
        return Ignored(sent.update_id, "a forwarded command")
    argument = message_text(command.argument)
    if command.name == "ask" or (command.name == "council" and argument.casefold() not in SWITCHES):
        work: incoming.AskedWork = "council" if command.name == "council" else "answer"
        if argument:
            return incoming.Asked(sent, argument, "command", work)
        if (replied := sent.replied) and replied.text and not replied.is_mine:
            return incoming.Asked(sent, replied.text, "command", work)
        if replied and work == "council":  # about the question of that answer
            return incoming.Asked(sent, "", "command", work)
    if sent.is_edit:
        return Ignored(sent.update_id, "an edited command")
    return incoming.Commanded(sent, command.name, argument)


def _parse_words(
    sent: incoming.Message,
    raw: str,
    mention: mentions.Mention | None,
    recording: incoming.Recording | None,
    *,
    has_media: bool,
) -> Incoming:
    is_private = sent.place.kind == "private"
    replied = sent.replied
    if is_private:
        address: incoming.Address = "private"
    elif sent.is_forwarded:
        return incoming.Overheard(sent)
    elif mention is not None:
        address = "mention"
    elif replied is not None and replied.is_mine:
        address = "reply"
    else:
        return incoming.Overheard(sent)
    if text := message_text(raw if mention is None else mention.rest):
        return incoming.Asked(sent, text, address)
    if recording is not None:
        return incoming.Asked(sent, "", address, recording=recording)
    if mention is not None and not has_media:
        # A bare mention: "look at this" below a message, or "are you there?"
        if replied is not None and replied.text and not replied.is_mine:
            return incoming.Asked(sent, replied.text, address)
        if not sent.is_edit:
            return incoming.Commanded(sent, "start")
    return (
        Ignored(sent.update_id, "an edit that holds no words") if sent.is_edit else incoming.Unreadable(sent)
    )


def _press(update_id: int, query: CallbackQuery) -> Incoming:
    if query.message is None or not isinstance(query.data, str):
        return Ignored(update_id, "a press without a message or without data")
    message = query.message if isinstance(query.message, Message) else None
    place = identities.place(query.message.chat, message)
    if place.kind == "channel":
        return Ignored(update_id, "a press in a channel")
    return incoming.Pressed(
        update_id,
        place,
        identities.person(query.from_user),
        check_id(query.message.message_id),
        query.id,
        message_text(query.data)[:64],
    )


def _presence(update_id: int, change: ChatMemberUpdated) -> Incoming:
    place = identities.place(change.chat)
    if place.kind == "channel":
        return Ignored(update_id, "membership of a channel")
    return incoming.Presence(
        update_id, place, _is_present(change.new_chat_member), identities.person(change.from_user)
    )


def _is_present(member: ChatMember) -> bool:
    return member.status in _PRESENT or bool(getattr(member, "is_member", False))


def _moment(value: object) -> datetime:
    if not isinstance(value, datetime) or value.tzinfo is None:
        raise MalformedError("a message has no time")
    return value


def _update_id(value: object) -> int:
    try:
        return check_id(value)
    except MalformedError:
        return 0


def _clean_value(value: Any, depth: int) -> Any:  # noqa: ANN401 - JSON
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, dict | list) and depth >= _DEEPEST:
        return None
    if isinstance(value, dict):
        return {_text(key): _clean_value(part, depth + 1) for key, part in value.items()}
    if isinstance(value, list):
        return [_clean_value(part, depth + 1) for part in value]
    return value


def _text(value: str) -> str:
    return _SURROGATE.sub("\ufffd", value)
