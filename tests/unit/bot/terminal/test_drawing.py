from __future__ import annotations

import io

import pytest
from rich.console import Console

from bot.terminal.drawing import Ticker, show_trail
from rag.events import StepStarted
from rag.values import Answer, Savings, StepTrace, Usage, Verdict


@pytest.mark.parametrize(
    ("language", "says"),
    [
        pytest.param("en", "recalling the conversation", id="en"),
        pytest.param("es", "recordando la conversación", id="es"),
        pytest.param("xx", "recalling the conversation", id="language without a catalogue"),
    ],
)
def test_spinner_names_the_step_in_the_language_of_the_chat(language: str, says: str) -> None:
    console = Console(file=io.StringIO(), force_terminal=True, width=80)
    with Ticker(console, language=language) as ticker:
        ticker(StepStarted("recall"))
    assert isinstance(console.file, io.StringIO)
    assert says in console.file.getvalue()


def trail(answer: Answer, currency: str = "USD") -> list[str]:
    console = Console(file=io.StringIO(), width=200)
    show_trail(console, answer, currency)
    assert isinstance(console.file, io.StringIO)
    return [line.strip() for line in console.file.getvalue().splitlines()]


def answered(usage: Usage, savings: Savings) -> Answer:
    verdict = Verdict("adequate", "cited", 0.9, "evidence")
    steps = (StepTrace("draft", 1000.0, "written", prompt="draft@1#abc"),)
    return Answer("q", "t", "verified", "en", verdict, (), (), False, 1, usage, 4.5, steps, savings=savings)


def test_trail_tells_calls_tokens_seconds_and_money_by_role_and_what_was_saved() -> None:
    roles = {"draft": Usage(1, 100, 10, 1.0, 0.0021), "judge": Usage(2, 200, 20, 2.0, 0.0, 2)}
    saved = Savings(2, 740, {"checks": Savings(1, 340), "evidence": Savings(1, 400)})
    lines = trail(answered(Usage(3, 300, 30, 3.0, 0.0021, 2, roles), saved), "EUR")

    assert lines[2:] == [
        "adequate (0.90, evidence): cited",
        "3 model calls, 300 + 30 tokens, 3.0 s, at least 0.0021 EUR; 4.5 s in all, 1 corrections",
        "draft: 1 model call, 100 + 10 tokens, 1.0 s, 0.0021 EUR",
        "judge: 2 model calls, 200 + 20 tokens, 2.0 s, price unknown",
        "saved: 2 judge calls, about 740 tokens (by checks 1, evidence 1)",
        "prompts: draft@1#abc",
    ]


def test_trail_says_nothing_of_savings_when_there_are_none() -> None:
    assert not any("saved" in line for line in trail(answered(Usage(), Savings())))
