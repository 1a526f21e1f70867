"""Chooses the bundled embedding that suits a corpus and the people who ask.

`minilm` is four to ten times as fast, but only for English; `multilingual` knows a hundred languages. One
mistake is worse than the other: an English model finds almost nothing in a Russian page or for a Russian
question, while the multilingual one is only slower. So a tenth of other languages in the corpus, or one
question in another script, is enough to choose `multilingual`, and only reading everything again goes back.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Literal

Bundled = Literal["minilm", "multilingual"]

_FOREIGN_SHARE = 0.10
_MARK = "asked-in-another-script"


def choose(characters: Mapping[str, int], current: str = "", *, is_asked_otherwise: bool = False) -> Bundled:
    """Choose by the languages of the corpus and of its questions.

    Args:
        characters: Length of the corpus' texts by ISO 639-1 code.
        current: The current embedding of the corpus; empty if there is none, or everything is read again.
        is_asked_otherwise: Somebody asked in a script that `minilm` does not know.
    """
    if is_asked_otherwise or current == "multilingual":
        return "multilingual"
    total = sum(characters.values())
    foreign = total - characters.get("en", 0)
    return "multilingual" if total and foreign / total >= _FOREIGN_SHARE else "minilm"


def note_other_script(folder: Path) -> None:
    """Note that somebody asked in a script that `minilm` does not know, for the next sync of this folder."""
    (folder / _MARK).touch()


def is_asked_in_other_script(folder: Path) -> bool:
    """Return whether that was noted."""
    return (folder / _MARK).exists()
