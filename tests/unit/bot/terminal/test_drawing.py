from __future__ import annotations

import io
from dataclasses import replace

import pytest
from rich.console import Console

from bot.terminal.drawing import Ticker, show, show_answer
from bot.texts import TEXTS
from bot.views import answers
from rag.events import StepStarted, Text
from rag.reasons import as_written
from rag.values import LABELS, Answer, Citation, Label, PassageId, Savings, StepTrace, Usage, Verdict


@pytest.mark.parametrize(
    ("language", "says"),
    [
        pytest.param("en", "Recalling the conversation", id="en"),
        pytest.param("es", "Recordando la conversación", id="es"),
        pytest.param("xx", "Recalling the conversation", id="language without a catalogue"),
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
        ticker(StepStarted("regenerate", 2))
        ticker(Text("regenerate", "It needs 21.", 2))
        assert shown(ticker).endswith("…\n  It needs 21."), "an attempt that is begun anew leaves nothing"


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


@pytest.mark.parametrize("label", LABELS)
def test_answer_is_shown_with_the_words_of_its_label(label: Label) -> None:
    console = Console(file=io.StringIO(), width=200)
    show_answer(console, replace(answered(Usage(), Savings()), label=label))
    assert isinstance(console.file, io.StringIO)
    assert console.file.getvalue().rstrip().endswith(f" {TEXTS.text(f'label-{label}')}")


def trail(answer: Answer, currency: str = "USD") -> list[str]:
    console = Console(file=io.StringIO(), width=200)
    show(console, answers.why(answer, answer.language, currency))
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

    assert lines[5:] == [
        "Verdict: good (90 % sure, by comparison with the documents)",
        "3 model calls · tokens in + out: 300 + 30 · 4.5 s · corrections: 1 · cost: at least 0.0021 EUR",
        "draft · 1 model call · tokens in + out: 100 + 10 · 1 s · cost: 0.0021 EUR",
        "judge · 2 model calls · tokens in + out: 200 + 20 · 2 s · cost: price unknown",
        "Not reviewed in this mode (balanced).",
        "Saved by free checks: 2 judge calls, about 740 tokens (free checks 1, evidence 1)",
        "draft@1#abc",
    ]


@pytest.mark.parametrize("is_terminal", [True, False])
def test_source_that_can_be_opened_is_a_link_of_the_terminal_or_its_address(is_terminal: bool) -> None:
    address = "https://wiki.example.org/fxstore#java"
    citation = Citation(1, "FxStore", "Java", "Java 17.", PassageId("p"), "fxstore.md", address)
    console = Console(file=io.StringIO(), force_terminal=is_terminal, width=80)
    show_answer(console, replace(answered(Usage(), Savings()), citations=(citation,)))
    show(console, answers.sources(replace(answered(Usage(), Savings()), citations=(citation,)), "en"))
    assert isinstance(console.file, io.StringIO)
    shown = console.file.getvalue()
    if is_terminal:
        assert shown.count(f";{address}\x1b\\") == 2
    else:
        assert shown.count(f"[1] FxStore › Java – {address}\n") == 2
