"""The subject of a check: a text with the question that it answers."""

from __future__ import annotations

from dataclasses import dataclass

from rag.language.markdown import without_code
from rag.values import FinishReason

CODE = "\ufffc"
"""Replaces each character of code in a subject's plain text: marks content without words."""


@dataclass(frozen=True, slots=True)
class Subject:
    """A text to check, with its context: the arguments of `checks.run`.

    Args:
        plain: `text` with `CODE` in place of its code, at the same offsets; checks read this.
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
        """Build a subject and its plain text."""
        return cls(text, without_code(text, CODE), language, finish_reason, asked, passage_count, known)

    def until(self, end: int) -> Subject:
        """Return the subject up to `end`. Code is searched again, because a cut code span may not be code."""
        return Subject.of(
            self.text[:end], self.language, self.finish_reason, self.asked, self.passage_count, self.known
        )

    def asks_for(self, words: str) -> bool:
        """Return whether the question has `words`: an answer about ``<think>`` may name the tag."""
        return bool(words.strip()) and words.strip().casefold() in self.asked.casefold()
