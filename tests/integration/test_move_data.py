"""What was kept in the file is in PostgreSQL afterwards, whole; and nothing is moved half."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
import sqlalchemy as sa

from bot.service.errors import StorageError
from bot.service.incoming import Asked, Message, Place, Sender
from bot.storage.asks import Asks
from bot.storage.database import Database, open_database
from bot.storage.database_copy import copy_rows
from bot.storage.tables import compatibility, metadata
from bot.telegram.ids import to_peer
from tests.integration.test_chat_state_privacy import lived
from tests.support import programs
from tests.support.postgres import PostgresServer
from tests.support.stored import NOW

PLACE = Place(to_peer(-500), "group", None, "Team")
ANN = Sender(to_peer(42), "person", "Ann")


async def rows_of(database: Database) -> dict[str, list[tuple[object, ...]]]:
    async with database.reading() as connection:
        return {
            table.name: [
                tuple(row)
                for row in await connection.execute(sa.select(table).order_by(*table.primary_key.columns))
            ]
            for table in metadata.sorted_tables
            if table is not compatibility
        }


async def test_everything_is_there_and_new_rows_get_new_numbers(
    postgres: PostgresServer, tmp_path: Path
) -> None:
    async with (
        open_database(tmp_path) as source,
        open_database(tmp_path, postgres.new_database()) as target,
    ):
        await lived(source, 7000000041, "alpha")
        await lived(source, 7000000043, "beta")
        await copy_rows(source, target)
        before = await rows_of(source)
        assert await rows_of(target) == before
        assert any(before.values())

        newest = max(ask[0] for ask in before["asks"])  # type: ignore[type-var]  # the column of numbers
        asked = Asked(Message(9, PLACE, ANN, 99, "q", NOW), "q", "mention")
        assert (await Asks(target).accept(asked, "new")).id > newest  # type: ignore[operator]  # as above


async def test_database_that_is_not_empty_is_refused(postgres: PostgresServer, tmp_path: Path) -> None:
    async with (
        open_database(tmp_path) as source,
        open_database(tmp_path, postgres.new_database()) as target,
    ):
        await lived(source, 7000000041, "alpha")
        await lived(target, 7000000043, "beta")
        before = await rows_of(target)
        with pytest.raises(StorageError, match="not empty"):
            await copy_rows(source, target)
        assert await rows_of(target) == before


async def test_questions_that_wait_are_answered_first(postgres: PostgresServer, tmp_path: Path) -> None:
    async with (
        open_database(tmp_path) as source,
        open_database(tmp_path, postgres.new_database()) as target,
    ):
        await Asks(source).accept(Asked(Message(1, PLACE, ANN, 7, "q", NOW), "q", "mention"), "w")
        with pytest.raises(StorageError, match="1 questions are not answered yet"):
            await copy_rows(source, target)
        assert not any((await rows_of(target)).values())


async def test_command_moves_and_says_what_to_do(postgres: PostgresServer, tmp_path: Path) -> None:
    async with open_database(tmp_path) as source:
        await lived(source, 7000000041, "alpha")

    async def run(**variables: str) -> tuple[int, str]:
        done = await asyncio.to_thread(
            programs.run,
            "move-data",
            "--data-dir",
            str(tmp_path),
            variables=programs.environment(**variables),
        )
        return done.returncode, done.stdout + done.stderr

    code, said = await run()
    assert code == 3
    assert "set THINKTWICE_DATABASE_URL" in said
    url = postgres.new_database()
    code, said = await run(THINKTWICE_DATABASE_URL=url)
    assert code == 0, said
    assert ", messages 5" in said
    assert "was not changed" in said
    code, said = await run(THINKTWICE_DATABASE_URL=url)
    assert code == 3
    assert "not empty" in said
