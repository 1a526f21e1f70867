"""What the reader is told about an answer, and which of several answers is the best.

Pure: one function a decision, tested as tables.
"""

from __future__ import annotations

from dataclasses import dataclass

from rag.reasons import Reason
from rag.values import Citation, Draft, Evidence, Intent, Label, Quality, SecondReading, Verdict

_LABEL_RANK: dict[Label, int] = {"verified": 3, "general": 2, "not_in_documents": 1, "unverified": 0}
_QUALITY_RANK: dict[Quality, int] = {
    "adequate": 4,
    "unchecked": 3,
    "needs_docs": 2,
    "off_topic": 1,
    "hallucination": 0,
}

NOT_JUDGED = Verdict("unchecked", Reason("verdict-none"), 0.0, "rules")
"""The verdict on a text of which nobody has said anything yet."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """An evaluated text: what could be sent if nothing better comes.

    Args:
        draft: The text, repaired, with its verified markers.
        verdict: What the evaluation said.
        evidence: How it compares with the corpus; None when it was not compared.
        citations: The markers that hold.
        is_covered: The documents talk about the question.
        is_answering: What carries the text in the documents speaks of what was asked.
        is_defective: A free check found a critical fault.
        is_void: There is nothing in it to send: it is empty, or nothing but leftovers.
        flags: What the free checks and the reviewer leave to the judge, as clauses.
        cut: The text as the model left it, when it was cut off and can be written on from there.
        doubt: Why it is worth writing once more although no free check says so: what the reviewer, or the
            judge after it, found; an empty string when nobody doubts it.
        is_mended: A fault of form was mended in it.
        is_unambiguous: The free evidence leaves no doubt that the passages answer the question this way.
        second_reading: What a blind reading of the cited passage says; None when nobody read it.
        is_quotation: The text is a verbatim quotation that code put together.
    """

    draft: Draft
    verdict: Verdict
    evidence: Evidence | None
    citations: tuple[Citation, ...] = ()
    is_covered: bool = False
    is_answering: bool = True
    is_defective: bool = False
    is_void: bool = False
    flags: tuple[str, ...] = ()
    cut: str = ""
    doubt: str = ""
    is_mended: bool = False
    is_unambiguous: bool = False
    second_reading: SecondReading | None = None
    is_quotation: bool = False

    @property
    def is_confirmed(self) -> bool:
        """Whether the claim that answers the question is known to be what the cited passage says to it.

        A second reading decides where there is one; evidence that leaves no doubt counts where nobody may be
        asked.
        """
        if self.second_reading is not None:
            return self.is_answering and self.second_reading.outcome == "agrees"
        return self.is_answering and self.is_unambiguous

    @property
    def is_disputed(self) -> bool:
        """Whether a blind reading of the cited passage says something else than the text."""
        return self.second_reading is not None and self.second_reading.outcome == "differs"


def quality_rank(quality: Quality) -> int:
    """How good a verdict is; higher is better."""
    return _QUALITY_RANK[quality]


def label(candidate: Candidate, intent: Intent, *, has_read: bool) -> Label:
    """Return the label of an answer.

    ``verified`` needs documents behind it: citations that hold, and either a blind second reading of the
    cited passage that says the same, or free evidence that leaves no doubt. A confident model alone never
    earns it.

    Args:
        candidate: The evaluated text.
        intent: What the message was.
        has_read: A writer has read what the documents say about it, or they say nothing at all.
    """
    quality = candidate.verdict.quality
    if quality == "adequate":
        if candidate.citations and candidate.is_confirmed:
            return "verified"
        if intent == "small_talk":
            return "general"
        if candidate.draft.passages or candidate.citations or candidate.is_covered:
            return "unverified"
        return "general"
    if quality == "needs_docs" and has_read and candidate.second_reading is None:
        return "not_in_documents"
    return "unverified"


def best(candidates: list[tuple[Candidate, Label]]) -> tuple[Candidate, Label]:
    """Return the best answer so far; of equals the later one, which knew more.

    What was found to be invented comes last, behind a text that is merely cut off: a reader sees that a
    sentence stops, but not that a name is made up. A text that only a second reading disputes counts as
    unchecked: the evidence carries it, the reader may be wrong, and both are told. A doubt decides only
    between equals: models that doubt a text which the documents confirm are wrong more often than the
    documents.
    """
    return max(
        enumerate(candidates),
        key=lambda entry: (
            _quality(entry[1][0]) != "hallucination",
            not entry[1][0].is_defective,
            _QUALITY_RANK[_quality(entry[1][0])],
            _LABEL_RANK[entry[1][1]],
            not entry[1][0].doubt,
            bool(entry[1][0].draft.passages),
            entry[0],
        ),
    )[1]


def _quality(candidate: Candidate) -> Quality:
    return "unchecked" if candidate.is_disputed else candidate.verdict.quality
