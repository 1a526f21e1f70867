"""Where a passage answers a question."""

from __future__ import annotations

from dataclasses import dataclass

from rag.values.passages import PassageId


@dataclass(frozen=True, slots=True)
class Place:
    """What a verifier found in one passage for one question.

    Args:
        start: Offset of the words that answer, in code points of the passage's text.
        end: Offset of their end; the same as `start` if no words answer.
        covers: Probability that the passage answers the question, 0-1.
    """

    passage: PassageId
    start: int
    end: int
    covers: float
