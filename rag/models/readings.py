"""Cache what readers found in passages, by everything that the reader saw."""

from __future__ import annotations

from collections import OrderedDict

_MAX_REMEMBERED = 1000

Shown = tuple[str, str, str]
"""The model, the prompt's id, and the message with passage and question."""


class Readings:
    """A cache of the latest readings; one for all questions of a process.

    The same model gives the same reading for the same passage and question (temperature 0), so a repeated
    check costs nothing.

    Args:
        most: Maximum number of readings; the least recently used one is dropped.
    """

    def __init__(self, most: int = _MAX_REMEMBERED) -> None:
        self._most = most
        self._known: OrderedDict[Shown, str] = OrderedDict()

    def get(self, shown: Shown) -> str | None:
        """Return an earlier reading: an empty string for "not stated", None if there is none."""
        if shown in self._known:
            self._known.move_to_end(shown)
        return self._known.get(shown)

    def add(self, shown: Shown, text: str) -> None:
        """Cache a reading."""
        self._known[shown] = text
        self._known.move_to_end(shown)
        if len(self._known) > self._most:
            self._known.popitem(last=False)
