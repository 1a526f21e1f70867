"""Compares three systems: their answers, their costs and their labels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bot.evaluate import figures, grading, stream
from bot.evaluate.grading import Outcome, Rarity
from bot.evaluate.rows import LabelledQuestion, Malformed
from bot.evaluate.systems import System, SystemName
from rag.errors import BudgetExhaustedError, ModelError
from rag.language.detect import detect
from rag.reasons import Reason
from rag.values import LABELS, Answer, Label, Usage, Verdict


@dataclass(frozen=True, slots=True)
class Answered:
    """The answer of one system to one question.

    Args:
        language: ISO 639-1 code of the answer.
        cited_gold: For each citation, whether its passage contains the gold answer, if the row has one.
        failure: Why no model answered, or an empty string.
        cost: Cost of all calls, in the currency of the prices; None if a called model has no price.
        is_left_open: The label or the text tells the reader not to rely on it.
    """

    row: LabelledQuestion
    system: SystemName
    text: str
    label: Label
    language: str
    outcome: Outcome
    verdict: Verdict
    cited_gold: tuple[bool, ...]
    used_documents: bool
    calls: int
    input_tokens: int
    output_tokens: int
    seconds: float
    failure: str = ""
    cost: float | None = None
    is_left_open: bool = False


@dataclass(frozen=True, slots=True)
class AnswerReport:
    """The figures of a run; rows `without_gold` do not say what is right."""

    answered: tuple[Answered, ...]
    without_gold: int = 0
    malformed: tuple[Malformed, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The figures as an object for machines: shares, and means per question."""
        by_system: dict[SystemName, list[Answered]] = {}
        for one in self.answered:
            by_system.setdefault(one.system, []).append(one)
        systems = {name: _system(found) for name, found in by_system.items()}
        return {
            "rows": len({(one.row.id, one.row.question) for one in self.answered}),
            "systems": systems,
            "tokens_saved": _savings(systems),
            "without_gold": self.without_gold,
            "malformed": [{"line": fault.line, "reason": fault.reason} for fault in self.malformed],
        }


async def answer_row(row: LabelledQuestion, name: SystemName, system: System, rarity: Rarity) -> Answered:
    """Ask one system one question and grade its answer; a failure of the model counts as an answer."""
    try:
        answer = await system(row.asked())
    except (ModelError, BudgetExhaustedError) as exc:
        return _failed(row, name, exc.reason)
    if answer.failure is not None:
        return _failed(row, name, answer.failure.reason, answer.usage, answer.seconds)
    return Answered(
        row=row,
        system=name,
        text=answer.text,
        label=answer.label,
        language=answer.language,
        outcome=grading.grade(row, answer.text, answer.label, rarity, cites=bool(answer.citations)),
        verdict=answer.verdict,
        cited_gold=_cited_gold(row, answer),
        used_documents=answer.used_documents,
        calls=answer.usage.calls,
        input_tokens=answer.usage.input_tokens,
        output_tokens=answer.usage.output_tokens,
        seconds=answer.seconds,
        cost=_cost(answer.usage),
        is_left_open=grading.is_left_open(answer.text, answer.label, row.lang or detect(row.question)),
    )


def _failed(
    row: LabelledQuestion, name: SystemName, reason: Reason, usage: Usage | None = None, seconds: float = 0.0
) -> Answered:
    """Stands for an answer that no model gave: wrong and never `verified`, but its cost counts."""
    spent = usage or Usage()
    return Answered(
        row=row,
        system=name,
        text="",
        label="unverified",
        language="",
        outcome="wrong",
        verdict=Verdict("unchecked", reason, 0.0, "rules"),
        cited_gold=(),
        used_documents=False,
        calls=spent.calls,
        input_tokens=spent.input_tokens,
        output_tokens=spent.output_tokens,
        seconds=seconds,
        failure=str(reason),
        cost=_cost(spent),
        is_left_open=True,
    )


def _cost(spent: Usage) -> float | None:
    return None if spent.unpriced_calls else spent.cost


def _cited_gold(row: LabelledQuestion, answer: Answer) -> tuple[bool, ...]:
    passages = {passage.id: passage for passage in answer.passages}
    held = [
        grading.holds_gold(row, passages[citation.passage])
        for citation in answer.citations
        if citation.passage in passages
    ]
    return tuple(found for found in held if found is not None)


def _system(found: Sequence[Answered]) -> dict[str, Any]:
    about = [one for one in found if stream.group(one.row) == "documents"]
    answerable = [one for one in about if not grading.is_refusable(one.row)]
    return {
        **_figures(found),
        "answerable": {"rows": len(answerable), **_figures(answerable)} if answerable else None,
        "by_group": _by(found, lambda row: stream.group(row)),
        "by_kind": _by(about, lambda row: row.kind),
        "by_form": _by(answerable, lambda row: row.form),
    }


def _by(found: Sequence[Answered], key: Callable[[LabelledQuestion], str]) -> dict[str, dict[str, Any]]:
    """The figures of each group; rows without a name for theirs are left out."""
    groups: dict[str, list[Answered]] = {}
    for one in found:
        if name := key(one.row):
            groups.setdefault(name, []).append(one)
    return {name: {"rows": len(members), **_figures(members)} for name, members in sorted(groups.items())}


def _figures(found: Sequence[Answered]) -> dict[str, Any]:
    def share(holds: Callable[[Answered], bool]) -> float:
        return round(figures.mean([holds(one) for one in found]), 4)

    refusable = [one.is_left_open for one in found if grading.is_refusable(one.row)]
    cited = [is_gold for one in found for is_gold in one.cited_gold]
    costs = [one.cost for one in found if one.cost is not None]
    labels = Counter(one.label for one in found)
    return {
        "right": share(lambda one: one.outcome == "right"),
        "right_briefly": share(lambda one: one.outcome == "right" and grading.is_brief(one.text)),
        "wrong": share(lambda one: one.outcome == "wrong"),
        "wrong_verified": share(lambda one: one.outcome == "wrong" and one.label == "verified"),
        "refused_rightly": share(lambda one: one.outcome == "refused_rightly"),
        "refused_wrongly": share(lambda one: one.outcome == "refused_wrongly"),
        "refused_or_left_open": round(figures.mean(refusable), 4) if refusable else None,
        "labels": {label: round(labels[label] / len(found), 4) for label in LABELS},
        "citation_precision": round(figures.mean(cited), 4) if cited else None,
        "calls": round(figures.mean([one.calls for one in found]), 3),
        "input_tokens": round(figures.mean([one.input_tokens for one in found]), 1),
        "output_tokens": round(figures.mean([one.output_tokens for one in found]), 1),
        "seconds": round(figures.mean([one.seconds for one in found]), 3),
        "characters": round(figures.mean([len(one.text) for one in found]), 1),
        "cost": round(figures.mean(costs), 6) if len(costs) == len(found) else None,
        "used_documents": share(lambda one: one.used_documents),
        "failed": share(lambda one: bool(one.failure)),
    }


def _savings(systems: Mapping[SystemName, Mapping[str, Any]]) -> dict[str, float]:
    """Share of the tokens of always-retrieve that the other systems save."""
    spent = {name: found["input_tokens"] + found["output_tokens"] for name, found in systems.items()}
    if not spent.get("always"):
        return {}
    always = spent.pop("always")
    return {name: round(1 - tokens / always, 4) for name, tokens in spent.items()}
