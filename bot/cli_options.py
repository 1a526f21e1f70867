"""Options that several commands have, and the beginning that all commands share."""

from __future__ import annotations

import sys
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer
from typer.core import TyperArgument, TyperCommand

if TYPE_CHECKING:
    from typer._click import Context, HelpFormatter


class Command(TyperCommand):
    """A command whose help names arguments in plain capitals: QUESTION, not {question} and <str>."""

    def collect_usage_pieces(self, ctx: Context) -> list[str]:
        """The words of the usage line."""
        return [piece.strip("{}") for piece in super().collect_usage_pieces(ctx)]

    def format_options(self, ctx: Context, formatter: HelpFormatter) -> None:
        """Write the arguments and the options with their explanations."""
        arguments: list[tuple[str, str]] = []
        options: list[tuple[str, str]] = []
        for parameter in self.get_params(ctx):
            if isinstance(parameter, TyperArgument):
                arguments.append((parameter.display_name_raw, parameter.help or ""))
            elif record := parameter.get_help_record(ctx):
                options.append(record)
        for title, rows in (("Arguments", arguments), ("Options", options)):
            if rows:
                with formatter.section(title):
                    formatter.write_dl(rows)


DataDir = Annotated[
    Path | None,
    typer.Option(
        "--data-dir",
        metavar="FOLDER",
        help="Folder for databases and the model (env THINKTWICE_DATA_DIR).",
    ),
]
Corpus = Annotated[
    list[Path] | None,
    typer.Option(
        "--corpus",
        metavar="PATH",
        help="Folder, file or corpus.jsonl; repeatable (env THINKTWICE_CORPUS).",
    ),
]
Mode = Annotated[
    # The names of rag.values.MODES: importing them would make --help slow.
    Literal["quick", "balanced", "careful"] | None,
    typer.Option("--mode", help="How thoroughly to check (default: setting self_correction.mode)."),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]
Verbose = Annotated[
    bool, typer.Option("--verbose", "-v", help="Print each step when it is over, on standard error.")
]


def begin_command(data_dir: Path | None, corpus: list[Path] | None) -> dict[str, object]:
    """Begin a command, whose log goes to standard error; return the settings that were given as options."""
    # Not at the start of the program: importing the logs would make --help slow.
    from bot.logs import setup

    setup.configure()
    if not sys.warnoptions:
        # Warnings of libraries are for developers, who ask for them with -W.
        warnings.simplefilter("ignore")
    given: dict[str, object] = {}
    if data_dir is not None:
        given["data_dir"] = data_dir
    if corpus:
        given["corpus"] = tuple(corpus)
    return given
