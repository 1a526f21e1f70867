"""Limits how many messages of people without access are recorded, of each person and of all together.

The record of a job takes some 20 kB and stays for days, so a person without access could fill the disk by
asking. The counts are in memory only: a restart, which no stranger can cause, begins at zero.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Final

from bot.clock import utcnow

_HOUR: Final = timedelta(hours=1)
_KNOWN: Final = 10_000
"""Largest number of people who are counted; the one who wrote longest ago is dropped first."""


class Strangers:
    """Counts messages of people who may not ask."""

    def __init__(
        self,
        each_per_hour: int = 20,
        all_per_hour: int = 300,
        clock: Callable[[], datetime] = utcnow,
    ) -> None:
        self._each = each_per_hour
        self._all = all_per_hour
        self._clock = clock
        self._counts: OrderedDict[str, int] = OrderedDict()
        self._total = 0
        self._since = clock()

    def may_be_recorded(self, sender: str) -> bool:
        """Count a message, and return whether it is within both limits of the hour."""
        now = self._clock()
        if not self._since <= now < self._since + _HOUR:
            self._counts.clear()
            self._total, self._since = 0, now
        count = self._counts.get(sender, 0)
        self._counts[sender] = count + 1
        self._counts.move_to_end(sender)
        if len(self._counts) > _KNOWN:
            self._counts.popitem(last=False)
        if count >= self._each or self._total >= self._all:
            return False
        self._total += 1
        return True
