"""Polls the database of dbos only when something may have changed.

dbos polls at intervals and cannot be told that there is work. Five times a second it would look for jobs of
lanes, and once a second for resumed jobs, for new queues, and for jobs with a delay or a deadline, though no
job here has either. An idle bot did little else. Here a poll goes to the database after this process has
recorded a job or ended one, and once a second; after a minute without jobs every `idle_seconds`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

_BUSY_INTERVAL_SECONDS: Final = 1.0
"""Longest time between two polls of a busy bot; a recovery queues its jobs without a notice."""
_BUSY_SECONDS: Final = 60.0
"""How long a bot counts as busy after its start, and after a job was recorded or ended."""


class QueuePolling:
    """Decides which polls of dbos go to the database.

    Args:
        clock: Tells the time, in seconds.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._polls: tuple[_Polls, ...] = ()

    def notify(self) -> None:
        """Mark every queue as changed, so that its next poll reads the database.

        Call it, from any thread, after a job was recorded, resumed or ended.
        """
        for one in self._polls:
            one.notify()

    def install(self, database: Any, name: str, idle_seconds: float) -> None:  # noqa: ANN401 - dbos has no type of it
        """Replace the methods with which dbos polls.

        Args:
            database: The database of dbos, after the queue was registered.
            name: The queue of lanes. Its registration is not read again: nobody changes it while the process
                runs.
            idle_seconds: Longest time between two polls of an idle bot, for jobs that other processes queue.
        """
        read, registered = database.get_queue, database.get_queue(name)
        start_of_lanes = database.start_queued_partitioned_workflows
        start_others = database.start_queued_workflows
        of_lanes, of_others = (_Polls(self._clock, idle_seconds) for _ in range(2))

        def get_queue(wanted: str, **more: Any) -> Any:  # noqa: ANN401 - as dbos has it
            return registered if wanted == name else read(wanted, **more)

        def start_queued_of_lanes(*given: Any, **more: Any) -> list[str]:  # noqa: ANN401 - as dbos has it
            if not of_lanes.is_due():
                return []
            with of_lanes.noticed_if_it_fails():
                started: list[str] = start_of_lanes(*given, **more)
            if started:
                of_lanes.notify()  # there may have been more than it takes at once
            return started

        def start_queued(*given: Any, **more: Any) -> Any:  # noqa: ANN401 - as dbos has it
            if not of_others.is_due():
                return [], None
            with of_others.noticed_if_it_fails():
                return start_others(*given, **more)

        for name_of_replaced in ("list_queues", "transition_delayed_workflows", "cancel_timed_out_workflows"):
            getattr(database, name_of_replaced)  # a new version of dbos may call them otherwise
        database.get_queue = get_queue
        database.list_queues = lambda **_more: [registered]
        database.start_queued_partitioned_workflows = start_queued_of_lanes
        database.start_queued_workflows = start_queued
        # No job has a delay or a deadline.
        database.transition_delayed_workflows = lambda: None
        database.cancel_timed_out_workflows = lambda _most: []
        self._polls = (of_lanes, of_others)


class _Polls:
    """The polls of one queue."""

    def __init__(self, clock: Callable[[], float], idle_seconds: float) -> None:
        self._clock = clock
        self._idle_seconds = idle_seconds
        self.notify()
        self._polled_at = clock()

    def notify(self) -> None:
        self._notified_at = self._clock()
        self._is_notified = True

    @contextmanager
    def noticed_if_it_fails(self) -> Iterator[None]:
        """Let the next poll go to the database as well if this one raises an error."""
        try:
            yield
        except Exception:
            self.notify()
            raise

    def is_due(self) -> bool:
        """Return whether the next poll goes to the database, and count it as made if it does."""
        now = self._clock()
        is_busy = now - self._notified_at < _BUSY_SECONDS
        longest = _BUSY_INTERVAL_SECONDS if is_busy else self._idle_seconds
        if not self._is_notified and now - self._polled_at < longest:
            return False
        # Before the poll: a job that is recorded during it causes another one.
        self._is_notified, self._polled_at = False, now
        return True
