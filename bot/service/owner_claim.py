"""The code that makes the first owner: shown in the log, used once, and too long to be guessed."""

from __future__ import annotations

import hmac
import secrets
from collections import Counter
from typing import Literal

from bot.service.keys import PeerId

ClaimOutcome = Literal["owner", "yours", "wrong", "too_many", "closed", "not_private"]

# Without letters and digits that are easily confused.
_ALPHABET = "23456789ABCDEFGHJKMNPQRSTVWXYZ"
_LENGTH = 10
_TRIES_EACH = 5
_TRIES = 200


class Claim:
    """A claim code for one run of the program; a restart makes a new code.

    Ten characters out of 30 are 49 bits, so the 200 wrong tries allowed in all cannot find the code.

    Args:
        secret: What the machines of a fleet share and nobody else knows: each of them has the same code then,
            whichever of them hears it. Empty: a random code.
    """

    def __init__(self, secret: str = "") -> None:
        seed = secret.encode() or secrets.token_bytes(32)
        number = int.from_bytes(hmac.digest(seed, b"claim", "sha256"))
        self.code = "".join(
            _ALPHABET[number // len(_ALPHABET) ** place % len(_ALPHABET)] for place in range(_LENGTH)
        )
        self._tries: Counter[PeerId] = Counter()
        self._is_used = False

    def try_code(self, user_id: PeerId, code: str) -> ClaimOutcome:
        """Check a typed code, whatever its case, spaces and hyphens; the right code works once."""
        if self._is_used:
            return "closed"
        if self._tries[user_id] >= _TRIES_EACH or self._tries.total() >= _TRIES:
            return "too_many"
        self._tries[user_id] += 1
        typed = code.upper().replace("-", "").replace(" ", "")
        # In constant time, so that the duration does not reveal how much of the code is right.
        if not hmac.compare_digest(typed.encode("utf-8", "replace"), self.code.encode()):
            return "wrong"
        self._is_used = True
        return "owner"

    def reopen(self) -> None:
        """Make the code valid again, because the new owner could not be stored."""
        self._is_used = False
