"""The migration that puts the channel in front of the ids of people and chats keeps every row."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, Final

import sqlalchemy as sa

from bot.service import keys
from bot.storage import migrations
from bot.storage.database import Database
from bot.storage.tables import asks, notices, spent

AT: Final = datetime(2026, 5, 20, 12, tzinfo=UTC)
BEFORE: Final = "0018"

GROUP: Final = -1_000_000_000_100

ROWS: Final[dict[str, list[dict[str, Any]]]] = {
    "users": [
        {"id": 5, "name": "Ann", "role": "admin", "created_at": AT},
        {"id": 0, "name": "Olga", "created_at": AT},
    ],
    "chats": [
        {"id": 5, "kind": "private", "title": "Ann", "is_active": True, "created_at": AT},
        {"id": -100, "kind": "group", "title": "", "is_active": False, "migrated_to": GROUP, "created_at": AT},
        {"id": GROUP, "kind": "group", "title": "Team", "is_active": True, "created_at": AT},
    ],
    "asks": [
        {"id": 9, "workflow_id": "w9", "chat_id": GROUP, "thread_id": 3, "message_id": 70, "user_id": 5,
         "state": "answered", "fingerprint": "f", "asked_at": AT},
        {"id": 12, "workflow_id": "w12", "chat_id": 5, "thread_id": 0, "user_id": 5, "state": "queued",
         "fingerprint": "g", "asked_at": AT},
    ],
    "ask_messages": [{"chat_id": GROUP, "message_id": 71, "ask_id": 9}],
    "sent_messages": [{"chat_id": 5, "message_id": 72, "key": "k", "sent_at": AT}],
    "arrivals": [
        {"id": 4, "key": "w9", "chat_id": GROUP, "user_id": 5, "arrived_at": AT, "is_refused": False,
         "is_command": False, "is_council": False}
    ],
    "spent": [
        {"day": "2026-05-20", "chat_id": 0, "user_id": 0, "tokens": 3},
        {"day": "2026-05-20", "chat_id": GROUP, "user_id": 5, "tokens": 40},
    ],
    "notices": [{"kind": "n", "chat_id": 0, "user_id": 5, "said_by": "w", "said_at": AT, "ends_at": AT}],
    "confirmations": [{"id": 2, "user_id": 5, "chat_id": GROUP, "command": "{}", "expires_at": AT}],
    "document_sets": [{"name": "hr", "patterns": "[]"}],
    "chat_documents": [{"chat_id": GROUP, "set_name": "hr"}],
    "logins": [{"id": 6, "hash": "h", "kind": "session", "user_id": 0, "name": "", "created_at": AT}],
    "access_requests": [
        {"user_id": 7, "asked_by": "w", "asked_at": AT, "outcome": "allowed", "decided_by": 5},
        {"user_id": 8, "asked_by": "x", "asked_at": AT},
    ],
    "access_request_messages": [{"user_id": 7, "admin_id": 5, "message_id": 73}],
}  # fmt: skip
"""Rows as the version before wrote them."""

_LAST_ASK: Final = 30
"""The highest id that a question had; its row is gone, and no other may get it."""


async def _stored(database: Database) -> dict[str, list[dict[str, Any]]]:
    """Every row, by the name of its table; without the columns that are empty."""
    found = {}
    async with database.reading() as connection:
        for name in ROWS:
            # Not the columns of today's tables: some are younger than this migration.
            rows = await connection.execute(sa.select(sa.text("*")).select_from(sa.table(name)))
            found[name] = sorted(
                (
                    {key: _plain(value) for key, value in row.items() if value is not None}
                    for row in rows.mappings()
                ),
                key=str,
            )
    return found


def _plain(value: object) -> object:
    # SQLite returns times and truth values as texts and numbers when a query does not know their types.
    return int(value) if isinstance(value, bool) else str(value)[:10] if str(value)[:5] == "2026-" else value


async def _at_revision_before(database: Database) -> None:
    async with database.writing() as connection:
        await connection.run_sync(migrations.downgrade, BEFORE)
        reflected = sa.MetaData()
        await connection.run_sync(lambda sync: reflected.reflect(sync, only=list(ROWS)))
        stored: list[tuple[str, dict[str, Any]]] = [
            (name, row) for name, rows in ROWS.items() for row in rows
        ]
        last = {**ROWS["asks"][0], "id": _LAST_ASK, "workflow_id": "gone", "message_id": None}
        for name, row in (*stored, ("asks", last)):
            naive = {
                key: value.replace(tzinfo=None) if isinstance(value, datetime) else value
                for key, value in row.items()
            }
            await connection.execute(sa.insert(reflected.tables[name]).values(naive))
        table = reflected.tables["asks"]
        await connection.execute(sa.delete(table).where(table.c.id == _LAST_ASK))


async def _upgrade(database: Database) -> None:
    async with database.writing() as connection:
        await connection.run_sync(migrations.upgrade)


async def test_every_id_gets_its_channel_and_no_row_is_lost(database: Database) -> None:
    await _at_revision_before(database)
    before = await _stored(database)
    await _upgrade(database)

    after = await _stored(database)

    assert {name: len(rows) for name, rows in after.items()} == {
        name: len(rows) for name, rows in before.items()
    }
    group = f"telegram:{GROUP}"
    assert {row["id"] for row in after["users"]} == {"telegram:5", keys.LOCAL_OWNER}
    assert {(row["id"], row.get("migrated_to")) for row in after["chats"]} == {
        ("telegram:5", None), ("telegram:-100", group), (group, None),
    }  # fmt: skip
    assert [(row["id"], row["chat_id"], row["user_id"]) for row in after["asks"]] == [
        (12, "telegram:5", "telegram:5"), (9, group, "telegram:5"),
    ]  # fmt: skip
    assert after["ask_messages"] == [{"chat_id": group, "message_id": 71, "ask_id": 9}]
    assert {(row["chat_id"], row["user_id"], row["tokens"]) for row in after["spent"]} == {
        (keys.NOBODY, keys.NOBODY, 3), (group, "telegram:5", 40),
    }  # fmt: skip
    assert [(row["chat_id"], row["user_id"]) for row in after["notices"]] == [(keys.NOBODY, "telegram:5")]
    assert [row["user_id"] for row in after["logins"]] == [keys.LOCAL_OWNER]
    assert {(row["user_id"], row.get("decided_by")) for row in after["access_requests"]} == {
        ("telegram:7", "telegram:5"), ("telegram:8", None),
    }  # fmt: skip
    assert after["access_request_messages"] == [
        {"user_id": "telegram:7", "admin_id": "telegram:5", "message_id": 73}
    ]


async def test_migration_can_be_taken_back_with_every_row(database: Database) -> None:
    await _at_revision_before(database)
    before = await _stored(database)
    await _upgrade(database)
    async with database.writing() as connection:
        await connection.run_sync(migrations.downgrade, BEFORE)
    assert await _stored(database) == before


async def test_sums_and_notices_of_the_operator_go_on_the_way_back(database: Database) -> None:
    await _at_revision_before(database)
    before = await _stored(database)
    await _upgrade(database)
    both = {"chat_id": keys.LOCAL_OWNER, "user_id": keys.LOCAL_OWNER}
    async with database.writing() as connection:
        await connection.execute(sa.insert(spent).values(day="2026-05-20", tokens=7, **both))
        times = {"said_at": AT, "ends_at": AT}
        await connection.execute(sa.insert(notices).values(kind="n", said_by="w", **times, **both))
        await connection.run_sync(migrations.downgrade, BEFORE)
    assert await _stored(database) == before


async def test_number_of_a_question_is_not_used_again(database: Database) -> None:
    await _at_revision_before(database)
    await _upgrade(database)
    row = {"workflow_id": "w", "chat_id": "telegram:5", "thread_id": 0, "user_id": "telegram:5", "state": "queued",
           "fingerprint": "", "asked_at": AT}  # fmt: skip
    async with database.writing() as connection:
        new_id = await connection.scalar(sa.insert(asks).values(row).returning(asks.c.id))
    # PostgreSQL counts by itself and was not told of the numbers that the test chose.
    assert new_id is not None
    assert new_id > _LAST_ASK or database.is_server
