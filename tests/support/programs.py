"""Runs the program in processes of its own, forked from a process that has imported everything."""

from __future__ import annotations

import functools
import json
import os
import queue
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

_REPOSITORY = Path(__file__).resolve().parents[2]

SECONDS = 100.0
"""Time limit in seconds for any command of a test, on a machine under triple load."""


THINKTWICE = "tests.support.fork_server:thinktwice"
"""The function that a fork server calls for the command line."""


class Program:
    def __init__(self, server: ForkServer, pid: int) -> None:
        self._server = server
        self.pid = pid

    def poll(self) -> int | None:
        """Return the exit code, negative for a signal; None while the process runs."""
        return self._server.status(self.pid)

    def wait(self, timeout: float = SECONDS) -> int:
        return self._server.wait(self.pid, timeout)

    def send_signal(self, number: int) -> None:
        """Send a signal, unless the process has ended."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


class ForkServer:
    """The process that programs come from; see `tests.support.fork_server`."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.support.fork_server"],
            cwd=_REPOSITORY,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=environment(),
        )
        self._started: queue.Queue[int] = queue.Queue()
        self._statuses: dict[int, int] = {}
        self._changed = threading.Condition()
        self._is_ready = threading.Event()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            told = json.loads(line)
            if "started" in told:
                with self._changed:
                    # The system may reuse a process id.
                    self._statuses.pop(told["started"], None)
                self._started.put(told["started"])
            elif "ended" in told:
                with self._changed:
                    self._statuses[told["ended"]] = told["status"]
                    self._changed.notify_all()
            else:
                self._is_ready.set()

    def status(self, pid: int) -> int | None:
        """Return the exit code of a program; None while it runs."""
        with self._changed:
            return self._statuses.get(pid)

    def wait(self, pid: int, timeout: float) -> int:
        with self._changed:
            assert self._changed.wait_for(lambda: pid in self._statuses, timeout), f"{pid} does not end"
            return self._statuses[pid]

    def start(
        self,
        call: str,
        *arguments: Any,
        variables: Mapping[str, str],
        stdout: Path,
        stderr: Path | None = None,
        stdin: Path = Path(os.devnull),
    ) -> Program:
        """Start a process.

        Args:
            call: ``MODULE:FUNCTION``; what it returns is the exit code.
            arguments: Arguments of the function, as JSON values.
            stdout: The file that standard output is appended to.
            stderr: The same for standard error; left out, the same file.
        """
        deadline = time.monotonic() + SECONDS
        while not self._is_ready.wait(0.5):
            # A server that has ended will never be ready, and each test would wait for it in turn.
            assert self._process.poll() is None, "the fork server has ended: start it by hand to see why"
            assert time.monotonic() < deadline, "the fork server does not start"
        assert self._process.stdin is not None
        # Create the file now, so that it can be read at once.
        stdout.touch()
        order = {
            "call": call,
            "arguments": arguments,
            "variables": dict(variables),
            "stdin": str(stdin),
            "stdout": str(stdout),
            "stderr": str(stderr or stdout),
        }
        self._process.stdin.write(json.dumps(order) + "\n")
        self._process.stdin.flush()
        return Program(self, self._started.get(timeout=SECONDS))

    def close(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(SECONDS)
        self._reader.join(SECONDS)
        assert self._process.stdout is not None
        self._process.stdout.close()


@functools.cache
def fork_server() -> ForkServer:
    """Return the fork server of this test process, which the first call starts."""
    return ForkServer()


def run(
    *words: str, variables: Mapping[str, str], stdin: str | bytes = b"", call: str = THINKTWICE
) -> subprocess.CompletedProcess[str]:
    """Run ``thinktwice`` with `words` and exactly these variables to its end, as `subprocess.run` would.

    Args:
        call: ``MODULE:FUNCTION`` of another program, called with the words.
    """
    with tempfile.TemporaryDirectory() as folder:
        given, said, complaint = (Path(folder) / name for name in ("stdin", "stdout", "stderr"))
        given.write_bytes(stdin.encode() if isinstance(stdin, str) else stdin)
        started = fork_server().start(
            call, *words, variables=variables, stdout=said, stderr=complaint, stdin=given
        )
        try:
            code = started.wait()
        finally:
            started.kill()
        return subprocess.CompletedProcess(
            words, code, said.read_text(encoding="utf-8"), complaint.read_text(encoding="utf-8")
        )


def start(*words: str, variables: Mapping[str, str], stdout: Path) -> Program:
    """Start ``thinktwice`` with `words` and exactly these variables; all its output goes to one file."""
    return fork_server().start(THINKTWICE, *words, variables=variables, stdout=stdout)


def close() -> None:
    if fork_server.cache_info().currsize:
        fork_server().close()


def environment(**variables: str) -> dict[str, str]:
    """Return the environment of this process without settings and keys, and with `variables`.

    The console is off, because programs that run at the same time cannot use the same port.
    """
    kept = {
        name: value for name, value in os.environ.items() if not name.startswith(("THINKTWICE_", "OPENAI_"))
    }
    return kept | {"THINKTWICE_CONSOLE__ENABLED": "false"} | variables
