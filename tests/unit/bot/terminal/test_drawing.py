from __future__ import annotations

import io
from dataclasses import replace

import pytest
from rich.console import Console

from bot.terminal.drawing import Ticker, show_answer, show_sources, show_trail
from rag.events import StepStarted, Text
from rag.reasons import Reason, as_written
from rag.values import Answer, Citation, PassageId, Savings, StepTrace, Usage, Verdict


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


def test_text_is_shown_while_it_is_written_and_gone_when_the_work_is_over() -> None:
    console = Console(file=io.StringIO(), force_terminal=True, width=80)
    assert isinstance(console.file, io.StringIO)
    with Ticker(console) as ticker:
        ticker(StepStarted("draft"))
        for piece in ("FxStore needs", " Java\x1b[2J 8."):
            ticker(Text("draft", piece))
        ticker(StepStarted("evaluate"))
        assert shown(ticker).endswith("…\n  FxStore needs Java[2J 8."), "it stays while it is checked"
        ticker(Text("regenerate", "It needs 17."))
        assert shown(ticker).endswith("…\n  It needs 17.")
        ticker(StepStarted("regenerate"))
        assert shown(ticker).endswith("…"), "an attempt that is begun anew leaves nothing"


def test_last_lines_of_a_long_text_are_shown() -> None:
    console = Console(file=io.StringIO(), force_terminal=True, width=40, height=10)
    with Ticker(console) as ticker:
        ticker(StepStarted("draft"))
        ticker(Text("draft", "\n".join(f"line {number}" for number in range(100))))
        lines = shown(ticker).splitlines()
    assert [line.strip() for line in lines[1:]] == [f"line {number}" for number in range(94, 100)]


def test_output_that_is_no_terminal_gets_no_unchecked_text() -> None:
    console = Console(file=io.StringIO(), width=80)
    with Ticker(console) as ticker:
        ticker(StepStarted("draft"))
        ticker(Text("draft", "FxStore needs Java 8."))
    assert isinstance(console.file, io.StringIO)
    assert console.file.getvalue() == ""


def shown(ticker: Ticker) -> str:
    """What stands beside the spinner."""
    return str(ticker._status.status)


def trail(answer: Answer, currency: str = "USD") -> list[str]:
    console = Console(file=io.StringIO(), width=200)
    show_trail(console, answer, currency)
    assert isinstance(console.file, io.StringIO)
    return [line.strip() for line in console.file.getvalue().splitlines()]


def answered(usage: Usage, savings: Savings) -> Answer:
    verdict = Verdict("adequate", as_written("cited"), 0.9, "evidence")
    steps = (StepTrace("draft", 1000.0, as_written("written"), prompt="draft@1#abc"),)
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
        "Not reviewed in this mode (balanced).",
        "saved: 2 judge calls, about 740 tokens (by checks 1, evidence 1)",
        "prompts: draft@1#abc",
    ]


def test_trail_shows_each_issue_of_the_reviewer_and_the_text_before_a_refinement() -> None:
    issue = Reason("review-issue", {"type": "logic", "severity": "complex", "text": "It says 17 and 21."})
    reviewed = StepTrace("review", 9.0, as_written("passes with remarks"), notes=(issue,))
    answer = replace(
        answered(Usage(), Savings()), mode="careful", trace=(reviewed,), unrefined="It may need Java 17."
    )
    lines = trail(answer)
    assert "- contradiction, for the judge: It says 17 and 21." in lines
    assert lines[-2:] == ["Before the critic had it improved:", "It may need Java 17."]
    assert not any("reviewed in this mode" in line for line in lines)


def test_trail_says_what_came_out_in_the_language_of_the_answer() -> None:
    verdict = Verdict("adequate", Reason("verdict-carried"), 0.9, "evidence")
    steps = (StepTrace("probe", 9.0, Reason("passages-found", {"passages": 20})),)
    lines = trail(replace(answered(Usage(), Savings()), language="es", verdict=verdict, trace=steps))
    assert any("pasajes: 20" in line for line in lines)
    assert "adequate (0.90, evidence): los pasajes lo respaldan" in lines


def test_trail_says_nothing_of_savings_when_there_are_none() -> None:
    assert not any("saved" in line for line in trail(answered(Usage(), Savings())))


@pytest.mark.parametrize("is_terminal", [True, False])
def test_source_that_can_be_opened_is_a_link_of_the_terminal_or_its_address(is_terminal: bool) -> None:
    address = "https://wiki.example.org/fxstore#java"
    citation = Citation(1, "FxStore", "Java", "Java 17.", PassageId("p"), "fxstore.md", address)
    console = Console(file=io.StringIO(), force_terminal=is_terminal, width=80)
    show_answer(console, replace(answered(Usage(), Savings()), citations=(citation,)))
    show_sources(console, replace(answered(Usage(), Savings()), citations=(citation,)))
    assert isinstance(console.file, io.StringIO)
    shown = console.file.getvalue()
    if is_terminal:
        assert shown.count(f";{address}\x1b\\") == 2
    else:
        assert shown.count(f"[1] FxStore › Java – {address}\n") == 2


def test_source_without_an_address_is_its_name() -> None:
    citation = Citation(1, "FxStore", "Java", "Java 17.", PassageId("p"), "fxstore.md")
    console = Console(file=io.StringIO(), width=80)
    show_answer(console, replace(answered(Usage(), Savings()), citations=(citation,)))
    assert isinstance(console.file, io.StringIO)
    assert "[1] FxStore › Java\n" in console.file.getvalue()
