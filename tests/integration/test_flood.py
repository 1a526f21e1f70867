"""Messages that are refused cost so little that a flood of one person holds up nobody: work is counted, not time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

import pytest

from bot.storage.database import Database
from rag.models.scripted import ScriptedModel
from tests.support.wired import Stage, staged
from tests.telegram.chats import Chat
from tests.telegram.people import Person, Sent

MESSAGES = 200


def count_transactions(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Return the numbers of transactions from now on, by `reading` and `writing`."""
    counts: Counter[str] = Counter()

    def counted(name: str) -> Callable[..., AbstractAsyncContextManager[Any]]:
        whole = getattr(Database, name)

        def opened(database: Database, **options: Any) -> AbstractAsyncContextManager[Any]:
            counts[name] += database._joined_by_this_task() is None
            context: AbstractAsyncContextManager[Any] = whole(database, **options)
            return context

        return opened

    for name in ("reading", "writing"):
        monkeypatch.setattr(Database, name, counted(name))
    return counts


def say(person: Person, chat: Chat, kind: str, number: int) -> Sent:
    if kind == "voice":
        return person.speaks(chat, b"ogg")
    return person.says(chat, "/help" if kind == "command" else f"Is it tea number {number}?")


async def flood(stage: Stage, monkeypatch: pytest.MonkeyPatch, calm: int, kind: str) -> Counter[str]:
    """Let Ann send many messages, then Bob one; return the transactions of Ann's messages after the first ones."""
    people = [stage.telegram.user(name, language_code="en") for name in ("Ann", "Bob")]
    anns, bobs = map(stage.telegram.private, people)
    for number in range(calm):
        await stage.happens(say(people[0], anns, kind, number))
    told = list(anns.texts)
    calls = len(stage.telegram.requests)
    counts = count_transactions(monkeypatch)
    for number in range(calm, MESSAGES):
        await stage.feed(say(people[0], anns, kind, number))
    flooded = counts.copy()
    assert stage.jobs.unfinished == [], "nothing was recorded"
    assert len(stage.telegram.requests) == calls
    await stage.happens(people[1].says(bobs, "When is tea served?"))
    assert len(bobs.texts) == 1
    assert anns.texts == told
    return flooded


async def test_flood_of_a_stranger_costs_two_reads_a_message(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = ScriptedModel({"draft": "At four."})
    async with staged(tmp_path, model, monkeypatch, admins=(1,), access={"mode": "private"}) as stage:
        counts = await flood(stage, monkeypatch, 20, "question")
        assert counts == {"reading": 2 * (MESSAGES - 20)}


@pytest.mark.parametrize("kind", ["question", "voice", "command"])
async def test_flood_of_a_member_over_the_limit_costs_no_transaction(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    limits = {"user_per_minute": 3, "user_per_hour": 60, "user_commands_per_minute": 3}
    settings: dict[str, Any] = {"self_correction": {"enabled": False}, "limits": limits}
    async with staged(tmp_path, ScriptedModel({"draft": "At four."}), monkeypatch, **settings) as stage:
        counts = await flood(stage, monkeypatch, 5, kind)
        assert counts == {}
