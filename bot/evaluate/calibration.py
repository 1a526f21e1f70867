"""Chooses a threshold: what each value lets through, how much of that is wrong, and what it costs; pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from bot.evaluate import figures
from bot.evaluate.feedback import Opinion, Scored
from bot.evaluate.verdicts import Judged
from rag.reasons import as_written
from rag.runs import weighing
from rag.values import Verdict

THRESHOLDS = tuple(round(0.4 + 0.05 * step, 2) for step in range(12))
FEWEST = 20
"""Minimum number of cases for a proposal; with fewer, a single case would decide."""

_REFINING_CALLS = 2.0


@dataclass(frozen=True, slots=True)
class Case:
    """An answer that could go out unchanged, and whether it should.

    Args:
        verdict: Its verdict.
        is_good: It is right.
        is_covered: The documents cover the question, so they are read instead of asking a judge.
        calls_back: Model calls that it costs to send it back.
    """

    verdict: Verdict
    is_good: bool
    is_covered: bool = False
    calls_back: float = 1.0


@dataclass(frozen=True, slots=True)
class Choice:
    """The effect of a threshold.

    Args:
        threshold: The setting.
        accepted: Share of all answers that go out unchanged.
        wrong: Share of these that are wrong.
        lost: Share of the right answers that are sent back nevertheless.
        calls: Model calls per question, including the first draft.
    """

    threshold: float
    accepted: float
    wrong: float
    lost: float
    calls: float


@dataclass(frozen=True, slots=True)
class Calibration:
    """The choices for one setting.

    Args:
        setting: Its name.
        current: Its current value.
        cases: Number of answers, by their source.
        choices: One per threshold, in ascending order, including the current value.
        proposed: The suggested threshold; None if there are too few cases.
        reason: Why, in one clause.
    """

    setting: str
    current: float
    cases: dict[str, int]
    choices: tuple[Choice, ...]
    proposed: float | None
    reason: str

    def to_json(self) -> dict[str, Any]:
        """The table as an object for machines."""
        return asdict(self)


def of_drafts(judged: Iterable[Judged]) -> list[Case]:
    """Cases from labelled drafts."""
    return [
        Case(one.first, one.row.expected == "adequate", one.is_covered)
        for one in judged
        if one.first.quality != "unchecked"
    ]


def of_confidences(opinions: Iterable[Opinion]) -> list[Case]:
    """Cases from answers that were judged, sent, and found useful or wrong."""
    return [_adequate(one.confidence, one.useful) for one in opinions if one.confidence is not None]


def of_scores(scored: Iterable[Scored], opinions: Iterable[Opinion]) -> dict[str, list[Case]]:
    """Cases for the critic's threshold, by their source."""
    found = {
        "scored answers": [_adequate(one.score, one.good, _REFINING_CALLS) for one in scored],
        "feedback": [
            _adequate(one.score, one.useful, _REFINING_CALLS) for one in opinions if one.score is not None
        ],
    }
    return {name: cases for name, cases in found.items() if cases}


def calibrate(setting: str, current: float, cases: dict[str, list[Case]], tolerance: float) -> Calibration:
    """List the choices and suggest one.

    Suggests the cheapest threshold whose share of wrong answers is tolerated; if there is none, the one with
    the fewest wrong answers.

    Args:
        setting: Its name.
        current: Its current value.
        cases: Answers, by their source.
        tolerance: Share of wrong answers among those that go out, 0-1.
    """
    pooled = [case for found in cases.values() for case in found]
    choices = tuple(_choice(pooled, threshold) for threshold in sorted({*THRESHOLDS, current}))
    counts = {name: len(found) for name, found in cases.items()}
    if len(pooled) < FEWEST:
        reason = f"{len(pooled)} cases are too few: at least {FEWEST} are needed"
        return Calibration(setting, current, counts, choices, None, reason)
    sending = [choice for choice in choices if choice.accepted > 0]
    good = [choice for choice in sending if choice.wrong <= tolerance]
    if good:
        cheapest = min(choice.calls for choice in good)
        best = _nearest([choice for choice in good if choice.calls <= cheapest + 1e-9], current)
        reason = f"the fewest calls with at most {100 * tolerance:g} % wrong among the accepted"
    elif sending:
        fewest = min(choice.wrong for choice in sending)
        best = _nearest([choice for choice in sending if choice.wrong <= fewest + 1e-9], current)
        reason = f"no threshold keeps the wrong ones under {100 * tolerance:g} %; this one has the fewest"
    else:
        return Calibration(setting, current, counts, choices, None, "no threshold lets an answer out")
    return Calibration(setting, current, counts, choices, best.threshold, reason)


def _nearest(choices: Sequence[Choice], current: float) -> Choice:
    return min(choices, key=lambda choice: (abs(choice.threshold - current), -choice.threshold))


def _choice(cases: Sequence[Case], threshold: float) -> Choice:
    sent = [case for case in cases if _is_sent(case, threshold)]
    good = [case for case in cases if case.is_good]
    back = sum(case.calls_back for case in cases if not _is_sent(case, threshold))
    return Choice(
        threshold=threshold,
        accepted=round(len(sent) / len(cases), 4) if cases else 0.0,
        wrong=round(figures.mean([not case.is_good for case in sent]), 4),
        lost=round(figures.mean([not _is_sent(case, threshold) for case in good]), 4),
        calls=round(1 + back / len(cases), 3) if cases else 1.0,
    )


def _is_sent(case: Case, threshold: float) -> bool:
    action = weighing.weigh(case.verdict, threshold=threshold, is_covered=case.is_covered, is_judged=False)
    return case.verdict.quality == "adequate" and action == "accept"


def _adequate(sureness: float | None, is_good: bool, calls_back: float = 1.0) -> Case:
    return Case(
        Verdict("adequate", as_written(""), sureness or 0.0, "evidence"), is_good, calls_back=calls_back
    )
