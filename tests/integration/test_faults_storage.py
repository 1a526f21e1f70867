"""The power goes: what the disk holds of the log is cut anywhere, and the database is whole up to there."""

from __future__ import annotations

import random
import shutil
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.conversations.values import Message
from bot.storage.conversations import StoredConversations
from bot.storage.database import FILE_NAME, open_database

COMMITS = 40
NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)


@pytest.fixture(scope="module")
def cut_at() -> list[float]:
    """Shares of the log that reached the disk; the same in each run."""
    dice = random.Random(7)
    return [0.0, *(dice.random() for _ in range(12)), 1.0]


async def test_log_that_is_cut_anywhere_leaves_a_whole_database_with_the_first_commits(
    cut_at: list[float], tmp_path: Path
) -> None:
    living = tmp_path / "living"
    living.mkdir()
    async with open_database(living) as database:
        stored = StoredConversations(database, lambda: NOW)
        for number in range(COMMITS):
            await stored.append("telegram:1:0", [Message("user", f"message {number}", NOW)] * 2)
        for number, share in enumerate(cut_at):
            copy = tmp_path / f"cut{number}"
            copy.mkdir()
            for suffix in ("", "-wal"):
                shutil.copy(living / f"{FILE_NAME}{suffix}", copy / f"{FILE_NAME}{suffix}")
            log = copy / f"{FILE_NAME}-wal"
            log.write_bytes(log.read_bytes()[: int(log.stat().st_size * share)])

    counts = []
    for number in range(len(cut_at)):
        folder = tmp_path / f"cut{number}"
        async with open_database(folder) as database:
            found = (
                await StoredConversations(database, lambda: NOW).conversation("telegram:1:0", 1000)
            ).latest
        with closing(sqlite3.connect(folder / FILE_NAME)) as connection:
            assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        # Both messages of a commit or none of them, and none before an earlier one.
        assert [message.text for message in found] == [
            f"message {commit}" for commit in range(len(found) // 2) for _ in range(2)
        ]
        counts.append(len(found) // 2)
    assert counts[-1] == COMMITS
    assert len(set(counts)) > 3, "the cuts are to hit different places"
