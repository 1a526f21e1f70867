"""The critic and the refiner: score an answer that nothing has verified, and improve its wording.

A critic is a model with an opinion, and critique makes good answers worse. So the critic sees only answers
that would not be labelled verified, and its score only ranks versions of one answer. Code compares each
refined version with its predecessor before it replaces it (`rag.loop.refining`).
"""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Annotated, Any

import regex
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, field_validator

from rag.knowledge.search import SearchResult
from rag.language.detect import language_name
from rag.prompting.untrusted import number_passages
from rag.reasons import Reason
from rag.runs.candidates import Candidate
from rag.runs.run import Outcome, Run
from rag.steps.background import background
from rag.steps.evaluate import select_shown_passages
from rag.values import Classification

WEIGHTS = {"accuracy": 0.4, "helpfulness": 0.4, "completeness": 0.2}
"""Weight of each part of a score; the weights add up to 1."""

_MAX_ISSUES = 5
_MAX_SUGGESTIONS = 3
_CLAUSE_CHARACTERS = 200
_NUMBER = regex.compile(r"[0-9]{1,3}")
_ECHO = regex.compile(r"</?(?:passage|question|answer|critique)>", regex.IGNORECASE)


def _clamp(value: float) -> float:
    if not math.isfinite(value):
        raise ValueError("a score has to be a number from 0 to 1")
    return min(1.0, max(0.0, value))


Score = Annotated[float, AfterValidator(_clamp)]


class CritiqueReply(BaseModel):
    """The critic's reply."""

    model_config = ConfigDict(extra="ignore")

    accuracy: Score
    helpfulness: Score
    completeness: Score
    issues: list[str] = []
    suggestions: list[str] = []

    @field_validator("issues", "suggestions", mode="before")
    @classmethod
    def _clauses(cls, value: Any) -> list[str]:  # noqa: ANN401 - whatever a model wrote
        """Keep the entries that are text; a malformed list must not discard the scores."""
        listed = value if isinstance(value, list) else [value]
        clauses = [" ".join(entry.split())[:_CLAUSE_CHARACTERS] for entry in listed if isinstance(entry, str)]
        return [clause for clause in clauses if any(character.isalpha() for character in clause)]


class OpinionReply(BaseModel):
    """What a second critic says of a critique."""

    model_config = ConfigDict(extra="ignore")

    reasoning: str = Field(default="", max_length=2000)
    agreement: Score
    rejected: list[int] = []

    @field_validator("rejected", mode="before")
    @classmethod
    def _numbers(cls, value: Any) -> list[int]:  # noqa: ANN401 - whatever a model wrote
        """Keep the entries that are numbers; a malformed list must not discard the agreement."""
        listed = value if isinstance(value, list) else [value]
        return [
            int(entry) for entry in listed if isinstance(entry, int | str) and _NUMBER.fullmatch(str(entry))
        ]


class RefinementReply(BaseModel):
    """The refiner's reply: typed, because small models asked for text repeat the prompt with it."""

    model_config = ConfigDict(extra="ignore")

    answer: str


@dataclass(frozen=True, slots=True)
class Critique:
    """A critic's opinion of an answer.

    Args:
        score: 0-1, weighted over accuracy, helpfulness and completeness.
        issues: What is wrong, at most five clauses.
        suggestions: What would improve it, at most three clauses.
    """

    score: float
    issues: tuple[str, ...] = ()
    suggestions: tuple[str, ...] = ()

    @property
    def points(self) -> tuple[str, ...]:
        """The issues, then the suggestions."""
        return (*self.issues, *self.suggestions)

    @property
    def is_concrete(self) -> bool:
        """Whether the critique names something to improve, not only a low score."""
        return bool(self.points)

    def without(self, numbers: Collection[int]) -> Critique:
        """Return the critique without some points, by number from 1; others than there are have no effect."""
        first = len(self.issues) + 1
        return replace(
            self,
            issues=tuple(text for n, text in enumerate(self.issues, 1) if n not in numbers),
            suggestions=tuple(text for n, text in enumerate(self.suggestions, first) if n not in numbers),
        )


def to_critique(reply: CritiqueReply) -> Critique:
    """Convert the critic's reply into a critique with one score."""
    score = sum(weight * getattr(reply, name) for name, weight in WEIGHTS.items())
    return Critique(
        score=_clamp(score),
        issues=tuple(reply.issues[:_MAX_ISSUES]),
        suggestions=tuple(reply.suggestions[:_MAX_SUGGESTIONS]),
    )


def temper(critique: Critique, agreement: float, neutral: float) -> Critique:
    """Move the score towards `neutral`, by how little a second critic agrees.

    Args:
        agreement: Agreement of the second critic, 0-1.
        neutral: The score that has no effect: the refinement threshold, or for a refined version the score of
            its predecessor, so that a critique without agreement does not rank the version higher.
    """
    return replace(critique, score=agreement * critique.score + (1.0 - agreement) * neutral)


async def criticise(
    run: Run, classification: Classification, candidate: Candidate, probe: SearchResult | None
) -> Outcome[Critique]:
    """Ask the critic for scores, issues and suggestions; if that fails, the text is sent unscored."""
    settings = run.tools.critique
    prompt = run.tools.prompts.render(
        "critique",
        passages=number_passages(select_shown_passages(run, candidate, probe)),
        question=classification.standalone[: settings.question_characters],
        **background(run.question, classification),
        answer=candidate.draft.text[: settings.answer_characters],
    )
    reply, call = await run.ask_typed(
        "critique",
        prompt,
        CritiqueReply,
        patience=settings.patience_seconds,
        ceiling=settings.ceiling_seconds,
    )
    critique = to_critique(reply)
    detail = Reason(
        "scored",
        {
            "score": round(100 * critique.score),
            "accuracy": round(100 * reply.accuracy),
            "helpfulness": round(100 * reply.helpfulness),
            "completeness": round(100 * reply.completeness),
            "issues": len(critique.issues),
            "suggestions": len(critique.suggestions),
        },
    )
    notes = tuple(Reason("critic-point", {"text": point}) for point in critique.points)
    return Outcome(critique, detail, (call,), prompt.id, notes)


async def second_opinion(
    run: Run, classification: Classification, candidate: Candidate, critique: Critique, neutral: float
) -> Outcome[Critique]:
    """Ask a second critic about a critique, and drop the points it rejects; for `neutral` see `temper`."""
    settings = run.tools.critique
    prompt = run.tools.prompts.render(
        "second_opinion",
        question=classification.standalone[: settings.question_characters],
        answer=candidate.draft.text[: settings.answer_characters],
        score=f"{critique.score:.2f}",
        critique="\n".join(f"{n}. {point}" for n, point in enumerate(critique.points, 1)),
    )
    reply, call = await run.ask_typed(
        "second_opinion",
        prompt,
        OpinionReply,
        patience=settings.patience_seconds,
        ceiling=settings.ceiling_seconds,
    )
    weighted = temper(critique, reply.agreement, neutral).without(reply.rejected)
    detail = Reason(
        "agreed", {"agreement": round(100 * reply.agreement), "score": round(100 * weighted.score)}
    )
    said = " ".join(reply.reasoning.split())
    notes = [Reason("second-critic-said", {"text": said})] if said else []
    notes += [
        Reason("critic-point-rejected", {"text": point})
        for point in critique.points
        if point not in weighted.points
    ]
    return Outcome(weighted, detail, (call,), prompt.id, tuple(notes))


async def refine(
    run: Run,
    classification: Classification,
    candidate: Candidate,
    critique: Critique,
    probe: SearchResult | None,
) -> Outcome[str]:
    """Rewrite the answer with the critique in the prompt."""
    prompt = run.tools.prompts.render(
        "refine",
        passages=number_passages(select_shown_passages(run, candidate, probe)),
        question=classification.standalone[: run.tools.critique.question_characters],
        **background(run.question, classification),
        answer=candidate.draft.text,
        critique="\n".join(f"- {point}" for point in critique.points),
        language=language_name(classification.language),
    )
    settings = run.tools.model_settings
    reply, call = await run.ask_typed(
        "refine",
        prompt,
        RefinementReply,
        max_tokens=settings.answer_tokens + settings.reply_tokens,
        patience=run.tools.critique.patience_seconds,
        ceiling=run.tools.critique.ceiling_seconds,
    )
    text = reply.answer.strip()
    if _ECHO.search(text) and not _ECHO.search(candidate.draft.text):
        return Outcome("", Reason("repeats-prompt"), (call,), prompt.id)
    return Outcome(text, Reason("refined", {"characters": len(text)}), (call,), prompt.id)
