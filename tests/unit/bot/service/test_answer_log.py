from __future__ import annotations

from dataclasses import replace

from bot.service.answer_log import summarise_for_log
from rag.reasons import Reason
from rag.values import Answer, StepTrace, Usage, Verdict

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
