"""Time until ``thinktwice ask`` starts working with a model on a server, and its memory use.

    python bench/startup.py

Prints the seconds until the first request reaches the server and the peak memory, each beside two runs of
Python: one that imports nothing, and the baseline, which imports the model client. The former shows what the
client itself costs, which a comparison with the client alone would hide.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

RUNS = 5
_REPLY = (
    b'{"id":"1","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"finish_reason":"stop",'
    b'"message":{"role":"assistant","content":"FxStore needs Java 17."}}],'
    b'"usage":{"prompt_tokens":1,"completion_tokens":1,"total_tokens":2}}'
)


class _Handler(BaseHTTPRequestHandler):
    first = 0.0

    def do_POST(self) -> None:
        type(self).first = type(self).first or time.perf_counter()
        self.rfile.read(int(self.headers["content-length"]))
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(_REPLY)))
        self.end_headers()
        self.wfile.write(_REPLY)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class named it
        pass


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


def main() -> None:
    """Index one document and ask about it a few times."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "docs").mkdir()
        (Path(folder) / "docs" / "java.md").write_text("# FxStore\n\nFxStore needs Java 17.\n")
        variables = {
            "THINKTWICE_DATA_DIR": f"{folder}/data",
            "THINKTWICE_MODEL": "openai:m",
            "OPENAI_BASE_URL": f"http://127.0.0.1:{server.server_address[1]}/v1",
            "OPENAI_API_KEY": "k",
        }
        run("-m", "bot.cli", "index", f"{folder}/docs", **variables)
        nothing, bare, said, asked, whole, memory = [], [], [], [], [], []
        for _ in range(RUNS):
            nothing.append(run("-c", "pass")[1:])
            bare.append(run("-c", "import pydantic_ai.models.openai")[1:])
            _Handler.first = 0.0
            started = time.perf_counter()
            first, seconds, peak = run("-m", "bot.cli", "ask", "Which Java does FxStore need?", **variables)
            said.append(first)
            asked.append(_Handler.first - started)
            whole.append(seconds)
            memory.append(peak)
    base = statistics.median(seconds for seconds, _ in bare)
    base_memory = statistics.median(peak for _, peak in bare)
    peak = statistics.median(memory)
    empty = statistics.median(seconds for seconds, _ in nothing)
    empty_memory = statistics.median(peak for _, peak in nothing)
    print(
        f"Python that imports nothing   {empty:5.2f} s   {empty / base:4.2f} x"
        f"   {empty_memory:4.0f} MB   {empty_memory / base_memory:4.2f} x"
    )
    print(f"bare import of the client     {base:5.2f} s   1.00 x   {base_memory:4.0f} MB   1.00 x")
    for name, taken in (("first step is done", said), ("first request is sent", asked), ("answered", whole)):
        print(f"ask: {name:24} {statistics.median(taken):5.2f} s   {statistics.median(taken) / base:4.2f} x")
    print(f"ask: peak memory                                 {peak:4.0f} MB   {peak / base_memory:4.2f} x")


if __name__ == "__main__":
    main()
