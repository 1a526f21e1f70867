"""When the queue of lanes is looked at: only when something may have changed.

dbos looks at an interval and cannot be told that there is work, so an idle bot would ask its database five
times a second, which was three quarters of all that it did. Here a look goes to the database only after this
process has recorded work or ended some, and once a second for what a recovery or another process has left.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Final

_UNTOLD_SECONDS: Final = 1.0
"""How long work may wait of which this process was not told."""


class QueueLooks:
    """Decides whether a look at a queue goes to the database.

    Args:
        clock: Tells the time, in seconds.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._is_called = True
        self._looked_at = clock()

    def call(self) -> None:
        """Note that there may be work; to be called when that is on the disk, from any thread."""
        self._is_called = True

    def install(self, database: Any, name: str) -> None:  # noqa: ANN401 - dbos hands out no type of it
        """Let looks at a queue be decided here.

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
                self._is_called = True
            return started

        database.get_queue = get_queue
        database.start_queued_partitioned_workflows = start_queued
        self.call()

    def _is_due(self) -> bool:
        now = self._clock()
        if not self._is_called and now - self._looked_at < _UNTOLD_SECONDS:
            return False
        # Before the look: what is recorded during it is looked for again.
        self._is_called, self._looked_at = False, now
        return True
