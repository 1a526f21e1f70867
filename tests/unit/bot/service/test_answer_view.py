from __future__ import annotations

from dataclasses import replace

import pytest

from bot.service.answer_view import explain_missing_review, summarise_for_log
from bot.texts import TEXTS
from rag.reasons import Reason
from rag.values import MODES, Answer, StepTrace, Usage, Verdict

ANSWER = Answer(
    question="Which Java?",
    text="Java 17.",
    label="general",
    language="en",
    verdict=Verdict("adequate", Reason("verdict-small-talk"), 0.9, "rules"),
    citations=(),
    passages=(),
    used_documents=False,
    retries=1,
    usage=Usage(calls=3, input_tokens=90, output_tokens=10),
    seconds=2.345,
    trace=(),
)


def step(name: str) -> StepTrace:
    return StepTrace(name, 1.0, Reason("no-worse"))


@pytest.mark.parametrize(
    ("mode", "said"),
    [
        ("quick", "Not reviewed in this mode (quick)."),
        ("balanced", "Not reviewed in this mode (balanced)."),
        ("careful", "Not reviewed."),
    ],
)
def test_answer_without_a_review_says_so(mode: str, said: str) -> None:
    assert explain_missing_review(replace(ANSWER, mode=mode), "en") == said  # type: ignore[arg-type]  # one of the modes


@pytest.mark.parametrize("language", TEXTS.languages)
def test_reviewed_answer_says_nothing_of_the_kind(language: str) -> None:
    reviewed = replace(ANSWER, mode="careful", trace=(step("draft"), step("review")))
    assert explain_missing_review(reviewed, language) == ""
    said = {explain_missing_review(replace(ANSWER, mode=mode), language) for mode in MODES}
    assert len(said) == len(MODES)


def test_line_of_the_log_tells_score_and_rounds_and_none_of_the_words() -> None:
    refined = replace(
        ANSWER, mode="careful", score=0.87654, trace=(step("critique"), step("refine"), step("critique"))
    )
    figures = summarise_for_log(refined)
    told = ("label", "verdict", "by", "mode", "corrections", "score", "rounds", "calls", "tokens", "seconds")
    assert tuple(figures) == told
    assert [figures[name] for name in ("score", "rounds", "calls", "tokens")] == [0.877, 1, 3, 100]
    assert "Java" not in str(figures)


def test_answer_that_nobody_scored_has_no_score_and_no_rounds() -> None:
    figures = summarise_for_log(ANSWER)
    assert (figures["score"], figures["rounds"]) == (None, 0)
