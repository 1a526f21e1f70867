"""The self-correcting loop: draft, evaluate, and correct while it is worthwhile.

Read `answer` from top to bottom. The table in `rag.loop.routing` decides what follows an evaluation.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import replace

from rag.errors import BudgetExhaustedError, ModelError
from rag.knowledge.search import SearchResult
from rag.language import phrases
from rag.language.question_parts import split_questions
from rag.loop import composing, routing
from rag.loop.checking import check_text
from rag.loop.parts import answer_parts
from rag.loop.quotation import answer_by_quoting, quote_overview
from rag.loop.refining import Refinement, needs_critic, refine_while_better
from rag.loop.row_reading import read_rows
from rag.loop.state import State
from rag.loop.verification import best_places, is_covered, is_perhaps_covered, read_passages
from rag.quoting import choose
from rag.reasons import Reason
from rag.runs.candidates import Candidate
from rag.runs.run import Outcome, Run
from rag.steps.classify import classify
from rag.steps.continuation import continue_text
from rag.steps.draft import draft
from rag.steps.reclassify import reclassify
from rag.steps.regenerate import regenerate
from rag.steps.retrieve import retrieve
from rag.steps.rewrite import is_new, rewrite
from rag.steps.standalone import stand_alone
from rag.steps.whole import read_whole, wants_summary
from rag.values import Answer, Classification, Draft

_KEPT_PASSAGES = 3
_SAID_CHARACTERS = 300
_BRIEF_TOKENS = 90
"""Maximum length of an answer by a small model, which only words what one passage says."""
_MAX_QUOTED = 2
"""Maximum number of quoted sentences if there is no text to send."""


async def answer(run: Run) -> Answer:
    """Answer the run's question, or each of its questions. A failing model never raises.

    Raises:
        ThinkTwiceError: The knowledge base or the configuration is broken.
    """
    parts = split_questions(run.question.text)
    return await (_answer(run) if len(parts) == 1 else answer_parts(run, parts, _answer))


async def _answer(run: Run) -> Answer:
    classification, is_answerable = await run.step("classify", lambda: _classify(run), is_light=True)
    state = State(classification)
    if run.question.quote_only:
        return await _mark_outdated(run, await _answer_with_quotations(run, state))
    try:
        if is_answerable and phrases.is_doubt(run.question.text):
            state = await _show_what_confirms(run, classification) or state
        if not state.candidates:
            await _first_answer(run, state, is_answerable=is_answerable)
        while (step := routing.route(_make_situation(run, state)).then) != "finish":
            await _correct(run, state, step)
    except BudgetExhaustedError:
        pass  # The best answer so far is sent; the trace shows which limit was reached.
    except ModelError as exc:
        state.failure = exc
    finish = _answer_with_quotations if composing.should_quote_instead(state) else _finish
    return await _mark_outdated(run, await finish(run, state))


async def _mark_outdated(run: Run, answer: Answer) -> Answer:
    """Call nothing verified that a file said when it was read and may not say any more."""
    if answer.label not in {"verified", "partly"}:
        return answer
    changed = await run.tools.corpus.find_changed({one.source for one in answer.citations})
    if not changed:
        return answer
    named = {one.document for one in answer.citations if one.source in changed}
    reason = Reason("verdict-outdated", {"documents": ", ".join(sorted(named))})
    said = composing.TEXTS.reason(reason, answer.language)
    verdict = replace(answer.verdict, quality="unchecked", reason=reason)
    return replace(answer, text=f"{answer.text}\n\n{said}", label="unverified", verdict=verdict)


async def _first_answer(run: Run, state: State, *, is_answerable: bool) -> None:
    mode = run.tools.self_correction.fast_path
    if is_answerable and wants_summary(state.classification, run.question):
        await _read_whole(run, state)
        if state.whole:
            await _write(run, state)
            return
    has_conversation = bool(run.question.history or run.question.summary)
    is_talk = state.classification.intent == "small_talk"
    if run.is_documents_only and not (has_conversation or is_talk):
        await _answer_without_draft(run, state, is_answerable=is_answerable)
        return
    if is_answerable and (mode != "always" or run.is_reading_first):
        await _look(run, state)
        if mode == "never" or is_covered(state):
            await _make_standalone(run, state)
            await _read(run, state)
            if state.passages:
                await _write(run, state)
                return
    if state.probe is not None or not is_answerable:
        await _draft(run, state)
        return
    try:
        await _draft_beside_look(run, state)
    except ModelError as exc:
        # The drafting model failed; the writer may be another model.
        state.failure = exc
        await _read(run, state)
        if not state.passages:
            raise
        await _write(run, state)
        state.failure = None


async def _show_what_confirms(run: Run, classification: Classification) -> State | None:
    """Quote what the answer before rests on, for who doubts it; a model would only say it once more."""
    if not classification.earlier:
        return None
    state = State(replace(classification, queries=(classification.earlier,)))
    await _look(run, state)
    await _read(run, state)
    if not is_covered(state):
        return None
    state.candidates.append(answer_by_quoting(state, composing.TEXTS))
    state.is_exhausted = True
    return state


async def _answer_without_draft(run: Run, state: State, *, is_answerable: bool) -> None:
    """Answer from documents, where a draft could only say what is not asked for: general knowledge.

    No model is asked if no passage answers. With a conversation a draft is written, because it may answer.
    """
    if is_answerable:
        await _look(run, state)
        await _read(run, state)
    quoted = answer_by_quoting(state, composing.TEXTS)
    if state.passages and (quoted.is_covered or not state.read):  # not read: the verifier failed
        await _write(run, state)
        return
    state.has_searched = state.is_exhausted = True
    state.candidates.append(quoted)


async def _draft_beside_look(run: Run, state: State, defect: str = "") -> None:
    """Draft, and search and read, concurrently; the reading finishes long before the model."""
    drafted, probed = await asyncio.gather(
        _run_draft(run, state, defect), _look(run, state), return_exceptions=True
    )
    for outcome in (probed, drafted):
        if isinstance(outcome, BaseException):
            raise outcome
    if state.rows is not None:
        await _write(run, state)
    elif isinstance(drafted, Draft):
        await _evaluate(run, state, drafted)


async def _correct(run: Run, state: State, step: routing.NextStep) -> None:
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
            state.probe, state.places, state.read, state.row_answers = None, {}, (), {}
            await _draft_beside_look(run, state, str(reason))
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
    before = state.classification.standalone
    with suppress(ModelError, BudgetExhaustedError):
        state.classification = await run.step("standalone", lambda: stand_alone(run, state.classification))
    if state.classification.standalone != before:
        state.places, state.read, state.row_answers = {}, (), {}  # they answer another question


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
    await read_passages(run, state, state.passages)
    await read_rows(run, state, state.passages)
    corpus, question = run.tools.corpus, state.classification.standalone
    state.is_search_blind = not (state.passages or corpus.is_empty or corpus.knows(question))


async def _read_whole(run: Run, state: State) -> None:
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


async def _look(run: Run, state: State) -> None:
    probe = state.probe or await _probe(run, state)
    found = [hit.passage for hit in probe.hits]
    await read_passages(run, state, found)
    await read_rows(run, state, found)


async def _run_draft(run: Run, state: State, defect: str = "") -> Draft:
    return await run.step("draft", lambda: draft(run, state.classification, defect))


async def _draft(run: Run, state: State, defect: str = "") -> None:
    await _evaluate(run, state, await _run_draft(run, state, defect))


async def _write(run: Run, state: State, defect: str = "") -> None:
    """Answer from the passages: by quoting where rows answer or the model is small, else by writing."""
    if run.is_reading_first or state.rows is not None:
        quoted = (
            None
            if state.whole is None
            else quote_overview(state.whole.passages, state.classification, composing.TEXTS)
        )
        state.candidates.append(quoted or answer_by_quoting(state, composing.TEXTS))
        if (
            quoted is None
            and run.mode != "quick"
            and state.latest.citations
            and not state.latest.is_confirmed
        ):
            await _write_briefly(run, state)
        return
    written = await run.step(
        "regenerate", lambda: regenerate(run, state.classification, state.passages, defect)
    )
    await _evaluate(run, state, written)


async def _write_briefly(run: Run, state: State) -> None:
    """Let the small model word an answer that no sentence gives for sure; keep it if the verifier agrees.

    A small writer and a small reader that agree are right, on documents that neither has seen; where they do
    not, the writer is wrong twice as often as right.
    """
    likeliest = choose(state.read, best_places(state), _KEPT_PASSAGES)
    passages = tuple(one.passage for one in likeliest)
    if not passages:  # the verifier failed, so nothing that is written would be confirmed
        return
    with suppress(ModelError, BudgetExhaustedError):
        written = await run.step(
            "regenerate",
            lambda: regenerate(run, state.classification, passages, max_tokens=_BRIEF_TOKENS),
        )
        checked = await check_text(run, state, written, is_final=True)
        if checked.is_confirmed:
            state.candidates.append(checked)


async def _evaluate(run: Run, state: State, text: Draft) -> None:
    state.candidates.append(await check_text(run, state, text))


def _make_situation(run: Run, state: State) -> routing.Situation:
    return routing.Situation(
        quality=state.latest.verdict.quality,
        has_documents=bool(state.latest.draft.passages),
        has_retries=state.retries < run.tools.self_correction.max_retries,
        is_defective=state.latest.is_defective,
        was_defective=state.probe is not None
        and any(one.is_defective and not one.cut for one in state.candidates[:-1]),
        is_covered=is_covered(state),
        is_general=is_perhaps_covered(state) and composing.label_candidate(state, state.latest) == "general",
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
    cited = {one.passage for one in candidate.citations if one.n == reading.n}
    read = (f"passage {n}" for n, one in enumerate(candidate.draft.passages, 1) if one.id in cited)
    said = " ".join(candidate.draft.text.split())
    # A text whose markers were all wrong is compared with what the search has found.
    where = next(read, "a passage")
    return f"it said “{said[:_SAID_CHARACTERS]}”, but {where} was read as “{reading.text}”"


async def _finish(run: Run, state: State) -> Answer:
    candidate, label = composing.choose_best(state)
    if label == "not_in_documents" and state.failure is None and not run.is_reading_first and state.read:
        # "The documents do not say it" is a claim as well, and one writer's word is not enough for it.
        state.passages = state.retrieved
        state.candidates.append(answer_by_quoting(state, composing.TEXTS))
        candidate, label = composing.choose_best(state)
    candidate, label = composing.keep_to_documents(run, state, candidate, label)
    refinement = Refinement(candidate)
    if state.failure is None and needs_critic(run, candidate, label, state.classification.intent):
        refinement = await refine_while_better(run, state, candidate)
        label = composing.label_candidate(state, refinement.best)
    best, label = composing.keep_to_documents(run, state, refinement.best, label)
    best, label = composing.show_documents_first(state, best, label)
    answered = composing.compose_from_text(run, state, best, label)
    is_refined = best is refinement.best is not candidate
    return replace(answered, score=refinement.score, unrefined=candidate.draft.text if is_refined else "")


async def _answer_with_quotations(run: Run, state: State) -> Answer:
    is_without_text = state.failure is not None or run.question.quote_only or bool(state.candidates)
    if is_without_text and state.classification.intent != "small_talk" and not state.has_searched:
        with suppress(BudgetExhaustedError):
            await _read(run, state)
    quoted = answer_by_quoting(state, composing.TEXTS)
    if quoted.is_confirmed or quoted.is_disputed:
        return composing.compose_from_text(run, state, quoted, composing.label_candidate(state, quoted))
    nearest = choose(state.read, best_places(state), _MAX_QUOTED)
    return composing.compose_without_text(run, state, nearest)


async def _classify(run: Run) -> Outcome[tuple[Classification, bool]]:
    """Classify the message, and note whether the corpus has documents.

    Both are recorded: after a restart the corpus may be filled, but the question must take the same path.
    """
    # In a thread: the first short question loads the letter statistics.
    classification = await asyncio.to_thread(classify, run.question, run.tools.corpus)
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
