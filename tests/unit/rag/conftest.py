"""Fixtures of the loop's tests."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import pytest
from blockbuster import blockbuster_ctx

from rag.engine import preload
from rag.knowledge.search import SearchResult
from rag.loop import checking, refining
from rag.reasons import as_written
from rag.runs.candidates import Candidate
from rag.runs.run import Outcome, Run
from rag.steps import review
from rag.steps.evaluate import outcome_of
from rag.values import Citation, Classification, Draft, Quality, SecondReading, Verdict
from tests.support.loop import PASSAGES


@pytest.fixture
def no_blocking() -> Iterator[None]:
    """Fail a test when the loop blocks the event loop: one slow file would stop every chat."""
    # Data files are read once, at the first use.
    preload()
    with blockbuster_ctx("rag"):
        yield


AGREES = SecondReading("agrees", 1, "Java 17")

Said = Quality | Verdict | str
"""A verdict, or: "faulty" a critical fault, "cut" a text that was cut off, "cited" a verified text."""


def _candidate(draft: Draft, said: Said) -> Candidate:
    candidate = Candidate(
        draft, Verdict("unchecked", as_written("cut off"), 1.0, "rules"), None, is_covered=True
    )
    if said in {"faulty", "cut"}:
        return replace(candidate, is_defective=True, cut=draft.text if said == "cut" else "")
    if said == "cited":
        citation = Citation(1, "guide1.md", "Set-up", "FxStore needs Java 17.", PASSAGES[0].id)
        verdict = Verdict("adequate", as_written("supported"), 0.9, "evidence")
        # The passage has been read again: what a second reading does is tested by itself.
        return replace(candidate, verdict=verdict, citations=(citation,), second_reading=AGREES)
    if said == "adequate":  # common knowledge
        candidate = replace(candidate, is_covered=False)
    verdict = said if isinstance(said, Verdict) else Verdict(said, as_written("because"), 0.9, "evidence")  # type: ignore[arg-type]  # the rest are qualities
    return replace(candidate, verdict=verdict)


def _evaluate_by(monkeypatch: pytest.MonkeyPatch, verdict: Callable[[Draft], Said]) -> None:
    async def evaluate(
        _run: Run,
        _classification: Classification,
        draft: Draft,
        _probe: SearchResult | None,
        _told: Sequence[Verdict] = (),
    ) -> Outcome[Candidate]:
        return outcome_of(_candidate(draft, verdict(draft)))

    for module in (checking, review, refining):
        monkeypatch.setattr(module, "evaluate", evaluate)


@pytest.fixture
def verdicts(monkeypatch: pytest.MonkeyPatch) -> list[Said]:
    """What the evaluation says, in order."""
    script: list[Said] = []
    _evaluate_by(monkeypatch, lambda _draft: script.pop(0))
    return script


@pytest.fixture
def verdict_of(monkeypatch: pytest.MonkeyPatch) -> dict[str, Said]:
    """What the evaluation says of each text; a text that is not in it is common knowledge, and adequate."""
    known: dict[str, Said] = {}
    _evaluate_by(monkeypatch, lambda draft: known.get(draft.text, "adequate"))
    return known
