"""The command line's own words: help, completion, and what reaches a terminal."""

from __future__ import annotations

import re
import sys
import warnings
from collections.abc import Iterator

import pytest
import structlog
from typer.core import TyperGroup
from typer.main import get_command
from typer.testing import CliRunner

from bot import cli, cli_options


def commands(group: TyperGroup, words: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], str]]:
    """The words of every command, with its first help text."""
    for name, command in group.commands.items():
        yield (*words, name), command.help or ""
        if isinstance(command, TyperGroup):
            yield from commands(command, (*words, name))


def root() -> TyperGroup:
    found = get_command(cli.app)
    assert isinstance(found, TyperGroup)
    return found


COMMANDS = [pytest.param(words, text, id=" ".join(words)) for words, text in commands(root())]


@pytest.mark.parametrize(("words", "text"), COMMANDS)
def test_list_of_commands_shows_a_whole_first_sentence(words: tuple[str, ...], text: str) -> None:
    first = re.split(r"(?<=\.) ", text)[0]
    assert len(first) <= 50
    shown = CliRunner().invoke(cli.app, [*words[:-1], "--help"], prog_name="thinktwice").stdout
    assert re.search(rf"^  {words[-1]} +{re.escape(first)}$", shown, re.MULTILINE)


@pytest.mark.parametrize(("words", "text"), COMMANDS)
def test_help_names_arguments_and_values_in_words(words: tuple[str, ...], text: str) -> None:
    shown = CliRunner().invoke(cli.app, [*words, "--help"], prog_name="thinktwice").stdout
    usage = shown.split("\n\n")[0]
    assert "{" not in usage
    assert not re.search(r"<(str|path|int|float|list|int range|float range)\b", shown)


def test_missing_argument_is_called_by_the_name_in_the_help() -> None:
    done = CliRunner().invoke(cli.app, ["ask"], prog_name="thinktwice")
    assert done.exit_code == 2
    assert "QUESTION" in done.stderr


def test_shell_completes_the_names_of_commands() -> None:
    variables = {"_THINKTWICE_COMPLETE": "complete_bash", "COMP_WORDS": "thinktwice e", "COMP_CWORD": "1"}
    done = CliRunner().invoke(cli.app, [], prog_name="thinktwice", env=variables)
    assert done.stdout.split() == ["evaluate"]
    assert "--install-completion" in CliRunner().invoke(cli.app, ["--help"]).stdout


def test_warnings_of_libraries_stay_off_the_terminal_unless_they_are_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    try:
        monkeypatch.setattr(sys, "warnoptions", ["default"])
        cli_options.begin_command(None, None)
        with pytest.raises(UserWarning):
            warnings.warn("for developers", stacklevel=1)
        monkeypatch.setattr(sys, "warnoptions", [])
        cli_options.begin_command(None, None)
        warnings.warn("for developers", stacklevel=1)
    finally:
        structlog.reset_defaults()
