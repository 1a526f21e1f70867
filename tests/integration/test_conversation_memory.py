from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import sqlalchemy as sa

from bot.conversations.memory import ConversationMemory
from bot.conversations.values import Message as Said
from bot.conversations.values import Summary
from bot.storage.conversations import StoredConversations
from bot.storage.database import open_database
from bot.storage.tables import messages
from bot.storage.tables import summaries as summaries_table
from rag.errors import ModelUnavailableError
from rag.reasons import as_written
from rag.values import Answer, Passage, PassageId, StepTrace, Turn, Usage, Verdict
from tests.support.stored import NOW

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

PASSAGE = Passage(PassageId("p1"), "setup.md", "Webhook", "Port 8443 must be open.", 0.5)
ANSWER = Answer(
    question="q",
    text="a",
    label="verified",
    language="ru",
    verdict=Verdict("adequate", as_written("supported"), 0.9, "evidence"),
    citations=(),
    passages=(PASSAGE,),
    used_documents=True,
    retries=1,
    usage=Usage(2, 100, 20, by_role={"draft": Usage(2, 100, 20)}),
    seconds=1.5,
    trace=(
        StepTrace("draft", 3.0, as_written("wrote")),
        StepTrace("evaluate", 1.0, as_written("supported"), 30, "m"),
    ),
)


class Summaries:
    """Summarises by listing; fails as long as it is told to."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, tuple[str, ...], str]] = []
        self.is_failing = False
        self.called = asyncio.Event()
        self.gate = asyncio.Event()
        self.gate.set()

    async def __call__(self, summary: str, turns: Sequence[Turn], language: str) -> str:
        self.calls.append((summary, tuple(turn.text for turn in turns), language))
        self.called.set()
        await self.gate.wait()
        if self.is_failing:
            raise ModelUnavailableError
        return " ".join((summary, *(turn.text for turn in turns))).strip()


@pytest.fixture
def summaries() -> Summaries:
    return Summaries()


@asynccontextmanager
async def remembering(
    folder: Path, summaries: Summaries, history_limit: int = 4, summary_seconds: float = 1.0
) -> AsyncIterator[ConversationMemory]:
    async with open_database(folder) as database:
        memory = ConversationMemory(
            StoredConversations(database), summaries, history_limit, summary_seconds=summary_seconds
        )
        yield memory
        await memory.aclose()


async def exchange(memory: ConversationMemory, first: int, last: int, conversation: str = "c") -> None:
    for number in range(first, last + 1):
        await memory.remember(conversation, f"q{number}", replace(ANSWER, text=f"a{number}"))
        await settled()


async def settled() -> None:
    """Wait until no summary is being written."""
    if others := asyncio.all_tasks() - {asyncio.current_task()}:
        await asyncio.wait(others, timeout=10)


def texts(turns: Sequence[Turn]) -> list[str]:
    return [turn.text for turn in turns]


async def test_history_is_the_last_messages_with_their_passages(tmp_path: Path, summaries: Summaries) -> None:
    async with remembering(tmp_path, summaries) as memory:
        assert await memory.recall("c") == ((), "")
        await memory.remember("c", "q1", replace(ANSWER, text="a1"), author="Ann")
        history, summary = await memory.recall("c")

    answered = Turn("assistant", "a1", passages=(PASSAGE,), label=ANSWER.label)
    assert history == (Turn("user", "q1", "Ann"), answered)
    assert summary == ""
    assert summaries.calls == []


async def test_conversation_survives_a_restart_with_the_trace_of_its_answer(
    tmp_path: Path, summaries: Summaries
) -> None:
    async with remembering(tmp_path, summaries) as memory:
        await exchange(memory, 1, 3)
    async with remembering(tmp_path, summaries) as memory:
        history, summary = await memory.recall("c")
        answer = await memory.last_answer("c")

    assert texts(history) == ["q2", "a2", "q3", "a3"]
    assert summary == "q1 a1 q2 a2"
    assert answer == replace(ANSWER, text="a3")


async def test_what_falls_out_of_the_window_is_in_the_summary(tmp_path: Path, summaries: Summaries) -> None:
    async with remembering(tmp_path, summaries) as memory:
        for number in range(1, 12):
            await exchange(memory, number, number)
            history, summary = await memory.recall("c")
            assert texts(history) == [
                f"{who}{n}" for n in range(max(1, number - 1), number + 1) for who in "qa"
            ]
            for earlier in range(1, number - 1):
                assert f"q{earlier} a{earlier}" in summary


async def test_model_is_asked_once_for_several_messages(tmp_path: Path, summaries: Summaries) -> None:
    async with remembering(tmp_path, summaries, history_limit=10) as memory:
        await exchange(memory, 1, 12)

    # At 10 messages the next exchange would push two out: six go, four stay, and so on after three exchanges.
    assert [len(turns) for _, turns, _ in summaries.calls] == [6, 6, 6]
    assert [language for _, _, language in summaries.calls] == ["ru", "ru", "ru"]


async def test_failing_model_loses_nothing(tmp_path: Path, summaries: Summaries) -> None:
    summaries.is_failing = True
    async with remembering(tmp_path, summaries) as memory:
        await exchange(memory, 1, 4)
        assert (await memory.recall("c"))[1] == ""
        summaries.is_failing = False
        await exchange(memory, 5, 5)
        assert (await memory.recall("c"))[1] == "q1 a1 q2 a2 q3 a3 q4 a4 q5 a5"


async def test_old_summary_stays_when_the_model_fails_or_says_nothing(
    tmp_path: Path, summaries: Summaries
) -> None:
    async with remembering(tmp_path, summaries) as memory:
        await exchange(memory, 1, 3)
        summaries.is_failing = True
        await exchange(memory, 4, 5)
        assert (await memory.recall("c"))[1] == "q1 a1 q2 a2"


async def test_summary_gives_way_to_a_question_that_sees_every_message_and_is_written_later(
    tmp_path: Path, summaries: Summaries
) -> None:
    async with remembering(tmp_path, summaries, summary_seconds=600) as memory:
        summaries.gate.clear()
        for number in (1, 2):
            await memory.remember("c", f"q{number}", replace(ANSWER, text=f"a{number}"))
        await asyncio.wait_for(summaries.called.wait(), 10)
        history, summary = await asyncio.wait_for(memory.recall("c"), 10)
        assert (texts(history), summary) == (["q1", "a1", "q2", "a2"], "")
        summaries.gate.set()
        await settled()
        assert (await memory.recall("c"))[1] == "", "the interrupted summary is not kept"
        await exchange(memory, 3, 3)
        assert (await memory.recall("c"))[1] == "q1 a1 q2 a2 q3 a3"


async def test_question_waits_a_moment_for_the_summary_of_what_it_cannot_see(
    tmp_path: Path, summaries: Summaries
) -> None:
    async with remembering(tmp_path, summaries, summary_seconds=600) as memory:
        summaries.gate.clear()
        for number in (1, 2, 3):
            await memory.remember("c", f"q{number}", replace(ANSWER, text=f"a{number}"))
        recall = asyncio.create_task(memory.recall("c"))
        await asyncio.wait_for(summaries.called.wait(), 10)
        assert not recall.done()
        summaries.gate.set()
        assert "q1 a1" in (await asyncio.wait_for(recall, 10))[1]


async def test_summary_that_takes_longer_goes_on_beside_the_question(
    tmp_path: Path, summaries: Summaries
) -> None:
    async with remembering(tmp_path, summaries, summary_seconds=0.01) as memory:
        summaries.gate.clear()
        for number in (1, 2, 3):
            await memory.remember("c", f"q{number}", replace(ANSWER, text=f"a{number}"))
        history, summary = await memory.recall("c")
        assert (len(history), summary) == (4, "")
        summaries.gate.set()
        await settled()
        assert "q1 a1" in (await memory.recall("c"))[1]


@pytest.mark.parametrize("gone", ["a message", "the summary before"])
async def test_summary_of_erased_words_is_not_kept(gone: str, tmp_path: Path) -> None:
    async with open_database(tmp_path) as database:
        stored = StoredConversations(database)
        await stored.append("team", [Said("user", text, NOW) for text in ("alice", "bob", "carol")])
        ids = [message.id for message in (await stored.conversation("team", 3)).latest]
        await stored.save_summary("team", Summary("of alice", ids[0]), of=ids[:1])
        before = (await stored.conversation("team")).summary
        async with database.writing() as connection:
            if gone == "a message":
                await connection.execute(sa.delete(messages).where(messages.c.id == ids[1]))
            else:
                await connection.execute(sa.delete(summaries_table))
        await stored.save_summary("team", Summary("alice and bob", ids[2]), replaces=before, of=ids[1:])
        assert "bob" not in (await stored.conversation("team")).summary.text


async def test_reset_forgets_and_stops_the_summary(tmp_path: Path, summaries: Summaries) -> None:
    async with remembering(tmp_path, summaries) as memory:
        await exchange(memory, 1, 3)
        await exchange(memory, 1, 1, conversation="other")
        summaries.gate.clear()
        await memory.remember("c", "q4", ANSWER, exchange="fourth")
        await memory.reset("c")
        summaries.gate.set()
        assert await memory.recall("c") == ((), "")
        assert await memory.last_answer("c") is None
        assert await memory.load_answer("fourth") is None
        assert len((await memory.recall("other"))[0]) == 2


async def test_window_of_zero_recalls_only_the_summary(tmp_path: Path, summaries: Summaries) -> None:
    async with remembering(tmp_path, summaries, history_limit=0) as memory:
        await exchange(memory, 1, 2)
        assert await memory.recall("c") == ((), "q1 a1 q2 a2")


async def test_summary_is_begun_once_the_transaction_of_its_exchange_is_kept(
    tmp_path: Path, summaries: Summaries
) -> None:
    async with open_database(tmp_path) as database:
        memory = ConversationMemory(StoredConversations(database), summaries, history_limit=2)
        await exchange(memory, 1, 1)
        async with database.together():
            await memory.remember("c", "q2", replace(ANSWER, text="a2"))
            await asyncio.sleep(0)
            assert texts((await memory.recall("c"))[0]) == ["q2", "a2"]
        await settled()
        assert (await memory.recall("c"))[1] == "q1 a1 q2 a2"


async def test_exchange_that_is_stored_again_changes_nothing(tmp_path: Path, summaries: Summaries) -> None:
    async with remembering(tmp_path, summaries) as memory:
        for _ in range(2):
            await memory.remember("c", "q1", replace(ANSWER, text="a1"), exchange="tg:1:7")
        history, _ = await memory.recall("c")
        assert await memory.load_answer("tg:1:7") == replace(ANSWER, text="a1")
        assert await memory.load_answer("tg:1:8") is None

    assert texts(history) == ["q1", "a1"]


async def test_exchange_of_an_edited_question_replaces_the_one_before(
    tmp_path: Path, summaries: Summaries
) -> None:
    async with remembering(tmp_path, summaries) as memory:
        await memory.remember("c", "other", replace(ANSWER, text="a"), exchange="11/a", replaces="11/")
        await memory.remember("c", "q1", replace(ANSWER, text="a1"), exchange="1/a", replaces="1/")
        for _ in range(2):
            await memory.remember("c", "q2", replace(ANSWER, text="a2"), exchange="1/b", replaces="1/")
        history, _ = await memory.recall("c")
        assert await memory.load_answer("1/a") is None

    assert texts(history) == ["other", "a", "q2", "a2"]
