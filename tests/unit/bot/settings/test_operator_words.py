"""The engine's settings and functions, named as an operator types them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.settings.names import leaves
from bot.settings.operator_words import in_operator_words
from bot.settings.tree import Settings


@pytest.mark.parametrize(
    ("sentence", "typed"),
    [
        ("check models.default.", "check THINKTWICE_MODEL."),
        (
            "set models.openai_api_key, or models.openai_base_url",
            "set OPENAI_API_KEY, or OPENAI_BASE_URL",
        ),
        ("models.judge names no model", "THINKTWICE_MODELS__JUDGE names no model"),
        (
            "index again with `AnswerEngine.sync(rebuild=True)`",
            "index again with `thinktwice index --rebuild`",
        ),
        (
            "the setting models.judge (THINKTWICE_MODELS__JUDGE) is 5",
            "the setting models.judge (THINKTWICE_MODELS__JUDGE) is 5",
        ),
        ("council.seats.strict names no model", "council.seats.strict names no model"),
        ("the file models.default.gguf", "the file models.default.gguf"),
    ],
)
def test_names_are_those_that_an_operator_types(sentence: str, typed: str) -> None:
    assert in_operator_words(sentence) == typed


@given(st.text())
def test_text_without_names_stays_as_it_is(text: str) -> None:
    assert in_operator_words(text) == text


@given(st.sampled_from(sorted(setting.name for setting in leaves(Settings) if "." in setting.name)))
def test_no_setting_of_a_section_keeps_its_path(name: str) -> None:
    assert name not in in_operator_words(f"change {name}, or {name}.")
