from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.service.people import AskId
from bot.telegram.buttons.keyboard import VERBS, Button, Verb, read, under_answer, under_placeholder
from bot.texts import TEXTS


@given(st.sampled_from(VERBS), st.integers(0, 2**63 - 1).filter(lambda number: len(str(number)) <= 18))
def test_button_is_what_its_payload_says(verb: Verb, number: int) -> None:
    button = Button(verb, AskId(number))
    assert read(button.payload) == button
    assert len(button.payload.encode()) <= 64


@given(st.text())
def test_any_payload_is_a_button_or_none(payload: str) -> None:
    button = read(payload)
    assert button is None or button.payload.partition(":")[0] == payload.partition(":")[0]


@pytest.mark.parametrize(
    "payload", ["", "why", "why:", "why:x", "why:1:2", "why:²", "why:１", "why: 1", "yes:1"]
)
def test_payload_of_another_kind_is_none_of_ours(payload: str) -> None:
    assert read(payload) is None


@pytest.mark.parametrize("language", TEXTS.languages)
def test_every_language_has_short_labels_that_differ(language: str) -> None:
    keyboards = under_answer(AskId(5), language, "wrong"), under_placeholder(AskId(5), language)
    buttons = [button for keyboard in keyboards for row in keyboard.inline_keyboard for button in row]
    assert {button.callback_data for button in buttons} == {f"{verb}:5" for verb in VERBS}
    assert len({button.text for button in buttons}) == len(VERBS)
    assert all(len(button.text) <= 16 for button in buttons)
    assert [button.callback_data for button in buttons if button.text.startswith("✓")] == ["wrong:5"]
