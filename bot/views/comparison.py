"""Compare two versions of a text: each stands in a panel, and words that only one of them has are marked."""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence
from typing import Final

from bot.views.blocks import Panels, Section, Text, Words

_WORDS = re.compile(r"\s+|[^\s]+")
_MOST_WORDS: Final = 4_000
"""Of two texts that are compared; comparing takes their product of time."""


def compare(first: str, second: str, titles: tuple[str, str]) -> Panels:
    """Return an earlier and a later version of a text as two panels under their titles."""
    old, new = _WORDS.findall(first), _WORDS.findall(second)
    removed: list[Words] = []
    added: list[Words] = []
    changes: Sequence[tuple[str, int, int, int, int]] = [("replace", 0, len(old), 0, len(new))]
    if len(old) + len(new) <= _MOST_WORDS:
        changes = difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    for kind, old_start, old_end, new_start, new_end in changes:
        if before := "".join(old[old_start:old_end]):
            removed.append(Words(before, () if kind == "equal" else ("removed",)))
        if after := "".join(new[new_start:new_end]):
            added.append(Words(after, () if kind == "equal" else ("added",)))
    sides = zip(titles, (removed, added), strict=True)
    return Panels(tuple(Section(title, (Text(tuple(words)),)) for title, words in sides), are_compared=True)
