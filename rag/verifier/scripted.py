"""A verifier for tests: it finds in passages what the test says that they answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from rag.errors import ThinkTwiceError
from rag.values import Passage, Place
from rag.verifier import Carried, Claim, Found


@dataclass
class ScriptedVerifier:
    """Finds known words, and counts what it was asked.

    Args:
        answers: The words that answer, by a part of the question; they are looked for in each passage.
        covers: Probability of a passage that has such words.
    """

    answers: Mapping[str, str] = field(default_factory=dict)
    covers: float = 0.95
    error: ThinkTwiceError | None = None
    asked: list[str] = field(default_factory=list)
    claims: list[Claim] = field(default_factory=list)

    async def find(self, question: str, passages: Sequence[Passage]) -> Found:
        """Return where the known words stand; a passage without them answers nothing."""
        self.asked.append(question)
        self._fail()
        return Found(tuple(self._place(question, passage) for passage in passages))

    async def carries(self, claims: Sequence[Claim]) -> Carried:
        """Say that a passage carries a claim if both have the known words, or the passage has the claim."""
        self.claims.extend(claims)
        self._fail()
        return Carried(tuple(self._carries(claim) for claim in claims))

    def _carries(self, claim: Claim) -> float:
        words = self._words(claim.question)
        text = claim.passage.text.casefold()
        if words and words.casefold() in text:
            return 0.97 if words.casefold() in claim.text.casefold() else 0.02
        return 0.97 if not words and claim.text.casefold() in text else 0.3

    def _place(self, question: str, passage: Passage) -> Place:
        words = self._words(question)
        start = passage.text.casefold().find(words.casefold()) if words else -1
        if start < 0:
            return Place(passage.id, 0, 0, 0.02)
        return Place(passage.id, start, start + len(words), self.covers)

    def _words(self, question: str) -> str:
        return next((words for part, words in self.answers.items() if part in question), "")

    def _fail(self) -> None:
        if self.error is not None:
            raise self.error
