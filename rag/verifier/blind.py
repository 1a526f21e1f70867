"""A chat model as the verifier: it reads a passage blindly, and its words are found in the passage.

A model that is asked "is this answer right?" tends to say yes. The same model, asked only what the passage
says, does not: it cannot repeat an error that it has not seen (factored verification, Dhuliawala et al. 2023;
question answering for faithfulness, Wang et al. 2020). Words that stand nowhere in the passage count as
nothing.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import regex

from rag.errors import ThinkTwiceError
from rag.language.detect import detect
from rag.language.sentences import sentences
from rag.language.words import content_terms
from rag.models.calls import Readings
from rag.prompting.library import RenderedPrompt
from rag.prompting.untrusted import one_passage
from rag.values import ModelCall, Passage, Place
from rag.verifier import Carried, Claim, Found
from rag.verifier.asking import PATIENCE_SECONDS, Asker
from rag.verifier.locating import locate, stands_in

_NOT_STATED: Final = regex.compile(
    r"(?:\b(?:not|no|не)|不|未)[ _]*(?:explicitly[ ]+)?(?:stated|mentioned|specified|said|given)\b",
    regex.IGNORECASE,
)
"""The reply that the prompt asks for, also partly translated into the language of the passage."""
_QUOTATION_MARKS: Final = " \t\n\"'“”«»„`*"
_PASSAGE_CHARACTERS: Final = 2400
"""Of a longer passage, such as joined neighbours, the reader sees the part that shares most words."""

_COVERED: Final = 0.85
"""Probability that a passage answers whose reading stands in it."""
_AGREES: Final = 0.95
"""Probability of a claim that has the words that were read: on pairs of a right and a wrong answer, the
embedded model found the words of .69 of the right ones and of .04 of the wrong ones."""
_DIFFERS: Final = 0.1
"""Probability of a claim when other words were read: the embedded model misreads one passage in six."""
_UNREAD: Final = 0.5
"""Probability of a claim whose passage could not be read, because the budget or the model's time ran out."""


@dataclass(frozen=True, slots=True)
class _Reading:
    """What is asked of one passage, and the part of it that is shown."""

    prompt: RenderedPrompt
    start: int
    text: str


class BlindVerifier:
    """Reads passages with the chat model of the role `reader`.

    Args:
        known: Readings of the whole process.
        max_passages: Passages that one search reads, best first; the others count as not answering.
        patience_seconds: Seconds beyond the usual time after which a call is abandoned.
    """

    def __init__(
        self,
        asker: Asker,
        known: Readings,
        max_passages: int = 2,
        patience_seconds: float = PATIENCE_SECONDS,
    ) -> None:
        self._asker = asker
        self._known = known
        self._max_passages = max_passages
        self._patience_seconds = patience_seconds

    async def find(self, question: str, passages: Sequence[Passage]) -> Found:
        """Return where the words that were read stand in each passage; see `Verifier`."""
        asked = [self._prepare(question, one, question) for one in passages[: self._max_passages]]
        said, calls = await self._read(asked)
        places = [_locate(words, one) for words, one in zip(said, asked, strict=True)]
        places += [None] * (len(passages) - len(places))
        return Found(
            tuple(
                Place(passage.id, *place, _COVERED) if place else Place(passage.id, 0, 0, 0.0)
                for passage, place in zip(passages, places, strict=True)
            ),
            calls,
        )

    async def carries(self, claims: Sequence[Claim]) -> Carried:
        """Return how probably each claim says what its passage answers; see `Verifier`."""
        asked = [self._prepare(one.question, one.passage, f"{one.question} {one.text}") for one in claims]
        said, calls = await self._read(asked)
        read = zip(claims, said, asked, strict=True)
        return Carried(
            tuple(
                _UNREAD if words is None else _probability(claim, _locate(words, one))
                for claim, words, one in read
            ),
            calls,
        )

    def _prepare(self, question: str, passage: Passage, hint: str) -> _Reading:
        start, end = window(passage.text, hint)
        shown = replace(passage, text=passage.text[start:end])
        prompt = self._asker.tools.prompts.render("read", passage=one_passage(shown), question=question)
        return _Reading(prompt, start, shown.text)

    async def _read(self, asked: Sequence[_Reading]) -> tuple[list[str | None], tuple[ModelCall, ...]]:
        """Return the words of each reading, None for one that failed, and the calls.

        Raises:
            ModelError: No passage could be read.
            BudgetExhaustedError: The budget allows no call.
        """
        prompts = {(one.prompt.id, one.prompt.message): one.prompt for one in asked}
        # All of them are waited for, so that each call is counted although another one fails.
        found = await asyncio.gather(*map(self._ask, prompts.values()), return_exceptions=True)
        said: dict[tuple[str, str], str] = {}
        calls: tuple[ModelCall, ...] = ()
        failed: ThinkTwiceError | None = None
        for key, one in zip(prompts, found, strict=True):
            if isinstance(one, ThinkTwiceError):
                failed = failed or one
                calls += one.spent
            elif isinstance(one, BaseException):
                raise one
            else:
                said[key], made = one
                calls += made
        if failed is not None and not said:
            failed.spent = calls
            raise failed
        return [said.get((one.prompt.id, one.prompt.message)) for one in asked], calls

    async def _ask(self, prompt: RenderedPrompt) -> tuple[str, tuple[ModelCall, ...]]:
        """Return the words that were read, empty for none, and the call unless they were known."""
        settings = self._asker.tools.model_settings
        key = (settings.named("reader"), prompt.id, prompt.message)
        known = self._known.get(key)
        if known is not None:
            return known, ()
        completion, call = await self._asker.ask(
            "read", prompt, max_tokens=settings.reading_tokens, patience=self._patience_seconds
        )
        said = understood(completion.text)
        self._known.add(key, said)
        return said, (call,)


def understood(reply: str) -> str:
    """Return the answer in a reader's reply; an empty string if the passage does not state it."""
    first = next((line for line in reply.strip().splitlines() if line.strip()), "")
    text = " ".join(first.split()).strip(_QUOTATION_MARKS)
    return "" if _NOT_STATED.search(text) else text


def window(text: str, hint: str, limit: int = _PASSAGE_CHARACTERS) -> tuple[int, int]:
    """Return start and end of complete sentences of a text, as many as fit around the likeliest one.

    That one shares most words with the hint, and is kept even if it is longer than the limit.
    """
    spans = [(one.start, one.end) for one in sentences(text)]
    if len(text) <= limit or not spans:
        return 0, min(len(text), limit)
    wanted = set(content_terms(hint))
    shared = [len(wanted.intersection(content_terms(text[start:end]))) for start, end in spans]
    first = last = shared.index(max(shared))
    while True:
        start, end = spans[first][0], spans[last][1]
        if last + 1 < len(spans) and spans[last + 1][1] - start <= limit:
            last += 1
        elif first > 0 and end - spans[first - 1][0] <= limit:
            first -= 1
        else:
            return start, end


def _locate(said: str | None, reading: _Reading) -> tuple[int, int] | None:
    place = locate(said or "", reading.text)
    return (place[0] + reading.start, place[1] + reading.start) if place else None


def _probability(claim: Claim, place: tuple[int, int] | None) -> float:
    if place is None:
        return 0.0
    passage = claim.passage.text
    words, language = passage[slice(*place)], detect(passage, "")
    return _AGREES if stands_in(words, language, claim.text, claim.question) else _DIFFERS
