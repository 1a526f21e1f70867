"""Chooses the bundled embedding that suits a corpus and the people who ask.

`minilm` is four to ten times as fast, but only for English; `multilingual` knows a hundred languages. One
mistake is worse than the other: an English model finds almost nothing in a Russian page or for a Russian
question, while the multilingual one is only slower. So a tenth of other languages in the corpus, or a few
questions in them, are enough to choose `multilingual`. It stays until everything is read again, and for good
once such questions were asked.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Literal

Bundled = Literal["minilm", "multilingual"]

_FOREIGN_SHARE = 0.10
_ENOUGH_QUESTIONS = 3
"""Number of questions in another language of the Latin script: "El Paso office" looks like Spanish. One in
another script is enough. None of 791 English questions was taken for another language."""
_NOTES = "asked-in-other-languages"


def choose(characters: Mapping[str, int], current: str = "", *, is_asked_otherwise: bool = False) -> Bundled:
    """Choose by the languages of the corpus and of its questions.

    Args:
        characters: Length of the corpus' texts by ISO 639-1 code.
        current: The current embedding of the corpus; empty if there is none, or everything is read again.
        is_asked_otherwise: People ask in languages that `minilm` does not know.
    """
    if is_asked_otherwise or current == "multilingual":
        return "multilingual"
    total = sum(characters.values())
    foreign = total - characters.get("en", 0)
    return "multilingual" if total and foreign / total >= _FOREIGN_SHARE else "minilm"


def note_question(folder: Path, *, is_certain: bool) -> bool:
    """Note a question in a language that `minilm` does not know, for the next sync of this folder.

    Args:
        folder: The folder of the knowledge base.
        is_certain: The question is in another script, so its language was not guessed.

    Returns:
        Whether the next sync will choose `multilingual`.
    """
    with (folder / _NOTES).open("a", encoding="ascii") as notes:
        notes.write("." * (_ENOUGH_QUESTIONS if is_certain else 1))
    return is_asked_in_other_languages(folder)


def is_asked_in_other_languages(folder: Path) -> bool:
    """Return whether enough such questions were noted."""
    try:
        return (folder / _NOTES).stat().st_size >= _ENOUGH_QUESTIONS
    except FileNotFoundError:
        return False
