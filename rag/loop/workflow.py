"""The self-correcting loop: draft, evaluate, and correct while it is worthwhile.

Read `answer` from top to bottom. The table in `rag.loop.routing` decides what follows an evaluation.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import replace

from rag.errors import BudgetExhaustedError, ModelError
from rag.knowledge.search import SearchResult
from rag.loop import composing, routing
from rag.loop.checking import check_text
from rag.loop.quotation import answer_by_quoting, choose_sentences, quote_overview
from rag.loop.refining import Refinement, needs_critic, refine_while_better
from rag.loop.state import State
from rag.reasons import Reason
from rag.runs.candidates import Candidate
from rag.runs.run import Outcome, Run
from rag.steps.classify import classify
from rag.steps.continuation import continue_text
from rag.steps.draft import draft
from rag.steps.evaluate import covers
from rag.steps.quote import Quoted
from rag.steps.reclassify import reclassify
from rag.steps.regenerate import regenerate
from rag.steps.retrieve import retrieve
from rag.steps.rewrite import is_new, rewrite
from rag.steps.standalone import stand_alone
from rag.steps.whole import read_whole, wants_summary
from rag.values import Answer, Classification, Draft

_KEPT_PASSAGES = 3
_SAID_CHARACTERS = 300
_MAX_QUOTED = 2
"""Maximum number of quoted sentences if there is no text to send."""


async def answer(run: Run) -> Answer:
    """Answer the run's question. A failing model never raises: there is always an answer.

    Raises:
        ThinkTwiceError: The knowledge base or the configuration is broken.
    """
    classification, is_answerable = await run.step("classify", lambda: _classify(run), is_light=True)
    state = State(classification)
    if run.question.quote_only:
        return await _answer_with_quotations(run, state)
    try:
        await _first_answer(run, state, is_answerable=is_answerable)
        while (step := routing.next_step(_make_situation(run, state))) != "finish":
            await _correct(run, state, step)
    except BudgetExhaustedError:
        pass  # The best answer so far is sent; the trace shows which limit was reached.
    except ModelError as exc:
        state.failure = exc
    if composing.should_quote_instead(state):
        return await _answer_with_quotations(run, state)
    return await _finish(run, state)


async def _first_answer(run: Run, state: State, *, is_answerable: bool) -> None:
    """Draft first or read the documents first, depending on the setting and the probe.

    Args:
        run: The question's run.
        state: State of the loop.
        is_answerable: The message is a question and the corpus is not empty.
    """
    mode = run.tools.self_correction.fast_path
    if is_answerable and wants_summary(state.classification, run.question.text):
        await _read_whole(run, state)
        if state.whole:
            await _write(run, state)
            return
    if is_answerable and mode != "always":
        probe = state.probe or await _probe(run, state)
        if mode == "never" or await run.step(
            "cover", lambda: covers(run, state.classification, probe), is_light=True
        ):
            await _make_standalone(run, state)
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
        # The drafting model failed; the writer may be another model.
        state.failure = exc
        await _read(run, state)
        if not state.passages:
            raise
        await _write(run, state)
        state.failure = None


async def _draft_beside_probe(run: Run, state: State, defect: str = "") -> None:
    """Draft and search concurrently; the search finishes long before the model."""
    drafted, probed = await asyncio.gather(
        _run_draft(run, state, defect), _probe(run, state), return_exceptions=True
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
        await _evaluate(
            run, state, await run.step("continue", lambda: continue_text(run, state.classification, cut))
        )
        return
    if step == "again":
        defect = state.latest.doubt or str(reason)
        if state.latest.is_disputed:
            state.has_been_disputed = True
            defect = state.latest.doubt or _describe_dispute(state.latest)
        await (_write(run, state, defect) if state.latest.draft.passages else _draft(run, state, defect))
        return
    if step == "classify":
        state.classification = await run.step(
            "classify", lambda: reclassify(run, state.classification, reason)
        )
        if not state.latest.draft.passages:
            # The new classification is another question, so the passages found for the old one do not apply.
            await _draft_beside_probe(run, state, str(reason))
            return
    if step == "rewrite":
        query = await run.step(
            "rewrite", lambda: rewrite(run, state.classification, state.tried, str(reason))
        )
        if not is_new(query, state.tried, state.classification.language):
            state.is_exhausted = True
            return
        state.rewritten = (query, *state.rewritten)
    latest, before = state.latest, state.passages
    await _make_standalone(run, state)
    await _read(run, state)
    if latest.verdict.quality == "hallucination" and latest.draft.passages and not state.is_exhausted:
        # The passages may contain the answer that the writer got wrong, so it sees the best of them again.
        state.passages = (*before[:_KEPT_PASSAGES], *state.passages)[: max(len(before), _KEPT_PASSAGES + 1)]
    if not state.is_exhausted:
        # Name the fault only if it is the writer's: that the passages lack the answer is not.
        is_fault = bool(latest.draft.passages) and latest.verdict.quality != "needs_docs"
        await _write(run, state, str(reason) if is_fault else "")


async def _make_standalone(run: Run, state: State) -> None:
    """Rewrite a follow-up as a standalone question before the documents are first read for it.

    The draft sees the conversation, and the probe finds enough with the joined questions, so a follow-up that
    needs no documents costs no extra call. If the rewriting fails, the joined questions stay.
    """
    if state.classification.intent != "follow_up" or state.has_searched or run.tools.corpus.is_empty:
        return
    if any(candidate.verdict.quality == "off_topic" for candidate in state.candidates):
        return  # a model has just read the message again
    with suppress(ModelError, BudgetExhaustedError):
        state.classification = await run.step("standalone", lambda: stand_alone(run, state.classification))


async def _read(run: Run, state: State) -> None:
    retrieval = await run.step(
        "retrieve", lambda: retrieve(run, state.classification, state.rewritten, state.shown), is_light=True
    )
    state.has_searched = True
    state.tried = retrieval.queries
    state.is_exhausted = not retrieval.passages
    if retrieval.passages:
        state.passages = retrieval.passages
        state.retrieved += retrieval.passages
        state.shown |= {passage.id for passage in retrieval.passages}
    corpus, question = run.tools.corpus, state.classification.standalone
    state.is_search_blind = not (state.passages or corpus.is_empty or corpus.knows(question))


async def _read_whole(run: Run, state: State) -> None:
    """Take the document whose summary is asked for as the passages of the writer, if there is one."""
    probe = await _probe(run, state)
    whole = await run.step("retrieve", lambda: read_whole(run, state.classification, probe), is_light=True)
    if not whole.passages:
        return
    state.whole = whole
    state.passages = state.retrieved = whole.passages
    state.shown = frozenset(passage.id for passage in whole.passages)
    # The writer has the document before it, so the message needs no earlier question in front of it, and
    # another search would only take passages away.
    message = run.question.text.strip()
    state.classification = replace(
        state.classification, queries=tuple(dict.fromkeys((message, *state.classification.queries)))
    )
    state.has_searched = state.is_exhausted = True


async def _probe(run: Run, state: State) -> SearchResult:
    async def search() -> Outcome[SearchResult]:
        result = await run.tools.corpus.search(state.classification.queries)
        await run.tools.evidence.prepare(state.classification)
        return Outcome(result, Reason("passages-found", {"passages": len(result.hits)}))

    state.probe = await run.step("probe", search, is_light=True)
    return state.probe


async def _run_draft(run: Run, state: State, defect: str = "") -> Draft:
    return await run.step("draft", lambda: draft(run, state.classification, defect))


async def _draft(run: Run, state: State, defect: str = "") -> None:
    await _evaluate(run, state, await _run_draft(run, state, defect))


async def _write(run: Run, state: State, defect: str = "") -> None:
    """Answer from the passages: a small model reads them one by one, other models write from all of them."""
    if run.is_reading_first:
        quoted = (
            None
            if state.whole is None
            else quote_overview(state.whole.passages, state.classification, composing.TEXTS)
        )
        state.candidates.append(quoted or await answer_by_quoting(run, state, composing.TEXTS))
        return
    written = await run.step(
        "regenerate", lambda: regenerate(run, state.classification, state.passages, defect)
    )
    await _evaluate(run, state, written)


async def _evaluate(run: Run, state: State, text: Draft) -> None:
    """Check a text, and keep it as a candidate."""
    state.candidates.append(await check_text(run, state, text))


def _make_situation(run: Run, state: State) -> routing.Situation:
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


def _describe_dispute(candidate: Candidate) -> str:
    """Tell the writer both what its text said and what the second reading found, so that it can decide."""
    reading = candidate.second_reading
    if reading is None:
        raise ValueError("a text without a second reading is not disputed")
    cited = next(one.passage for one in candidate.citations if one.n == reading.n)
    number = next(n for n, passage in enumerate(candidate.draft.passages, 1) if passage.id == cited)
    said = " ".join(candidate.draft.text.split())
    return f"it said “{said[:_SAID_CHARACTERS]}”, but passage {number} was read as “{reading.text}”"


async def _finish(run: Run, state: State) -> Answer:
    candidate, label = composing.choose_best(state)
    if label == "not_in_documents" and state.failure is None and not run.is_reading_first and state.passages:
        # "The documents do not say it" is a claim as well, and one writer's word is not enough for it.
        state.passages = state.retrieved
        with suppress(BudgetExhaustedError):
            state.candidates.append(await answer_by_quoting(run, state, composing.TEXTS))
        candidate, label = composing.choose_best(state)
    refinement = Refinement(candidate)
    if state.failure is None and needs_critic(run, candidate, label, state.classification.intent):
        refinement = await refine_while_better(run, state, candidate)
        label = composing.label_candidate(state, refinement.best)
    answered = composing.compose_from_text(run, state, refinement.best, label)
    is_refined = refinement.best is not candidate
    return replace(answered, score=refinement.score, unrefined=candidate.draft.text if is_refined else "")


async def _answer_with_quotations(run: Run, state: State) -> Answer:
    """Quote the documents if there is no text to send."""
    is_without_text = state.failure is not None or run.question.quote_only or bool(state.candidates)
    if is_without_text and state.classification.intent != "small_talk" and not state.has_searched:
        with suppress(BudgetExhaustedError):
            await _read(run, state)
    if not state.passages:
        return composing.compose_without_text(run, state)
    try:
        choice = await run.step("choose", lambda: choose_sentences(run, state), is_light=True)
    except BudgetExhaustedError:
        return composing.compose_without_text(run, state)
    nearest = [Quoted(one.passage, one.text, one.lead) for one in choice.sentences[:_MAX_QUOTED]]
    return composing.compose_without_text(run, state, nearest)


async def _classify(run: Run) -> Outcome[tuple[Classification, bool]]:
    """Classify the message, and note whether the corpus has documents.

    Both are recorded: after a restart the corpus may be filled, but the question must take the same path.
    """
    classification = classify(run.question, run.tools.corpus)
    is_answerable = classification.intent != "small_talk" and not run.tools.corpus.is_empty
    return Outcome(
        (classification, is_answerable),
        Reason(
            "message-read",
            {
                "intent": classification.intent,
                "language": classification.language,
                "reason": classification.reason or "",
            },
        ),
    )
