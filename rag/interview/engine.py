"""Asks models for the turns of interviews, in a program that answers no questions besides."""

from __future__ import annotations

from rag.interview.workflow import with_budget
from rag.models.calls import ModelTools
from rag.runs.work import RunStep, Work


class InterviewEngine:
    """Opens the work of turns; `rag.engine.AnswerEngine` does the same for a program that also answers."""

    def __init__(self, tools: ModelTools) -> None:
        self._tools = with_budget(tools)

    def open_interview_work(self, run_step: RunStep | None = None) -> Work:
        """Return what one turn asks models with."""
        return Work(self._tools, run_step)
