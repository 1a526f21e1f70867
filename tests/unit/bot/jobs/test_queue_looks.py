from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from bot.jobs.queue_looks import QueueLooks


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
        self.asked.append(f"look at {queue.name}")
        return [self.waiting.pop()] if self.waiting else []


class Looking:
    """A queue of which one look takes one job."""

    def __init__(self) -> None:
        self.now = 100.0
        self.database = Database()
        self.looks = QueueLooks(lambda: self.now)
        self.looks.install(self.database, "lanes")
        self.database.asked.clear()

    def look(self, name: str = "lanes") -> list[str]:
        return self.database.start_queued_partitioned_workflows(Queue(name), "me", owner_xid="x")


def test_queue_is_looked_at_when_there_may_be_work_and_then_until_there_is_none() -> None:
    c = Looking()
    assert c.look() == []
    for _ in range(5):
        assert c.look() == []
    assert c.database.asked == ["look at lanes"]
    c.database.waiting = ["a", "b"]
    assert c.look() == []
    c.looks.call()
    assert [c.look() for _ in range(4)] == [["b"], ["a"], [], []]
    assert c.database.asked == ["look at lanes"] * 4


def test_work_that_nobody_told_of_is_found_within_a_second() -> None:
    c = Looking()
    c.look()
    c.database.waiting = ["a"]
    c.now += 0.9
    assert c.look() == []
    c.now += 0.2
    assert c.look() == ["a"]


def test_work_that_is_recorded_during_a_look_is_looked_for_again() -> None:
    class Slow(Database):
        def start_queued_partitioned_workflows(self, queue: Queue, *given: Any, **more: Any) -> list[str]:
            found = super().start_queued_partitioned_workflows(queue, *given, **more)
            if len(self.asked) == 2:
                looks.call()
            return found

    looks, slow = QueueLooks(lambda: 0.0), Slow()
    looks.install(slow, "lanes")
    for _ in range(3):
        slow.start_queued_partitioned_workflows(Queue("lanes"))
    assert slow.asked == ["read lanes", "look at lanes", "look at lanes"]


def test_other_queues_are_left_to_dbos() -> None:
    c = Looking()
    c.look("other")
    c.look("other")
    assert c.database.get_queue("other") == Queue("other")
    assert c.database.get_queue("lanes") == Queue("lanes")
    assert c.database.asked == ["look at other", "look at other", "read other"]
