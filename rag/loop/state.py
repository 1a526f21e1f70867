"""Where the loop stands with one question."""

from __future__ import annotations

from dataclasses import dataclass, field

from rag.errors import ModelError
from rag.knowledge.search import SearchResult
from rag.loop.candidates import Candidate
from rag.values import Classification, Passage, PassageId


@dataclass
class State:
    """What the loop knows so far; everything in it comes from outcomes of steps.

    Args:
        reading: What the message is taken for.
        probe: What a search for the question found; None before it, and for small talk.
        candidates: The evaluated texts, in order.
        passages: What the next writer is shown.
        retrieved: All passages that searches brought, in the order in which they came.
        shown: Ids of the passages that a writer has been shown.
        rewritten: Queries that a model wrote, newest first.
        tried: The queries of the last search.
        retries: Corrections made.
        has_searched: The documents were searched for passages to read.
        has_continued: A text that was cut off has been written on.
        has_been_disputed: A text was written once more because a second reading said something else.
        has_been_sent_back: A text was written once more because the reviewer or the judge doubts it.
        is_exhausted: The last search brought nothing that had not been tried.
        failure: The model that failed last, if its failure ended the loop.
    """

    reading: Classification
    probe: SearchResult | None = None
    candidates: list[Candidate] = field(default_factory=list)
    passages: tuple[Passage, ...] = ()
    retrieved: tuple[Passage, ...] = ()
    shown: frozenset[PassageId] = frozenset()
    rewritten: tuple[str, ...] = ()
    tried: tuple[str, ...] = ()
    retries: int = 0
    has_searched: bool = False
    has_continued: bool = False
    has_been_disputed: bool = False
    has_been_sent_back: bool = False
    is_exhausted: bool = False
    failure: ModelError | None = None

    @property
    def latest(self) -> Candidate:
        """The text that was evaluated last."""
        return self.candidates[-1]
