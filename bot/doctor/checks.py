"""Is the set-up sound? One check a part; each failure says what to do about it.

To add a check, write a function that returns a `Finding` and add it to `CHECKS`.
"""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
import sys
import tempfile
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from bot.clock import date_and_time
from bot.documents.corpus import corpus_paths, find_files
from bot.settings.operator_words import in_operator_words
from bot.settings.tree import Settings
from bot.storage import data_folder
from rag.errors import ThinkTwiceError
from rag.knowledge import chroma, sources
from rag.knowledge.catalog import Catalog
from rag.knowledge.search import KnowledgeBase
from rag.knowledge.store import FILE_NAME as KNOWLEDGE_FILE
from rag.knowledge.store import Store, read_state
from rag.models import embedded
from rag.models.roles import ModelStatus, RoleModels, weights
from rag.prompting.library import PromptLibrary
from rag.verifier import opening

_OLDEST_PYTHON = (3, 11)
_LEAST_FREE_BYTES = 500_000_000
_NAMED_FILES = 3
_VOICE_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of a check.

    Args:
        remedy: What to do; empty when it is sound, or where `detail` says it.
        is_pending: Whether the first question makes it work, as after a fresh installation; no fault.
    """

    part: str
    is_sound: bool
    detail: str
    remedy: str = ""
    is_pending: bool = False


def examine(settings: Settings) -> list[Finding]:
    """Run every check; a check that fails does not keep the next from running."""
    findings: list[Finding] = []
    for part, check in CHECKS.items():
        try:
            findings.append(check(settings))
        except ThinkTwiceError as exc:
            findings.append(Finding(part, is_sound=False, detail=in_operator_words(str(exc))))
        except (OSError, sqlite3.Error) as exc:
            remedy = "check the rights of the data folder and the free space"
            findings.append(Finding(part, is_sound=False, detail=str(exc), remedy=remedy))
    return findings


def _python(_settings: Settings) -> Finding:
    version = ".".join(map(str, sys.version_info[:3]))
    if sys.version_info < _OLDEST_PYTHON:
        return Finding("Python", False, version, "install Python 3.11 or newer and run `make demo` again")
    return Finding("Python", True, version)


def _data_folder(settings: Settings) -> Finding:
    folder = data_folder.create_folder(settings.data_dir)
    data_folder.check_data(settings)
    with tempfile.TemporaryFile(dir=folder):
        pass
    free = shutil.disk_usage(folder).free
    detail = f"{folder}, {free / 1e9:.1f} GB free"
    if free < _LEAST_FREE_BYTES:
        return Finding("data folder", False, detail, "free some space, or choose another --data-dir")
    return Finding("data folder", True, detail)


def _database(settings: Settings) -> Finding:
    from bot.storage.database import FILE_NAME, open_database

    again = {
        FILE_NAME: "restore it from a backup, or move it away to begin with no conversations",
        KNOWLEDGE_FILE: "delete it together with its -wal and -shm files, then run `thinktwice index`",
    }
    for name, remedy in again.items():
        path = settings.data_dir / name
        if path.exists() and (fault := _fault(path)):
            return Finding("database", False, f"{path} is damaged ({fault})", remedy)

    url = settings.database_url.get_secret_value()

    async def opened() -> str:
        async with open_database(settings.data_dir, url) as database:
            return database.place

    place = asyncio.run(opened())
    return Finding("database", True, f"{place} answers" if url else "readable and whole")


def _fault(path: Path) -> str:
    try:
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as connection:
            result = str(connection.execute("PRAGMA quick_check(1)").fetchone()[0])
    except sqlite3.DatabaseError as exc:
        # A file that is locked or may not be read is not damaged.
        if exc.sqlite_errorcode & 0xFF not in {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}:
            raise
        return str(exc)
    return "" if result == "ok" else result


def _corpus(settings: Settings) -> Finding:
    discovery = find_files(settings)
    shown = ", ".join(map(str, corpus_paths(settings)))
    left_out = "".join(
        f"; {group.files} skipped ({group.named(_NAMED_FILES)}): {group.reason}"
        for group in sources.grouped(discovery.skipped)
    )
    if not discovery.sources:
        remedy = "add .md, .pdf, .docx, .xlsx or .pptx files"
        return Finding("corpus", False, f"no readable document in {shown}{left_out}", remedy)
    return Finding("corpus", True, f"{len(discovery.sources)} files in {shown}{left_out}")


def _knowledge(settings: Settings) -> Finding:
    with closing(
        KnowledgeBase.open(settings.data_dir, settings.knowledge, settings.models, use_chroma=False)
    ) as base:
        stats = base.stats()
    with closing(Store(settings.data_dir)) as store, store.reading() as connection:
        read_at = datetime.fromtimestamp(read_state(connection).read_at, UTC)
        files = Catalog.read(connection, settings.data_dir).files.values()
    unread = [(file.key, str(file.notes[0])) for file in files if file.notes]
    if not stats.chunks:
        return Finding(
            "knowledge base",
            False,
            "no passages yet: the first question indexes the corpus",
            "run `thinktwice index` to do it now",
            is_pending=True,
        )
    return Finding(
        "knowledge base",
        True,
        f"{stats.documents} documents, {stats.chunks} passages, embedding {stats.embedding}, "
        f"last read {date_and_time(read_at)}"
        + "".join(f"; not read: {file}: {reason}" for file, reason in unread[:_NAMED_FILES])
        + (f"; and {len(unread) - _NAMED_FILES} more" if len(unread) > _NAMED_FILES else ""),
    )


_CHROMA_STATES: dict[chroma.Condition, str] = {
    "absent": "not built yet; that happens with the next `thinktwice index` or `thinktwice chat`",
    "whole": "the index is whole and fits the knowledge base",
    "outdated": "the index is of earlier documents or of another embedding; it is rebuilt by itself",
    "damaged": "the index is damaged; it is rebuilt by itself, and until then search is exact",
    "in use": "the index is in use by another process; other processes search exactly",
}


def _chroma(settings: Settings) -> Finding:
    """Chroma is a cache: damage mends itself; a library or a folder that cannot be used does not."""
    try:
        import chromadb
    except ImportError as exc:
        return Finding("Chroma", False, f"cannot be imported ({exc})", "run `make demo` to install it again")
    with closing(Store(settings.data_dir)) as store, store.reading() as connection:
        name, _ = chroma.wanted_index(connection)
    condition = chroma.condition(settings.data_dir, name)
    return Finding("Chroma", True, f"{chromadb.__version__}, {_CHROMA_STATES[condition]}")


def _prompts(settings: Settings) -> Finding:
    library = PromptLibrary(settings.prompts)
    return Finding("prompts", True, f"{len(library.prompts)} in {library.folder}")


def _model(settings: Settings) -> Finding:
    async def described() -> list[tuple[str, bool, str]]:
        models = RoleModels(settings.models, settings.data_dir, settings.council)
        try:
            return [
                (status.name, status.reachable, in_operator_words(str(status.reason or "")))
                for status in await models.describe(is_tried=True)
            ]
        finally:
            await models.aclose()

    statuses = dict.fromkeys(asyncio.run(described()))
    for name, is_reachable, reason in statuses:
        if name == embedded.NAME and _is_joined_with_the_first_question(settings):
            return Finding(
                "model",
                False,
                f"{name} is not joined from its packages yet: the first question does that",
                "run `thinktwice models pull` to do it now",
                is_pending=True,
            )
        if not is_reachable:
            return Finding("model", False, f"{name} does not answer", reason)
    return Finding("model", True, ", ".join(f"{one} ({said})" if said else one for one, _, said in statuses))


def _verifier(settings: Settings) -> Finding:
    async def described() -> ModelStatus:
        models = RoleModels(settings.models, settings.data_dir, settings.council)
        try:
            return await opening.describe(models, settings.models)
        finally:
            await models.aclose()

    status = asyncio.run(described())
    if not status.reachable:
        remedy = in_operator_words(str(status.reason or ""))
        is_pending = status.name == embedded.NAME and _is_joined_with_the_first_question(settings)
        return Finding("verifier", False, f"{status.name} cannot be used", remedy, is_pending)
    return Finding("verifier", True, status.name)


def _is_joined_with_the_first_question(settings: Settings) -> bool:
    """Tell whether the embedded model's file is missing but can be made from the installed packages."""
    file = weights(settings.models, settings.data_dir)
    return settings.models.embedded_path is None and not file.path.exists() and bool(file.pieces())


def _telegram(settings: Settings) -> Finding:
    """The terminal needs no bot; one that is set up is asked for its name, as `thinktwice run` does."""
    from bot.telegram import startup
    from bot.telegram.connection import open_bot

    token = settings.telegram.token.get_secret_value()
    if not token:
        return Finding("Telegram", True, "no token is set, so there is no bot")
    startup.check_settings(settings.telegram)

    async def named() -> str:
        bot = open_bot(token, settings.telegram.api_url)
        try:
            return (await startup.fetch_account(bot, tries=1)).username
        finally:
            await bot.shutdown()

    return Finding("Telegram", True, f"@{asyncio.run(named())}, updates by {settings.telegram.mode}")


def _matrix(settings: Settings) -> Finding:
    """A bot on Matrix is asked for its name, as `thinktwice run` does."""
    if not settings.matrix.homeserver:
        return Finding("Matrix", True, "no homeserver is set, so there is no bot")
    from bot.matrix.connection import check_settings, open_homeserver

    check_settings(settings.matrix)

    async def named() -> str:
        async with open_homeserver(settings.matrix) as homeserver:
            return homeserver.me.id

    return Finding("Matrix", True, asyncio.run(named()))


def _voice(settings: Settings) -> Finding:
    """The server for voice messages is asked for its models, which costs nothing."""
    from rag.models.transcription import Transcriber

    voice = settings.voice
    if not voice.base_url:
        return Finding("voice messages", True, "no server is set, so they are not understood")

    async def listed() -> tuple[str, ...]:
        server = Transcriber(voice.base_url, voice.model, voice.api_key.get_secret_value(), _VOICE_SECONDS)
        try:
            return await server.list_models()
        finally:
            await server.aclose()

    models = asyncio.run(listed())
    if models and voice.model not in models:
        names = ", ".join(models[:_NAMED_FILES])
        remedy = f"set voice.model to one of its models, such as {names}"
        return Finding("voice messages", False, f"the server does not know the model {voice.model}", remedy)
    return Finding("voice messages", True, f"{voice.model} at {voice.base_url}")


CHECKS: dict[str, Callable[[Settings], Finding]] = {
    "Python": _python,
    "data folder": _data_folder,
    "database": _database,
    "prompts": _prompts,
    "corpus": _corpus,
    "knowledge base": _knowledge,
    "Chroma": _chroma,
    "model": _model,
    "verifier": _verifier,
    "Telegram": _telegram,
    "Matrix": _matrix,
    "voice messages": _voice,
}
