"""A slow way to a server behind a Unix socket: everything that a client says arrives later."""

from __future__ import annotations

import asyncio
import tempfile
import threading
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

_BYTES = 1 << 16


class SlowSocket:
    """Passes on what clients and a server say to each other; what clients say waits so many seconds.

    The slow socket is in `folder`, under the same name as the server's.
    """

    def __init__(self, server: Path, seconds: float) -> None:
        self._server = server
        self._seconds = seconds
        # A short path, because the path of a socket can have only about a hundred characters.
        self._own = tempfile.TemporaryDirectory(prefix="slow-", dir="/tmp")
        self.folder = Path(self._own.name)
        self.delayed = 0
        self._clients: set[asyncio.StreamWriter] = set()
        self._serving: set[asyncio.Task[None]] = set()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        listening = asyncio.start_unix_server(self._serve, self.folder / self._server.name)
        self._listening = asyncio.run_coroutine_threadsafe(listening, self._loop).result(30)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        asyncio.run_coroutine_threadsafe(self._close(), self._loop).result(30)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(30)
        self._loop.close()
        self._own.cleanup()

    async def _close(self) -> None:
        self._listening.close()
        for writer in [*self._clients]:
            writer.close()
        await asyncio.gather(*[*self._serving], return_exceptions=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        serving = asyncio.current_task()
        assert serving is not None
        self._clients.add(writer)
        self._serving.add(serving)
        back, forth = await asyncio.open_unix_connection(self._server)
        passing = [
            asyncio.ensure_future(self._pass_on(reader, forth, self._seconds)),
            asyncio.ensure_future(self._pass_on(back, writer, 0.0)),
        ]
        await asyncio.wait(passing, return_when=asyncio.FIRST_COMPLETED)
        for task in passing:
            task.cancel()
        for end in (forth, writer):
            end.close()
            with suppress(ConnectionError):
                await end.wait_closed()
        self._clients.remove(writer)
        self._serving.remove(serving)

    async def _pass_on(
        self, source: asyncio.StreamReader, target: asyncio.StreamWriter, seconds: float
    ) -> None:
        try:
            while said := await source.read(_BYTES):
                if seconds:
                    self.delayed += 1
                    await asyncio.sleep(seconds)
                target.write(said)
                await target.drain()
        except ConnectionError:
            return
