"""What the engine tells while it works; the terminal and Telegram draw these."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from rag.values import Answer, StepTrace


@dataclass(frozen=True, slots=True)
class StepStarted:
    """A step begins."""

    step: str


@dataclass(frozen=True, slots=True)
class StepFinished:
    """A step is over; the trace line says what came out."""

    trace: StepTrace


@dataclass(frozen=True, slots=True)
class Text:
    """A piece of a text being written; it is not checked yet and may be replaced."""

    step: str
    piece: str


@dataclass(frozen=True, slots=True)
class Answered:
    """The answer; always the last event."""

    answer: Answer


Event: TypeAlias = StepStarted | StepFinished | Text | Answered
