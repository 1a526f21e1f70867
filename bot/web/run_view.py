"""A run as its page shows it: made from what was recorded, so that a reload shows the same."""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from bot.service import keys
from bot.service.runs import ENDS, Run, RunEvent
from bot.statistics.values import Thumb
from bot.web import council
from bot.web.runs import DRAFT
from rag.events import StepFinished, StepStarted, from_json
from rag.values import Answer, Citation, StepTrace

_WORDS = re.compile(r"\s+|[^\s]+")
_MOST_WORDS: Final = 4_000
"""Of two texts that are compared; comparing takes their product of time."""


@dataclass(frozen=True, slots=True)
class Step:
    """A step of the loop; `trace` is None while it is at work."""

    name: str
    trace: StepTrace | None = None


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of one of two texts that are compared, and whether the other text lacks it."""

    text: str
    is_own: bool


@dataclass(frozen=True, slots=True)
class Source:
    """A passage that the answer points to, cut where the quote stands.

    Args:
        citation: The pointer.
        before: The words of the passage before the quote.
        quote: The words that carry the claim.
        after: The words behind it.
    """

    citation: Citation
    before: str
    quote: str
    after: str


@dataclass(frozen=True, slots=True)
class RunView:
    """Everything that the page of a run shows.

    Args:
        run: The run.
        question: What was asked.
        steps: The trail so far.
        stages: Events of a council, in their order.
        last: Number of the last event that is shown.
        draft: The first draft; empty when it is not known.
        answer: The answer, when there is one.
        failure: Why there is none: what the event that ended the run told.
        rating: What the reader said of the answer.
    """

    run: Run
    question: str
    steps: tuple[Step, ...]
    stages: tuple[RunEvent, ...] = ()
    last: int = 0
    draft: str = ""
    answer: Answer | None = None
    failure: dict[str, Any] | None = None
    rating: Thumb | None = None

    @property
    def is_over(self) -> bool:
        """Whether nothing more will come."""
        return self.run.state in ENDS

    @property
    def conversation(self) -> int | None:
        """Number of the conversation in the console."""
        return keys.web_conversation_number(self.run.conversation_id)

    @property
    def numbers(self) -> tuple[int, ...]:
        """Numbers of the sources that the answer points to."""
        return tuple(citation.n for citation in self.answer.citations) if self.answer else ()

    @property
    def is_corrected(self) -> bool:
        """Whether the answer says something else than the first draft."""
        return bool(self.draft and self.answer and self.draft.split() != self.answer.text.split())

    @property
    def council(self) -> council.CouncilView | None:
        """The council that answers, once a stage of it has begun."""
        return council.view(self.stages) if self.stages else None

    @property
    def sources(self) -> tuple[Source, ...]:
        """The passages that the answer points to."""
        return (
            tuple(source(citation, self.answer) for citation in self.answer.citations) if self.answer else ()
        )

    def differences(self, side: Literal["draft", "answer"]) -> tuple[Piece, ...]:
        """Return the first draft or the answer, with what the other one lacks marked."""
        assert self.answer is not None  # there is a correction
        return compared(self.draft, self.answer.text, side)


def view(run: Run, events: Sequence[RunEvent], answer: Answer | None, rating: Thumb | None) -> RunView:
    """Return what the page of a run shows.

    Args:
        run: The run.
        events: Everything that was recorded of it.
        answer: Its answer, if it is kept.
        rating: What the reader said of it.
    """
    steps: dict[tuple[str, int], Step] = {}
    stages: list[RunEvent] = []
    question, draft = answer.question if answer else "", ""
    failure: dict[str, Any] | None = None
    for event in events:
        match event.type:
            case "accepted":
                question = str(event.data["question"])
            case "error":
                failure = dict(event.data)
            case "step_started" | "step_finished":
                match from_json(event.data):
                    case StepStarted(name, number):
                        steps.setdefault((name, number), Step(name))
                    case StepFinished(trace, number):
                        steps[trace.step, number] = Step(trace.step, trace)
            case kind if kind == DRAFT:
                draft = str(event.data["text"])
            case kind if kind.startswith(("stage", "council")):
                stages.append(event)
    last = events[-1].seq if events else 0
    # A step that was at work when the run ended did not end.
    shown = [step for step in steps.values() if step.trace or run.state == "running"]
    return RunView(run, question, tuple(shown), tuple(stages), last, draft, answer, failure, rating)


def source(citation: Citation, answer: Answer) -> Source:
    """Return the passage of a citation, cut where the quote stands."""
    text = next((passage.text for passage in answer.passages if passage.id == citation.passage), "")
    before, quote, after = text.partition(citation.quote)
    return Source(citation, before, quote, after) if quote else Source(citation, "", citation.quote, text)


def compared(first: str, second: str, side: Literal["draft", "answer"]) -> tuple[Piece, ...]:
    """Return one of two texts in pieces, with what the other one lacks marked."""
    old, new = _WORDS.findall(first), _WORDS.findall(second)
    own = old if side == "draft" else new
    if len(old) + len(new) > _MOST_WORDS:
        return (Piece("".join(own), is_own=True),)
    pieces = []
    for kind, old_from, old_to, new_from, new_to in difflib.SequenceMatcher(
        None, old, new, autojunk=False
    ).get_opcodes():
        start, end = (old_from, old_to) if side == "draft" else (new_from, new_to)
        if start < end:
            pieces.append(Piece("".join(own[start:end]), is_own=kind != "equal"))
    return tuple(pieces)
