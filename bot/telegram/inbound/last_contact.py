"""When Telegram was last heard of: the time of a file, which outlives the process."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from bot.clock import utcnow

TELEGRAM_KEEPS: Final = timedelta(hours=24)
"""How long Telegram keeps updates that nobody fetches."""

# Each poll is a contact; writing that down once a minute is enough to count hours.
_SECONDS_BETWEEN: Final = 60.0


class Contact:
    """The last contact.

    Args:
        file: Its time is the time of the last contact.
        clock: Tells the time.

    Attributes:
        at: The last contact of an earlier process; None when there was none.
    """

    def __init__(self, file: Path, clock: Callable[[], datetime] = utcnow) -> None:
        self._file = file
        self._clock = clock
        self._noted = float("-inf")
        try:
            self.at: datetime | None = datetime.fromtimestamp(file.stat().st_mtime, UTC)
        except FileNotFoundError:
            self.at = None

    def gap(self) -> timedelta | None:
        """The time without contact, when it was so long that something may be lost."""
        if self.at is None or (gap := self._clock() - self.at) <= TELEGRAM_KEEPS:
            return None
        return gap

    def touch(self) -> None:
        """Note that there is contact; a disk that is full loses nothing by it."""
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
