"""One question in the loop: the tools of its steps, and how thoroughly it is checked."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from rag.events import Event
from rag.evidence import Gatherer
from rag.knowledge.embedder import Vectors
from rag.knowledge.search import SearchResult
from rag.models.calls import ModelTools
from rag.runs.layers import Layers, select_layers
from rag.runs.work import Outcome, RunStep, Work
from rag.settings import EMBEDDED, Critique, Models, Review, SelfCorrection
from rag.values import DocumentSet, Mode, Passage, PassageId, Question
from rag.verifier.opening import OpenVerifier, open_verifier

__all__ = ["Corpus", "Outcome", "Run", "RunStep", "Tools"]


class Corpus(Protocol):
    """The knowledge base, as the loop needs it."""

    @property
    def is_empty(self) -> bool:
        """Whether there are no passages."""
        ...

    @property
    def main_language(self) -> str:
        """Language of at least 90 % of the text, as ISO 639-1 code; English if there is no such language."""
        ...

    def within(self, documents: DocumentSet) -> Corpus:
        """Return the knowledge base as if it held some of its documents only."""
        ...

    async def search(
        self, queries: Sequence[str], limit: int = 20, exclude: Collection[PassageId] = ()
    ) -> SearchResult:
        """Return the best passages with their scores; the first query weighs most."""
        ...

    async def retrieve(
        self,
        queries: Sequence[str],
        *,
        carried: Sequence[Passage] = (),
        exclude: Collection[PassageId] = (),
    ) -> tuple[Passage, ...]:
        """Return passages to read: results fused, near-duplicates removed, neighbours joined, cut to size."""
        ...

    async def document(self, key: str) -> tuple[Passage, ...]:
        """Return all passages of one document in order; empty for an unknown key."""
        ...

    async def find_changed(self, documents: Collection[str]) -> frozenset[str]:
        """Return the keys of those documents whose files are not as they were read."""
        ...

    async def embed_texts(self, texts: Sequence[str]) -> Vectors:
        """Return the vectors of texts, shape (len(texts), dimension)."""
        ...

    def knows(self, text: str) -> bool:
        """Return whether the embedding supports the language of a text."""
        ...

    def rarity(self, terms: Iterable[str]) -> Mapping[str, float]:
        """Return how rare index terms are in the corpus, 0 (everywhere) to 1 (nowhere)."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Tools(ModelTools):
    """The tools of the steps; the same for every question."""

    corpus: Corpus
    evidence: Gatherer
    self_correction: SelfCorrection
    review: Review = field(default_factory=Review)
    critique: Critique = field(default_factory=Critique)
    verifier: OpenVerifier = field(default_factory=lambda: open_verifier(Models()))


class Run(Work):
    """The work of answering one question; the other arguments are those of `Work`."""

    tools: Tools

    def __init__(
        self,
        question: Question,
        tools: Tools,
        run_step: RunStep | None = None,
        emit: Callable[[Event], None] | None = None,
        *,
        is_streaming: bool = False,
    ) -> None:
        if question.model in tools.model_settings.choices:
            tools = replace(tools, model_settings=tools.model_settings.with_writer(question.model))
        super().__init__(tools, run_step, emit, is_streaming=is_streaming)
        self.question = question
        self.verifier = tools.verifier(self)
        self.mode: Mode = question.mode or tools.self_correction.mode
        self.is_documents_only: bool = (
            tools.self_correction.documents_only
            if question.documents_only is None
            else question.documents_only
        )
        self.layers: Layers = select_layers(
            self.mode, tools.self_correction, tools.review, tools.critique, tools.model_settings
        )

    @property
    def is_reading_first(self) -> bool:
        """Whether answers from documents quote what was read, instead of having a model write.

        Mode quick asks no model for what the documents say.
        """
        wanted = self.tools.self_correction.answer_from
        is_small = self.tools.model_settings.named("writer") == EMBEDDED
        return wanted == "reader" or (wanted == "auto" and (is_small or self.mode == "quick"))
