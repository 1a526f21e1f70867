"""How often the verifier tells an answer from a false one out of the same passage.

Both texts of a pair are claims about the passage that contains them. One counts as verified when the verifier
says that the passage carries it and no figure, name or negation of it speaks against that: the worst case, in
which somebody wrote just this text and cited just this passage.
"""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import Field

from bot.evaluate import gold
from bot.evaluate.figures import mean
from bot.evaluate.rows import QuestionRow, Strings
from rag.evidence.claims import TextClaim, is_not_vetoed
from rag.language.detect import detect
from rag.language.sentences import sentences
from rag.language.words import content_terms
from rag.steps.classify import classify
from rag.steps.verify import CARRIED
from rag.values import Passage
from rag.verifier import Claim, Verifier

WRONG_SHARES = (0.02, 0.03)
"""Shares of the wrong texts for which the curve has a point: so many of them would be let through."""

Scores = tuple[float, float]
"""How probably the passage carries the right and the wrong text, 0-1; 0 after a veto."""


class LabelledPair(QuestionRow):
    """A question, its answer, and a false answer: something else from the same passage."""

    right: str = Field(min_length=1)
    wrong: str = Field(min_length=1)
    passages: Strings = ()


async def scores(row: LabelledPair, passages: Sequence[Passage], verifier: Verifier) -> Scores:
    """Return the probabilities that a passage carries the right and the wrong text of a pair.

    Each text is compared with the one of `passages` that contains it.

    Raises:
        ModelError: The verifier is a model that gave no usable reply.
    """
    classification = classify(row.asked())
    claims = [
        Claim(classification.standalone, text, shown[number - 1])
        for text in (row.right, row.wrong)
        for shown, number in [with_holder(passages, (), row.question, text)]
        if number
    ]
    read = await verifier.carries(claims)  # in one go: both texts ask for the same reading
    right, wrong = (
        round(probability, 4)
        if is_not_vetoed(
            TextClaim(claim.text, len(claim.text), language=classification.language), claim.passage
        )
        else 0.0
        for claim, probability in zip(claims, read.probabilities, strict=True)
    )
    return right, wrong


def shares(found: Sequence[Scores]) -> dict[str, float]:
    wrong = sorted((one for _, one in found), reverse=True)
    bars = {share: wrong[int(share * len(wrong))] for share in WRONG_SHARES}
    return {
        **verified([(right >= CARRIED, wrong >= CARRIED) for right, wrong in found]),
        **{
            f"right_at_{share}_wrong": round(mean([right > bar for right, _ in found]), 4)
            for share, bar in bars.items()
        },
    }


def verified(found: Sequence[tuple[bool, bool]]) -> dict[str, float]:
    """The shares of right and of wrong answers that are called verified."""
    return {
        "right_verified": round(mean([right for right, _ in found]), 4),
        "wrong_verified": round(mean([wrong for _, wrong in found]), 4),
    }


def with_holder(
    found: Sequence[Passage], document: Sequence[Passage], question: str, text: str
) -> tuple[tuple[Passage, ...], int]:
    """Return the passages that a writer of a text could have seen, and the one that contains the text.

    Args:
        found: Results of a search for the question, best first.
        document: The stored passages of the documents that contain the text; if empty, any found passage can.

    Returns:
        The passages, and the number of the containing one, counted from 1; 0 if there are no passages. If the
        search did not find it, it comes last.
    """
    sources = {passage.source for passage in document}
    own = [passage for passage in found if not sources or passage.source in sources]
    candidates = [*own, *document]
    if not candidates:
        return tuple(found), 0
    language = detect(question)
    said, asked = (set(content_terms(words, language)) for words in (text, question))

    def nearness(passage: Passage) -> tuple[bool, int, int]:
        terms = set(content_terms(passage.text, language))
        return gold.mentions(passage.text, [text]), len(said & terms), len(asked & terms)

    holder = max(candidates, key=nearness)  # of equals the first, so found passages come before stored ones
    shown = tuple(found) if holder in found else (*found, holder)
    return shown, shown.index(holder) + 1


def marked(text: str, number: int) -> str:
    """The text with every sentence citing passage `number`; unchanged if there is no such passage."""
    if not number:
        return text
    pieces: list[str] = []
    position = 0
    for sentence in sentences(text):
        end = sentence.start + len(sentence.text.rstrip())
        pieces += [text[position:end], f" [{number}]"]
        position = end
    return "".join([*pieces, text[position:]])
