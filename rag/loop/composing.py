"""Compose the answer: the best text with its label, or the passages if no text can be sent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rag.errors import ModelError, ModelRejectedError
from rag.loop.state import State
from rag.reasons import Reason
from rag.runs.candidates import NOT_JUDGED, Candidate, choose_label, pick_best
from rag.runs.run import Run
from rag.steps.classify import find_carried_passages
from rag.steps.quote import Quoted, quote, quote_beginnings
from rag.texts import Texts
from rag.values import Answer, Citation, Failure, Label, Passage, Verdict

TEXTS = Texts()

_NAMED_SOURCES = 3


def choose_best(state: State) -> tuple[Candidate, Label]:
    """Return the best candidate that says something, with its label."""
    candidates = [candidate for candidate in state.candidates if not candidate.is_void]
    if any(candidate.draft.passages and candidate.cut for candidate in candidates):
        # A cut-off answer from the documents says more than "I do not know" from a writer that has not read
        # them.
        candidates = [one for one in candidates if one.draft.passages or one.verdict.quality != "needs_docs"]
    return pick_best([(candidate, label_candidate(state, candidate)) for candidate in candidates])


def label_candidate(state: State, candidate: Candidate) -> Label:
    """Return the label of an evaluated text."""
    if state.whole is not None:  # the document is there, whatever a text says of it
        return choose_label(candidate, state.classification.intent, has_read=False)
    has_found_nothing = state.has_searched and not state.passages and not state.is_search_blind
    has_read = has_found_nothing or any(
        candidate.draft.passages and not candidate.is_defective for candidate in state.candidates
    )
    return choose_label(candidate, state.classification.intent, has_read=has_read)


def compose_from_text(run: Run, state: State, candidate: Candidate, label: Label) -> Answer:
    """Compose the answer from an evaluated text.

    Args:
        run: The question's run.
        state: Final state of the loop.
        candidate: The text.
        label: Its label.
    """
    text = candidate.draft.text
    if label == "not_in_documents" and state.passages:
        sources = ", ".join(dict.fromkeys(passage.document for passage in state.passages[:_NAMED_SOURCES]))
        text = f"{text}\n\n{TEXTS.text('nearest', state.classification.language, sources=sources)}"
    if state.whole is not None and state.whole.is_partial:
        figures = {"read": len(state.whole.passages), "count": state.whole.count}
        text = f"{text}\n\n{TEXTS.text('summary-partial', state.classification.language, **figures)}"
    if candidate.is_disputed and candidate.second_reading is not None:
        reading, language = candidate.second_reading, state.classification.language
        text = f"{text}\n\n{TEXTS.text('disputed', language, n=reading.n, reading=reading.text)}"
    passages = candidate.draft.passages
    return _make_answer(run, state, text, label, candidate.verdict, candidate.citations, passages)


def compose_without_text(run: Run, state: State, quoted: Sequence[Quoted] = ()) -> Answer:
    """Compose the answer if no text can be sent: quote the documents and say why.

    Args:
        run: The question's run.
        state: Final state of the loop.
        quoted: The sentences nearest to the question. If empty, the beginnings of passages are quoted.
    """
    if run.question.quote_only:
        verdict = replace(NOT_JUDGED, reason=Reason("verdict-spent"))
        message = "spent-passages" if state.passages else "spent"
    elif state.failure is None and any(one.draft.passages or one.is_void for one in state.candidates):
        verdict = replace(NOT_JUDGED, reason=state.latest.verdict.reason)
        message = "unusable-passages" if state.passages else "unusable"
    elif state.failure is None:
        verdict = replace(NOT_JUDGED, reason=Reason("verdict-budget"))
        message = "budget-passages" if state.passages else "budget-exhausted"
    else:
        verdict = replace(NOT_JUDGED, reason=Reason("verdict-no-model", {"reason": state.failure.reason}))
        message = "no-model-passages" if state.passages else "no-model"
    if state.is_search_blind:
        message = "search-blind"
    said = TEXTS.text(message, state.classification.language)
    text, citations = quote(said, quoted or quote_beginnings(state.passages))
    return _make_answer(run, state, text, "unverified", verdict, citations, state.passages)


def should_quote_instead(state: State) -> bool:
    """Return whether to quote: all texts are void, or passages were found and no text is usable."""
    has_answer = any(
        _is_presentable(candidate)
        and (candidate.draft.passages or candidate.verdict.quality in {"adequate", "unchecked"})
        for candidate in state.candidates
    )
    is_void = all(candidate.is_void for candidate in state.candidates)
    return is_void or (bool(state.passages) and not has_answer)


def _is_presentable(candidate: Candidate) -> bool:
    """Return whether a reader can use a text; one that is only cut off still says something."""
    return not candidate.is_defective or bool(candidate.cut)


def _make_answer(
    run: Run,
    state: State,
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
        language=state.classification.language,
        verdict=verdict,
        citations=citations,
        passages=passages or _find_confirming(run, state, citations) or state.passages,
        used_documents=bool(passages),
        retries=state.retries,
        usage=run.ledger.usage(),
        seconds=run.ledger.seconds,
        trace=run.trace,
        failure=_describe_failure(state.failure),
        mode=run.mode,
        savings=run.ledger.savings,
        standalone=state.classification.standalone,
    )


def _find_confirming(run: Run, state: State, citations: tuple[Citation, ...]) -> tuple[Passage, ...]:
    """Return the passages that confirmed a draft of the fast path; a follow-up reads them again."""
    hits = tuple(hit.passage for hit in state.probe.hits) if state.probe else ()
    known = {passage.id: passage for passage in (*find_carried_passages(run.question), *hits)}
    return tuple(known[citation.passage] for citation in citations if citation.passage in known)


def _describe_failure(error: ModelError | None) -> Failure | None:
    if error is None:
        return None
    return Failure("rejected" if isinstance(error, ModelRejectedError) else "unavailable", error.reason)
