"""What readers have found in passages, remembered by what they were shown."""

from __future__ import annotations

from collections import OrderedDict

_REMEMBERED = 1000

Shown = tuple[str, str, str]
"""The model, the prompt's id, and the message with passage and question: all that a reader sees."""


class Readings:
    """Remembers the latest readings; one for all questions of a process.

    The same passage read for the same question by the same model says the same (temperature 0), so a check
    that is repeated costs nothing.

    Args:
        most: Readings that are kept; the one that was not asked for longest goes first.
    """

    def __init__(self, most: int = _REMEMBERED) -> None:
        self._most = most
        self._known: OrderedDict[Shown, str] = OrderedDict()

    def get(self, shown: Shown) -> str | None:
        """What was found before; an empty string for "not stated", None when nobody has read it."""
        if shown in self._known:
            self._known.move_to_end(shown)
        return self._known.get(shown)

    def add(self, shown: Shown, text: str) -> None:
        """Remember a reading."""
        self._known[shown] = text
        self._known.move_to_end(shown)
        if len(self._known) > self._most:
            self._known.popitem(last=False)
