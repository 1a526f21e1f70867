from __future__ import annotations

from typing import get_args

import pytest

from bot import cli_options
from bot.service.modes import find_mode
from bot.texts import TEXTS
from rag.values import MODES


def test_modes_of_the_command_line_are_those_of_the_engine() -> None:
    choices, _none = get_args(get_args(cli_options.Mode)[0])
    assert get_args(choices) == MODES


@pytest.mark.parametrize("language", TEXTS.languages)
def test_every_mode_is_told_in_one_line_with_its_name_and_its_calls(language: str) -> None:
    for mode in MODES:
        told = TEXTS.text(f"mode-{mode}", language)
        named = told.replace("（", "(").partition("(" if language != "en" else ":")[0].strip()
        assert mode in told
        assert find_mode(named) == mode
        assert "\n" not in told
        assert any(character.isdigit() for character in told)
