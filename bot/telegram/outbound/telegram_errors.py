"""Classifies the errors of Telegram, in one table for all calls.

The descriptions are not part of Telegram's contract, so known words in them are matched. An unknown bad
request is `REFUSED` and not tried again, because it stays a bad request.
"""

from __future__ import annotations

from datetime import timedelta
from enum import Enum
from typing import Final

import httpx
from telegram.error import (
    BadRequest,
    ChatMigrated,
    Conflict,
    EndPointNotFound,
    Forbidden,
    InvalidToken,
    NetworkError,
    RetryAfter,
    TelegramError,
)


class Refused(Enum):
    """Why a call was not carried out."""

    FLOOD = "too many calls to this chat: wait as long as Telegram says"
    NETWORK = "no answer: it may have arrived or not"
    MIGRATED = "the group has another id now"
    CHAT_GONE = "the bot was blocked or removed, or there is no such chat"
    NO_RIGHTS = "the bot may not write here"
    UNCHANGED = "the message is like that already"
    MARKUP = "the formatting was not understood"
    MESSAGE_GONE = "the message to change is not there, or may not be changed any more"
    REPLY_GONE = "the message to reply to is not there"
    THREAD_GONE = "the topic is not there"
    UNAUTHORIZED = "the token works no more"
    UNKNOWN_METHOD = "this server does not know the method"
    REFUSED = "refused for another reason"


_DESCRIPTIONS: tuple[tuple[Refused, tuple[str, ...]], ...] = (
    (Refused.UNCHANGED, ("message is not modified",)),
    (
        Refused.REPLY_GONE,
        ("message to be replied not found", "reply message not found", "replied message not found"),
    ),
    (
        Refused.MESSAGE_GONE,
        (
            "message to edit not found",
            "message can't be edited",
            "message_id_invalid",
            "message to delete not found",
            "message can't be deleted",
            "message identifier is not specified",
        ),
    ),
    (Refused.THREAD_GONE, ("message thread not found", "topic_deleted")),
    (Refused.MARKUP, ("can't parse", "entity_", "entities_", "wrong entity")),
    (Refused.CHAT_GONE, ("chat not found", "peer_id_invalid", "group chat was deactivated")),
    (
        Refused.NO_RIGHTS,
        (
            "not enough rights",
            "no rights to send",
            "need administrator rights",
            "chat_write_forbidden",
            "chat_restricted",
            "chat_send_",
            "topic_closed",
        ),
    ),
)


_NEVER_SENT: Final = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)


def reason(error: TelegramError) -> Refused:
    """Return why a call was not carried out; in python-telegram-bot a `BadRequest` is a `NetworkError`."""
    match error:
        case RetryAfter():
            return Refused.FLOOD
        case ChatMigrated():
            return Refused.MIGRATED
        case BadRequest():
            return _describe(error.message, Refused.REFUSED)
        case Forbidden():
            # Also the response where the bot is a member that may not write.
            found = _describe(error.message, Refused.CHAT_GONE)
            return found if found is Refused.NO_RIGHTS else Refused.CHAT_GONE
        case InvalidToken() if error.message.startswith("Unauthorized"):
            return Refused.UNAUTHORIZED
        case InvalidToken() if error.message.startswith("Not Found"):
            return Refused.UNKNOWN_METHOD
        case EndPointNotFound():
            return Refused.UNKNOWN_METHOD
        case NetworkError():
            # A 429 without parameters is raised as this.
            return Refused.FLOOD if error.message.startswith("Too Many Requests") else Refused.NETWORK
        case Conflict():
            return Refused.REFUSED
        case _:
            # The body is not Telegram's, also with 401 and 404: it comes from a proxy.
            return Refused.NETWORK


def may_have_arrived(error: TelegramError) -> bool:
    """Return whether Telegram may have carried out a failed call: perhaps only the response was lost."""
    # python-telegram-bot keeps the error of the HTTP client as the cause.
    return reason(error) is Refused.NETWORK and not isinstance(error.__cause__, _NEVER_SENT)


def pause(error: TelegramError, default_seconds: float) -> float:
    """Return the seconds that Telegram asks to wait, or the default where it names none."""
    if not isinstance(error, RetryAfter):
        return default_seconds
    wanted = error.retry_after
    return wanted.total_seconds() if isinstance(wanted, timedelta) else float(wanted)


def _describe(description: str, default: Refused) -> Refused:
    text = description.casefold()
    return next(
        (refused for refused, known in _DESCRIPTIONS if any(words in text for words in known)), default
    )
