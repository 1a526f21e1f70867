"""Choose the label of an answer, and the best of several answers. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from rag.reasons import Reason
from rag.values import Citation, Draft, Evidence, Intent, Label, Quality, SecondReading, Verdict

_LABEL_RANK: dict[Label, int] = {
    "verified": 5,
    "partly": 4,
    "conversation": 3,
    "general": 2,
    "not_in_documents": 1,
    "unverified": 0,
}
_QUALITY_RANK: dict[Quality, int] = {
    "adequate": 4,
    "unchecked": 3,
    "needs_docs": 2,
    "off_topic": 1,
    "hallucination": 0,
}

NOT_JUDGED = Verdict("unchecked", Reason("verdict-none"), 0.0, "rules")
"""The verdict on a text before its evaluation."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """An evaluated text, which is sent if nothing better follows.

    Args:
        draft: The text, repaired, with its verified markers.
        evidence: Comparison with the corpus; None if there was none.
        is_covered: The documents are about the question.
        is_defective: A free check found a critical fault.
        is_void: The text is empty or consists only of leftovers, so it cannot be sent.
        flags: Notes of the free checks and the reviewer for the judge, as clauses.
        cut: The text as the model left it, if it was cut off and can be continued.
        doubt: Why the reviewer or the judge wants the text rewritten although the free checks accept it; else
            empty.
        is_mended: A formal fault was repaired in it.
        unconfirmed: Its claims beside the answer that no passage is known to carry, as written.
        is_quotation: The text is a verbatim quotation that code put together.
    """

    draft: Draft
    verdict: Verdict
    evidence: Evidence | None
    citations: tuple[Citation, ...] = ()
    is_covered: bool = False
    is_defective: bool = False
    is_void: bool = False
    flags: tuple[str, ...] = ()
    cut: str = ""
    doubt: str = ""
    is_mended: bool = False
    second_reading: SecondReading | None = None
    unconfirmed: tuple[str, ...] = ()
    is_quotation: bool = False

    @property
    def is_confirmed(self) -> bool:
        """Whether the claim that answers is known to be carried by the passage that it cites."""
        return self.second_reading is not None and self.second_reading.outcome == "agrees"

    @property
    def is_from_conversation(self) -> bool:
        """Whether the text says what the conversation has said, and cites no document."""
        return self.verdict.reason.code == "verdict-said" and not self.citations

    @property
    def is_disputed(self) -> bool:
        """Whether a reading of the cited passage gives another answer."""
        return self.second_reading is not None and self.second_reading.outcome == "differs"


def rank_quality(quality: Quality) -> int:
    """Return the rank of a verdict's quality; higher is better."""
    return _QUALITY_RANK[quality]


def choose_label(candidate: Candidate, intent: Intent, *, has_read: bool) -> Label:
    """Return the label of an answer.

    ``verified`` requires citations and a reading that agrees. The confidence of a chat model is never enough.
    `has_read` says that a writer has read the passages about the question, or that a search found none.
    """
    quality = candidate.verdict.quality
    if quality == "adequate":
        if candidate.citations and candidate.is_confirmed:
            return "partly" if candidate.unconfirmed else "verified"
        if candidate.is_from_conversation:
            return "conversation"
        if intent == "small_talk":
            return "general"
        if candidate.draft.passages or candidate.citations or candidate.is_covered:
            return "unverified"
        return "general"
    if quality == "needs_docs" and has_read and candidate.second_reading is None:
        return "not_in_documents"
    return "unverified"


def pick_best(candidates: list[tuple[Candidate, Label]]) -> tuple[Candidate, Label]:
    """Return the best answer; among equals the later one, which was written with more knowledge.

    A hallucination ranks last, below a text that is cut off: a reader sees that a sentence stops, but not
    that a name is invented. A doubt only breaks ties, because models that doubt a text which the documents
    confirm are more often wrong than the documents.
    """
    return max(
        enumerate(candidates),
        key=lambda entry: (
            entry[1][0].verdict.quality != "hallucination",
            not entry[1][0].is_defective,
            _QUALITY_RANK[entry[1][0].verdict.quality],
            _LABEL_RANK[entry[1][1]],
            not entry[1][0].doubt,
            bool(entry[1][0].draft.passages),
            entry[0],
        ),
    )[1]
