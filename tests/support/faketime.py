"""A clock that only moves when a test tells it to."""

from __future__ import annotations

import asyncio
import heapq
import itertools


class FakeTime:
    """A clock in seconds that advances only by `advance`; `sleep` waits for it."""

    def __init__(self) -> None:
        self.now = 0.0
        self._numbers = itertools.count()
        self._sleepers: list[tuple[float, int, asyncio.Future[None]]] = []

    def __call__(self) -> float:
        return self.now

    @property
    def is_waited_for(self) -> bool:
        return any(not future.done() for _, _, future in self._sleepers)

    async def sleep(self, seconds: float) -> None:
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._sleepers, (self.now + seconds, next(self._numbers), future))
        await future

    async def advance(self, seconds: float) -> None:
        end = self.now + seconds
        await settled()
        while self._sleepers and self._sleepers[0][0] <= end:
            self.now, _, future = heapq.heappop(self._sleepers)
            if not future.done():
                future.set_result(None)
            await settled()
        self.now = end


async def settled() -> None:
    for _ in range(20):
        await asyncio.sleep(0)
