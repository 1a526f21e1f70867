"""Accuracy of the check: what the workflow does with labelled drafts that were written without documents."""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from bot.evaluate import figures
from bot.evaluate.rows import ACTIONS, LabelledDraft, Malformed
from rag.errors import BudgetExhaustedError, ModelError
from rag.knowledge.search import KnowledgeBase
from rag.language.detect import detect
from rag.loop.state import State
from rag.loop.verification import is_covered, read_passages, verify
from rag.runs.run import Run, Tools
from rag.steps.classify import classify
from rag.steps.evaluate import choose_action, evaluate, judge, settle, unchecked
from rag.values import Draft, Evidence, Verdict

UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True)
class Judged:
    """The result for one row.

    Args:
        evidence: None if rules decided.
        is_decided: The verdict was sure enough to be trusted.
        milliseconds: Time of classification, comparison, embeddings and the check of claims, without the
            search and the reading of what it found: a model writes meanwhile.
    """

    row: LabelledDraft
    verdict: Verdict
    evidence: Evidence | None
    is_decided: bool
    used_model: bool
    milliseconds: float
    tokens: int

    @property
    def said(self) -> str:
        """The verdict, or ``undecided``."""
        return self.verdict.quality if self.is_decided else UNDECIDED

    @property
    def is_right(self) -> bool:
        """Whether the verdict is the expected one."""
        return self.said == self.row.expected

    @property
    def is_acted_rightly(self) -> bool:
        """Whether the workflow would take the expected action."""
        return ACTIONS.get(self.said) == self.row.wanted


@dataclass(frozen=True, slots=True)
class VerdictReport:
    """The figures of a run over a set."""

    judged: tuple[Judged, ...]
    malformed: tuple[Malformed, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The figures as an object for machines."""
        judged = self.judged
        confusion: dict[str, Counter[str]] = defaultdict(Counter)
        for one in judged:
            confusion[one.row.expected][one.said] += 1
        return {
            "rows": len(judged),
            "accuracy": _share(judged, lambda one: one.is_right),
            "action_accuracy": _share(judged, lambda one: one.is_acted_rightly),
            "by_kind": _by(judged, lambda one: one.row.kind or one.row.expected),
            "by_language": _by(judged, lambda one: one.row.lang or detect(one.row.question)),
            "confusion": {expected: dict(said) for expected, said in sorted(confusion.items())},
            "wrongly_adequate": _share(
                judged, lambda one: one.said == "adequate" and one.row.expected != "adequate"
            ),
            "undecided": _share(judged, lambda one: not one.is_decided),
            "decided_without_model": _share(judged, lambda one: one.is_decided and not one.used_model),
            "ms": figures.spread([one.milliseconds for one in judged]),
            "tokens": sum(one.tokens for one in judged),
            "malformed": [{"line": fault.line, "reason": fault.reason} for fault in self.malformed],
        }


async def judge_row(row: LabelledDraft, corpus: KnowledgeBase, tools: Tools, *, use_model: bool) -> Judged:
    """Run the cascade on one draft."""
    run = Run(row.asked() if use_model else replace(row.asked(), mode="quick"), tools)
    started = time.perf_counter()
    classification = classify(run.question, corpus)
    await corpus.embed_texts([classification.standalone])  # timed here, because the search would cache it
    spent = time.perf_counter() - started
    state = State(classification)
    if classification.intent != "small_talk":
        state.probe = await corpus.search(classification.queries)
        await read_passages(run, state, [hit.passage for hit in state.probe.hits])
    await tools.evidence.prepare(classification)  # once per language; in the product a model writes meanwhile
    started = time.perf_counter()
    compared = await run.step(
        "evaluate", lambda: evaluate(run, classification, Draft(row.draft), state.probe)
    )
    covered = is_covered(state) if state.places else compared.is_covered
    checked = await verify(run, state, replace(compared, is_covered=covered))
    candidate = settle(run, checked, is_judged=False)
    is_judged = use_model and choose_action(run, candidate, is_judged=False) == "ask_judge"
    if is_judged:
        try:
            judged = await run.step("judge", lambda: judge(run, classification, candidate, state.probe))
            candidate = settle(run, judged, is_judged=True)
        except (ModelError, BudgetExhaustedError) as exc:
            candidate = unchecked(candidate, exc.reason)
    is_open = choose_action(run, candidate, is_judged=is_judged) == "ask_judge"
    return Judged(
        row=row,
        verdict=candidate.verdict,
        evidence=compared.evidence,
        is_decided=not is_open and candidate.verdict.quality != "unchecked",
        used_model=run.ledger.usage().calls > 0,
        milliseconds=(spent + time.perf_counter() - started) * 1000,
        tokens=run.ledger.usage().tokens,
    )


def _share(judged: Sequence[Judged], holds: Callable[[Judged], bool]) -> float:
    return round(figures.mean([holds(one) for one in judged]), 4)


def _by(judged: Sequence[Judged], key: Callable[[Judged], str]) -> dict[str, dict[str, float]]:
    groups: dict[str, list[Judged]] = defaultdict(list)
    for one in judged:
        groups[key(one)].append(one)
    return {
        name: {"rows": len(found), "accuracy": _share(found, lambda one: one.is_right)}
        for name, found in sorted(groups.items())
    }
