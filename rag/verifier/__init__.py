"""Does a passage answer a question, with which words, and does it carry a claim? A model reads it.

One protocol, `Verifier`, with several implementations that the setting ``models.verifier`` chooses:

bundled     a small multilingual encoder that ships with the program: no network, some 50 ms a passage
decisions   a decision model, which answers typed questions with probabilities in one request
blind       a chat model that sees question and passage, never the text under check

To add another one: write a class with `find` and `carries`, name it in `opening.py`, and say in
docs_corpus/models.md how to choose it. What an implementation does not know it leaves out; the loop never
asks which one answered.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from rag.values import ModelCall, Passage, Place


@dataclass(frozen=True, slots=True)
class Claim:
    """A sentence under check, with the passage that it rests on.

    Args:
        question: What the sentence answers, as a question that stands alone.
        text: The sentence, without markers.
    """

    question: str
    text: str
    passage: Passage


@dataclass(frozen=True, slots=True)
class Found:
    """The places in the passages of one question, one a passage, and the model calls that this took."""

    places: tuple[Place, ...]
    calls: tuple[ModelCall, ...] = ()


@dataclass(frozen=True, slots=True)
class Carried:
    """The probability that each claim is carried, 0-1, and the model calls that this took."""

    probabilities: tuple[float, ...]
    calls: tuple[ModelCall, ...] = ()


class Verifier(Protocol):
    """Reads passages. Both methods may be slow; neither blocks the event loop.

    Raises:
        ModelError: The verifier gave no usable reply, or was too slow.
        BudgetExhaustedError: The budget allows no call.
        OperatorError: The verifier's own files are missing or damaged.
    """

    async def find(self, question: str, passages: Sequence[Passage]) -> Found:
        """Return one place for each passage: where it answers the question, and how probably it does.

        Args:
            question: A question that stands alone.
            passages: The passages, best first.
        """
        ...

    async def carries(self, claims: Sequence[Claim]) -> Carried:
        """Return the probability that each claim's passage carries it, in their order."""
        ...


__all__ = ["Carried", "Claim", "Found", "Place", "Verifier"]
