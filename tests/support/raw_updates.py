"""Updates as Telegram sends them: accounts, chats and messages as JSON, and how the bot reads them."""

from __future__ import annotations

from typing import Any

import regex

from bot.service import incoming as v
from bot.telegram.inbound.parsing import parse_raw_update

ME = v.Me(7, "HandbookBot", "Handbook")
ANN: dict[str, Any] = {
    "id": 42, "is_bot": False, "first_name": "Ann", "last_name": "Lee", "language_code": "pt-br",
}  # fmt: skip
BOB = {"id": 43, "is_bot": False, "first_name": "Bob"}
BOT = {"id": 7, "is_bot": True, "first_name": "Handbook", "username": "HandbookBot"}
OTHER_BOT = {"id": 8, "is_bot": True, "first_name": "Other", "username": "OtherBot"}
TELEGRAM = {"id": 777000, "is_bot": False, "first_name": "Telegram"}
ANONYMOUS = {"id": 1087968824, "is_bot": True, "first_name": "Group", "username": "GroupAnonymousBot"}
CHANNEL_BOT = {"id": 136817688, "is_bot": True, "first_name": "Channel", "username": "Channel_Bot"}
PRIVATE = {"id": 42, "type": "private", "first_name": "Ann", "last_name": "Lee"}
GROUP = {"id": -1001, "type": "supergroup", "title": "Team"}
CHANNEL = {"id": -1009, "type": "channel", "title": "News"}
DATE = 1_790_000_000
FORWARD = {"type": "user", "sender_user": BOB, "date": DATE}


def units(text: str) -> int:
    """Return the length of a text as Telegram counts it."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def entity(text: str, part: str, kind: str, **more: Any) -> dict[str, Any]:
    """Return an entity of Telegram, such as a mention, that covers the first occurrence of `part` in `text`."""
    return {"type": kind, "offset": units(text[: text.index(part)]), "length": units(part), **more}


def message(
    text: str | None = None, /, chat: Any = PRIVATE, sender: Any = ANN, **more: Any
) -> dict[str, Any]:
    """Return a message; a command at the start and mentions get their entities as Telegram gives them."""
    made: dict[str, Any] = {"message_id": 5, "date": DATE, "chat": chat, "from": sender, **more}
    if text is not None:
        field, entities = ("caption", "caption_entities") if "caption_of" in more else ("text", "entities")
        made[field] = text
        found = [
            entity(text, match[0], "bot_command" if match[0].startswith("/") else "mention")
            for match in regex.finditer(r"(?<!\S)/[A-Za-z0-9_]+(?:@\w+)?|(?<!\w)@\w+", text)
        ]
        made.setdefault(entities, found)
    made.pop("caption_of", None)
    return made


def incoming(kind: str, payload: Any, update_id: int = 1) -> v.Incoming:
    return parse_raw_update({"update_id": update_id, kind: payload}, ME)


def heard(*args: Any, **more: Any) -> v.Incoming:
    return incoming("message", message(*args, **more))


def reply(text: str | None = "the answer", sender: Any = BOT, **more: Any) -> dict[str, Any]:
    """Return a message of the group that may be replied to; it is the bot's unless a sender is given."""
    return message(text, chat=GROUP, sender=sender) | {"message_id": 4} | more


TOPIC_START = reply(None, forum_topic_created={"name": "Topic", "icon_color": 1})
DOCUMENT = {
    "file_id": "F1",
    "file_unique_id": "u",
    "file_name": "rules.pdf",
    "file_size": 9,
    "mime_type": "application/pdf",
}
PHOTO = [{"file_id": "P", "file_unique_id": "p", "width": 1, "height": 1}]
