"""Measures how often the verifier tells an answer from a false one out of the same passage.

Both texts of a pair are claims about the passage that contains them. One counts as verified when the verifier
says that the passage carries it and no figure, name or negation of it speaks against that: the worst case, in
which somebody wrote just this text and cited just this passage.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from bot.evaluate import figures
from bot.evaluate.holder import with_holder
from bot.evaluate.recording import Recording, Tick
from bot.evaluate.rows import LabelledPair, Malformed
from rag.errors import InputError
from rag.evidence.claims import TextClaim, is_not_vetoed
from rag.knowledge.search import KnowledgeBase
from rag.language.detect import detect
from rag.runs.run import Run, Tools
from rag.steps.classify import classify
from rag.steps.verify import CARRIED
from rag.values import Passage
from rag.verifier import Claim, Verifier

WRONG_SHARES = (0.02, 0.03)
"""Shares of the wrong texts for which the curve has a point: so many of them would be let through."""


@dataclass(frozen=True, slots=True)
class CheckedText:
    """The result of the check for one text.

    Args:
        probability: How probably the passage carries it, 0-1.
        is_vetoed: A figure, a name or the negation of it does not stand in the passage.
    """

    probability: float
    is_vetoed: bool = False

    @property
    def is_verified(self) -> bool:
        """Whether the text would be called verified."""
        return self.score >= CARRIED

    @property
    def score(self) -> float:
        """The probability; 0 after a veto."""
        return 0.0 if self.is_vetoed else self.probability


@dataclass(frozen=True, slots=True)
class Contrasted:
    """The result for one pair.

    Args:
        row: The pair.
        right: The check of the right text.
        wrong: The check of the wrong one.
        calls: Model calls for both; the bundled verifier makes none.
        tokens: Tokens of these calls.
        milliseconds: Time of both checks.
    """

    row: LabelledPair
    right: CheckedText
    wrong: CheckedText
    calls: int
    tokens: int
    milliseconds: float


@dataclass(frozen=True, slots=True)
class ContrastReport:
    """The figures of a run.

    Args:
        contrasted: Every pair that was checked.
        malformed: Lines that could not be read.
    """

    contrasted: tuple[Contrasted, ...]
    malformed: tuple[Malformed, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The figures as an object for machines: shares of the pairs."""
        found = self.contrasted
        return {
            **_figures(found),
            "by_kind": _by(found, lambda row: row.kind or "none"),
            "by_language": _by(found, lambda row: row.lang or detect(row.question)),
            "tokens": sum(one.tokens for one in found),
            "calls": sum(one.calls for one in found),
            "ms": figures.spread([one.milliseconds for one in found]),
            "malformed": [{"line": fault.line, "reason": fault.reason} for fault in self.malformed],
        }


async def measure(
    pairs: Sequence[LabelledPair],
    corpus: KnowledgeBase,
    tools: Tools,
    recording: Recording[Contrasted],
    on_progress: Tick | None = None,
) -> tuple[Contrasted, ...]:
    """Check both texts of every pair.

    Args:
        pairs: The rows of a set.
        corpus: The knowledge base of the set.
        tools: Has the verifier.
        recording: Earlier results; each new pair is stored at once.
        on_progress: Called before the first and after every pair.

    Raises:
        InputError: A pair names a passage that is not in the corpus.
        ModelError: The verifier is a model that gave no usable reply.
    """
    texts = {source: await corpus.document(source) for row in pairs for source in row.passages}
    if unknown := [source for source, passages in texts.items() if not passages]:
        raise InputError(
            f"the pairs name the passage {unknown[0]!r}, which the corpus does not hold: give the corpus "
            "that they were made from as --corpus"
        )

    async def contrast(row: LabelledPair) -> Contrasted:
        passages = [passage for source in row.passages for passage in texts[source]]
        passages = passages or [*await corpus.retrieve(classify(row.asked()).queries)]
        return await contrast_row(row, passages, Run(row.asked(), tools).verifier)

    work = [(str(position), partial(contrast, row)) for position, row in enumerate(pairs)]
    return await recording.complete(work, on_progress)


async def contrast_row(row: LabelledPair, passages: Sequence[Passage], verifier: Verifier) -> Contrasted:
    """Check both texts of a pair, each against the one of the passages that contains it.

    Raises:
        ModelError: The verifier is a model that gave no usable reply.
        BudgetExhaustedError: The budget allows no call.
    """
    classification = classify(row.asked())
    started = time.perf_counter()
    claims = [
        Claim(classification.standalone, text, shown[number - 1])
        for text in (row.right, row.wrong)
        for shown, number in [with_holder(passages, (), row.question, text)]
        if number
    ]
    read = await verifier.carries(claims)
    checked = [
        CheckedText(
            round(probability, 4),
            is_vetoed=not is_not_vetoed(
                TextClaim(claim.text, len(claim.text), language=classification.language), claim.passage
            ),
        )
        for claim, probability in zip(claims, read.probabilities, strict=True)
    ]
    right, wrong = checked or [CheckedText(0.0)] * 2
    return Contrasted(
        row,
        right,
        wrong,
        calls=sum(call.calls for call in read.calls),
        tokens=sum(call.input_tokens + call.output_tokens for call in read.calls),
        milliseconds=(time.perf_counter() - started) * 1000,
    )


def _figures(found: Sequence[Contrasted]) -> dict[str, Any]:
    return {
        "rows": len(found),
        "right_verified": round(figures.mean([one.right.is_verified for one in found]), 4),
        "wrong_verified": round(figures.mean([one.wrong.is_verified for one in found]), 4),
        "right_at_wrong": {str(share): _right_at(found, share) for share in WRONG_SHARES},
    }


def _right_at(found: Sequence[Contrasted], share: float) -> float:
    """Return the share of right texts above the threshold that lets that share of the wrong ones through."""
    scores = sorted((one.wrong.score for one in found), reverse=True)
    bar = scores[int(share * len(scores))] if scores else 1.0
    return round(figures.mean([one.right.score > bar for one in found]), 4)


def _by(found: Sequence[Contrasted], key: Callable[[LabelledPair], str]) -> dict[str, dict[str, Any]]:
    groups: dict[str, list[Contrasted]] = defaultdict(list)
    for one in found:
        groups[key(one.row)].append(one)
    return {name: _figures(members) for name, members in sorted(groups.items())}
