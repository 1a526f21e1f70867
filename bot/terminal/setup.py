"""``thinktwice setup``: asks for documents, a model and a token, checks each, and writes the settings file.

What is given as an option is not asked for. Settings that the file holds already stay, comments included.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable, MutableMapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeVar

import typer
from rich.console import Console

from bot.logs.redaction import SECRETS
from bot.settings import files
from bot.settings.operator_words import in_operator_words
from bot.settings.tree import Settings
from rag.errors import InputError, OperatorError, ThinkTwiceError
from rag.knowledge.sources import discover
from rag.models.embedded import NAME as EMBEDDED
from rag.models.roles import RoleModels
from rag.settings import Knowledge, Models

_TELEGRAM_SECONDS: Final = 15.0

T = TypeVar("T")

_OVERRIDING: Final = {
    "documents": "THINKTWICE_CORPUS",
    "model": "THINKTWICE_MODEL",
    "token": "THINKTWICE_TELEGRAM__TOKEN",
}
"""Variables that win over the settings file."""


@dataclass(frozen=True, slots=True)
class Given:
    """The values given as options; None: asked for when there is a terminal, and else left as it is.

    An empty token means no Telegram.
    """

    documents: Path | None = None
    model: str | None = None
    key: str | None = None
    token: str | None = None


def setup(given: Given, overrides: dict[str, object]) -> int:
    """Ask, check, and write the settings file.

    Raises:
        ThinkTwiceError: an option holds something that cannot be used, or the file cannot be written.
    """
    # The current folder's files, if it is trusted; else the user's own.
    path = files.find(os.environ).table or files.config_folder() / files.CONFIG_FILE
    document = _read(path)
    settings = Settings.load(**overrides)
    console = Console(highlight=False, soft_wrap=True)
    is_asking = sys.stdin.isatty()
    changed: list[str] = []

    found = _asked(given.documents, is_asking, lambda: _ask_documents(console), _check_documents)
    if found is not None:
        document["corpus"] = [str(found)]
        changed.append("documents")
    model = _asked(given.model, is_asking, _ask_model, lambda name: name)
    if model is not None:
        key = given.key if given.key is not None else _ask_key(model, settings) if is_asking else ""
        _set_model(document, model, key)
        _say_of_model(console, settings, document)
        changed.append("model")
    token = _asked(given.token, is_asking, _ask_token, lambda text: _check_token(text, settings, console))
    if token:
        document.setdefault("telegram", {})["token"] = token
        changed.append("token")

    if not changed:
        raise InputError("there is nothing to write: name --documents, --model or --token, or use a terminal")
    _write(path, document)
    console.print(f"\nWritten to {path}.")
    for name in changed:
        if (variable := _OVERRIDING[name]) in os.environ:
            console.print(f"The variable {variable} is set and wins over the file.", style="yellow")
    console.print("Next: `thinktwice index`, then `thinktwice ask QUESTION`", end="")
    console.print(", and `thinktwice run` for Telegram." if token else ".")
    return 0


def _asked(given: T | None, is_asking: bool, ask: Callable[[], T], check: Callable[[T], T]) -> T | None:
    if given is not None:
        return check(given)
    while is_asking:
        try:
            return check(ask())
        except ThinkTwiceError as exc:
            typer.echo(f"  {in_operator_words(str(exc))}")
    return None


def _ask_documents(console: Console) -> Path:
    console.print("Your documents: Markdown, text, HTML, PDF, Word and others.")
    return Path(typer.prompt("Folder")).expanduser()


def _check_documents(path: Path) -> Path:
    found = discover([path.expanduser()], exclude=Knowledge().exclude)
    if not found.sources:
        raise InputError(f"{path} holds no document that can be read: name a folder with documents")
    typer.echo(f"  {len(found.sources)} documents.")
    return path.expanduser().resolve()


def _ask_model() -> str:
    typer.echo("The model: embedded (runs here), openai:NAME, ollama:NAME, anthropic:NAME …")
    return str(typer.prompt("Model", default=EMBEDDED)).strip()


def _ask_key(model: str, settings: Settings) -> str:
    provider = model.partition(":")[0]
    if provider in {EMBEDDED, "ollama"}:
        return ""
    if provider == "openai" and settings.models.openai_api_key.get_secret_value():
        return ""
    typer.echo("The key for it; empty: none, or the one in the environment.")
    return str(typer.prompt("Key", default="", hide_input=True, show_default=False)).strip()


def _ask_token() -> str:
    typer.echo("Telegram: the token that @BotFather gave you for /newbot; empty: no Telegram.")
    return str(typer.prompt("Token", default="", hide_input=True, show_default=False)).strip()


def _set_model(document: MutableMapping[str, Any], model: str, key: str) -> None:
    models = document.setdefault("models", {})
    models["default"] = model
    provider = model.partition(":")[0]
    if not key:
        return
    if provider == "openai":
        models["openai_api_key"] = key
    else:
        models.setdefault("keys", {})[provider] = key


def _say_of_model(console: Console, settings: Settings, document: MutableMapping[str, Any]) -> None:
    """Say whether the model answers; one that does not may do so later, so it is written all the same."""
    given = {key: value for key, value in document["models"].items() if key in Models.model_fields}
    checked = Models.model_validate({**settings.models.model_dump(), **given})

    async def describe() -> str:
        models = RoleModels(checked, settings.data_dir)
        try:
            return next((str(one.reason) for one in await models.describe() if one.reason), "")
        finally:
            await models.aclose()

    problem = asyncio.run(describe())
    console.print(f"  {in_operator_words(problem)}" if problem else "  It answers.", markup=False)


def _check_token(token: str, settings: Settings, console: Console) -> str:
    if not token:
        return ""
    import httpx2

    SECRETS.add(token)
    if not all(part.isascii() and part.isprintable() for part in token) or ":" not in token:
        raise OperatorError("that is no token of a bot: copy it from @BotFather as a whole")
    try:
        response = httpx2.get(f"{settings.telegram.api_url}/bot{token}/getMe", timeout=_TELEGRAM_SECONDS)
        found = response.json()
    except (httpx2.HTTPError, httpx2.InvalidURL, ValueError) as exc:
        # The address holds the token.
        raise OperatorError("Telegram cannot be reached: check the network, then try again") from exc
    if not found.get("ok"):
        raise OperatorError("Telegram does not know this token: copy it from @BotFather as a whole")
    console.print(f"  The bot is @{found['result']['username']}.")
    return token


def _read(path: Path) -> MutableMapping[str, Any]:
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    try:
        return tomlkit.parse(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return tomlkit.document()
    except (OSError, ValueError, TOMLKitError) as exc:
        raise OperatorError(f"the settings file {path} cannot be read: mend it, or move it away") from exc


def _write(path: Path, document: MutableMapping[str, Any]) -> None:
    """Write the settings file as a whole or not at all; it holds secrets, so nobody else can read it."""
    import tomlkit

    fresh = path.with_suffix(f".{os.getpid()}.new")
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(tomlkit.dumps(document))
        fresh.replace(path)
    except OSError as exc:
        fresh.unlink(missing_ok=True)
        raise OperatorError(f"the settings cannot be written to {path} ({exc.strerror})") from exc
