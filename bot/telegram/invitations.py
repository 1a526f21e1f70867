"""Links that let one person in: whoever opens one and presses Start sends its code with `/start`.

A code says who made it and until when it works, and is signed with the bot's token, so that nothing is stored
before it is used.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
import struct
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from bot.service.keys import PeerId
from bot.telegram.ids import to_number, to_peer

# The bytes that tell one code from another, the end in seconds since 1970, and the administrator's number.
_FORM: Final = struct.Struct(">6sIQ")
_SIGNATURE_BYTES: Final = 12


@dataclass(frozen=True, slots=True)
class Invitation:
    """What a code says; `id` tells it from every other."""

    id: str
    admin: PeerId
    until: datetime


def make(token: str, admin: PeerId, until: datetime) -> str:
    """Return a new code of 40 characters; Telegram takes up to 64 letters, digits, `_` and `-`."""
    body = _FORM.pack(secrets.token_bytes(6), int(until.timestamp()), to_number(admin))
    return base64.urlsafe_b64encode(body + _sign(token, body)).decode()


def read(token: str, code: str) -> Invitation | None:
    """Return the invitation that a code holds; None if another bot, or nobody, has signed it."""
    try:
        signed = base64.urlsafe_b64decode(code.encode())
    except ValueError:
        return None
    body = signed[: _FORM.size]
    if not hmac.compare_digest(signed[_FORM.size :], _sign(token, body)) or len(body) != _FORM.size:
        return None
    number, seconds, admin = _FORM.unpack(body)
    return Invitation(number.hex(), to_peer(admin), datetime.fromtimestamp(seconds, UTC))


def _sign(token: str, body: bytes) -> bytes:
    return hmac.digest(token.encode(), b"invitation" + body, hashlib.sha256)[:_SIGNATURE_BYTES]
