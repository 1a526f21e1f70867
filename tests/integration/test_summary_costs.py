"""What summaries of conversations take is priced, written down and summed up beside the answers."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any, cast

import pytest
import sqlalchemy as sa

from bot.app import App, conversation_memory, opened_database
from bot.clock import utcnow
from bot.conversations.memory import ConversationMemory
from bot.settings.tree import Settings
from bot.statistics import periods
from bot.storage.answered import StoredAnswers
from bot.storage.database import Database
from rag.models.scripted import ScriptedModel
from rag.prompting.library import PromptLibrary
from rag.reasons import as_written
from rag.values import Answer, Usage, Verdict

VERDICT = Verdict("adequate", as_written("fine"), 0.9, "evidence")


@pytest.fixture
def app(tmp_path: Path) -> App:
    settings = Settings.load(
        data_dir=tmp_path,
        self_correction={"history_limit": 2},
        prices={"models": {"scripted": {"input": 1_000_000, "output": 1_000_000}}},
    )
    nothing = cast("Any", None)  # a memory needs neither knowledge nor engine
    models = cast("Any", ScriptedModel("Ann asked."))
    return App(settings, nothing, models, PromptLibrary(), nothing, tmp_path, nothing, nothing)


async def talk(memory: ConversationMemory) -> str:
    """Talk until there is a summary, and return it."""
    for number in range(3):
        answer = Answer("q", f"a{number}", "general", "en", VERDICT, (), (), False, 0, Usage(), 0.1, ())
        await memory.remember("c", f"q{number}", answer)
        # Until no summary is being written.
        if others := asyncio.all_tasks() - {asyncio.current_task()}:
            await asyncio.wait(others, timeout=10)
    return (await memory.recall("c"))[1]


async def usage(database: Database) -> Usage:
    stored = StoredAnswers(database)
    return (await stored.summary(periods.since(utcnow(), 1))).usage


async def test_summary_is_in_the_sums_with_its_price(app: App) -> None:
    async with opened_database(app.settings) as database:
        async with conversation_memory(app, database) as memory:
            assert await talk(memory) == "Ann asked."
        spent = await usage(database)
    assert set(spent.by_role) == {"summaries"}
    # A million for a million tokens: the cost is the number of tokens.
    assert spent.cost == spent.tokens > 0
    assert spent.unpriced_calls == 0


async def test_summary_is_kept_when_its_cost_cannot_be_written_down(app: App) -> None:
    async with opened_database(app.settings) as database:
        async with database.writing() as connection:
            await connection.execute(
                sa.text(
                    "CREATE TRIGGER full BEFORE INSERT ON spending BEGIN SELECT RAISE(ABORT, 'full'); END"
                )
            )
        async with conversation_memory(app, database) as memory:
            assert await talk(memory) == "Ann asked."
        assert (await usage(database)).calls == 0
