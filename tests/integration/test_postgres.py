"""What is kept in SQLite by default is kept in PostgreSQL as well."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import psycopg
import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext

from bot.conversations.memory import ConversationMemory
from bot.fleet.machines import Machines
from bot.fleet.membership import Membership
from bot.service.errors import StorageError
from bot.service.fence import Fence
from bot.service.runs import Runs
from bot.storage import migrations
from bot.storage.conversations import StoredConversations
from bot.storage.database import Database, open_database, server_url
from bot.storage.run_events import StoredRuns
from bot.storage.tables import metadata
from bot.telegram.outbound.rate_limits import Effect, Rate, Rates, Urgency
from bot.telegram.outbound.send_queue import SendQueue
from rag.reasons import as_written
from rag.values import Answer, Usage, Verdict
from tests.support.former import restore_last_release_on
from tests.support.postgres import PostgresServer


@pytest.fixture
async def database(postgres: PostgresServer, tmp_path: Path) -> AsyncIterator[Database]:
    async with open_database(tmp_path, postgres.new_database()) as opened:
        yield opened


def answer(text: str) -> Answer:
    verdict = Verdict("adequate", as_written(""), 1.0, "rules")
    return Answer("q", text, "general", "en", verdict, (), (), False, 0, Usage(), 0.1, ())


async def test_migrations_make_the_tables_of_a_new_database(
    database: Database, postgres: PostgresServer, tmp_path: Path
) -> None:
    def compare(connection: sa.Connection) -> list[object]:
        context = MigrationContext.configure(
            connection, opts={"compare_type": True, "compare_server_default": True}
        )
        return list(compare_metadata(context, metadata))

    def constraints(connection: sa.Connection) -> list[tuple[str, ...]]:
        rows = connection.execute(
            sa.text("SELECT conname, conrelid::regclass::text, pg_get_constraintdef(oid) FROM pg_constraint")
        )
        return sorted((table, name, said) for name, table, said in rows)

    async with database.reading() as connection:
        assert await connection.run_sync(compare) == []
        created = await connection.run_sync(constraints)
    url = restore_last_release_on(postgres)
    async with open_database(tmp_path, url) as migrated, migrated.reading() as connection:
        assert await connection.run_sync(compare) == []
        assert await connection.run_sync(constraints) == created
    async with open_database(tmp_path, url) as migrated:
        runs = Runs(StoredRuns(migrated))
        runs.recorder("a", "answer", "telegram:41", "a").end("complete", {})
        await runs.flush()
        assert [event.seq for event in await StoredRuns(migrated).read("a")] == [8]


async def test_database_is_not_converted_while_machines_of_an_older_version_run(
    postgres: PostgresServer, tmp_path: Path
) -> None:
    url = restore_last_release_on(postgres)
    with psycopg.connect(url, autocommit=True) as connection:
        for machine in ("one", "another"):
            connection.execute(
                "INSERT INTO machines (id, version, started_ms, seen_ms, at_work) VALUES (%s, '0.1', 0, %s, 0)",
                (machine, round(time.time() * 1000)),
            )
    with pytest.raises(StorageError, match=r"stop them first \(another, one\)"):
        async with open_database(tmp_path, url):
            pass
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("UPDATE machines SET seen_ms = 0")
    async with open_database(tmp_path, url) as database, database.reading() as connected:
        assert await connected.scalar(sa.text("SELECT version_num FROM alembic_version")) == migrations.HEAD


async def test_several_openers_of_an_empty_database_create_its_tables_once(
    postgres: PostgresServer, tmp_path: Path
) -> None:
    url = postgres.new_database()

    async def opened() -> None:
        async with open_database(tmp_path, url) as database, database.reading() as connection:
            assert await connection.scalar(sa.text("SELECT count(*) FROM alembic_version")) == 1

    await asyncio.gather(*(opened() for _ in range(4)))


async def test_conversation_is_remembered_and_forgotten(database: Database) -> None:
    async def summarise(summary: str, turns: object, language: str) -> str:
        return "summary"

    memory = ConversationMemory(StoredConversations(database), summarise, 4)
    for number in range(4):
        await memory.remember("c", f"q{number}\x00", answer(f"a{number} Ж 한 \U0001f600"))
    await memory.aclose()
    history, _ = await memory.recall("c")
    assert [turn.text for turn in history][-2:] == ["q3\ufffd", "a3 Ж 한 \U0001f600"]
    last = await memory.last_answer("c")
    assert last is not None
    assert last.text == "a3 Ж 한 \U0001f600"
    await memory.reset("c")
    assert (await memory.recall("c"))[0] == ()


async def test_one_transaction_writes_at_a_time(database: Database) -> None:
    async def increment() -> None:
        async with database.writing() as connection:
            value = await connection.scalar(sa.text("SELECT count(*) FROM conversations"))
            await asyncio.sleep(0)
            await connection.execute(
                sa.text("INSERT INTO conversations (id, created_at) VALUES (:id, now())"), {"id": str(value)}
            )

    # Two that read the same number would write the same id, which the key refuses.
    await asyncio.gather(*(increment() for _ in range(12)))
    async with database.reading() as connection:
        assert await connection.scalar(sa.text("SELECT count(*) FROM conversations")) == 12


@pytest.mark.parametrize(
    ("url", "sentence"),
    [
        ("mysql://me@host/name", "is not the address of a PostgreSQL database"),
        ("nonsense", "is not the address of a PostgreSQL database"),
        ("postgresql://me:hush@127.0.0.1:1/name", r"cannot be reached .*refused.*; check the server"),
    ],
    ids=["another kind", "no address", "no server"],
)
async def test_bad_address_is_one_sentence_without_the_password(
    tmp_path: Path, url: str, sentence: str
) -> None:
    with pytest.raises(StorageError, match=sentence) as caught:
        async with open_database(tmp_path, url):
            pass
    assert "hush" not in str(caught.value)


async def test_database_that_does_not_exist_is_named(postgres: PostgresServer, tmp_path: Path) -> None:
    url = postgres.new_database().replace("@/test", "@/nowhere")
    with pytest.raises(StorageError, match=r'database "nowhere[0-9]+" does not exist.*check the server and'):
        async with open_database(tmp_path, url):
            pass


async def test_connection_that_the_server_has_ended_is_replaced(
    postgres: PostgresServer, tmp_path: Path
) -> None:
    url = postgres.new_database()
    others = "FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
    async with open_database(tmp_path, url) as database, database.reading() as first:
        async with database.reading() as second:
            process = await second.scalar(sa.text("SELECT pg_backend_pid()"))
            assert process != await first.scalar(sa.text("SELECT pg_backend_pid()"))
        with psycopg.connect(url, autocommit=True) as operator:
            operator.execute("SELECT pg_terminate_backend(%s)", (process,))
            deadline = time.monotonic() + 60
            while operator.execute(f"SELECT 1 {others} AND pid = %s".encode(), (process,)).fetchone():
                assert time.monotonic() < deadline
        # Of the pool this one was given back last, so it would be taken first.
        async with database.reading() as third:
            assert await third.scalar(sa.text("SELECT pg_backend_pid()")) != process


async def test_server_that_goes_away_is_trouble_that_passes(tmp_path: Path) -> None:
    with PostgresServer() as server:
        async with open_database(tmp_path, server.new_database()) as database:
            server.stop()
            with pytest.raises(StorageError) as caught:
                async with database.writing():
                    pass
    assert caught.value.is_passing


@pytest.mark.parametrize(
    "url",
    ["postgres://h/d", "postgresql://h/d", "postgresql+psycopg://h/d"],
    ids=["short", "plain", "driver"],
)
def test_address_may_name_a_driver(url: str) -> None:
    assert server_url(url).render_as_string() == "postgresql://h/d"


async def test_machines_hear_what_others_called_and_keep_to_the_limit_of_a_chat(
    postgres: PostgresServer, tmp_path: Path
) -> None:
    url = postgres.new_database()
    rates = Rates(group=Rate(4, 60.0))

    async def unused(_alive: object) -> int:
        return 0

    async with AsyncExitStack() as stack:
        queues, members = [], []
        for name in ("one", "two"):
            database = await stack.enter_async_context(open_database(tmp_path, url))
            fence = Fence()
            queues.append(SendQueue(rates, time.monotonic, asyncio.sleep, fence))
            members.append(
                Membership(Machines(database), name, "1.0", fence=fence, at_work=lambda: 0, take_over=unused)
            )
        here, there = queues
        ticket = here.ticket(Urgency.FINAL, Effect.CHANGE)
        await members[0].join()
        for _ in range(4):
            async with there.turn(-5, ticket):
                pass
        there.pause(7, 60.0)
        await members[1].join()
        assert here.is_free(-5, ticket)
        assert here.is_free(7, ticket)
        # With its next heartbeat, a machine hears what the others reported with theirs.
        await members[0].join()
        assert not here.is_free(-5, ticket)
        assert not here.is_free(7, ticket)
        assert here.is_free(-6, ticket)
        # A machine that stops has nothing more to tell.
        await members[1].leave()
        await members[0].join()
        assert here.is_free(-5, ticket)
