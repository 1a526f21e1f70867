"""The child process that runs the embedded model: ``python -m rag.models.embedded_server``.

It reads its settings as one line of JSON from standard input, because every user of the machine can read a
command line, and the settings include the key. It prints one line of JSON with its port, and ends when
standard input closes or its parent is gone.
"""

from __future__ import annotations

import json
import os
import select
import sys
import threading
from dataclasses import asdict, dataclass

SLOTS = 2
"""Number of concurrent requests: two conversations share the cores, a third one waits."""

_KEPT_PROMPTS_MIB = 256
"""Memory for the prompts of idle slots. Without it, a draft and a judge that alternate process their
whole instructions again each time."""

_PARENT_CHECK_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class Launch:
    """Settings of the child: context in tokens, threads (0: all cores), the process id of its parent."""

    model: str
    context: int
    threads: int
    api_key: str
    parent: int

    def line(self) -> bytes:
        """Return the line for the child's standard input."""
        return json.dumps(asdict(self)).encode() + b"\n"

    @classmethod
    def from_line(cls, line: str) -> Launch:
        """Parse the output of `line`."""
        return cls(**json.loads(line))


def exit_with_parent(parent: int) -> None:
    """End this process when standard input closes or `parent` is gone.

    Checking the pipe alone is not enough, because another child of the parent may have inherited its other
    end.
    """

    def watch() -> None:
        while os.getppid() == parent:
            readable, _, _ = select.select([0], [], [], _PARENT_CHECK_SECONDS)
            if readable and not os.read(0, 1024):
                break
        os._exit(0)

    threading.Thread(target=watch, daemon=True).start()


def announce(port: int, out: int) -> None:
    """Write the port to file descriptor `out`, for the parent."""
    os.write(out, json.dumps({"port": port}).encode() + b"\n")


def main() -> None:
    """Serve until the parent ends."""
    launch = Launch.from_line(sys.stdin.readline())
    exit_with_parent(launch.parent)
    # llama.cpp also prints to standard output, so the original one is kept for the line to the parent.
    out = os.dup(1)
    os.dup2(2, 1)
    server, address = _serve(launch)
    announce(int(address.rpartition(":")[2]), out)
    threading.Event().wait()
    del server  # the server stops when it is garbage-collected


def _serve(launch: Launch) -> tuple[object, str]:
    import xllamacpp

    threads = launch.threads or os.cpu_count() or 1
    params = xllamacpp.CommonParams()
    params.model.path = launch.model
    params.n_ctx = launch.context
    params.n_parallel = SLOTS
    # One memory pool: each slot can use the whole context window.
    params.kv_unified = True
    params.cache_ram_mib = _KEPT_PROMPTS_MIB
    params.cpuparams.n_threads = threads
    params.cpuparams_batch.n_threads = threads
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.api_keys = [launch.api_key]
    params.ui = False
    params.endpoint_slots = False  # it would expose prompts
    params.verbosity = 2
    server = xllamacpp.Server(params)
    return server, str(server.listening_address)


if __name__ == "__main__":
    main()
