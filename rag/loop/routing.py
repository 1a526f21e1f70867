"""Choose the step after an evaluation, by a table: the first matching row applies.

The table is the specification. `docs/the-loop.md` shows it, generated from here, and every row has a test.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Literal

from rag.values import Quality

NextStep = Literal["finish", "continue", "again", "retrieve", "rewrite", "classify"]
"""``continue`` writes on where a text was cut off, ``again`` writes the answer again with its fault
named, ``rewrite`` is followed by ``retrieve``."""


@dataclass(frozen=True, slots=True)
class Situation:
    """The input of the routing table.

    Args:
        has_documents: The evaluated text was written from passages.
        has_retries: A correction is left.
        is_defective: A free check found a critical fault in the text (cut off, wrong language, empty).
        was_defective: An earlier text, not only cut off, was faulty too; the documents have been searched.
        is_covered: A passage that was read beside the draft answers the question.
        is_general: The text is general knowledge, and a passage that was read may answer the question.
        is_exhausted: The last search found no new passage, or its query was not new.
        is_cut: The text was cut off and has not been continued yet.
        is_doubted: The reviewer, or the judge after it, objects to a text that the other layers accept.
        is_disputed: A second reading of the cited passage gives another answer.
        was_disputed: An earlier text was disputed too, and its writer was shown both answers.
    """

    quality: Quality
    has_documents: bool = False
    has_retries: bool = True
    is_defective: bool = False
    was_defective: bool = False
    is_covered: bool = False
    is_general: bool = False
    is_exhausted: bool = False
    is_cut: bool = False
    is_doubted: bool = False
    is_disputed: bool = False
    was_disputed: bool = False


@dataclass(frozen=True, slots=True)
class Rule:
    """One row of the table: the conditions (None means "any") and the next step with its reason."""

    then: NextStep
    why: str
    quality: Quality | None = None
    has_documents: bool | None = None
    has_retries: bool | None = None
    is_defective: bool | None = None
    was_defective: bool | None = None
    is_covered: bool | None = None
    is_general: bool | None = None
    is_exhausted: bool | None = None
    is_cut: bool | None = None
    is_doubted: bool | None = None
    is_disputed: bool | None = None
    was_disputed: bool | None = None

    def matches(self, situation: Situation) -> bool:
        """Return whether the situation meets every condition of the row."""
        conditions = {one.name: getattr(self, one.name) for one in fields(Situation)}
        return all(
            wanted is None or wanted == getattr(situation, name) for name, wanted in conditions.items()
        )


TABLE: tuple[Rule, ...] = (
    Rule(
        "again",
        "the reviewer doubts it: write it again, send the better one",
        has_retries=True,
        is_doubted=True,
    ),
    Rule(
        "retrieve",
        "general knowledge, and a passage may answer: read the documents",
        quality="adequate",
        has_documents=False,
        has_retries=True,
        is_general=True,
        is_exhausted=False,
    ),
    Rule("finish", "the answer is good", quality="adequate"),
    Rule("finish", "retries are used up: the best answer so far goes out with its label", has_retries=False),
    Rule(
        "finish",
        "a second reading disputes it again: it goes out unverified, with what the reading says",
        has_documents=True,
        is_disputed=True,
        was_disputed=True,
    ),
    Rule(
        "again", "a second reading differs: write it again, shown both", has_documents=True, is_disputed=True
    ),
    Rule(
        "retrieve",
        "a faulty draft, and a passage answers the question: read the documents",
        has_documents=False,
        is_defective=True,
        is_covered=True,
        is_exhausted=False,
    ),
    Rule(
        "retrieve",
        "a second faulty draft: only the documents are left",
        has_documents=False,
        is_defective=True,
        was_defective=True,
        is_exhausted=False,
    ),
    Rule("continue", "it was cut off: write on from there, once", is_cut=True),
    Rule("again", "a free check found a fault: write it once more and name the fault", is_defective=True),
    Rule("finish", "nobody could check it: say that the answer is not verified", quality="unchecked"),
    Rule("finish", "another search would bring nothing new", is_exhausted=True),
    Rule("classify", "the draft missed the question: read the question again", quality="off_topic"),
    Rule("retrieve", "only the documents can say", quality="needs_docs", has_documents=False),
    Rule("rewrite", "these passages lack it: use other words", quality="needs_docs", has_documents=True),
    Rule("retrieve", "the draft claims what the evidence denies", quality="hallucination"),
)


def route(situation: Situation) -> Rule:
    """Return the first row that applies; its `then` is the next step."""
    return next(rule for rule in TABLE if rule.matches(situation))
