"""Time until ``thinktwice ask`` starts working with a model on a server, its memory, and a reply of ``run``.

    python -m bench.startup

Prints the seconds until the first request reaches the server and the peak memory, each beside two runs of
Python: one that imports nothing, and the baseline, which imports the model client. The former shows what the
client itself costs, which a comparison with the client alone would hide. Then the milliseconds of a reply of
the console on a connection that is kept.
"""

from __future__ import annotations

import http.client
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from bench.processes import running
from tests.support.loopback import Recorded
from tests.support.servers import FakeOpenAI, Say
from tools.markdown import compared

RUNS = 5
_REPLIES = 200
_asked_at: list[float] = []


def _answer(_request: Recorded) -> Say:
    _asked_at.append(time.perf_counter())
    return Say("FxStore needs Java 17.")


def run(*command: str, **variables: str) -> tuple[float, float, float]:
    """Run a process; return seconds to its first line on standard error, seconds in total, and peak MB."""
    started = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, *command],
        env=os.environ | variables,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    assert process.stderr is not None
    process.stderr.readline()
    said = time.perf_counter() - started
    process.stderr.read()
    _, _, usage = os.wait4(process.pid, 0)
    process.returncode = 0
    return said, time.perf_counter() - started, usage.ru_maxrss / 1024


def reply_milliseconds(variables: dict[str, str]) -> float:
    """Return the median time of a reply of ``thinktwice run`` to a visitor who keeps the connection."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
    with running("bot.cli", "run", variables={**variables, "THINKTWICE_CONSOLE__PORT": str(port)}):
        connection, taken_ms = http.client.HTTPConnection("127.0.0.1", port, timeout=10), list[float]()
        for _ in range(600):
            try:
                connection.connect()
                break
            except OSError:
                time.sleep(0.1)
        for _ in range(_REPLIES):
            began = time.perf_counter()
            connection.request("GET", "/")  # `/healthz` waits for the disk, too
            connection.getresponse().read()
            taken_ms.append((time.perf_counter() - began) * 1000)
    return statistics.median(taken_ms)


def main() -> None:
    with FakeOpenAI(_answer) as server, tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "docs").mkdir()
        (Path(folder) / "docs" / "java.md").write_text("# FxStore\n\nFxStore needs Java 17.\n")
        variables = {
            "THINKTWICE_DATA_DIR": f"{folder}/data",
            "THINKTWICE_MODEL": "openai:m",
            "OPENAI_BASE_URL": server.base_url,
            "OPENAI_API_KEY": "k",
        }
        run("-m", "bot.cli", "index", f"{folder}/docs", **variables)
        nothing, bare, said, asked, whole = [], [], [], [], []
        for _ in range(RUNS):
            nothing.append(run("-c", "pass")[1:])
            bare.append(run("-c", "import pydantic_ai.models.openai")[1:])
            _asked_at.clear()
            started = time.perf_counter()
            first, *rest = run("-m", "bot.cli", "ask", "Which Java does FxStore need?", **variables)
            said.append(first)
            asked.append(min(_asked_at, default=started) - started)
            whole.append(tuple(rest))
        reply = reply_milliseconds(variables)
    (empty, empty_mb), (base, base_mb), (answered, peak_mb) = (
        map(statistics.median, zip(*taken, strict=True)) for taken in (nothing, bare, whole)
    )
    columns = {
        "bare import of the client": {"s": base, "MB at the most": base_mb},
        "Python that imports nothing": {"s": empty, "MB at the most": empty_mb},
        "ask: first step is done": {"s": statistics.median(said)},
        "ask: first request is sent": {"s": statistics.median(asked)},
        "ask: answered": {"s": answered, "MB at the most": peak_mb},
    }
    print(compared(columns))
    print(f"run: reply on a kept connection {reply:.1f} ms")


if __name__ == "__main__":
    main()
