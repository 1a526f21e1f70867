from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest
from dbos._sys_db import SystemDatabase

from bot.jobs.queue_polling import QueuePolling


@dataclass
class Queue:
    name: str


@dataclass
class Database:
    """Looks like the database of dbos, and remembers what it was asked."""

    asked: list[str] = field(default_factory=list)
    waiting: list[str] = field(default_factory=list)

    def get_queue(self, name: str) -> Queue:
        self.asked.append(f"read {name}")
        return Queue(name)

    def start_queued_partitioned_workflows(self, queue: Queue, *_given: Any, **_more: Any) -> list[str]:
        self.asked.append(f"poll {queue.name}")
        return [self.waiting.pop()] if self.waiting else []

    def start_queued_workflows(self, queue: Queue, *_given: Any, **_more: Any) -> tuple[list[str], None]:
        self.asked.append(f"poll {queue.name}")
        return (["resumed"], None)

    def list_queues(self, **_more: Any) -> list[Queue]:
        self.asked.append("list")
        return []

    def transition_delayed_workflows(self) -> None:
        self.asked.append("sweep")

    def cancel_timed_out_workflows(self, _most: int) -> list[str]:
        self.asked.append("sweep")
        return []


class PolledQueue:
    """A queue of which one poll takes one job."""

    def __init__(self, idle_seconds: float = 15.0) -> None:
        self.now = 100.0
        self.database = Database()
        self.polling = QueuePolling(lambda: self.now)
        self.polling.install(self.database, "lanes", idle_seconds)
        self.database.asked.clear()

    def poll(self, name: str = "lanes") -> list[str]:
        return self.database.start_queued_partitioned_workflows(Queue(name), "me", owner_xid="x")


def test_queue_is_polled_when_there_may_be_work_and_then_until_there_is_none() -> None:
    c = PolledQueue()
    assert c.poll() == []
    for _ in range(5):
        assert c.poll() == []
    assert c.database.asked == ["poll lanes"]
    c.database.waiting = ["a", "b"]
    assert c.poll() == []
    c.polling.notify()
    assert [c.poll() for _ in range(4)] == [["b"], ["a"], [], []]
    assert c.database.asked == ["poll lanes"] * 4


def test_job_that_another_process_queued_is_found_within_a_second() -> None:
    c = PolledQueue()
    c.poll()
    c.database.waiting = ["a"]
    c.now += 0.9
    assert c.poll() == []
    c.now += 0.2
    assert c.poll() == ["a"]


def test_job_that_is_recorded_during_a_poll_causes_another_one() -> None:
    class Slow(Database):
        def start_queued_partitioned_workflows(self, queue: Queue, *given: Any, **more: Any) -> list[str]:
            found = super().start_queued_partitioned_workflows(queue, *given, **more)
            if len(self.asked) == 2:
                polling.notify()
            return found

    polling, slow = QueuePolling(lambda: 0.0), Slow()
    polling.install(slow, "lanes", 15.0)
    for _ in range(3):
        slow.start_queued_partitioned_workflows(Queue("lanes"))
    assert slow.asked == ["read lanes", "poll lanes", "poll lanes"]


def test_registration_of_another_queue_is_read() -> None:
    c = PolledQueue()
    assert c.database.get_queue("other") == Queue("other")
    assert c.database.get_queue("lanes") == Queue("lanes")
    assert c.database.asked == ["read other"]


@pytest.mark.parametrize(("idle_seconds", "polls"), [(1.0, 30), (15.0, 2)])
def test_idle_bot_polls_as_often_as_other_processes_may_queue_jobs(idle_seconds: float, polls: int) -> None:
    c = PolledQueue(idle_seconds)
    c.now += 61.0
    c.poll()
    c.database.asked.clear()
    for _ in range(120):
        c.now += 0.25
        c.poll()
    assert c.database.asked == ["poll lanes"] * polls
    c.polling.notify()
    c.database.waiting = ["a"]
    assert c.poll() == ["a"]


def test_resumed_jobs_are_looked_for_after_a_notice() -> None:
    c = PolledQueue()
    resumed = c.database.start_queued_workflows
    assert [resumed(Queue("others")) for _ in range(2)] == [(["resumed"], None), ([], None)]
    c.polling.notify()
    assert resumed(Queue("others")) == (["resumed"], None)


def test_sweeps_for_features_that_no_job_has_ask_nothing() -> None:
    c = PolledQueue()
    assert c.database.list_queues(application_name="x") == [Queue("lanes")]
    c.database.transition_delayed_workflows()
    assert c.database.cancel_timed_out_workflows(100) == []
    assert c.database.asked == []


def test_poll_that_fails_is_made_again() -> None:
    c = PolledQueue()
    c.database.waiting = ["a"]
    failing = c.database.asked
    c.database.asked = None  # type: ignore[assignment]  # the database is away
    with pytest.raises(AttributeError):
        c.poll()
    c.database.asked = failing
    assert c.poll() == ["a"]


def test_methods_of_dbos_that_are_replaced_are_there() -> None:
    replaced = [name for name, one in vars(Database).items() if callable(one) and not name.startswith("_")]
    assert len(replaced) == 6
    assert [name for name in replaced if not hasattr(SystemDatabase, name)] == []
