"""The loop by itself, for tests: a corpus in memory, a scripted model, an engine around both."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from rag.engine import AnswerEngine
from rag.knowledge.embedder import Vectors
from rag.knowledge.search import Hit, SearchResult
from rag.models.chat import ChatModel
from rag.models.scripted import Reply, ScriptedModel
from rag.prompting.library import PromptLibrary
from rag.settings import Budget, Critique, Models, Prices, Review, SelfCorrection
from rag.values import DocumentSet, Passage, PassageId, Question
from rag.verifier import Carried, Claim, Verifier
from rag.verifier.scripted import ScriptedVerifier

QUESTION = Question("Which Java does FxStore need?")
PASSAGES = tuple(
    Passage(PassageId(f"p{n}"), f"guide{n}.md", "Set-up", text, source=f"guide{n}.md")
    for n, text in enumerate(["FxStore needs Java 17.", "Java is a language.", "Install FxStore."], 1)
)


PROMPTS = PromptLibrary()


class MemoryCorpus:
    """Returns its passages in order, two at a time, and records its queries."""

    def __init__(self, passages: Sequence[Passage] = PASSAGES) -> None:
        self.passages = passages
        self.queries: list[tuple[str, ...]] = []
        self.searches = 0
        self.main_language = "en"
        self.changed: frozenset[str] = frozenset()

    @property
    def is_empty(self) -> bool:
        return not self.passages

    def within(self, documents: DocumentSet) -> MemoryCorpus:
        return MemoryCorpus([passage for passage in self.passages if documents.holds(passage.source)])

    async def search(
        self, queries: Sequence[str], limit: int = 20, exclude: Collection[PassageId] = ()
    ) -> SearchResult:
        self.searches += 1
        hits = tuple(Hit(passage, 0.5, 1.0) for passage in self.passages[:limit])
        return SearchResult(hits)

    async def retrieve(
        self,
        queries: Sequence[str],
        *,
        carried: Sequence[Passage] = (),
        exclude: Collection[PassageId] = (),
    ) -> tuple[Passage, ...]:
        self.queries.append(tuple(queries))
        found = [*carried, *self.passages]
        return tuple(passage for passage in found if passage.id not in exclude)[:2]

    async def document(self, key: str) -> tuple[Passage, ...]:
        return tuple(passage for passage in self.passages if passage.source == key)

    async def find_changed(self, documents: Collection[str]) -> frozenset[str]:
        return self.changed & frozenset(documents)

    async def embed_texts(self, texts: Sequence[str]) -> Vectors:
        return np.zeros((len(texts), 2), dtype=np.float32)

    def knows(self, text: str) -> bool:
        return True

    def rarity(self, terms: Iterable[str]) -> Mapping[str, float]:
        return dict.fromkeys(terms, 1.0)


class UndecidedVerifier(ScriptedVerifier):
    """Finds where the passages answer, and cannot say whether a text has it."""

    def __init__(self) -> None:
        super().__init__({"Java": "Java 17"})

    async def carries(self, claims: Sequence[Claim]) -> Carried:
        return Carried((0.5,) * len(claims))


def finds_java(_asker: object) -> Verifier:
    return ScriptedVerifier({"Java": "Java 17"})


class SpanishCorpus(MemoryCorpus):
    """Spanish passages whose words are not rare."""

    def __init__(self, *texts: str) -> None:
        super().__init__([Passage(PassageId(text), "a.md", "", text) for text in texts])
        self.main_language = "es"

    def rarity(self, terms: Iterable[str]) -> Mapping[str, float]:
        return dict.fromkeys(terms, 0.5)


def engine(
    model: ChatModel,
    corpus: MemoryCorpus | None = None,
    *,
    budget: Budget | None = None,
    review: Review | None = None,
    critique: Critique | None = None,
    model_settings: Models | None = None,
    prices: Prices | None = None,
    verifier: Verifier | None = None,
    **self_correction: Any,
) -> AnswerEngine:
    """Build an engine that answers by its writer; `self_correction` are further settings of that section."""
    reader = verifier or ScriptedVerifier()
    return AnswerEngine(
        models=model,
        corpus=corpus or MemoryCorpus(),
        prompts=PROMPTS,
        self_correction=SelfCorrection(**{"answer_from": "writer", **self_correction}),
        budget=budget,
        review=review,
        critique=critique,
        # With the embedded model as its own critic there would be no critic.
        model_settings=model_settings or Models(critic="openai:critic"),
        prices=prices,
        verifier=lambda _work: reader,
    )


def scripted(**replies: Reply | Sequence[Reply]) -> ScriptedModel:
    """Build a model with a reply for every step; `replies` replace those of the steps under test."""
    script: dict[str, Reply | Sequence[Reply]] = {
        "draft": "It needs Java 11.",
        "regenerate": "It needs Java 17 [1].",
        "standalone": "Which Java did FxStore need in 2015?",
        "read": "Java 17",
        "rewrite": {"query": "FxStore runtime version"},
        "classify": {"intent": "question", "question": "Which Java version does FxStore require?"},
        "continue": "and no other.",
        "review": {"status": "pass"},
        "critique": {"accuracy": 0.9, "helpfulness": 0.9, "completeness": 0.9},
        "refine": {"answer": "It needs Java 17, and no other version of it will do [1]."},
        "second_opinion": {"agreement": 1.0},
        "judge": {"answer_quality": "adequate", "reason": "fine", "confidence": 0.9},
        **replies,
    }
    return ScriptedModel(script)


def written(model: ScriptedModel, purpose: str = "regenerate") -> str:
    """Return what the first call of a step was shown."""
    return next(request.messages[-1].text for request in model.requests if request.purpose == purpose)


def purposes(model: ScriptedModel, *, with_readings: bool = False) -> list[str]:
    """Return the steps that asked the model, in order; without second readings unless `with_readings`."""
    asked = [request.purpose for request in model.requests]
    return asked if with_readings else [purpose for purpose in asked if purpose != "read"]
