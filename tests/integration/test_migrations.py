"""A new database and those of other versions: their tables, also after a failure."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory

from bot.conversations.values import Message
from bot.service.errors import StorageError
from bot.storage import migrations
from bot.storage.conversations import StoredConversations
from bot.storage.database import FILE_NAME, open_database
from bot.storage.run_events import StoredRuns
from bot.storage.tables import metadata
from tests.support import programs
from tests.support.former import restore_last_release


async def test_migrated_database_is_what_the_tables_say(tmp_path: Path) -> None:
    restore_last_release(tmp_path)

    def differences(connection: sa.Connection) -> list[object]:
        context = MigrationContext.configure(
            connection, opts={"compare_type": True, "compare_server_default": True}
        )
        return list(compare_metadata(context, metadata))

    async with open_database(tmp_path) as database, database.reading() as connection:
        assert await connection.run_sync(differences) == []


async def test_new_database_has_the_tables_that_the_migrations_make(tmp_path: Path) -> None:
    # Alembic's comparison does not see everything: neither ON DELETE on SQLite nor AUTOINCREMENT.
    (tmp_path / "migrated").mkdir()
    restore_last_release(tmp_path / "migrated")
    await _open_and_close(tmp_path / "migrated")
    await _open_and_close(tmp_path)

    assert _schema(tmp_path / FILE_NAME) == _schema(tmp_path / "migrated" / FILE_NAME)


def test_head_is_the_newest_migration() -> None:
    script = ScriptDirectory.from_config(migrations.configuration())
    assert script.get_current_head() == migrations.HEAD


@pytest.mark.parametrize("is_new", [False, True])
def test_alembic_is_imported_only_to_migrate(tmp_path: Path, is_new: bool) -> None:
    if not is_new:
        asyncio.run(_open_and_close(tmp_path))
    script = (
        "import asyncio, sys; from pathlib import Path; from bot.storage.database import open_database\n"
        "async def main():\n    async with open_database(Path(sys.argv[1])):\n        pass\n"
        "asyncio.run(main()); print('alembic' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path)], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "False"


@pytest.mark.parametrize("is_new", [False, True])
async def test_migration_that_fails_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_new: bool
) -> None:
    def broken(connection: sa.Connection) -> None:
        connection.exec_driver_sql("CREATE TABLE half (id INTEGER)")
        raise sqlite3.OperationalError("interrupted")

    if not is_new:
        restore_last_release(tmp_path)
    with monkeypatch.context() as patched:
        patched.setattr(migrations, "create" if is_new else "upgrade", broken)
        with pytest.raises(StorageError, match="interrupted"):
            await _open_and_close(tmp_path)
    assert "half" not in _schema(tmp_path / FILE_NAME)
    await _open_and_close(tmp_path)


def migrate_and_be_killed(folder: str, number: str) -> int:
    """Open a database, and die before the statement with this number; a fork server calls this."""
    left = int(number)

    @sa.event.listens_for(sa.Engine, "before_cursor_execute")
    def strike(*_given: object) -> None:
        nonlocal left
        left -= 1
        if not left:
            os.kill(os.getpid(), signal.SIGKILL)

    asyncio.run(_open_and_close(Path(folder)))
    return 0


@pytest.mark.parametrize("is_new", [False, True])
async def test_migration_that_is_killed_anywhere_leaves_the_old_tables_or_the_new(
    tmp_path: Path, is_new: bool
) -> None:
    found, code = [], -signal.SIGKILL
    for number in range(1, 500, 4):
        folder = tmp_path / str(number)
        folder.mkdir()
        before: object = {}
        if not is_new:
            restore_last_release(folder)
            before = _schema(folder / FILE_NAME)
        code = programs.run(
            *(str(folder), str(number)),
            variables=programs.environment(),
            call=f"{__name__}:{migrate_and_be_killed.__name__}",
        ).returncode
        left = _schema(folder / FILE_NAME)
        await _open_and_close(folder)
        whole = _schema(folder / FILE_NAME)
        assert left in (before, whole), f"between the two before statement {number}"
        found.append(left == whole)
        if code == 0:
            break
        assert code == -signal.SIGKILL
    assert code == 0
    assert found.count(False) > 1


async def test_what_the_last_release_stored_is_there_after_all_migrations(tmp_path: Path) -> None:
    restore_last_release(tmp_path)
    async with open_database(tmp_path) as database:
        stored, runs = StoredConversations(database), StoredRuns(database)
        (message,) = (await stored.conversation("a", 5)).latest
        assert (message.id, message.author, message.text) == (5, "Ann", "old words")
        assert (await stored.conversation("a")).summary.text == "old summary"
        run = await runs.get("web:1:x")
        assert run is not None
        assert (run.state, run.person, run.conversation_id) == ("complete", "telegram:41", "a")
        assert [(event.seq, event.type) for event in await runs.read("web:1:x")] == [(7, "complete")]


async def test_database_from_before_the_last_release_is_left_alone(tmp_path: Path) -> None:
    restore_last_release(tmp_path)
    with closing(sqlite3.connect(tmp_path / FILE_NAME)) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = '0018'")
    before = _schema(tmp_path / FILE_NAME)
    with pytest.raises(StorageError, match="start the version of that day once"):
        await _open_and_close(tmp_path)
    assert _schema(tmp_path / FILE_NAME) == before


async def test_several_openers_at_once_create_the_tables_once(tmp_path: Path) -> None:
    async def opened() -> None:
        async with open_database(tmp_path) as database:
            await StoredConversations(database).append("a", [Message("user", "hi", datetime.now(UTC))])

    await asyncio.gather(*(opened() for _ in range(4)))
    async with open_database(tmp_path) as database:
        assert len((await StoredConversations(database).conversation("a", 9)).latest) == 4


async def test_database_of_a_newer_version_is_left_alone(tmp_path: Path) -> None:
    async with open_database(tmp_path) as database, database.writing() as connection:
        await connection.execute(sa.text("UPDATE alembic_version SET version_num = '9999'"))
        await connection.execute(sa.text("UPDATE compatibility SET oldest = '9998'"))
    with pytest.raises(StorageError, match="was made by a newer version"):
        await _open_and_close(tmp_path)


async def test_database_of_a_newer_version_that_this_one_bears_is_used(tmp_path: Path) -> None:
    async with open_database(tmp_path) as database, database.writing() as connection:
        assert await connection.scalar(sa.text("SELECT oldest FROM compatibility")) == migrations.OLDEST
        await connection.execute(sa.text("UPDATE alembic_version SET version_num = '9999'"))
    async with open_database(tmp_path) as database:
        await StoredConversations(database).append("a", [Message("user", "hi", datetime.now(UTC))])
        assert len((await StoredConversations(database).conversation("a", 9)).latest) == 1


async def _open_and_close(data_dir: Path) -> None:
    async with open_database(data_dir):
        pass


def _schema(path: Path) -> dict[str, tuple[str, ...]]:
    """Statements of our tables and indexes by name, as their columns and constraints in any order.

    A column that a migration adds stands behind the constraints. White space and quotes do not count.
    """
    connection = sqlite3.connect(path)
    rows = connection.execute(
        "SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'"
    ).fetchall()
    connection.close()
    return {name: _parts(" ".join(sql.replace('"', "").split())) for name, sql in rows}


def _parts(statement: str) -> tuple[str, ...]:
    """Return a statement in parts: its head, the sorted entries between its outer brackets, and its tail."""
    if not statement.startswith("CREATE TABLE"):
        return (statement,)
    head, _, rest = statement.partition("(")
    body, _, tail = rest.rpartition(")")
    return (head.strip(), *sorted(part.strip() for part in re.split(r",(?![^(]*\))", body)), tail.strip())
