"""Notes questions in languages that `minilm` does not know, so that the next sync chooses `multilingual`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import structlog

from rag.knowledge.matching import KNOWN_LANGUAGE, meaning_weight

_log = structlog.get_logger(__name__)

_ENOUGH_QUESTIONS = 3
"""Number of questions in another language of the Latin script: "El Paso office" looks like Spanish. One in
another script is enough. None of 791 English questions was taken for another language."""
_NOTES = "asked-in-other-languages"


class AskedLanguages:
    """Notes questions in languages that the embedding does not know; safe for concurrent threads.

    `tell` is called once, from any thread, when the next sync will choose `multilingual`.
    """

    def __init__(self, folder: Path, tell: Callable[[], None]) -> None:
        self._folder = folder
        self._tell: Callable[[], None] | None = tell
        self._noted: set[str] = set()

    def note(self, question: str, embedding: str) -> None:
        """Note a question, once, if the embedding of the documents does not know its language."""
        tell, weight = self._tell, meaning_weight(embedding, question)
        if tell is None or weight >= KNOWN_LANGUAGE or question in self._noted:
            return
        self._noted.add(question)
        try:
            # Another script is certain; within one, the language was guessed.
            with (self._folder / _NOTES).open("a", encoding="ascii") as notes:
                notes.write("." * (1 if weight else _ENOUGH_QUESTIONS))
        except OSError as error:
            _log.warning("the language of a question cannot be noted", reason=str(error))
            return
        if is_asked_in_other_languages(self._folder):
            self._tell = None
            tell()


def is_asked_in_other_languages(folder: Path) -> bool:
    """Return whether so many questions in other languages were noted that a sync chooses `multilingual`."""
    try:
        return (folder / _NOTES).stat().st_size >= _ENOUGH_QUESTIONS
    except FileNotFoundError:
        return False
