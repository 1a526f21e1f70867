"""The reviewer: reads a text once before the judge, repairs small faults, and flags the others.

It sees the text and the passages, but not how the text came about. Its reply is not trusted: a repair must
pass `rag.runs.replacement`, only the judge gives verdicts, and the reviewer can send a text back once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from rag.knowledge.search import SearchResult
from rag.language.detect import language_name
from rag.prompting.untrusted import number_passages
from rag.reasons import Reason
from rag.runs import replacement
from rag.runs.candidates import Candidate
from rag.runs.run import Outcome, Run
from rag.steps.background import background
from rag.steps.evaluate import evaluate, make_next_version, select_shown_passages
from rag.values import Classification, Severity

Status = Literal["regenerate", "fixed", "flag_to_judge", "pass", "pass_with_flags"]
IssueType = Literal[
    "truncation", "language", "empty", "short_section", "alignment", "hallucination", "logic", "hygiene"
]

_INTEGRITY_ISSUES: frozenset[IssueType] = frozenset({"truncation", "language", "empty", "short_section"})
_CONTENT_ISSUES: frozenset[IssueType] = frozenset({"alignment", "hallucination", "logic"})
_MAX_ISSUES = 20
_MAX_FLAGS = 5
_ISSUE_CHARACTERS = 160


class Issue(BaseModel):
    """One fault, as the reviewer names it."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    type: IssueType
    severity: Severity = "info"
    location: str = ""
    description: str = ""


class ReviewReply(BaseModel):
    """The reviewer's reply."""

    model_config = ConfigDict(extra="ignore")

    reasoning: str = Field(default="", max_length=2000)
    status: Status
    issues: list[Issue] = []
    patched_answer: str = ""

    @field_validator("issues", mode="before")
    @classmethod
    def _readable(cls, value: Any) -> list[Issue]:  # noqa: ANN401 - whatever a model wrote
        """Keep the issues that can be parsed; an unknown type must not discard the others."""
        found: list[Issue] = []
        for issue in value if isinstance(value, list) else []:
            try:
                found.append(Issue.model_validate(issue))
            except ValidationError:
                continue
        return found[:_MAX_ISSUES]

    @field_validator("patched_answer", mode="before")
    @classmethod
    def _text(cls, value: Any) -> str:  # noqa: ANN401 - whatever a model wrote
        return value if isinstance(value, str) else ""


@dataclass(frozen=True, slots=True)
class Review:
    """The result of a review.

    Args:
        status: What to do, as far as the reply justifies it.
        reason: Why, for the trace, and for the writer if the text is sent back.
        flags: The issues, as clauses for the judge.
        patch: The whole repaired text; empty unless the status is ``fixed``.
    """

    status: Status
    reason: Reason
    flags: tuple[str, ...] = ()
    patch: str = ""


async def review(
    run: Run, classification: Classification, candidate: Candidate, probe: SearchResult | None
) -> Outcome[Review]:
    """Ask the reviewer; if that fails, the text goes on unreviewed."""
    settings = run.tools.model_settings
    prompt = run.tools.prompts.render(
        "review",
        passages=number_passages(select_shown_passages(run, candidate, probe)),
        question=classification.standalone,
        **background(run.question, classification),
        language=language_name(classification.language),
        answer=candidate.draft.text,
        flags="; ".join(candidate.flags),
    )
    reply, call = await run.ask_typed(
        "review",
        prompt,
        ReviewReply,
        # The reply contains the whole repaired answer.
        max_tokens=settings.reply_tokens + settings.answer_tokens,
        patience=run.tools.review.patience_seconds,
        ceiling=run.tools.review.ceiling_seconds,
    )
    found = weaken_unjustified(reply, candidate.draft.text)
    return Outcome(
        found,
        Reason("reviewed", {"status": found.status, "reason": found.reason}),
        (call,),
        prompt.id,
        tuple(_note(issue) for issue in reply.issues),
    )


def weaken_unjustified(reply: ReviewReply, text: str) -> Review:
    """Weaken a status that the issues of the reply do not justify, mostly to ``pass_with_flags``."""
    status: Status = reply.status
    kinds = {issue.type for issue in reply.issues}
    is_broken = any(
        issue.type in _INTEGRITY_ISSUES and issue.severity == "critical" for issue in reply.issues
    )
    is_serious = any(issue.severity in {"critical", "complex"} for issue in reply.issues)
    patch = reply.patched_answer.strip()
    is_borne_out = {
        "regenerate": is_broken,
        "fixed": bool(patch) and patch != text.strip(),
        "flag_to_judge": bool(kinds),
        "pass": not is_serious,
        "pass_with_flags": True,
    }
    if not is_borne_out[status]:
        is_for_judge = status == "regenerate" and kinds & _CONTENT_ISSUES
        status = "flag_to_judge" if is_for_judge else "pass_with_flags"
    flags = () if status == "pass" else _clauses(reply.issues)
    said = "; ".join(flags) or _clause(reply.reasoning)
    reason = Reason("reviewer-said", {"text": said}) if said else Reason("reviewer-silent")
    return Review(status, reason, flags, patch if status == "fixed" else "")


async def apply_patch(
    run: Run, classification: Classification, candidate: Candidate, patch: str, probe: SearchResult | None
) -> Outcome[Candidate]:
    """Replace a text by the reviewer's repaired version if that is no worse; costs no model call."""
    after = (await evaluate(run, classification, make_next_version(candidate, patch), probe)).value
    if objection := replacement.patch_objection(candidate, after, classification.language):
        return Outcome(candidate, Reason("change-refused", {"reason": objection}))
    kept = replace(candidate, draft=replace(after.draft, passages=candidate.draft.passages))
    kept = replace(
        kept, citations=after.citations, evidence=after.evidence, is_mended=True, second_reading=None
    )
    return Outcome(kept, Reason("change-accepted"))


def _note(issue: Issue) -> Reason:
    text = " ".join(issue.description.split())
    if place := " ".join(issue.location.split()):
        return Reason(
            "review-issue-at",
            {"type": issue.type, "severity": issue.severity, "text": text, "place": place},
        )
    return Reason("review-issue", {"type": issue.type, "severity": issue.severity, "text": text})


def _clauses(issues: Sequence[Issue]) -> tuple[str, ...]:
    clauses = (
        _clause(f"{issue.type.replace('_', ' ')}: {issue.description or issue.location or issue.severity}")
        for issue in issues
        if issue.severity != "info"
    )
    return tuple(clauses)[:_MAX_FLAGS]


def _clause(words: str) -> str:
    words = " ".join(words.split())
    return words if len(words) <= _ISSUE_CHARACTERS else words[: _ISSUE_CHARACTERS - 1] + "…"
