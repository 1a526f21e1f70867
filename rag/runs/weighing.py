"""Decide what an evaluated text still needs: nothing, a judge, or the documents. Pure."""

from __future__ import annotations

from typing import Literal

from rag.values import Verdict

Action = Literal["accept", "ask_judge", "read_documents"]


def weigh(verdict: Verdict, *, threshold: float, is_covered: bool, is_judged: bool) -> Action:
    """Decide whether to accept a verdict, ask the judge or read the documents.

    A verdict at or above the threshold is accepted. Below it, if the documents cover the question, an
    "adequate" text is checked against them. A negative verdict is accepted then, because the documents answer
    better and more cheaply than a guessing judge. Otherwise the judge is asked once.

    Args:
        is_covered: The documents are about the question, and the text was written without them.
    """
    if verdict.confidence >= threshold or verdict.quality == "unchecked":
        return "accept"
    if is_covered and verdict.quality != "off_topic":
        return "read_documents" if verdict.quality == "adequate" else "accept"
    return "accept" if is_judged else "ask_judge"
