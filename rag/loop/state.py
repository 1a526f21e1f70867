"""The state of the loop for one question."""

from __future__ import annotations

from dataclasses import dataclass, field

from rag.errors import ModelError
from rag.knowledge.search import SearchResult
from rag.quoting.rows import RowAnswer
from rag.runs.candidates import Candidate
from rag.steps.whole import Whole
from rag.values import Classification, Passage, PassageId, Place


@dataclass
class State:
    """The knowledge of the loop so far; all of it comes from step outcomes.

    Args:
        probe: Result of the search for the question; None before the search, and for small talk.
        places: Where the passages that were read answer the question, by passage.
        read: These passages, in the order in which they were found.
        passages: The passages for the next writer.
        retrieved: All passages that searches returned, in order.
        shown: Ids of the passages that a writer has seen.
        rewritten: Queries that a model wrote, newest first.
        tried: The queries of the last search.
        has_searched: The documents were searched for passages to read.
        is_search_blind: The search found nothing and its embedding does not know the question's language, so
            the documents may say it all the same.
        has_been_disputed: A text was rewritten because a second reading gave another answer.
        has_been_sent_back: A text was sent back because the reviewer or the judge objects to it.
        row_answers: What the rows of tables answer, by document, if the question is about all of them.
        whole: The document that is read as a whole, because its summary was asked for.
        is_exhausted: The last search found no new passage, or its query was not new.
    """

    classification: Classification
    probe: SearchResult | None = None
    candidates: list[Candidate] = field(default_factory=list)
    places: dict[PassageId, Place] = field(default_factory=dict)
    read: tuple[Passage, ...] = ()
    passages: tuple[Passage, ...] = ()
    retrieved: tuple[Passage, ...] = ()
    shown: frozenset[PassageId] = frozenset()
    rewritten: tuple[str, ...] = ()
    tried: tuple[str, ...] = ()
    retries: int = 0
    has_searched: bool = False
    is_search_blind: bool = False
    has_continued: bool = False
    has_been_disputed: bool = False
    has_been_sent_back: bool = False
    row_answers: dict[str, list[RowAnswer]] = field(default_factory=dict)
    whole: Whole | None = None
    is_exhausted: bool = False
    failure: ModelError | None = None

    @property
    def rows(self) -> RowAnswer | None:
        """What the rows of a table answer; None if no table answers, or two, which may differ."""
        answers = [answer for found in self.row_answers.values() for answer in found]
        return answers[0] if len(answers) == 1 else None

    @property
    def latest(self) -> Candidate:
        """The text that was evaluated last."""
        return self.candidates[-1]
