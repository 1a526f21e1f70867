"""Measures what each group of signals adds: judges again with the group's signals set to their mean.

A signal that always has its mean carries no information. The weights stay the same, so this shows what the
current program would lose. ``bench/fit_evidence.py`` fits the weights again without the group, so that other
signals can partly replace it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bot.evaluate import figures
from bot.evaluate.verdicts import Judged
from rag import evidence
from rag.evidence import scoring
from rag.runs import weighing
from rag.values import Evidence

SIGNALS: Mapping[str, tuple[str, ...]] = {
    "coverage of the question by rare words": ("covered",),
    "support of the draft's words": ("supported",),
    "nearness of claim and question": ("anchored", "nearness"),
    "facts that are missing": ("lacking", "absent", "has_fact"),
    "similarity of draft and question": ("relevance",),
    "words of the question in the draft": ("echo",),
    "length of the draft": ("claims",),
    "task in the question, and its length": ("task", "length"),
}
"""The signals that have weights, grouped by what they measure."""

UNWEIGHED = frozenset({"declining", "ignorant", "history", "follow_up", "only_yes_or_no", "own_name"})
"""Signals without weights. Rules for drafts that decline, repeat the conversation or say only no use them."""


@dataclass(frozen=True, slots=True)
class Without:
    """Shares of drafts that are judged correctly, and incorrectly judged adequate, without a group."""

    group: str
    accuracy: float
    wrongly_adequate: float


def ablation(judged: Sequence[Judged], threshold: float) -> tuple[Without, ...]:
    """Judge again without each group of signals; the first entry uses all groups.

    Only drafts that were compared with the corpus count: rules decide the others. Neither verifier nor judge
    is asked, so an undecided draft counts as wrong.

    Args:
        judged: Verdicts with their evidence.
        threshold: ``self_correction.evaluation_threshold``.
    """
    compared = [(one.row, one.evidence) for one in judged if one.evidence is not None]
    if not compared:
        return ()
    found: list[Without] = []
    for group, signals in {"nothing": (), **SIGNALS}.items():
        means = {name: figures.mean([known.signals[name] for _, known in compared]) for name in signals}
        said = [
            (row, verdict_of(evidence.score_evidence({**known.signals, **means}, known), threshold))
            for row, known in compared
        ]
        found.append(
            Without(
                group,
                accuracy=figures.mean([verdict == row.expected for row, verdict in said]),
                wrongly_adequate=figures.mean(
                    [verdict == "adequate" != row.expected for row, verdict in said]
                ),
            )
        )
    return tuple(found)


def verdict_of(found: Evidence, threshold: float, weights: scoring.Weights | None = None) -> str:
    """Return the verdict of rules and evidence on a draft without a model, or ``undecided``."""
    verdict = evidence.decide(found, has_documents=False, weights=weights)
    action = weighing.weigh(
        verdict, threshold=threshold, is_covered=evidence.is_covered(found), is_judged=False
    )
    if action == "read_documents":
        return "needs_docs"
    return verdict.quality if action == "accept" else "undecided"
