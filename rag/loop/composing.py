"""Compose the answer: the best text with its label, or the passages if no text can be sent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rag.errors import ModelError, ModelRejectedError
from rag.language import asking
from rag.loop.quotation import Decision, answer_by_quoting, compose_candidate, compose_text, decide
from rag.loop.state import State
from rag.loop.verification import is_covered, is_perhaps_covered
from rag.quoting import Quotation
from rag.reasons import Reason
from rag.runs.candidates import NOT_JUDGED, Candidate, choose_label, pick_best
from rag.runs.run import Run
from rag.steps.classify import find_carried_passages
from rag.steps.quote import quote, quote_beginnings
from rag.texts import Texts
from rag.values import Answer, Citation, Failure, Label, Passage, Verdict

TEXTS = Texts()

_REPLIES = {"model-declined": "declined", "model-filtered": "declined", "model-tool": "tool-called"}
_NO_MODEL_WANTED = frozenset({"model-missing", "model-no-runtime"})
"""Failures of an installation without a chat model: there, quotations are what everybody expects."""


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
    is_searched = state.has_searched and state.failure is None and not state.is_search_blind
    has_found_nothing = is_searched and state.probe is not None and not (state.passages or state.probe.hits)
    has_read = has_found_nothing or any(
        one.draft.passages and not one.is_defective for one in (*state.candidates, candidate)
    )
    return choose_label(candidate, state.classification.intent, has_read=has_read)


def keep_to_documents(run: Run, state: State, candidate: Candidate, label: Label) -> tuple[Candidate, Label]:
    """Return a text and its label, or that the documents do not say it, where they alone may answer."""
    is_general = label == "general" and state.classification.intent != "small_talk"
    if not (run.is_documents_only and is_general):
        return candidate, label
    corpus, question = run.tools.corpus, state.classification.standalone
    state.is_search_blind = not (state.read or state.passages or corpus.is_empty or corpus.knows(question))
    state.has_searched = True
    absent = compose_candidate(Decision("absent"), state, TEXTS)
    return absent, label_candidate(state, absent)


def show_documents_first(state: State, candidate: Candidate, label: Label) -> tuple[Candidate, Label]:
    """Return general knowledge below what comes closest in the documents, where these may answer."""
    if label != "general" or not is_perhaps_covered(state):
        return candidate, label
    quoted = answer_by_quoting(state, TEXTS)
    general = TEXTS.text("in-general", state.classification.language, text=candidate.draft.text)
    text = f"{quoted.draft.text}\n\n{general}"
    return replace(quoted, draft=replace(quoted.draft, text=text)), "unverified"


def compose_from_text(run: Run, state: State, candidate: Candidate, label: Label) -> Answer:
    """Compose the answer from an evaluated text."""
    text = candidate.draft.text
    if state.whole is not None and state.whole.is_partial:
        figures = {"read": len(state.whole.passages), "count": state.whole.count}
        text = f"{text}\n\n{TEXTS.text('summary-partial', state.classification.language, **figures)}"
    if label == "unverified" and candidate.citations and asking.asks_whole(state.classification.standalone):
        text = f"{text}\n\n{TEXTS.text('whole-partial', state.classification.language)}"
    if label == "partly":
        listed = "; ".join(f"“{one}”" for one in candidate.unconfirmed)
        text = f"{text}\n\n{TEXTS.text('unconfirmed', state.classification.language, sentences=listed)}"
    message = _REPLIES.get(state.failure.reason.code) if state.failure is not None else None
    if message and candidate.is_quotation and candidate.citations:
        text = f"{TEXTS.text(f'{message}-passages', state.classification.language)}\n\n{text}"
    passages = candidate.draft.passages
    return _make_answer(run, state, text, label, candidate.verdict, candidate.citations, passages)


def compose_without_text(run: Run, state: State, nearest: Sequence[Quotation] = ()) -> Answer:
    """Quote what is nearest to the question, or how passages begin, and say why no text can be sent."""
    if run.question.quote_only:
        reason, message = Reason("verdict-spent"), "spent"
    elif state.failure is not None:
        reason = Reason("verdict-no-model", {"reason": state.failure.reason})
        message = _REPLIES.get(state.failure.reason.code, "no-model")
    elif any(one.draft.passages or one.is_void for one in state.candidates):
        reason, message = state.latest.verdict.reason, "unusable"
    else:
        reason, message = Reason("verdict-budget"), "budget"
    if state.is_search_blind:
        message = "search-blind"
    elif state.passages:
        message = f"{message}-passages"
    found = decide(nearest, state.classification)
    if found.finding in {"possible", "absent"}:
        found = Decision("possible", tuple(nearest))
    if nearest:
        quoted, citations = compose_text(found, state, TEXTS)
    else:
        said = TEXTS.text("quotation-possible", state.classification.language) if state.passages else ""
        quoted, citations = quote(said, quote_beginnings(state.passages))
    is_answered = message == "unusable-passages" and found.finding == "likely"
    is_expected = state.failure is not None and state.failure.reason.code in _NO_MODEL_WANTED
    is_silent = is_answered or (is_expected and message == "no-model-passages")
    said = "" if is_silent else TEXTS.text(message, state.classification.language)
    text = "\n\n".join(filter(None, (said, quoted)))
    verdict = replace(NOT_JUDGED, reason=reason)
    return _make_answer(run, state, text, "unverified", verdict, citations, state.passages)


def should_quote_instead(state: State) -> bool:
    """Return whether to quote: all texts are void, or passages were found and no text is usable.

    A text that was called invented or off topic is not usable while a passage may answer.
    """
    has_answer = any(
        (not candidate.is_defective or candidate.cut)  # what is only cut off still says something
        and candidate.verdict.quality not in {"hallucination", "off_topic"}
        and (candidate.draft.passages or candidate.verdict.quality in {"adequate", "unchecked"})
        for candidate in state.candidates
    )
    is_void = all(candidate.is_void for candidate in state.candidates)
    return is_void or (bool(state.passages or is_covered(state)) and not has_answer)


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
    hits = tuple(hit.passage for hit in state.probe.hits) if state.probe else ()
    known = {passage.id: passage for passage in (*find_carried_passages(run.question), *hits)}
    return tuple(known[citation.passage] for citation in citations if citation.passage in known)


def _describe_failure(error: ModelError | None) -> Failure | None:
    if error is None:
        return None
    return Failure("rejected" if isinstance(error, ModelRejectedError) else "unavailable", error.reason)
