"""Which text goes out in the end, and what is told beside it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rag.knowledge.search import Hit, SearchResult
from rag.loop import composing
from rag.loop.state import State
from rag.reasons import as_written
from rag.runs.candidates import Candidate
from rag.runs.run import Run
from rag.steps.classify import classify
from rag.values import Citation, Draft, Passage, Quality, Turn, Verdict
from tests.support.loop import PASSAGES, QUESTION, engine, scripted

FIRST, SECOND, _ = PASSAGES


def run(**question: object) -> Run:
    return Run(replace(QUESTION, **question), engine(scripted()).tools)  # type: ignore[arg-type]  # fields of it


def state(*candidates: Candidate) -> State:
    return State(classify(QUESTION), candidates=list(candidates))


def candidate(quality: Quality, *passages: Passage, **more: object) -> Candidate:
    verdict = Verdict(quality, as_written("because"), 0.9, "evidence")
    return Candidate(Draft("A text.", passages), verdict, None, **more)  # type: ignore[arg-type]  # fields of it


CUT = candidate("unchecked", FIRST, is_defective=True, cut="It needs")
DECLINED = candidate("needs_docs")


@pytest.mark.parametrize(
    ("candidates", "expected"),
    [
        pytest.param([DECLINED, CUT], CUT, id="half an answer from the documents says more than a refusal"),
        pytest.param(
            [candidate("needs_docs", FIRST), CUT],
            candidate("needs_docs", FIRST),
            id="a refusal of who has read them says more than half an answer",
        ),
        pytest.param(
            [candidate("adequate"), CUT], candidate("adequate"), id="an answer says more than half of one"
        ),
        pytest.param(
            [DECLINED, replace(CUT, cut="")], DECLINED, id="what is broken in another way says less"
        ),
        pytest.param(
            [DECLINED, replace(CUT, draft=Draft("It needs"))],
            DECLINED,
            id="half an answer from nowhere says less",
        ),
        pytest.param(
            [candidate("hallucination"), candidate("unchecked", is_defective=True, is_void=True)],
            candidate("hallucination"),
            id="what says nothing is no answer",
        ),
    ],
)
def test_the_best_text_goes_out(candidates: list[Candidate], expected: Candidate) -> None:
    assert composing.choose_best(state(*candidates))[0] == expected


def test_answer_of_the_fast_path_comes_with_the_passages_that_confirm_it() -> None:
    cited = (Citation(1, "guide2.md", "", "words", SECOND.id),)
    said = candidate("adequate", citations=cited)
    found = state(said)
    found.probe = SearchResult(tuple(Hit(passage, 0.5, 1.0) for passage in PASSAGES))
    assert composing.compose_from_text(run(), found, said, "verified").passages == (SECOND,)
    found.probe = None
    assert composing.compose_from_text(run(), found, said, "verified").passages == ()
    carried = Turn("assistant", "Java 17.", passages=(SECOND,))
    assert composing.compose_from_text(run(history=(carried,)), found, said, "verified").passages == (SECOND,)


@pytest.mark.parametrize(
    ("passages", "message"),
    [(PASSAGES, "Closest in the documents:"), ((), "Please ask again")],
    ids=["with passages", "without"],
)
def test_when_nothing_usable_was_written_that_is_said(passages: tuple[Passage, ...], message: str) -> None:
    found = state(candidate("unchecked", is_defective=True, is_void=True))
    found.passages = passages
    assert composing.should_quote_instead(found)
    text = composing.compose_without_text(run(), found).text
    assert text.startswith("Several attempts produced no usable answer.")
    assert message in text


@pytest.mark.parametrize(
    ("passages", "message"),
    [(PASSAGES, "Closest in the documents:"), ((), "the documents contain nothing close to this")],
    ids=["with passages", "without"],
)
def test_when_the_day_is_spent_that_is_said(passages: tuple[Passage, ...], message: str) -> None:
    found = state()
    found.passages = passages
    text = composing.compose_without_text(run(quote_only=True), found).text
    assert text.startswith("The allowance for today is used up")
    assert message in text
