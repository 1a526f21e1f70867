"""Opinions about answers: from the rating buttons, and from people who scored answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pydantic import Field, model_validator

from bot.evaluate.rows import Row
from bot.statistics.values import Rated
from rag.steps.critique import WEIGHTS

if TYPE_CHECKING:
    from bot.storage.answered import StoredAnswers


class Opinion(Row):
    """A sent answer, and how its reader rated it.

    Args:
        confidence: Confidence of its verdict, 0-1; None if it was not judged.
        score: The critic's score, 0-1; None if it was not scored.
        label: Its label.
        useful: Rated useful rather than wrong.
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
    """An answer with its score (one number or three, all 0-1), and whether it was good enough to send."""

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


async def stored_opinions(answers: StoredAnswers) -> tuple[Opinion, ...]:
    """Return what the buttons below the bot's own answers say about a threshold; may be empty.

    Raises:
        StorageError: the database cannot be read.
    """
    found = (_opinion(one) for one in await answers.feedback_rows())
    return tuple(opinion for opinion in found if opinion is not None)


def _opinion(rated: Rated) -> Opinion | None:
    # A threshold applies only to adequate answers: the confidence of another verdict means something else.
    confidence = rated.confidence if rated.quality == "adequate" else None
    if confidence is None and rated.score is None:
        return None
    return Opinion(confidence=confidence, score=rated.score, label=rated.label, useful=rated.useful)
