from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

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


class PolledQueue:
    """A queue of which one poll takes one job."""

    def __init__(self) -> None:
        self.now = 100.0
        self.database = Database()
        self.polling = QueuePolling(lambda: self.now)
        self.polling.install(self.database, "lanes")
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
    polling.install(slow, "lanes")
    for _ in range(3):
        slow.start_queued_partitioned_workflows(Queue("lanes"))
    assert slow.asked == ["read lanes", "poll lanes", "poll lanes"]


def test_other_queues_are_left_to_dbos() -> None:
    c = PolledQueue()
    c.poll("other")
    c.poll("other")
    assert c.database.get_queue("other") == Queue("other")
    assert c.database.get_queue("lanes") == Queue("lanes")
    assert c.database.asked == ["poll other", "poll other", "read other"]
