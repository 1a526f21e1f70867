"""What is known of how good answers were: from the users' buttons, and from people who scored answers."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Protocol

from pydantic import Field, model_validator

from bot.evaluate import rows
from bot.evaluate.rows import LabelledSet, Row
from bot.statistics.values import Rated
from rag.steps.critique import WEIGHTS


class Opinion(Row):
    """An answer that went out, and which button its reader pressed.

    Args:
        confidence: Of its verdict, 0-1; None when nobody judged it.
        score: What the critic gave it, 0-1; None when nobody scored it.
        label: What the reader was told about it.
        useful: The button: useful, or wrong.
    """

    confidence: float | None = Field(default=None, ge=0, le=1)
    score: float | None = Field(default=None, ge=0, le=1)
    label: str = ""
    useful: bool

    @model_validator(mode="after")
    def _says_something(self) -> Opinion:
        if self.confidence is None and self.score is None:
            raise ValueError("neither a confidence nor a score")
        return self


class Scored(Row):
    """An answer with its score, in one number or in three, all 0-1; was it good enough to send?"""

    score: float = Field(ge=0, le=1)
    good: bool

    @model_validator(mode="before")
    @classmethod
    def _whole(cls, row: Any) -> Any:  # noqa: ANN401 - whatever the line holds
        if isinstance(row, dict) and "score" not in row and row.keys() >= WEIGHTS.keys():
            parts = [row[name] for name in WEIGHTS]
            if all(isinstance(part, int | float) and 0 <= part <= 1 for part in parts):
                weighed = zip(parts, WEIGHTS.values(), strict=True)
                return {**row, "score": sum(part * weight for part, weight in weighed)}
        return row


class RatedAnswers(Protocol):
    """Where rated answers are kept, such as `bot.storage.answered.StoredAnswers`."""

    async def feedback_rows(self) -> tuple[Rated, ...]:
        """Return every rated answer, oldest first."""
        ...


class StoredFeedback:
    """Opinions from the buttons below the bot's own answers."""

    def __init__(self, answers: RatedAnswers) -> None:
        self._answers = answers

    async def opinions(self) -> LabelledSet[Opinion]:
        """What was rated and says something about a threshold; there may be none.

        Raises:
            StorageError: the database cannot be read.
        """
        rated = await self._answers.feedback_rows()
        found = (_opinion(one) for one in rated)
        return LabelledSet(tuple(opinion for opinion in found if opinion is not None), ())


def _opinion(rated: Rated) -> Opinion | None:
    # A threshold only meets answers that were found adequate: sure of being wrong is another confidence.
    confidence = rated.confidence if rated.quality == "adequate" else None
    if confidence is None and rated.score is None:
        return None
    return Opinion(confidence=confidence, score=rated.score, label=rated.label, useful=rated.useful)


class FileFeedback:
    """Opinions from a file of JSON Lines."""

    def __init__(self, path: Path) -> None:
        self._path = path

    async def opinions(self) -> LabelledSet[Opinion]:
        """The rows of the file.

        Raises:
            InputError: the file cannot be read, or holds no usable row.
        """
        return rows.read(self._path, Opinion)
