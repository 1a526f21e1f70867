"""A run as a chat shows it: made from what was recorded, so that a reload shows the same."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from bot.service import keys
from bot.service.runs import ENDS, Run, RunEvent
from bot.statistics.values import Thumb
from bot.views import answers
from bot.views.blocks import Blocks, Details
from bot.views.comparison import compare
from bot.views.councils import CouncilProgress
from bot.views.progress import Progress
from bot.web.context import TEXTS
from bot.web.runs import DRAFT
from rag.events import from_json
from rag.values import Answer


@dataclass(frozen=True, slots=True)
class RunView:
    """Everything that a chat shows of a run.

    Args:
        failure: Why there is no answer: what the event that ended the run told.
        single: The member of a council that speaks alone; empty otherwise.
        shown: What is drawn: faults, text, label, sources, differences, stages, story and trail.
        text: The words of an answer that another version has written and this one cannot read.
        is_open: Whether the run is recorded still, so that its answer can be rated.
    """

    run: Run
    question: str
    last: int
    line: str
    answer: Answer | None
    failure: dict[str, Any] | None
    rating: Thumb | None
    single: str
    shown: Mapping[str, Blocks]
    text: str = ""
    is_open: bool = True

    @property
    def anchor(self) -> str:
        """Name of the run within the page of its chat."""
        return anchor(self.run.id)

    @property
    def is_over(self) -> bool:
        """Whether nothing more will come."""
        return self.run.state in ENDS

    @property
    def conversation(self) -> int | None:
        """Number of the conversation in the console."""
        return keys.web_conversation_number(self.run.conversation_id)

    def kept(self, question: str, text: str, *, is_open: bool) -> RunView:
        """Return this view with the question and the answer that the messages of the chat hold."""
        return replace(self, question=self.question or question, text=text, is_open=is_open)


def anchor(run_id: str) -> str:
    """Return the name of a run within the page of its chat: ids of runs hold what names there do not."""
    return f"r{hashlib.sha256(run_id.encode()).hexdigest()[:8]}"


def view(
    run: Run, events: Sequence[RunEvent], answer: Answer | None, rating: Thumb | None, language: str
) -> RunView:
    """Return what a chat shows of a run."""
    progress = Progress()
    question, draft = answer.question if answer else "", ""
    failure: dict[str, Any] | None = None
    for event in events:
        match event.type:
            case "accepted":
                question = str(event.data["question"])
            case "error":
                failure = dict(event.data)
            case kind if kind == DRAFT:
                draft = str(event.data["text"])
            case kind if kind.startswith(("step", "stage", "council")):
                progress.feed(from_json(event.data))
            case _:
                pass
    council, is_over = progress.council, run.state in ENDS
    if answer and answer.council and not events:
        council = CouncilProgress.of(answer.council)
    told = answers.why(answer, language) if answer else _steps(progress, language, is_over=is_over)
    shown: dict[str, Blocks] = {
        "faults": council.faults(language),
        "stages": council.view(language, is_over=is_over),
        "story": told[:1] if answer else (),
        "trail": _unfolded(told[1:] if answer else told),
        "differences": (),
    }
    if answer:
        shown |= {
            "text": answers.text(answer),
            "label": answers.label(answer, language),
            "sources": answers.sources(answer, language) if answer.citations else (),
            "differences": _differences(draft, answer, language),
        }
    last, line = events[-1].seq if events else 0, progress.line(language)
    return RunView(run, question, last, line, answer, failure, rating, council.single, shown)


def _unfolded(found: Blocks) -> Blocks:
    """Return blocks with what is folded in its place: the page folds all of it."""
    return tuple(inner for one in found for inner in (one.blocks if isinstance(one, Details) else (one,)))


def _differences(draft: str, answer: Answer, language: str) -> Blocks:
    if not draft or draft.split() == answer.text.split():
        return ()
    titles = (TEXTS.text("web-first-draft", language), TEXTS.text("web-final-answer", language))
    return (compare(draft, answer.text, titles),)


def _steps(progress: Progress, language: str, *, is_over: bool) -> Blocks:
    # A step that was at work when the run ended did not end.
    steps = [step for step in progress.steps if not is_over or not isinstance(step, str)]
    return (answers.steps(steps, language),) if steps else ()
