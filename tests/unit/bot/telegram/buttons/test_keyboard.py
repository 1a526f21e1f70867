from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.service.people import AskId
from bot.telegram.buttons.keyboard import VERBS, under_answer, under_placeholder
from bot.telegram.buttons.table import BUTTONS
from bot.texts import TEXTS


@given(st.integers(0, 10**18 - 1))
def test_every_button_under_an_answer_carries_the_number_of_its_question(number: int) -> None:
    seats = [f"seat {place}" for place in range(26)]
    answer = under_answer(AskId(number), "en", seats=seats, shows_members=True)
    keyboards = answer, under_placeholder(AskId(number), "en")
    for button in (button for keyboard in keyboards for row in keyboard.inline_keyboard for button in row):
        verb, _, argument = str(button.callback_data).partition(":")
        assert BUTTONS[verb].parse(argument) == number
        assert len(str(button.callback_data).encode()) <= 64


@given(st.sampled_from(sorted(BUTTONS)), st.text())
def test_any_argument_is_read_or_refused(verb: str, argument: str) -> None:
    BUTTONS[verb].parse(argument)


@pytest.mark.parametrize("argument", ["", "x", "1:2", "²", "１", " 1", "-1", "1" * 19])
@pytest.mark.parametrize("verb", ["useful", "wrong", "sources", "why", "stop", "yes", "no", "documents"])
def test_what_is_no_number_is_no_argument(verb: str, argument: str) -> None:
    assert BUTTONS[verb].parse(argument) is None


@pytest.mark.parametrize(
    ("verb", "argument"),
    [("mode", "quickly"), ("language", "xx"), ("stats", "8"), ("stats", ""), ("documents", "1234567")],
)
def test_argument_that_no_button_of_ours_carries_is_refused(verb: str, argument: str) -> None:
    assert BUTTONS[verb].parse(argument) is None


@pytest.mark.parametrize("language", TEXTS.languages)
def test_every_language_has_short_labels_that_differ(language: str) -> None:
    closed = under_answer(AskId(5), language, "wrong", ["anna"], can_ask_person=True)
    opened = under_answer(AskId(5), language, seats=["anna"], shows_members=True)
    rows = [
        *closed.inline_keyboard,
        *opened.inline_keyboard[2:],
        *under_placeholder(AskId(5), language).inline_keyboard,
    ]
    members = rows.pop(6)
    assert [button.callback_data for button in members] == ["original:5:0", "corrected:5:0"]
    assert len({button.text for button in members}) == 2
    assert all("anna" in button.text and len(button.text) <= 28 for button in members)
    buttons = [button for row in rows for button in row]
    assert {button.callback_data for button in buttons} == {f"{verb}:5" for verb in VERBS}
    assert len({button.text for button in buttons}) == len(VERBS)
    # Only the button that asks a person has a row of its own.
    assert all(len(button.text) <= 16 or button.callback_data == "person:5" for button in buttons)
    assert all(len(button.text) <= 28 for button in buttons)
    assert [button.callback_data for button in buttons if button.text.startswith("✓")] == ["wrong:5"]
