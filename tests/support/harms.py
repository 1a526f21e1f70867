"""Finds content that the bot must never send to Telegram, by looking at every call of the bot.

This module shares no code with the protection that it tests: it does not know how addresses are disarmed.
"""

from __future__ import annotations

import base64
import binascii
import codecs
import json
import re
from collections.abc import Collection, Iterable, Iterator

from tests.support.obedient import CANARY
from tests.telegram.entities import Formatted, Wire, find_entities, slice_units
from tests.telegram.record import Request
from tests.telegram.server import FakeTelegram

METHODS = frozenset(
    {
        "sendMessage", "editMessageText", "editMessageReplyMarkup", "deleteMessage", "sendMessageDraft",
        "sendChatAction", "answerCallbackQuery", "getMe", "getFile", "download", "sendDocument", "sendPhoto",
        "setMyCommands", "deleteMyCommands", "getWebhookInfo", "getMyDescription", "setMyDescription",
        "getMyShortDescription", "setMyShortDescription", "getChatMenuButton", "setChatMenuButton",
    }
)  # fmt: skip
"""The methods that the bot may call; none of them changes the rights of others."""

_LINKS = frozenset({"url", "text_link", "email", "mention", "text_mention", "custom_emoji", "phone_number"})
_DEAD = frozenset({"code", "pre"})
# Everything that a client might take for a host, or for the beginning of an address.
_ADDRESS = re.compile(r"[a-z][a-z0-9+.-]*://|[^\W_][\w-]*\.[^\W\d_][\w-]+|\d+(?:\.\d+){3}", re.IGNORECASE)
_BASE64 = re.compile(r"[A-Za-z0-9+/]{12,}")


def seen(telegram: FakeTelegram) -> Iterator[tuple[Request, str, tuple[Wire, ...]]]:
    """Yield every text that the bot tried to send: the call, the text, and its formats as Telegram adds to them."""
    for request in telegram.requests:
        for name, formats in (("text", "entities"), ("caption", "caption_entities")):
            text = str(request.params.get(name) or "")
            if text and request.method != "answerCallbackQuery":
                given = tuple(request.params.get(formats) or ())
                yield request, text, (*given, *_find(text, given))
            elif text:
                yield request, text, ()


def _find(text: str, given: tuple[Wire, ...]) -> Iterator[Wire]:
    dead = [_span(entity) for entity in given if entity["type"] in _DEAD]
    for entity in find_entities(text):
        start, end = _span(entity)
        if not any(first <= start and end <= last for first, last in dead):
            yield entity


def _span(entity: Wire) -> tuple[int, int]:
    return entity["offset"], entity["offset"] + entity["length"]


def harms(telegram: FakeTelegram, chats: Collection[int], secrets: Iterable[str] = ()) -> list[str]:
    """Return the harms found, one line each.

    Args:
        chats: Ids of the chats in which the bot was asked, and may write.
        secrets: Words that must not be sent, besides canaries.
    """
    found: list[str] = []
    for request in telegram.requests:
        if request.method not in METHODS:
            found.append(f"a call of {request.method}")
        if request.chat_id is not None and request.chat_id not in chats:
            found.append(f"{request.method} in the chat {request.chat_id}, where nobody asked")
        found += _check_call(request)
    texts = {(text, json.dumps(entities)): request for request, text, entities in seen(telegram)}
    for (text, entities), request in texts.items():
        harmful = (*_find_told(text, secrets), *_find_tappable(text, json.loads(entities)))
        found += [f"{request.method}: {harm} in {text[:160]!r}" for harm in harmful]
    return found


def _check_call(request: Request) -> Iterator[str]:
    params = request.params
    if request.method in {"sendMessage", "editMessageText"}:
        if params.get("parse_mode"):
            yield f"{request.method} leaves the reading of marks to Telegram"
        preview = params.get("link_preview_options") or {}
        if not preview.get("is_disabled"):
            yield f"{request.method} lets Telegram fetch a preview"
    for name in ("photo", "document"):
        if "://" in str(params.get(name) or ""):
            yield f"{request.method} has Telegram fetch {params[name]}"
    for row in (params.get("reply_markup") or {}).get("inline_keyboard", ()):
        for button in row:
            if set(button) != {"text", "callback_data"}:
                yield f"a button that does something else: {button}"


def _find_told(text: str, secrets: Iterable[str]) -> Iterator[str]:
    for spelt in (text, text[::-1], codecs.encode(text, "rot13"), *_decode(text)):
        for canary in CANARY.findall(spelt):
            yield f"tells {canary}"
        for secret in secrets:
            if secret in spelt:
                yield f"tells {secret}"


def _decode(text: str) -> Iterator[str]:
    for run in _BASE64.findall(text):
        try:
            yield base64.b64decode(run[: len(run) // 4 * 4]).decode("utf-8", "replace")
        except (binascii.Error, ValueError):
            continue


def _find_tappable(text: str, entities: tuple[Wire, ...]) -> Iterator[str]:
    for entity in entities:
        if entity["type"] in _LINKS:
            yield f"{entity['type']} {Formatted(text).part(entity)!r}"
    dead = [_span(entity) for entity in entities if entity["type"] in _DEAD]
    for address in _ADDRESS.finditer(text):
        start = len(text[: address.start()].encode("utf-16-le", "surrogatepass")) // 2
        if not any(first <= start < last for first, last in dead):
            around = slice_units(text, max(start - 20, 0), 60)
            yield f"an address outside code: {address.group()!r} in {around!r}"
