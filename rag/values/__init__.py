"""The values that pass through the answer engine.

All of them are frozen: a step takes values and returns values, so that a durable runner can record every step
and replay it. Ids of rows belong to storage; this module knows no chats and no tables.
"""

from rag.values.answers import Answer, Citation, Draft, Failure, FinishReason, StepTrace
from rag.values.passages import Anchor, DocumentSet, Passage, PassageId
from rag.values.places import Place
from rag.values.questions import MODES, Classification, Intent, Mode, Question, Speaker, Turn
from rag.values.usage import FREE_LAYERS, FreeLayer, ModelCall, Savings, Usage
from rag.values.verdicts import (
    LABELS,
    Evidence,
    Finding,
    FindingKind,
    Label,
    Quality,
    ReadingOutcome,
    SecondReading,
    Severity,
    Verdict,
    VerdictSource,
)

__all__ = [
    "FREE_LAYERS", "LABELS", "MODES", "Anchor", "Answer", "Citation", "Classification", "DocumentSet",
    "Draft", "Evidence", "Failure", "Finding", "FindingKind", "FinishReason", "FreeLayer", "Intent", "Label",
    "Mode", "ModelCall", "Passage", "PassageId", "Place",
    "Quality", "Question", "ReadingOutcome", "Savings", "SecondReading", "Severity", "Speaker", "StepTrace",
    "Turn", "Usage", "Verdict", "VerdictSource",
]  # fmt: skip
