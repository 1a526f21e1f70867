"""The code that makes the first owner: shown in the log, used once, and not to be guessed."""

from __future__ import annotations

import hmac
import secrets
from collections import Counter
from typing import Literal

ClaimOutcome = Literal["owner", "yours", "wrong", "too_many", "closed", "not_private"]

# Without letters and digits that are read or typed wrongly.
_ALPHABET = "23456789ABCDEFGHJKMNPQRSTVWXYZ"
_LENGTH = 10
_TRIES_EACH = 5
_TRIES = 200


class Claim:
    """A code for one start of the program; a restart makes another one.

    Ten characters of 30 are 49 bits, so 200 wrong tries of all people together find nothing.
    """

    def __init__(self) -> None:
        self.code = "".join(secrets.choice(_ALPHABET) for _ in range(_LENGTH))
        self._tries: Counter[int] = Counter()
        self._is_used = False

    def tried(self, user_id: int, code: str) -> ClaimOutcome:
        """Return what comes of a try; the right code works once.

        Args:
            user_id: Who tries.
            code: What was typed; capitals, spaces and hyphens do not count.
        """
        if self._is_used:
            return "closed"
        if self._tries[user_id] >= _TRIES_EACH or self._tries.total() >= _TRIES:
            return "too_many"
        self._tries[user_id] += 1
        typed = code.upper().replace("-", "").replace(" ", "")
        # In constant time: how long it takes tells nothing about how much of it is right.
        if not hmac.compare_digest(typed.encode("utf-8", "replace"), self.code.encode()):
            return "wrong"
        self._is_used = True
        return "owner"

    def reopen(self) -> None:
        """Let the code work again: its owner could not be written down."""
        self._is_used = False
