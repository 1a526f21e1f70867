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
_DRAFTS = (
    'JSON Lines of {"id", "question", "draft", "expected": adequate|needs_docs|hallucination|off_topic}.'
)
Limit = Annotated[
    int | None,
    typer.Option("--limit", metavar="NUMBER", min=1, help="How many rows to use (default: all)."),
]
Resume = Annotated[bool, typer.Option("--resume", help="Continue a measurement that was stopped.")]

Split = Annotated[
    str,
    typer.Option(
        "--split", metavar="NAME", help="Use only rows of this split, such as held_out (default: all rows)."
    ),
]


@evaluate_app.command(cls=Command)
def verdicts(
    labelled: Annotated[Path, typer.Argument(metavar="DATA", help=_DRAFTS)],
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
def contrast(
    labelled: Annotated[
        Path, typer.Argument(metavar="PAIRS", help='JSON Lines of {"id", "question", "right", "wrong"}.')
    ],
    corpus: Corpus = None,
    data_dir: DataDir = None,
    no_model: Annotated[bool, typer.Option("--no-model", help="Use no model, as mode quick does.")] = False,
    limit: Limit = None,
    split: Split = "",
    report: Report = None,
    resume: Resume = False,
    as_json: Json = False,
) -> None:
    """Count right and wrong texts called verified."""
    from bot.evaluate import commands

    raise typer.Exit(
        commands.measure_contrast(
            labelled,
            begin_command(data_dir, corpus),
            limit=limit,
            split=split,
            use_model=not no_model,
            output=commands.Output(as_json, report, resume),
        )
    )


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
    split: Split = "",
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
            split=split,
            compared=compared,
            use_model=not no_model,
            output=commands.Output(as_json, report, resume),
        )
    )


@evaluate_app.command(name="council", cls=Command)
def evaluate_council(
    labelled: Annotated[
        Path,
        typer.Argument(
            metavar="DATA", help='JSON Lines of {"id", "question", "answers", "sentence" or "reference"}.'
        ),
    ],
    corpus: Corpus = None,
    data_dir: DataDir = None,
    limit: Limit = None,
    split: Split = "",
    resume: Resume = False,
    as_json: Json = False,
) -> None:
    """Compare the council with its best member. Without and with self-correction."""
    from bot.evaluate import council_command
    from bot.evaluate.commands import Output

    raise typer.Exit(
        council_command.measure_council(
            labelled,
            begin_command(data_dir, corpus),
            limit=limit,
            split=split,
            output=Output(as_json, resume=resume),
        )
    )


@evaluate_app.command("interview", cls=Command)
def measure_interviews(
    missions: Annotated[
        Path,
        typer.Argument(
            metavar="MISSIONS", help='JSON Lines of {"id", "pack", "opening", "answers", "hidden"}.'
        ),
    ],
    data_dir: DataDir = None,
    scripted: Annotated[
        bool,
        typer.Option("--scripted", help="Script the model from the missions as well; no model is asked."),
    ] = False,
    limit: Limit = None,
    as_json: Json = False,
) -> None:
    """Play interviews with people who know hidden facts."""
    from bot.evaluate import mission_command

    raise typer.Exit(
        mission_command.measure_missions(
            missions, begin_command(data_dir, None), is_scripted=scripted, limit=limit, as_json=as_json
        )
    )


@evaluate_app.command(cls=Command)
def calibrate(
    labelled: Annotated[Path | None, typer.Argument(metavar="DATA", help=_DRAFTS)] = None,
    corpus: Corpus = None,
    data_dir: DataDir = None,
    scores: Annotated[
        Path | None,
        typer.Option("--scores", metavar="FILE", help='JSON Lines of {"score": 0-1, "good": true|false}.'),
    ] = None,
    feedback: Annotated[
        Path | None,
        typer.Option(
            "--feedback",
            metavar="FILE",
            help='JSON Lines of {"confidence" or "score", "useful": true|false} (default: the buttons '
            "that readers pressed below the bot's answers).",
        ),
    ] = None,
    tolerance: Annotated[
        float,
        typer.Option(
            "--tolerance", metavar="SHARE", min=0.0, max=1.0, help="Acceptable share of wrong answers."
        ),
    ] = 0.05,
    resume: Resume = False,
    as_json: Json = False,
) -> None:
    """Suggest thresholds from drafts and feedback. Changes nothing."""
    from bot.evaluate import calibrate_command

    raise typer.Exit(
        calibrate_command.calibrate(
            labelled,
            begin_command(data_dir, corpus),
            feedback=feedback,
            scores=scores,
            tolerance=tolerance,
            resume=resume,
            as_json=as_json,
        )
    )
