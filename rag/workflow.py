"""The self-correcting loop: draft, evaluate, and as long as it is worth it, correct.

Read `answer` from top to bottom; what follows an evaluation is decided by the table in `rag.routing`.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass, field, replace

from rag import labels, routing
from rag.errors import BudgetExhaustedError, ModelError, ModelRejectedError
from rag.knowledge.search import SearchResult
from rag.labels import Candidate
from rag.steps.classify import carried, classify
from rag.steps.draft import draft
from rag.steps.evaluate import covers, evaluate, judge, unchecked
from rag.steps.quote import quote
from rag.steps.reclassify import reclassify
from rag.steps.regenerate import regenerate
from rag.steps.retrieve import retrieve
from rag.steps.rewrite import rewrite
from rag.steps.run import Outcome, Run
from rag.texts import Texts
from rag.values import (
    Answer,
    Citation,
    Classification,
    Draft,
    Failure,
    Label,
    Passage,
    PassageId,
    Verdict,
)

TEXTS = Texts()

_NEAREST = 3
_KEPT = 3
_NOT_JUDGED = Verdict("unchecked", "not judged", 0.0, "rules")


@dataclass
class _State:
    """Where the loop stands."""

    reading: Classification
    probe: SearchResult | None = None
    candidates: list[Candidate] = field(default_factory=list)
    passages: tuple[Passage, ...] = ()
    shown: frozenset[PassageId] = frozenset()
    rewritten: tuple[str, ...] = ()
    tried: tuple[str, ...] = ()
    retries: int = 0
    has_searched: bool = False
    is_exhausted: bool = False
    failure: ModelError | None = None

    @property
    def latest(self) -> Candidate:
        return self.candidates[-1]


async def answer(run: Run) -> Answer:
    """Answer the run's question: never an exception for a model that fails, never nothing.

    Raises:
        ThinkTwiceError: the knowledge base or the set-up is broken.
    """
    state = _State(await run.step("classify", lambda: _classified(run)))
    try:
        await _first_answer(run, state)
        while (step := routing.next_step(_situation(run, state))) != "finish":
            await _correct(run, state, step)
    except BudgetExhaustedError:
        pass  # The best answer so far goes out; the trail says which limit was reached.
    except ModelError as exc:
        state.failure = exc
    if state.candidates and not _is_better_quoted(state):
        return _finished(run, state)
    return await _without_model(run, state)


async def _first_answer(run: Run, state: _State) -> None:
    """The fast path, or documents first, as the setting says and the probe suggests."""
    mode = run.tools.self_correction.fast_path
    is_question = state.reading.intent != "small_talk" and not run.tools.corpus.is_empty
    if is_question and mode != "always":
        probe = await _probe(run, state)
        if mode == "never" or await run.step("cover", lambda: covers(run, state.reading, probe)):
            await _read(run, state)
            if state.passages:
                await _write(run, state)
                return
    if state.probe is not None or not is_question:
        await _draft(run, state)
        return
    try:
        await _draft_beside_probe(run, state)
    except ModelError as exc:
        # The model of the fast path does not answer; the writer may be another one.
        state.failure = exc
        await _read(run, state)
        if not state.passages:
            raise
        await _write(run, state)
        state.failure = None


async def _draft_beside_probe(run: Run, state: _State, defect: str = "") -> None:
    """Draft and search at the same time; the search is done long before the model."""
    drafted, probed = await asyncio.gather(
        _drafted(run, state, defect), _probe(run, state), return_exceptions=True
    )
    for outcome in (probed, drafted):
        if isinstance(outcome, BaseException):
            raise outcome
    if isinstance(drafted, Draft):
        await _evaluate(run, state, drafted)


async def _correct(run: Run, state: _State, step: routing.NextStep) -> None:
    """Carry out one correction."""
    state.retries += 1
    reason = state.latest.verdict.reason
    if step == "again":
        await (_write(run, state, reason) if state.latest.draft.passages else _draft(run, state, reason))
        return
    if step == "classify":
        state.reading = await run.step("classify", lambda: reclassify(run, state.reading, reason))
        if not state.latest.draft.passages:
            # Another reading is another question: the passages found for the old one say nothing here.
            await _draft_beside_probe(run, state, reason)
            return
    if step == "rewrite":
        query = await run.step("rewrite", lambda: rewrite(run, state.reading, state.tried, reason))
        if query.casefold() in {tried.casefold() for tried in state.tried}:
            state.is_exhausted = True
            return
        state.rewritten = (query, *state.rewritten)
    latest, before = state.latest, state.passages
    await _read(run, state)
    if latest.verdict.quality == "hallucination" and latest.draft.passages and not state.is_exhausted:
        # The passages may hold the answer that the writer got wrong: it sees the best of them again.
        state.passages = (*before[:_KEPT], *state.passages)[: max(len(before), _KEPT + 1)]
    if not state.is_exhausted:
        # A writer is told what it got wrong; that the passages lacked the answer is no fault of its text.
        is_fault = bool(latest.draft.passages) and latest.verdict.quality != "needs_docs"
        await _write(run, state, reason if is_fault else "")


async def _read(run: Run, state: _State) -> None:
    retrieval = await run.step("retrieve", lambda: retrieve(run, state.reading, state.rewritten, state.shown))
    state.has_searched = True
    state.tried = retrieval.queries
    state.is_exhausted = not retrieval.passages
    if retrieval.passages:
        state.passages = retrieval.passages
        state.shown |= {passage.id for passage in retrieval.passages}


async def _probe(run: Run, state: _State) -> SearchResult:
    async def search() -> Outcome[SearchResult]:
        result = await run.tools.corpus.search(state.reading.queries)
        await run.tools.evidence.prepare(state.reading)
        return Outcome(result, f"passages: {len(result.hits)}")

    state.probe = await run.step("probe", search)
    return state.probe


async def _drafted(run: Run, state: _State, defect: str = "") -> Draft:
    return await run.step("draft", lambda: draft(run, state.reading, defect))


async def _draft(run: Run, state: _State, defect: str = "") -> None:
    await _evaluate(run, state, await _drafted(run, state, defect))


async def _write(run: Run, state: _State, defect: str = "") -> None:
    written = await run.step("regenerate", lambda: regenerate(run, state.reading, state.passages, defect))
    await _evaluate(run, state, written)


async def _evaluate(run: Run, state: _State, text: Draft) -> None:
    """Judge a text, cheapest first, and keep it as a candidate."""
    if not run.tools.self_correction.enabled:
        state.candidates.append(unchecked(Candidate(text, _NOT_JUDGED, None), "checking is switched off"))
        return
    candidate = await run.step("evaluate", lambda: evaluate(run, state.reading, text, state.probe))
    if _weighed(run, candidate, is_judged=False) == "ask_judge":
        candidate = await _judged(run, state, candidate)
    if _weighed(run, candidate, is_judged=True) == "read_documents":
        verdict = candidate.verdict
        doubt = f"too unsure for a question that the documents cover: {verdict.reason}"
        candidate = replace(candidate, verdict=replace(verdict, quality="needs_docs", reason=doubt))
    if _is_unquotable(run, candidate):
        # "Adequate" on a matter of the documents must be shown there: otherwise they are read.
        reason = "it may be right, but no passage can be cited for it"
        candidate = replace(
            candidate, verdict=replace(candidate.verdict, quality="needs_docs", reason=reason)
        )
    state.candidates.append(candidate)


def _is_unquotable(run: Run, candidate: Candidate) -> bool:
    return (
        candidate.verdict.quality == "adequate"
        and candidate.verdict.source == "evidence"
        and candidate.is_covered
        and not candidate.draft.passages
        and not candidate.citations
        and not run.tools.corpus.is_empty
    )


async def _judged(run: Run, state: _State, candidate: Candidate) -> Candidate:
    try:
        return await run.step("judge", lambda: judge(run, state.reading, candidate, state.probe))
    except (ModelError, BudgetExhaustedError) as exc:
        # A judge that fails never turns into a pass, nor into a reason to search again.
        return unchecked(candidate, str(exc))


def _is_better_quoted(state: _State) -> bool:
    """Passages were found, no writer got to read them, and all there is would not do as an answer."""
    has_answer = any(
        candidate.draft.passages or candidate.verdict.quality in {"adequate", "unchecked"}
        for candidate in state.candidates
    )
    return bool(state.passages) and not has_answer


def _weighed(run: Run, candidate: Candidate, *, is_judged: bool) -> routing.Action:
    return routing.weigh(
        candidate.verdict,
        threshold=run.tools.self_correction.evaluation_threshold,
        is_covered=candidate.is_covered and not candidate.draft.passages,
        is_judged=is_judged,
    )


def _situation(run: Run, state: _State) -> routing.Situation:
    settings = run.tools.self_correction
    return routing.Situation(
        verdict=state.latest.verdict,
        has_documents=bool(state.latest.draft.passages),
        retries_left=settings.max_retries - state.retries,
        is_defective=state.latest.is_defective,
        is_exhausted=state.is_exhausted,
    )


def _finished(run: Run, state: _State) -> Answer:
    has_read = any(candidate.draft.passages for candidate in state.candidates) or (
        state.has_searched and not state.passages
    )
    candidates = [
        (candidate, labels.label(candidate, state.reading.intent, has_read=has_read))
        for candidate in state.candidates
    ]
    candidate, label = labels.best(candidates)
    text = candidate.draft.text
    if label == "not_in_documents" and state.passages:
        sources = ", ".join(dict.fromkeys(passage.document for passage in state.passages[:_NEAREST]))
        text = f"{text}\n\n{TEXTS.text('nearest', state.reading.language, sources=sources)}"
    return _answer(run, state, text, label, candidate.verdict, candidate.citations, candidate.draft.passages)


def _confirming(run: Run, state: _State, citations: tuple[Citation, ...]) -> tuple[Passage, ...]:
    """The passages that confirmed a draft of the fast path: a follow-up reads them again."""
    hits = tuple(hit.passage for hit in state.probe.hits) if state.probe else ()
    known = {passage.id: passage for passage in (*carried(run.question), *hits)}
    return tuple(known[citation.passage] for citation in citations if citation.passage in known)


async def _without_model(run: Run, state: _State) -> Answer:
    """There is no answer to send: quote the documents and say why."""
    language = state.reading.language
    if state.failure is None:
        verdict = replace(_NOT_JUDGED, reason="the budget of this question is used up")
        message = "budget-passages" if state.passages else "budget-exhausted"
    else:
        if state.reading.intent != "small_talk" and not state.has_searched:
            with suppress(BudgetExhaustedError):
                await _read(run, state)
        verdict = replace(_NOT_JUDGED, reason=f"no model answered: {state.failure}")
        message = "no-model-passages" if state.passages else "no-model"
    text, citations = quote(TEXTS.text(message, language), state.passages)
    return _answer(run, state, text, "unverified", verdict, citations, state.passages)


def _answer(
    run: Run,
    state: _State,
    text: str,
    label: Label,
    verdict: Verdict,
    citations: tuple[Citation, ...],
    passages: tuple[Passage, ...],
) -> Answer:
    return Answer(
        question=run.question.text,
        text=text,
        label=label,
        language=state.reading.language,
        verdict=verdict,
        citations=citations,
        passages=passages or _confirming(run, state, citations) or state.passages,
        used_documents=bool(passages),
        retries=state.retries,
        usage=run.ledger.usage(),
        seconds=run.ledger.seconds,
        trace=tuple(run.trace),
        failure=_failure(state.failure),
    )


def _failure(error: ModelError | None) -> Failure | None:
    if error is None:
        return None
    return Failure("rejected" if isinstance(error, ModelRejectedError) else "unavailable", str(error))


async def _classified(run: Run) -> Outcome[Classification]:
    reading = classify(run.question)
    return Outcome(reading, f"{reading.intent.replace('_', ' ')}, {reading.language}: {reading.reason}")
