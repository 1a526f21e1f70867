"""An answer, from the draft to what the user gets."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from rag.reasons import Reason
from rag.values.council import CouncilRecord
from rag.values.passages import DocumentSet, Passage, PassageId
from rag.values.questions import Mode
from rag.values.usage import Savings, Usage
from rag.values.verdicts import Label, Verdict

FinishReason = Literal["stop", "length", "other"]
"""Why a model stopped: by itself, at the token limit, or for another reason."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A text that a model wrote as an answer.

    Args:
        text: The text, with ``[n]`` markers if it was written from passages.
        passages: Passages that the writer saw; marker ``[n]`` means ``passages[n - 1]``.
    """

    text: str
    passages: tuple[Passage, ...] = ()
    finish_reason: FinishReason = "stop"
    model: str = ""


@dataclass(frozen=True, slots=True)
class Citation:
    """A verified reference from the answer to a passage.

    Args:
        n: The number in the answer, from 1.
        section: Heading path, or an empty string.
        quote: One or two sentences of the passage that support the claim.
        source: The document's key in the corpus.
        url: Where a reader can open the quote (http or https), or an empty string.
    """

    n: int
    document: str
    section: str
    quote: str
    passage: PassageId
    source: str = ""
    url: str = ""


@dataclass(frozen=True, slots=True)
class StepTrace:
    """One line of the trace, which ``/why`` shows.

    Args:
        step: Name of the step (``draft``, ``probe``, ``evaluate`` …).
        tokens: Input plus output tokens of the step's model calls.
        model: The last model that was called, or an empty string.
        prompt: ``name@version#hash`` of the prompt, or an empty string.
        notes: What the result leaves out, one by one: the issues of a reviewer or a critic.
    """

    step: str
    milliseconds: float
    detail: Reason
    tokens: int = 0
    model: str = ""
    prompt: str = ""
    notes: tuple[Reason, ...] = ()


@dataclass(frozen=True, slots=True)
class Failure:
    """Why no model wrote the answer: none answered, or the server refused (key, model name)."""

    kind: Literal["unavailable", "rejected"]
    reason: Reason


@dataclass(frozen=True, slots=True)
class Answer:
    """The engine's answer to a question; always with a text and a label.

    Args:
        question: The message, verbatim.
        text: The answer, with markers ``[n]`` that refer to `citations`.
        language: ISO 639-1 code of the requested language.
        citations: The verified sources, in order of their numbers.
        passages: The passages behind it, best first; a follow-up reads them again.
        used_documents: The text was written from passages.
        failure: Set when a model failed and the answer is what could be given all the same.
        score: What the critic gave it, 0-1; None when no critic scored it.
        unrefined: The text before a critic had it refined; empty when it was not refined.
        standalone: The question as it reads without its history; empty when it was never classified.
        documents: Which documents it could be answered from; None: all.
    """

    question: str
    text: str
    label: Label
    language: str
    verdict: Verdict
    citations: tuple[Citation, ...]
    passages: tuple[Passage, ...]
    used_documents: bool
    retries: int
    usage: Usage
    seconds: float
    trace: tuple[StepTrace, ...]
    failure: Failure | None = None
    mode: Mode = "balanced"
    savings: Savings = field(default_factory=Savings)
    score: float | None = None
    unrefined: str = ""
    standalone: str = ""
    council: CouncilRecord | None = None
    documents: DocumentSet | None = None
