"""Lines typed by a person, or piped in, without blocking the event loop."""

from __future__ import annotations

import asyncio
import signal
import sys
import threading


class Lines:
    """Reads lines from standard input; None means that the person left (Ctrl-D, Ctrl-C, end of input).

    On a terminal prompt_toolkit does the editing. Elsewhere a daemon thread reads: a thread of the
    loop's own pool could not be interrupted while it waits, and would keep the process from ending.
    """

    def __init__(self) -> None:
        self._is_terminal = sys.stdin.isatty()
        self._piped: asyncio.Queue[str | None] = asyncio.Queue()
        self._reader: threading.Thread | None = None

    async def read(self, prompt: str) -> str | None:
        """Show `prompt` and wait for the next line, without its line end."""
        return await (self._typed(prompt) if self._is_terminal else self._next_piped(prompt))

    async def _typed(self, prompt: str) -> str | None:
        from prompt_toolkit import PromptSession

        try:
            return await PromptSession[str]().prompt_async(prompt)
        except (EOFError, KeyboardInterrupt):
            return None

    async def _next_piped(self, prompt: str) -> str | None:
        loop = asyncio.get_running_loop()
        if self._reader is None:
            self._reader = threading.Thread(target=self._pump, args=(loop,), daemon=True)
            self._reader.start()
        loop.add_signal_handler(signal.SIGINT, self._piped.put_nowait, None)
        try:
            print(prompt, end="", flush=True)  # noqa: T201 - the prompt
            return await self._piped.get()
        finally:
            loop.remove_signal_handler(signal.SIGINT)

    def _pump(self, loop: asyncio.AbstractEventLoop) -> None:
        for raw in sys.stdin.buffer:
            line = raw.decode("utf-8", "replace").rstrip("\r\n")
            loop.call_soon_threadsafe(self._piped.put_nowait, line)
        loop.call_soon_threadsafe(self._piped.put_nowait, None)
