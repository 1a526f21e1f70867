"""Processes that are measured from outside; Linux alone tells all of this."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from bench.sets import REPOSITORY

_TICKS = os.sysconf("SC_CLK_TCK")
_STOPPING_SECONDS = 30


class Measured:
    """A running process."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process

    @property
    def has_ended(self) -> bool:
        """Whether it runs no more."""
        return self.process.poll() is not None

    def said(self) -> str:
        """The next line of its standard output."""
        assert self.process.stdout is not None
        return self.process.stdout.readline().strip()

    def counted(self) -> Counter[str]:
        """What a process of `bench.watched` has counted so far."""
        assert self.process.stdin is not None
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        return Counter(json.loads(self.said()))

    @property
    def megabytes(self) -> float:
        """The memory that it holds now."""
        return self._status("VmRSS") / 1024

    @property
    def peak_megabytes(self) -> float:
        """The most memory that it has held so far."""
        return self._status("VmHWM") / 1024

    @property
    def processor_seconds(self) -> float:
        """Processor time that it has used so far."""
        # Its name, in brackets, may hold spaces.
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / _TICKS

    def _status(self, name: str) -> int:
        for line in Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith(f"{name}:"):
                return int(line.split()[1])
        raise ValueError(f"this system does not tell {name}")


@contextmanager
def running(
    *words: str, variables: Mapping[str, str] | None = None, log: IO[str] | None = None
) -> Iterator[Measured]:
    """Run ``python -m WORDS`` for as long as the context lasts; its standard input and output are pipes.

    Args:
        variables: Its environment besides ours; settings of ours are left out.
        log: Takes its standard error.
    """
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("THINKTWICE_")}
    process = subprocess.Popen(
        [sys.executable, "-m", *words],
        cwd=REPOSITORY,
        env={**inherited, **(variables or {})},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=log,
        text=True,
    )
    try:
        yield Measured(process)
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.communicate(timeout=_STOPPING_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
