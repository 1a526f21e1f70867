"""Fifty thousand messages of one person: everything still works, and an answer takes no more memory."""

from __future__ import annotations

import gc
import json
import tracemalloc
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa

from bot.service import keys
from bot.storage.database import Database
from bot.storage.tables import conversations, messages
from bot.telegram.ids import to_peer
from rag.models.scripted import ScriptedModel
from tests.support.wired import staged

ANN = 500_000_007
MANY = 50_000
_LONG_AGO = datetime(2026, 1, 5, tzinfo=UTC)
_MEMORY = 4_000_000  # bytes; the messages themselves take ten times as much


async def remember(database: Database, first: int, last: int) -> None:
    """Store messages as if Ann and the bot had said them."""
    conversation_id = keys.conversation_key(to_peer(ANN), None)
    rows = [
        {
            "conversation_id": conversation_id, "role": ("user", "assistant")[number % 2], "author": "Ann",
            "text": f"Message {number} of a long talk. " * 20, "user_key": to_peer(ANN),
            "created_at": _LONG_AGO + timedelta(seconds=number), "exchange": f"e{number // 2}",
        }
        for number in range(first, last)
    ]  # fmt: skip
    async with database.writing() as connection:
        if not first:
            await connection.execute(
                sa.insert(conversations).values(id=conversation_id, created_at=_LONG_AGO)
            )
        await connection.execute(sa.insert(messages), rows)


async def test_fifty_thousand_messages_are_answered_exported_and_forgotten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    peaks = []
    model = ScriptedModel({"draft": "It weighs 100 tons.", "summarize": "They talked."})
    async with staged(tmp_path, model, monkeypatch, self_correction={"enabled": False}) as stage:
        ann = stage.telegram.user("Ann", id=ANN, language_code="en")
        chat = stage.telegram.private(ann)
        for first, last in ((0, 500), (500, MANY)):
            await remember(stage.database, first, last)
            await stage.happens(ann.says(chat, f"How heavy is it, {last}?"))
            gc.collect()
            tracemalloc.start()
            await stage.happens(ann.says(chat, f"How heavy is crane {last}?"))
            peaks.append(tracemalloc.get_traced_memory()[1])
            tracemalloc.stop()
        await stage.happens(ann.says(chat, "/privacy"))
        kept = chat.answers[-1]
        await stage.happens(ann.presses(kept, "Export"))
        file = stage.telegram.world.files[chat.answers[-1].attachment["document"]["file_id"]]
        assert len(json.loads(file.content)["messages"]) >= MANY
        await stage.happens(ann.says(chat, "/reset"))
        async with stage.database.reading() as connection:
            assert await connection.scalar(sa.select(sa.func.count()).select_from(messages)) == 0
    assert peaks[1] < peaks[0] + _MEMORY, peaks
