"""Everybody who watches a run sees all of it once, whatever breaks meanwhile."""

from __future__ import annotations

import asyncio
import tempfile
from datetime import timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.jobs.journal import Journal
from bot.service.errors import StorageError
from bot.service.runs import Pending, Recorder, RunEvent, Runs, event_key
from bot.storage.conversations import StoredConversations
from bot.storage.database import Database, open_database
from bot.storage.run_events import StoredRuns
from bot.storage.tables import run_events
from rag.events import CouncilEvent, Event, StepFinished, StepStarted, Text
from rag.reasons import Reason
from rag.values import StepTrace
from tests.support.stored import NOW


def over(step: str, number: int = 1) -> StepFinished:
    return StepFinished(StepTrace(step, 12.0, Reason("nothing-new")), number)


TOLD: tuple[Event, ...] = (
    StepStarted("draft"),
    over("draft"),
    StepStarted("read"),
    StepStarted("read", 2),
    over("read", 2),
    over("read"),
    CouncilEvent("stage1_model", {"seat": "a"}),
    CouncilEvent("stage1_model", {"seat": "b"}),
    CouncilEvent("complete", {"label": "verified"}),
)


def begun(runs: Runs, run_id: str = "run-1") -> Recorder:
    return runs.recorder(run_id, "answer", "telegram:42", "telegram:42:0")


async def watched(runs: Runs, run_id: str = "run-1", after: int = 0) -> list[RunEvent]:
    return [event async for event in runs.follow(run_id, after)]


async def test_viewer_who_comes_late_sees_what_happened_and_what_follows(database: Database) -> None:
    runs = Runs(StoredRuns(database))
    async with runs.opened(), asyncio.timeout(10):
        run = begun(runs)
        run.feed(StepStarted("draft"))
        await runs.flush()
        early, late = asyncio.create_task(watched(runs)), asyncio.create_task(watched(runs))
        await asyncio.sleep(0)
        run.feed(over("draft"))
        run.end("complete", {"label": "verified"})
        seen = await early
        assert [event.type for event in seen] == ["step_started", "step_finished", "complete"]
        assert await late == seen == await watched(runs)
        assert await watched(runs, after=seen[0].seq) == seen[1:]
        kept = await runs.get("run-1")
        assert kept is not None
        assert (kept.state, kept.person) == ("complete", "telegram:42")


async def test_text_is_shown_to_those_who_watch_and_not_recorded(database: Database) -> None:
    runs = Runs(StoredRuns(database))
    async with runs.opened(), asyncio.timeout(10):
        run = begun(runs)
        viewer = runs.follow("run-1")
        first = asyncio.create_task(anext(viewer))
        while not runs.is_watched("run-1"):  # noqa: ASYNC110 - nothing tells
            await asyncio.sleep(0.01)
        run.feed(Text("draft", "The port"))
        assert (await first).data["piece"] == "The port"
        await viewer.aclose()
        run.end("complete", {})
        await runs.flush()
        assert [event.type for event in await watched(runs)] == ["complete"]
        assert not runs.is_watched("run-1")


@settings(max_examples=25, deadline=None)
@given(killed=st.integers(0, len(TOLD)), order=st.permutations(range(len(TOLD))))
def test_work_that_is_repeated_after_a_kill_tells_nothing_twice(killed: int, order: list[int]) -> None:
    """Steps that run side by side may end in another order the second time."""

    async def played(folder: Path) -> None:
        async with open_database(folder) as database:
            first = Runs(StoredRuns(database))
            for event in TOLD[:killed]:
                begun(first).feed(event)
            await first.flush()
            second = Runs(StoredRuns(database))
            run = begun(second)
            for number in order:
                run.feed(TOLD[number])
            run.end("complete", {})
            await second.flush()
            async with database.reading() as connection:
                keys = (await connection.scalars(sa.select(run_events.c.key))).all()
            assert sorted(keys) == sorted([*map(event_key, TOLD), "end"])

    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(played(Path(folder)))


class Failing(StoredRuns):
    """A store that cannot be written for a while."""

    is_down = True

    async def append(self, events: object) -> None:
        if self.is_down:
            raise StorageError("the disk is full", is_passing=True)
        await super().append(events)  # type: ignore[arg-type]  # handed on as it came


async def test_events_wait_for_a_store_that_cannot_be_written(database: Database) -> None:
    store = Failing(database)
    runs = Runs(store)
    async with runs.opened(), asyncio.timeout(15):
        run = begun(runs)
        run.feed(StepStarted("draft"))
        await runs.flush()
        run.end("complete", {})
        viewer = asyncio.create_task(watched(runs))
        await asyncio.sleep(0.05)
        store.is_down = False
        assert [event.type for event in await viewer] == ["step_started", "complete"]


async def test_run_that_another_process_carries_out_can_be_watched(database: Database) -> None:
    here, there = Runs(StoredRuns(database)), Runs(StoredRuns(database))
    async with here.opened(), there.opened(), asyncio.timeout(15):
        viewer = asyncio.create_task(watched(here))
        run = begun(there)
        run.feed(StepStarted("draft"))
        run.end("error", {"code": "budget"})
        assert [event.type for event in await viewer] == ["step_started", "error"]


async def test_ending_a_run_that_nobody_carries_out_any_more(database: Database) -> None:
    runs = Runs(StoredRuns(database))
    await runs.end("run-1", "cancelled")
    assert await runs.get("run-1") is None
    begun(runs).feed(StepStarted("draft"))
    await runs.end("run-1", "cancelled")
    await runs.end("run-1", "error", {"code": "late"})
    await runs.flush()
    assert [event.type for event in await watched(runs)] == ["step_started", "cancelled"]


async def test_viewer_who_has_seen_the_end_does_not_wait(database: Database) -> None:
    runs = Runs(StoredRuns(database))
    async with runs.opened(), asyncio.timeout(10):
        begun(runs).end("complete", {})
        await runs.flush()
        (end,) = await watched(runs)
        assert await watched(runs, after=end.seq) == []
        assert not runs.is_watched("run-1")


async def test_events_of_others_survive_a_cancelled_flush(database: Database) -> None:
    class Slow(StoredRuns):
        async def append(self, events: object) -> None:
            await asyncio.Event().wait()

    runs = Runs(Slow(database))
    begun(runs).feed(StepStarted("draft"))
    flushing = asyncio.create_task(runs.flush())
    await asyncio.sleep(0.01)
    flushing.cancel()
    await asyncio.wait({flushing})
    runs._store = StoredRuns(database)
    await runs.flush()
    kept = await StoredRuns(database).read("run-1")
    assert [event.type for event in kept] == ["step_started"]


async def test_half_a_character_in_an_event_is_kept_as_a_whole_one(database: Database) -> None:
    runs = Runs(StoredRuns(database))
    begun(runs).record("note", "n", {"text": "half \ud83d"})
    await runs.flush()
    (event,) = await StoredRuns(database).read("run-1")
    assert event.data["text"].startswith("half ")


async def test_runs_go_with_their_conversation_and_by_age(database: Database) -> None:
    store = StoredRuns(database)
    runs = Runs(StoredRuns(database), lambda: NOW)
    for run_id, conversation in (("old", "telegram:1:0"), ("cleared", "telegram:2:0")):
        runs.recorder(run_id, "answer", "telegram:1", conversation).end("complete", {})
    await runs.flush()
    await StoredConversations(database).clear("telegram:2:0")
    assert [run.id for run in await store.latest("telegram:1")] == ["old"]
    assert await Journal(database, lambda: NOW + timedelta(days=8)).prune(timedelta(days=7)) == 1
    async with database.reading() as connection:
        assert await connection.scalar(sa.select(sa.func.count()).select_from(run_events)) == 0


async def test_many_events_at_once_keep_their_order(database: Database) -> None:
    runs = Runs(StoredRuns(database))
    run = begun(runs)
    for number in range(1_000):
        run.feed(StepStarted("read", number))
    run.end("complete", {})
    await runs.flush()
    numbers = [event.data["number"] for event in (await watched(runs))[:-1]]
    assert numbers == list(range(1_000))


@pytest.mark.parametrize("state", ["complete", "error", "cancelled"])
def test_event_that_ends_a_run_says_so(state: str) -> None:
    runs = Runs(StoredRuns(None))  # type: ignore[arg-type]  # nothing is recorded
    run = begun(runs).run
    assert Pending(run, "end", state, {}, NOW).ends == state
    assert Pending(run, "k", "step_started", {}, NOW).ends is None
