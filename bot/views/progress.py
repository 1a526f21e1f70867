"""Work that goes on, put together from its events: the state in a line, the steps, and the text so far."""

from __future__ import annotations

from bot.texts import TEXTS
from bot.views.councils import CouncilProgress
from rag.events import CouncilEvent, Event, StepFinished, StepStarted, Text
from rag.values import StepTrace

_BESIDE = frozenset({"probe"})
"""Steps that run beside another step, which is the one to show."""

_READ_NEXT = frozenset({"regenerate", "retrieve"})


def name_step(step: str, language: str) -> str:
    """Return the name of an engine step in the reader's language.

    A stored answer may hold a step that only an earlier version had: its bare name is returned.
    """
    try:
        name = TEXTS.text(f"step-{step.replace(' ', '_')}", language)
    except LookupError:
        name = step.replace("_", " ")
    return name[:1].upper() + name[1:]


class Progress:
    """The progress of one piece of work; feed it each event as it comes."""

    def __init__(self, first: str = "classify") -> None:
        self.council = CouncilProgress()
        self._steps: dict[tuple[str, int], StepTrace | None] = {}
        self._running: list[str] = []
        self._latest = first
        self._documents = 0
        self._writer = ("", 0)
        self._draft: list[str] = []

    @property
    def draft_text(self) -> str:
        """Return the unchecked text written so far; a new draft begins empty."""
        return "".join(self._draft)

    @property
    def steps(self) -> list[StepTrace | str]:
        """Return the steps in the order in which they began, those at work by their names."""
        return [trace or name for (name, _number), trace in self._steps.items()]

    def feed(self, event: Event) -> None:
        """Take one event."""
        match event:
            case StepStarted(step, number):
                self._steps.setdefault((step, number), None)
                self._running.append(step)
                if step == "retrieve":
                    self._documents = 0
                if step not in _BESIDE or len(self._running) == 1:
                    self._latest = step
            case StepFinished(trace, number):
                self._steps[trace.step, number] = trace
                if trace.step in self._running:
                    self._running.remove(trace.step)
                ahead = [step for step in self._running if step not in _BESIDE] or self._running
                self._latest = ahead[-1] if ahead else self._latest
                documents = trace.detail.values.get("documents")
                if trace.step == "retrieve" and isinstance(documents, int):
                    self._documents = documents
            case Text(step, piece, number):
                if (step, number) != self._writer:
                    self._writer = (step, number)
                    self._draft = []
                self._draft.append(piece)
            case CouncilEvent():
                self.council.feed(event)
            case _:
                pass

    def line(self, language: str) -> str:
        """Return the present step as a short line in the reader's language."""
        if state := self.council.line(language):
            return state
        if self._documents and self._latest in _READ_NEXT:
            text = TEXTS.text("progress-reading", language, documents=self._documents)
            return f"{text[:1].upper()}{text[1:]} …"
        return f"{name_step(self._latest, language)} …"
