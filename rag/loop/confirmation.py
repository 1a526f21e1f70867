"""The second reading: before an answer is labelled verified, a model reads the cited passage again, blindly.

The evidence shows that a passage contains the words of an answer, not that they answer the question. So the
claim that answers is compared with what a reader finds in the same passage without seeing the answer. Only
agreement makes an answer verified. Every other outcome is shown to the user and is never a pass.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import regex

from rag.errors import BudgetExhaustedError, ModelError
from rag.evidence import agreement
from rag.language.sentences import MARKER
from rag.loop import quotation
from rag.loop.state import State
from rag.reasons import Reason
from rag.runs.candidates import Candidate
from rag.runs.run import Run
from rag.steps.evaluate import find_cited_passages, unchecked
from rag.steps.read import read
from rag.values import Citation, Passage, PassageReading, ReadingOutcome, SecondReading, Verdict

_MARKER = regex.compile(MARKER)
_SURE = 0.85
"""Confidence of a verdict from a reading; the embedded reader misses one right answer in six."""


async def confirm(run: Run, state: State, candidate: Candidate) -> Candidate:
    """Have the cited passage read again if the label of the text depends on it.

    Args:
        run: The question's run.
        state: State of the loop.
        candidate: The text with the verdict of the evidence or the judge.

    Returns:
        The text with its second reading, and with another verdict if the reading does not agree.
    """
    if not needs_second_reading(run, state, candidate):
        return candidate
    if run.is_reading_first and quotation.is_closed(state.classification):
        # A small model's yes or no cannot be trusted, so the answer quotes the sentence instead.
        return apply_reading(candidate, SecondReading("undecided", candidate.citations[0].n))
    sentence = agreement.find_answering_sentence(
        candidate.draft.text, state.classification.standalone, state.classification.language
    )
    citation = _find_citation(candidate, sentence)
    passage = find_cited_passages(run, candidate, state.probe).get(citation.n)
    if passage is None:  # for example one of an earlier index, which a conversation still cites
        return apply_reading(candidate, SecondReading("undecided", citation.n))
    try:
        found = await run.step("read", partial(read, run, state.classification, passage, citation.quote))
    except (ModelError, BudgetExhaustedError) as exc:
        failed = replace(candidate, second_reading=SecondReading("failed", citation.n))
        return unchecked(failed, Reason("verdict-reading-failed", {"reason": exc.reason}))
    outcome = _compare(state, sentence, found, passage)
    return apply_reading(candidate, SecondReading(outcome, citation.n, found.text))


def needs_second_reading(run: Run, state: State, candidate: Candidate) -> bool:
    """Return whether the label of a text depends on a second reading.

    This includes drafts that the evidence is unsure about: the cited passage may settle them for less than
    reading all passages.
    """
    if run.tools.self_correction.second_reading == "doubtful" and (
        candidate.is_confirmed or candidate.verdict.quality != "adequate"
    ):
        return False
    return (
        run.layers.reading
        and candidate.verdict.quality in {"adequate", "needs_docs"}
        and bool(candidate.citations)
        and candidate.second_reading is None
        and state.classification.intent != "small_talk"
        # One passage cannot say whether a text sums the whole document up.
        and state.whole is None
    )


def apply_reading(candidate: Candidate, reading: SecondReading) -> Candidate:
    """Return the text with a second reading and the verdict that follows from it."""
    candidate = replace(candidate, second_reading=reading)
    match reading.outcome:
        case "agrees" if candidate.verdict.quality == "adequate" and candidate.is_answering:
            return candidate
        case "agrees":
            verdict = Verdict(
                "adequate", Reason("verdict-reading-agrees", {"n": reading.n}), _SURE, "reading"
            )
        case "differs":
            reason = Reason("verdict-reading-differs", {"n": reading.n, "text": reading.text})
            verdict = Verdict("hallucination", reason, _SURE, "reading")
        case _:
            verdict = Verdict(
                "needs_docs", Reason("verdict-reading-open", {"n": reading.n}), _SURE, "reading"
            )
    return replace(candidate, verdict=verdict)


def _compare(state: State, sentence: str, found: PassageReading, passage: Passage) -> ReadingOutcome:
    """Compare a reading with the sentence that answers the question."""
    if not found.is_stated:
        return "not_stated"
    return agreement.compare_answers(
        _MARKER.sub("", sentence),
        found.text,
        question=state.classification.standalone,
        passage=f"{passage.document} {passage.section}\n{passage.text}",
        language=state.classification.language,
    )


def _find_citation(candidate: Candidate, sentence: str) -> Citation:
    """Return the citation of a sentence, or the text's first one if the sentence has none."""
    numbers = {
        int(digits) for marker in _MARKER.findall(sentence) for digits in regex.findall(r"\d+", marker)
    }
    return next((one for one in candidate.citations if one.n in numbers), candidate.citations[0])
