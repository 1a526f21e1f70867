"""The self-correcting loop: draft, evaluate, and as long as it is worth it, correct.

Read `answer` from top to bottom; what follows an evaluation is decided by the table in `rag.loop.routing`.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import replace

from rag.errors import BudgetExhaustedError, ModelError
from rag.knowledge.search import SearchResult
from rag.loop import composing, routing
from rag.loop.candidates import Candidate
from rag.loop.checking import checked
from rag.loop.quotation import chosen, quoted_answer
from rag.loop.refining import is_wanted, refined
from rag.loop.run import Outcome, Run
from rag.loop.state import State
from rag.reasons import Reason
from rag.steps.classify import classify
from rag.steps.continuation import continuation
from rag.steps.draft import draft
from rag.steps.evaluate import covers
from rag.steps.quote import Quoted
from rag.steps.reclassify import reclassify
from rag.steps.regenerate import regenerate
from rag.steps.retrieve import retrieve
from rag.steps.rewrite import is_new, rewrite
from rag.steps.standalone import stand_alone
from rag.values import Answer, Classification, Draft

_KEPT = 3
_SAID_CHARACTERS = 300
_QUOTED = 2
"""Sentences that are quoted when there is no text to send."""


async def answer(run: Run) -> Answer:
    """Answer the run's question: never an exception for a model that fails, never nothing.

    Raises:
        ThinkTwiceError: the knowledge base or the set-up is broken.
    """
    reading, is_answerable = await run.step("classify", lambda: _classified(run), is_light=True)
    state = State(reading)
    if run.question.quote_only:
        return await _quoted(run, state)
    try:
        await _first_answer(run, state, is_answerable=is_answerable)
        while (step := routing.next_step(_situation(run, state))) != "finish":
            await _correct(run, state, step)
    except BudgetExhaustedError:
        pass  # The best answer so far goes out; the trail says which limit was reached.
    except ModelError as exc:
        state.failure = exc
    if composing.is_better_quoted(state):
        return await _quoted(run, state)
    return await _finished(run, state)


async def _first_answer(run: Run, state: State, *, is_answerable: bool) -> None:
    """The fast path, or documents first, as the setting says and the probe suggests.

    Args:
        run: The question's run.
        state: Where the loop stands.
        is_answerable: It is a question, and there are documents that may answer it.
    """
    mode = run.tools.self_correction.fast_path
    if is_answerable and mode != "always":
        probe = await _probe(run, state)
        if mode == "never" or await run.step(
            "cover", lambda: covers(run, state.reading, probe), is_light=True
        ):
            await _stand_alone(run, state)
            await _read(run, state)
            if state.passages:
                await _write(run, state)
                return
    if state.probe is not None or not is_answerable:
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


async def _draft_beside_probe(run: Run, state: State, defect: str = "") -> None:
    """Draft and search at the same time; the search is done long before the model."""
    drafted, probed = await asyncio.gather(
        _drafted(run, state, defect), _probe(run, state), return_exceptions=True
    )
    for outcome in (probed, drafted):
        if isinstance(outcome, BaseException):
            raise outcome
    if isinstance(drafted, Draft):
        await _evaluate(run, state, drafted)


async def _correct(run: Run, state: State, step: routing.NextStep) -> None:
    """Carry out one correction."""
    state.retries += 1
    reason = state.latest.verdict.reason
    if step == "continue":
        state.has_continued = True
        cut = replace(state.latest.draft, text=state.latest.cut)
        await _evaluate(run, state, await run.step("continue", lambda: continuation(run, state.reading, cut)))
        return
    if step == "again":
        defect = state.latest.doubt or str(reason)
        if state.latest.is_disputed:
            state.has_been_disputed = True
            defect = state.latest.doubt or _dispute(state.latest)
        await (_write(run, state, defect) if state.latest.draft.passages else _draft(run, state, defect))
        return
    if step == "classify":
        state.reading = await run.step("classify", lambda: reclassify(run, state.reading, reason))
        if not state.latest.draft.passages:
            # Another reading is another question: the passages found for the old one say nothing here.
            await _draft_beside_probe(run, state, str(reason))
            return
    if step == "rewrite":
        query = await run.step("rewrite", lambda: rewrite(run, state.reading, state.tried, str(reason)))
        if not is_new(query, state.tried, state.reading.language):
            state.is_exhausted = True
            return
        state.rewritten = (query, *state.rewritten)
    latest, before = state.latest, state.passages
    await _stand_alone(run, state)
    await _read(run, state)
    if latest.verdict.quality == "hallucination" and latest.draft.passages and not state.is_exhausted:
        # The passages may hold the answer that the writer got wrong: it sees the best of them again.
        state.passages = (*before[:_KEPT], *state.passages)[: max(len(before), _KEPT + 1)]
    if not state.is_exhausted:
        # A writer is told what it got wrong; that the passages lacked the answer is no fault of its text.
        is_fault = bool(latest.draft.passages) and latest.verdict.quality != "needs_docs"
        await _write(run, state, str(reason) if is_fault else "")


async def _stand_alone(run: Run, state: State) -> None:
    """Before the documents are read for a follow-up, write it as a question that stands alone, once.

    The draft sees the conversation and the probe finds enough with the questions before it; so a follow-up
    that needs no documents costs no call more. Where no such question comes of it, those serve on.
    """
    if state.reading.intent != "follow_up" or state.has_searched or run.tools.corpus.is_empty:
        return
    if any(candidate.verdict.quality == "off_topic" for candidate in state.candidates):
        return  # a model has just read the message again
    with suppress(ModelError, BudgetExhaustedError):
        state.reading = await run.step("standalone", lambda: stand_alone(run, state.reading))


async def _read(run: Run, state: State) -> None:
    retrieval = await run.step(
        "retrieve", lambda: retrieve(run, state.reading, state.rewritten, state.shown), is_light=True
    )
    state.has_searched = True
    state.tried = retrieval.queries
    state.is_exhausted = not retrieval.passages
    if retrieval.passages:
        state.passages = retrieval.passages
        state.retrieved += retrieval.passages
        state.shown |= {passage.id for passage in retrieval.passages}


async def _probe(run: Run, state: State) -> SearchResult:
    async def search() -> Outcome[SearchResult]:
        result = await run.tools.corpus.search(state.reading.queries)
        await run.tools.evidence.prepare(state.reading)
        return Outcome(result, Reason("passages-found", {"passages": len(result.hits)}))

    state.probe = await run.step("probe", search, is_light=True)
    return state.probe


async def _drafted(run: Run, state: State, defect: str = "") -> Draft:
    return await run.step("draft", lambda: draft(run, state.reading, defect))


async def _draft(run: Run, state: State, defect: str = "") -> None:
    await _evaluate(run, state, await _drafted(run, state, defect))


async def _write(run: Run, state: State, defect: str = "") -> None:
    """Answer from the passages: a small model reads them one by one, any other writes from all of them."""
    if run.is_reading_first:
        state.candidates.append(await quoted_answer(run, state, composing.TEXTS))
        return
    written = await run.step("regenerate", lambda: regenerate(run, state.reading, state.passages, defect))
    await _evaluate(run, state, written)


async def _evaluate(run: Run, state: State, text: Draft) -> None:
    """Judge a text, cheapest first, and keep it as a candidate."""
    state.candidates.append(await checked(run, state, text))


def _situation(run: Run, state: State) -> routing.Situation:
    settings = run.tools.self_correction
    return routing.Situation(
        verdict=state.latest.verdict,
        has_documents=bool(state.latest.draft.passages),
        retries_left=settings.max_retries - state.retries,
        is_defective=state.latest.is_defective,
        is_exhausted=state.is_exhausted,
        is_cut=bool(state.latest.cut) and not state.has_continued,
        is_doubted=bool(state.latest.doubt),
        is_disputed=state.latest.is_disputed,
        was_disputed=state.has_been_disputed,
    )


def _dispute(candidate: Candidate) -> str:
    """What the writer is told of a text that a second reading disputes: both, so that it can decide."""
    reading = candidate.second_reading
    if reading is None:
        raise ValueError("a text without a second reading is not disputed")
    cited = next(one.passage for one in candidate.citations if one.n == reading.n)
    number = next(n for n, passage in enumerate(candidate.draft.passages, 1) if passage.id == cited)
    said = " ".join(candidate.draft.text.split())
    return f"it said “{said[:_SAID_CHARACTERS]}”, but passage {number} was read as “{reading.text}”"


async def _finished(run: Run, state: State) -> Answer:
    candidate, label = composing.best(state)
    if label == "not_in_documents" and state.failure is None and not run.is_reading_first and state.passages:
        # That the documents do not say it is a claim as well: one writer's word is not enough for it.
        state.passages = state.retrieved
        with suppress(BudgetExhaustedError):
            state.candidates.append(await quoted_answer(run, state, composing.TEXTS))
        candidate, label = composing.best(state)
    score = None
    if state.failure is None and is_wanted(run, candidate, label, state.reading.intent):
        candidate, score = await refined(run, state, candidate)
        label = composing.label(state, candidate)
    return composing.with_text(run, state, candidate, label, score)


async def _quoted(run: Run, state: State) -> Answer:
    """There is no answer to send: quote the documents and say why."""
    is_without_text = state.failure is not None or run.question.quote_only or bool(state.candidates)
    if is_without_text and state.reading.intent != "small_talk" and not state.has_searched:
        with suppress(BudgetExhaustedError):
            await _read(run, state)
    if not state.passages:
        return composing.without_text(run, state)
    try:
        choice = await run.step("choose", lambda: chosen(run, state), is_light=True)
    except BudgetExhaustedError:
        return composing.without_text(run, state)
    nearest = [Quoted(one.passage, one.text, one.lead) for one in choice.sentences[:_QUOTED]]
    return composing.without_text(run, state, nearest)


async def _classified(run: Run) -> Outcome[tuple[Classification, bool]]:
    """What the message is, and whether there are documents that may answer it.

    Both are recorded: after a restart the documents may be there that were not yet read, and the question
    must go on the way it went.
    """
    reading = classify(run.question)
    is_answerable = reading.intent != "small_talk" and not run.tools.corpus.is_empty
    return Outcome(
        (reading, is_answerable),
        Reason(
            "message-read",
            {"intent": reading.intent, "language": reading.language, "reason": reading.reason or ""},
        ),
    )
