"""Polls the queue of lanes only when something may have changed.

dbos polls at an interval and cannot be told that there is work, so an idle bot would query its database five
times a second, which was three quarters of all that it did. Here a poll goes to the database only after this
process has recorded a job or ended one, and once a second for jobs that a recovery or another process queued.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Final

_MAX_INTERVAL_SECONDS: Final = 1.0
"""Longest time between two polls, for jobs that other processes queued."""


class QueuePolling:
    """Decides whether a poll of a queue goes to the database.

    Args:
        clock: Tells the time, in seconds.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._is_notified = True
        self._polled_at = clock()

    def notify(self) -> None:
        """Let the next poll go to the database.

        Call it, from any thread, after a job was recorded, resumed or ended.
        """
        self._is_notified = True

    def install(self, database: Any, name: str) -> None:  # noqa: ANN401 - dbos hands out no type of it
        """Replace the methods with which dbos polls a queue.

        Args:
            database: The database of dbos, after the queue was registered.
            name: The queue. Its registration is not read again: nobody changes it while the process runs.
        """
        read, start = database.get_queue, database.start_queued_partitioned_workflows
        registered = read(name)

        def get_queue(wanted: str, **more: Any) -> Any:  # noqa: ANN401 - as dbos has it
            return registered if wanted == name else read(wanted, **more)

        def start_queued(queue: Any, *given: Any, **more: Any) -> list[str]:  # noqa: ANN401 - as dbos has it
            if queue.name == name and not self._is_due():
                return []
            started: list[str] = start(queue, *given, **more)
            if queue.name == name and started:
                # There may have been more than it takes at once.
                self._is_notified = True
            return started

        database.get_queue = get_queue
        database.start_queued_partitioned_workflows = start_queued
        self.notify()

    def _is_due(self) -> bool:
        now = self._clock()
        if not self._is_notified and now - self._polled_at < _MAX_INTERVAL_SECONDS:
            return False
        # Before the poll: a job that is recorded during it causes another one.
        self._is_notified, self._polled_at = False, now
        return True
