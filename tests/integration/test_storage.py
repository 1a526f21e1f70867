from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
import sqlalchemy as sa
from sqlalchemy import event

from bot.conversations.values import BEFORE_ALL, Conversation, Message, Summary
from bot.service.errors import StorageError
from bot.storage import database as database_module
from bot.storage.conversations import StoredConversations
from bot.storage.database import FILE_NAME, Database, open_database
from bot.texts import TEXTS
from rag.errors import OperatorError

NOW = datetime(2026, 5, 1, 12, 30, tzinfo=UTC)


def said(*texts: str) -> list[Message]:
    return [Message("user", text, NOW) for text in texts]


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    async with open_database(tmp_path) as opened:
        yield opened


@pytest.fixture
def stored(database: Database) -> StoredConversations:
    return StoredConversations(database, lambda: NOW)


class TestConnections:
    async def test_pragmas_are_set(self, database: Database) -> None:
        async with database.reading() as connection:
            names = ("journal_mode", "foreign_keys", "synchronous", "busy_timeout")
            values = [await connection.scalar(sa.text(f"PRAGMA {name}")) for name in names]
        assert values == ["wal", 1, 2, 5000]

    async def test_failed_transaction_keeps_nothing(
        self, database: Database, stored: StoredConversations
    ) -> None:
        async def fail() -> None:
            async with database.writing() as connection:
                await connection.execute(
                    sa.text("INSERT INTO conversations (id, created_at) VALUES ('a', '2026-01-01')")
                )
                raise KeyError

        with pytest.raises(KeyError):
            await fail()
        async with database.reading() as connection:
            assert await connection.scalar(sa.text("SELECT count(*) FROM conversations")) == 0

    async def test_many_writers_wait_for_each_other(self, stored: StoredConversations) -> None:
        await asyncio.gather(*(stored.append(f"c{number % 3}", said("x", "y")) for number in range(30)))
        counts = [(await stored.conversation(f"c{number}")).unsummarised for number in range(3)]
        assert counts == [20, 20, 20]

    async def test_writers_of_one_process_take_turns_instead_of_trying_again(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        # Whoever finds the file locked gives up at once.
        monkeypatch.setattr(database_module, "_BUSY_MILLISECONDS", 0)
        async with open_database(tmp_path) as database:
            stored = StoredConversations(database)
            await asyncio.gather(*(stored.append("a", said("x" * 10_000)) for _ in range(40)))
            assert (await stored.conversation("a")).unsummarised == 40


class TestTogether:
    async def test_what_is_written_together_is_dropped_together(
        self, database: Database, stored: StoredConversations
    ) -> None:
        async def interrupted() -> None:
            async with database.together():
                await stored.append("a", said("one"))
                await stored.append("b", said("two"))
                assert len((await stored.conversation("b", 5)).latest) == 1
                raise LookupError

        with pytest.raises(LookupError):
            await interrupted()
        assert ((await stored.conversation("a", 5)).latest, (await stored.conversation("b", 5)).latest) == (
            (),
            (),
        )
        async with database.together(), database.together():
            await stored.append("a", said("one"))
            await stored.append("b", said("two"))
        assert (
            len((await stored.conversation("a", 5)).latest + (await stored.conversation("b", 5)).latest) == 2
        )

    async def test_statements_together_are_one_transaction(
        self, database: Database, stored: StoredConversations
    ) -> None:
        begun: list[str] = []
        event.listen(database._engine.sync_engine, "begin", lambda _connection: begun.append("begin"))
        async with database.together():
            for name in "abc":
                await stored.append(name, said("one"))
                await stored.conversation(name, 5)
        assert begun == ["begin"]

    async def test_task_that_is_started_inside_is_not_part_of_it(
        self, database: Database, stored: StoredConversations
    ) -> None:
        async with database.together():
            await stored.append("a", said("one"))
            seen = await asyncio.create_task(stored.conversation("a", 5))
            writing = asyncio.create_task(stored.append("b", said("two")))
            await stored.append("a", said("three"))
            assert not writing.done()
        await writing
        assert seen.latest == ()
        assert len((await stored.conversation("a", 5)).latest) == 2
        assert len((await stored.conversation("b", 5)).latest) == 1


class TestBadDatabases:
    @pytest.mark.parametrize(
        ("content", "message"),
        [
            (b"this is no database" * 100, "is not a database; restore a backup"),
            (b"SQLite format 3\x00junk", "is not"),
        ],
        ids=["other file", "truncated"],
    )
    async def test_damaged_file_is_one_sentence(self, tmp_path: Path, content: bytes, message: str) -> None:
        (tmp_path / FILE_NAME).write_bytes(content)
        with pytest.raises(StorageError, match=message) as caught:
            await _open_and_close(tmp_path)
        assert str(tmp_path / FILE_NAME) in str(caught.value)
        assert "\n" not in str(caught.value)
        assert isinstance(caught.value, OperatorError)

    async def test_damaged_page_is_one_sentence(self, tmp_path: Path) -> None:
        async with open_database(tmp_path) as database:
            await StoredConversations(database).append("a", said("x" * 50_000))
        path = tmp_path / FILE_NAME
        content = path.read_bytes()
        path.write_bytes(content[:4096] + b"\xff" * (len(content) - 4096))
        with pytest.raises(StorageError, match="is damaged; restore a backup"):
            async with open_database(tmp_path) as database:
                await StoredConversations(database).conversation("a", 5)

    async def test_missing_folder_is_one_sentence(self, tmp_path: Path) -> None:
        with pytest.raises(StorageError, match="cannot be opened; check that its folder exists"):
            await _open_and_close(tmp_path / "none")

    async def test_locked_database_is_one_sentence(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(database_module, "_BUSY_MILLISECONDS", 20)
        async with open_database(tmp_path) as database:
            other = sqlite3.connect(tmp_path / FILE_NAME)
            other.execute("BEGIN EXCLUSIVE")
            with pytest.raises(
                StorageError, match="is in use by another program; close that program or try"
            ) as caught:
                await StoredConversations(database).append("a", said("hi"))
            assert "otro programa está usando" in TEXTS.reason(caught.value.reason, "es")
            other.rollback()
            other.close()
            await StoredConversations(database).append("a", said("hi"))

    async def test_database_that_has_no_free_connection_is_one_sentence_and_passes(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        async with open_database(tmp_path) as database, AsyncExitStack() as stack:
            pool = database._engine.pool
            monkeypatch.setattr(pool, "_timeout", 0.01)
            monkeypatch.setattr(pool, "_max_overflow", 0)
            for _ in range(pool.size()):  # type: ignore[attr-defined]  # of this kind of pool
                await stack.enter_async_context(database.reading())
            with pytest.raises(StorageError, match="is asked too much at once; try again") as caught:
                await StoredConversations(database).conversation("a", 1)
            assert caught.value.is_passing

    async def test_full_disk_is_one_sentence_and_keeps_what_was_there(self, tmp_path: Path) -> None:
        async with open_database(tmp_path) as database:
            stored = StoredConversations(database)
            await stored.append("a", said("before"))
            async with database.writing() as connection:
                pages = await connection.scalar(sa.text("PRAGMA page_count"))
                await connection.execute(sa.text(f"PRAGMA max_page_count = {pages}"))
            with pytest.raises(StorageError, match="the disk is full; free some space"):
                await stored.append("a", said("x" * 100_000))
        async with open_database(tmp_path) as database:
            assert [m.text for m in (await StoredConversations(database).conversation("a", 5)).latest] == [
                "before"
            ]


class TestConversations:
    async def test_latest_messages_come_oldest_first(self, stored: StoredConversations) -> None:
        await stored.append("a", said("1", "2", "3"))
        await stored.append("b", said("other"))
        assert [message.text for message in (await stored.conversation("a", 2)).latest] == ["2", "3"]
        assert (await stored.conversation("a", 0)).latest == ()
        assert (await stored.conversation("none", 5)).latest == ()

    async def test_time_keeps_its_moment(self, stored: StoredConversations) -> None:
        tokyo = NOW.astimezone(timezone(timedelta(hours=9)))
        await stored.append("a", [Message("user", "hi", tokyo, "Ann")])
        (message,) = (await stored.conversation("a", 1)).latest
        assert message.created_at == NOW
        assert message.created_at.utcoffset() == timedelta(0)
        assert message.author == "Ann"

    async def test_texts_that_no_database_takes_are_made_storable(self, stored: StoredConversations) -> None:
        await stored.append("a", said("a\x00b\ud800c", "नमस्ते 😀 你好"))
        assert [m.text for m in (await stored.conversation("a", 2)).latest] == ["a�b�c", "नमस्ते 😀 你好"]

    async def test_summary_covers_messages_up_to_its_last(self, stored: StoredConversations) -> None:
        await stored.append("a", said("1", "2", "3"))
        ids = [message.id for message in (await stored.conversation("a", 3)).latest]
        assert await stored.conversation("a") == Conversation("a", Summary("", BEFORE_ALL), 3)

        await stored.save_summary("a", Summary("one", ids[0]))
        await stored.save_summary("a", Summary("one and two", ids[1]))

        assert await stored.conversation("a") == Conversation("a", Summary("one and two", ids[1]), 1)
        assert [message.text for message in await stored.oldest_unsummarised("a", 5)] == ["3"]

    async def test_late_summary_does_not_replace_a_newer_one(self, stored: StoredConversations) -> None:
        await stored.append("a", said("1", "2"))
        first, second = [message.id for message in (await stored.conversation("a", 2)).latest]
        await stored.save_summary("a", Summary("new", second))
        await stored.save_summary("a", Summary("old", first))
        assert (await stored.conversation("a")).summary.text == "new"

    async def test_clear_forgets_one_conversation_with_its_summary(self, stored: StoredConversations) -> None:
        for name in ("a", "b"):
            await stored.append(name, said("1"))
            (message,) = (await stored.conversation(name, 1)).latest
            await stored.save_summary(name, Summary("s", message.id))
        await stored.clear("a")
        assert await stored.conversation("a") == Conversation("a", Summary(), 0)
        assert (await stored.conversation("b")).summary.text == "s"

    async def test_summary_of_forgotten_messages_is_not_kept(self, stored: StoredConversations) -> None:
        await stored.append("a", said("1"))
        (old,) = (await stored.conversation("a", 1)).latest
        await stored.clear("a")
        await stored.append("a", said("2"))
        await stored.save_summary("a", Summary("about 1", old.id))
        assert (await stored.conversation("a")).summary == Summary()


async def _open_and_close(data_dir: Path) -> None:
    async with open_database(data_dir):
        pass
