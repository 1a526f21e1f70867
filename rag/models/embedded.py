"""The embedded model: llama.cpp in a child process, so that a crash of it is not a crash of ours.

The child starts with the first question, listens on a loopback port with a key of its own, and is
started again when it has died. Its log lies under the data folder.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import secrets
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from pydantic import SecretStr

from rag.errors import ModelUnavailableError, OperatorError
from rag.models.chat import ChatRequest, Completion
from rag.models.client import ServerModel
from rag.models.embedded_server import SLOTS, Launch
from rag.models.endpoint import Endpoint
from rag.models.weights import Weights
from rag.reasons import Reason, reason_of_os
from rag.settings import EMBEDDED, Models

NAME = EMBEDDED

_COMMAND = (sys.executable, "-m", "rag.models.embedded_server")
_START_SECONDS = 120.0
"""Loading takes a few seconds; a slow disk may need a minute for a gigabyte."""

_FAREWELL_SECONDS = 2.0
_BYTES_PER_CONTEXT_TOKEN = 28 * 1024
"""Keys and values of one token: 28 layers of 2 heads of 128 numbers, twice, of 2 bytes."""


def available_bytes(
    meminfo: Path = Path("/proc/meminfo"), cgroup: Path = Path("/sys/fs/cgroup")
) -> int | None:
    """Return the smaller of the machine's and the container's free memory; None if neither is known."""
    machine = _read_number(meminfo, r"^MemAvailable:\s+(\d+) kB")
    known = [] if machine is None else [machine * 1024]
    limit = _read_number(cgroup / "memory.max", r"^(\d+)$")
    used = _read_number(cgroup / "memory.current", r"^(\d+)$")
    # Cached files count as used, but are evicted when memory is needed.
    cached = _read_number(cgroup / "memory.stat", r"^inactive_file (\d+)$") or 0
    if limit is not None and used is not None:
        known.append(limit - used + cached)
    return min(known, default=None)


def _read_number(path: Path, pattern: str) -> int | None:
    try:
        found = re.search(pattern, path.read_text("ascii"), re.MULTILINE)
    except (OSError, ValueError):
        return None
    return int(found[1]) if found else None


@dataclass(frozen=True, slots=True)
class _Running:
    process: Process
    model: ServerModel


class EmbeddedModel:
    """Answers chat requests with the embedded model.

    Args:
        weights: The model's file.
        settings: Threads, context window and time limit.
        log: Where the child writes its log.
        command: What to start; it speaks as `rag.models.embedded_server` does.
        available: Returns the bytes of memory left, or None when unknown.
    """

    def __init__(
        self,
        weights: Weights,
        settings: Models,
        log: Path,
        *,
        command: tuple[str, ...] = _COMMAND,
        available: Callable[[], int | None] = available_bytes,
    ) -> None:
        self.weights = weights
        self.log = log
        self._settings = settings
        self._command = command
        self._available = available
        self._running: _Running | None = None
        self._starting = asyncio.Lock()
        # Waiting for a slot here does not count against the time limit of the call.
        self._slots = asyncio.Semaphore(SLOTS)

    @property
    def pid(self) -> int | None:
        """Process id of the child, while it runs."""
        running = self._running
        return running.process.pid if running is not None and running.process.returncode is None else None

    def problem(self) -> Reason | None:
        """Why it cannot start, or None; reads no more than the file's size."""
        if problem := self.weights.problem():
            return problem
        if self._command is _COMMAND and find_spec("xllamacpp") is None:
            return Reason("model-no-runtime", {"package": "thinktwice[embedded]"})
        needed = self.weights.file.size + self._settings.embedded_context * _BYTES_PER_CONTEXT_TOKEN
        available = self._available()
        if available is not None and available < needed:
            return Reason(
                "model-memory", {"needed": round(needed / 1e9, 1), "free": round(available / 1e9, 1)}
            )
        return None

    async def start(self) -> None:
        """Start the child unless it runs.

        Raises:
            ModelUnavailableError: it cannot run here; the message says why and what to do.
        """
        await self._ensure_started()

    async def complete(
        self, request: ChatRequest, on_text: Callable[[str], None] | None = None
    ) -> Completion:
        """Answer `request`; a child that dies over it is started again once."""
        is_shown = False

        def show(piece: str) -> None:
            nonlocal is_shown
            is_shown = True
            if on_text is not None:
                on_text(piece)

        async with self._slots:
            running = await self._ensure_started()
            try:
                return await running.model.complete(request, show if on_text is not None else None)
            except ModelUnavailableError:
                if is_shown or not await _has_ended(running.process):
                    raise
            running = await self._ensure_started()
            return await running.model.complete(request, on_text)

    async def aclose(self) -> None:
        """Stop the child."""
        async with self._starting:
            running, self._running = self._running, None
            if running is not None:
                await running.model.aclose()
                await _stop(running.process)

    async def _ensure_started(self) -> _Running:
        async with self._starting:
            running = self._running
            if running is not None and running.process.returncode is None:
                return running
            if running is not None:
                self._running = None
                await running.model.aclose()
            self._running = await self._launch()
            return self._running

    async def _launch(self) -> _Running:
        if problem := self.problem():
            raise ModelUnavailableError(problem)
        try:
            path = await asyncio.to_thread(self.weights.verified_path)
        except OperatorError as exc:
            raise ModelUnavailableError(exc.reason) from exc
        key = secrets.token_urlsafe(24)
        launch = Launch(
            model=str(path),
            context=self._settings.embedded_context,
            threads=self._settings.embedded_threads,
            api_key=key,
            parent=os.getpid(),
        )
        process = await self._spawn()
        try:
            port = await self._port(process, launch)
            endpoint = Endpoint(
                name=NAME,
                model=NAME,
                base_url=f"http://127.0.0.1:{port}/v1",
                kind="embedded",
                api_key=SecretStr(key),
                timeout_seconds=self._settings.timeout_seconds,
                connect_timeout_seconds=self._settings.connect_timeout_seconds,
                attempts=1,
            )
            # In a thread: certificates are read.
            return _Running(process, await asyncio.to_thread(ServerModel, endpoint))
        except BaseException:
            # Also when the caller is cancelled: nobody else knows of the child yet.
            await _stop(process)
            raise

    async def _spawn(self) -> Process:
        try:
            log = await asyncio.to_thread(_open_log, self.log)
        except OSError as exc:
            raise ModelUnavailableError(
                Reason("model-log", {"log": str(self.log), "reason": reason_of_os(exc)})
            ) from exc
        try:
            return await asyncio.create_subprocess_exec(*self._command, stdin=PIPE, stdout=PIPE, stderr=log)
        except OSError as exc:
            raise ModelUnavailableError(Reason("model-not-startable", {"reason": reason_of_os(exc)})) from exc
        finally:
            os.close(log)

    async def _port(self, process: Process, launch: Launch) -> int:
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            async with asyncio.timeout(_START_SECONDS):
                process.stdin.write(launch.line())
                await process.stdin.drain()
                line = await process.stdout.readline()
            return int(json.loads(line)["port"])
        except TimeoutError as exc:
            raise ModelUnavailableError(
                Reason("model-not-ready", {"seconds": _START_SECONDS, "log": str(self.log)})
            ) from exc
        except (OSError, ValueError, KeyError, TypeError) as exc:
            raise ModelUnavailableError(Reason("model-not-started", {"log": str(self.log)})) from exc


def _open_log(log: Path) -> int:
    log.parent.mkdir(parents=True, exist_ok=True)
    return os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)


async def _has_ended(process: Process) -> bool:
    """Whether the child has died; its end may be noticed a moment after its connection broke."""
    try:
        async with asyncio.timeout(_FAREWELL_SECONDS):
            await process.wait()
    except TimeoutError:
        return False
    return True


async def _stop(process: Process) -> None:
    if process.stdin is not None:
        process.stdin.close()
    if not await _has_ended(process):
        process.kill()
        await process.wait()
