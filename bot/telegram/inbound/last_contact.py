"""Stores when Telegram last answered, as the time of a file, which outlives the process."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from bot.clock import utcnow

TELEGRAM_KEEPS: Final = timedelta(hours=24)
"""How long Telegram keeps updates that are not fetched."""

# Each poll is a contact; one write a minute is exact enough for a gap of hours.
_SECONDS_BETWEEN: Final = 60.0


class Contact:
    """Notes contacts with Telegram; `at` is the last one of an earlier process, or None."""

    def __init__(self, file: Path, clock: Callable[[], datetime] = utcnow) -> None:
        self._file = file
        self._clock = clock
        self._noted = float("-inf")
        try:
            self.at: datetime | None = datetime.fromtimestamp(file.stat().st_mtime, UTC)
        except FileNotFoundError:
            self.at = None

    def gap(self) -> timedelta | None:
        """Return the time without contact if updates may have been lost in it, otherwise None."""
        if self.at is None or (gap := self._clock() - self.at) <= TELEGRAM_KEEPS:
            return None
        return gap

    def touch(self) -> None:
        """Note a contact; a file that cannot be written is ignored."""
        now = time.monotonic()
        if now - self._noted < _SECONDS_BETWEEN:
            return
        self._noted = now
        moment = self._clock().timestamp()
        try:
            self._file.touch()
            os.utime(self._file, (moment, moment))
        except OSError:
            self._noted = float("-inf")
