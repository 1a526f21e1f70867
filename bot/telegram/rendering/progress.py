"""Turns events of the engine into the line of progress that a reader sees while waiting."""

from __future__ import annotations

from bot.service.answer_view import name_step
from bot.service.council_view import CouncilProgress
from bot.texts import TEXTS
from rag.events import CouncilEvent, Event, StepFinished, StepStarted, Text

_BESIDE = frozenset({"probe"})
"""Steps that run beside another step, which is the one to show."""

_READ_NEXT = frozenset({"regenerate", "retrieve"})
_FIRST = "classify"


class Progress:
    """The progress of one question; feed it each event as it comes."""

    def __init__(self) -> None:
        self._running: list[str] = []
        self._latest = _FIRST
        self._documents = 0
        self._begun: set[str] = set()
        self._writer = ""
        self._draft: list[str] = []
        self._council = CouncilProgress()

    @property
    def draft_text(self) -> str:
        """Return the unchecked text written so far; a new draft begins empty."""
        return "".join(self._draft)

    def feed(self, event: Event) -> None:
        """Take one event."""
        match event:
            case StepStarted(step):
                self._running.append(step)
                self._begun.add(step)
                if step == "retrieve":
                    self._documents = 0
                if step not in _BESIDE or len(self._running) == 1:
                    self._latest = step
            case StepFinished(trace):
                if trace.step in self._running:
                    self._running.remove(trace.step)
                ahead = [step for step in self._running if step not in _BESIDE] or self._running
                self._latest = ahead[-1] if ahead else self._latest
                documents = trace.detail.values.get("documents")
                if trace.step == "retrieve" and isinstance(documents, int):
                    self._documents = documents
            case Text(step, piece):
                if step != self._writer or step in self._begun:
                    self._writer = step
                    self._begun.discard(step)
                    self._draft = []
                self._draft.append(piece)
            case CouncilEvent():
                self._council.feed(event)
            case _:
                pass

    def line(self, language: str) -> str:
        """Return the present step as a short line in the reader's language."""
        if state := self._council.line(language):
            return state
        if self._documents and self._latest in _READ_NEXT:
            text = TEXTS.text("progress-reading", language, documents=self._documents)
            return f"{text[:1].upper()}{text[1:]} …"
        return f"{name_step(self._latest, language)} …"
