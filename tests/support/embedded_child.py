"""Stands in for the embedded model's child process: ``python -m tests.support.embedded_child MODE FOLDER``.

It follows the same protocol with its parent as `rag.models.embedded_server`, around a fake server.
Modes: ``answer``; ``die_once`` and ``die`` (at a request); ``refuse`` (to start); ``babble`` (no port);
``hang`` (never ready);
``dawdle`` (no reply to the first request). FOLDER gets a file ``PID`` for every start and every request.
"""

from __future__ import annotations

import os
import sys
import threading
from pathlib import Path

from rag.models.embedded_server import Launch, announce, exit_with_parent
from tests.support.loopback import Recorded
from tests.support.servers import Behaviour, FakeOpenAI, Hang, Say


def main(mode: str, folder: Path) -> None:
    launch = Launch.from_line(sys.stdin.readline())
    (folder / f"start-{os.getpid()}").touch()
    exit_with_parent(launch.parent)
    if mode == "refuse":
        sys.exit("not enough memory for the model")
    if mode == "babble":
        os.write(1, b"loading...\n")

    def behave(request: Recorded) -> Behaviour:
        first = not list(folder.glob("request-*"))
        (folder / f"request-{os.getpid()}").touch()
        if mode == "die" or (mode == "die_once" and first):
            os._exit(3)
        if mode == "dawdle" and first:
            return Hang()
        return Say(f"{Path(launch.model).name} {launch.context} {launch.threads}")

    with FakeOpenAI(behave, key=launch.api_key) as server:
        if mode not in {"hang", "babble"}:
            announce(int(server.address.rpartition(":")[2]), 1)
        threading.Event().wait()


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
