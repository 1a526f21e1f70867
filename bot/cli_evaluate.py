"""The commands of ``thinktwice evaluate``. Each imports what it needs, so that ``--help`` answers at once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bot.cli_options import Command, Corpus, DataDir, Json, begin_command

evaluate_app = typer.Typer(
    help="Measure quality on labelled questions and drafts.", no_args_is_help=True, rich_markup_mode=None
)

Report = Annotated[
    Path | None, typer.Option("--report", metavar="FOLDER", help="Folder for the figures as JSON.")
]
Resume = Annotated[bool, typer.Option("--resume", help="Continue a measurement that was stopped.")]


@evaluate_app.command(cls=Command)
def verdicts(
    labelled: Annotated[
        Path,
        typer.Argument(
            metavar="DATA",
            help='JSON Lines of {"id", "question", "draft", '
            '"expected": adequate|needs_docs|hallucination|off_topic}.',
        ),
    ],
    corpus: Corpus = None,
    data_dir: DataDir = None,
    no_model: Annotated[
        bool,
        typer.Option("--no-model", help="Use rules and evidence only; an undecided draft counts as wrong."),
    ] = False,
    report: Report = None,
    resume: Resume = False,
    as_json: Json = False,
) -> None:
    """Measure the verdicts on labelled drafts."""
    from bot.evaluate import commands

    output = commands.Output(as_json, report, resume)
    overrides = begin_command(data_dir, corpus)
    raise typer.Exit(commands.measure_verdicts(labelled, overrides, use_model=not no_model, output=output))


@evaluate_app.command(cls=Command)
def retrieval(
    labelled: Annotated[
        Path,
        typer.Argument(metavar="DATA", help='JSON Lines of {"id", "question", "passages" or "answers"}.'),
    ],
    corpus: Corpus = None,
    data_dir: DataDir = None,
    report: Report = None,
    resume: Resume = False,
    as_json: Json = False,
) -> None:
    """Measure the search. By words, by vectors, and by both together."""
    from bot.evaluate import commands

    output = commands.Output(as_json, report, resume)
    raise typer.Exit(commands.measure_retrieval(labelled, begin_command(data_dir, corpus), output=output))


@evaluate_app.command(cls=Command)
def answers(
    labelled: Annotated[
        Path,
        typer.Argument(
            metavar="DATA", help='JSON Lines of {"id", "question", "answers", "sentence" or "reference"}.'
        ),
    ],
    corpus: Corpus = None,
    data_dir: DataDir = None,
    limit: Annotated[
        int | None,
        typer.Option(
            "--limit",
            metavar="NUMBER",
            min=1,
            help="How many questions to ask, half of them small talk (default: all).",
        ),
    ] = None,
    compared: Annotated[
        str | None,
        typer.Option(
            "--systems",
            metavar="NAMES",
            help="Who answers: some of never,always,self (default: all).",
        ),
    ] = None,
    no_model: Annotated[
        bool, typer.Option("--no-model", help="Use no model: the system self answers by quoting.")
    ] = False,
    report: Report = None,
    resume: Resume = False,
    as_json: Json = False,
) -> None:
    """Compare three ways to answer. Without documents, always from them, and self-corrected."""
    from bot.evaluate import commands

    raise typer.Exit(
        commands.measure_answers(
            labelled,
            begin_command(data_dir, corpus),
            limit=limit,
            compared=compared,
            use_model=not no_model,
            output=commands.Output(as_json, report, resume),
        )
    )
