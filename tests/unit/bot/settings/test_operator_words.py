"""The engine's settings and functions, named as an operator types them."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.settings import operator_words
from bot.settings.names import leaves
from bot.settings.operator_words import in_operator_words
from bot.settings.tree import Settings
from tests.conftest import REPOSITORY


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
        (
            "다른 `data_dir`을 고르세요: models.openai_api_key를",
            "다른 --data-dir을 고르세요: OPENAI_API_KEY를",
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


def test_engine_knows_no_command_line_and_no_environment() -> None:
    ours = re.compile(r"THINKTWICE_|`thinktwice |--data-dir\b|`make |\bOPENAI_(?:API_KEY|BASE_URL)")
    sources = [path for path in (REPOSITORY / "rag").rglob("*") if path.suffix in {".py", ".ftl"}]
    lines = [(path.name, line) for path in sources for line in path.read_text("utf-8").splitlines()]
    # Whoever calls the engine from Python has set what the command line reads: it reads model, address and key.
    others = ("Also read from", "_variable(", "for prefix in (")
    found = [(name, line) for name, line in lines if ours.search(line) and not any(map(line.count, others))]
    # An example of a word with hyphens.
    assert [name for name, _ in found if name != "units.py"] == []
    assert len(lines) > 10_000


def test_long_name_that_somebody_set_is_the_one_that_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THINKTWICE_MODELS__OPENAI_API_KEY", "sk-ä")
    operator_words._words.cache_clear()
    try:
        told = in_operator_words("models.openai_api_key has a character that no key has")
    finally:
        monkeypatch.undo()
        operator_words._words.cache_clear()
    assert told.startswith("THINKTWICE_MODELS__OPENAI_API_KEY has")
