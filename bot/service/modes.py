"""The modes of answering, by the names that people give them."""

from __future__ import annotations

from bot.texts import TEXTS
from rag.values import MODES, Mode


def find_mode(name: str) -> Mode | None:
    """Return the mode that has a name, in the code or in any language of the bot; None if no mode has it."""
    wanted = name.strip().casefold()
    for mode in MODES:
        if wanted in {mode, *(TEXTS.text(f"mode-name-{mode}", code).casefold() for code in TEXTS.languages)}:
            return mode
    return None
