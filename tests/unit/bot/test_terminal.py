from __future__ import annotations

import io

import pytest
from rich.console import Console

from bot.terminal import Ticker
from rag.events import StepStarted


@pytest.mark.parametrize(
    ("language", "says"),
    [
        pytest.param("en", "remembering the conversation", id="en"),
        pytest.param("es", "recordando la conversación", id="es"),
        pytest.param("xx", "remembering the conversation", id="language without a catalogue"),
    ],
)
def test_spinner_names_the_step_in_the_language_of_the_chat(language: str, says: str) -> None:
    console = Console(file=io.StringIO(), force_terminal=True, width=80)
    with Ticker(console, language=language) as ticker:
        ticker(StepStarted("recall"))
    assert isinstance(console.file, io.StringIO)
    assert says in console.file.getvalue()
