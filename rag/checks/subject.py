"""What a check is given."""

from __future__ import annotations

from dataclasses import dataclass

from rag.language.markdown import without_code
from rag.values import FinishReason

CODE = "\ufffc"
"""Stands for each character of code in a subject's plain text: something is there, but not words."""


@dataclass(frozen=True, slots=True)
class Subject:
    """A text to check and what is known about it.

    Args:
        text: The text a model wrote.
        plain: `text` with `CODE` in place of its code, offsets unchanged: what a check may look at.
        language: ISO 639-1 code of the language it should be in.
        finish_reason: Why the model stopped.
        asked: The message it answers, or an empty string.
        passage_count: How many passages the model was shown; None when citations are not expected.
        known: Texts in that language which it may copy from: a foreign word in them is no slip.
    """

    text: str
    plain: str
    language: str
    finish_reason: FinishReason
    asked: str
    passage_count: int | None
    known: str = ""

    @classmethod
    def of(
        cls,
        text: str,
        language: str,
        finish_reason: FinishReason,
        asked: str,
        passage_count: int | None,
        known: str = "",
    ) -> Subject:
        """Build the subject of a text."""
        return cls(text, without_code(text, CODE), language, finish_reason, asked, passage_count, known)

    def until(self, end: int) -> Subject:
        """The subject of the beginning of the text: code that is cut there may be none."""
        return Subject.of(
            self.text[:end], self.language, self.finish_reason, self.asked, self.passage_count, self.known
        )

    def asks_for(self, words: str) -> bool:
        """Whether the question itself holds `words`: an answer about ``<think>`` may name it."""
        return bool(words.strip()) and words.strip().casefold() in self.asked.casefold()
