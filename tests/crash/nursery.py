"""Starts bots for crash tests: a process that has imported everything, and forks one for each order.

Run as ``python -m tests.crash.nursery``. An order is a line of JSON on standard input: ``{"variables",
"words", "log", "points"}``. For each it writes ``{"started": PID}``, and at its end ``{"ended": PID, "status":
CODE}``, negative for a signal.

A bot from here is ``thinktwice`` in a process of its own, with three differences: it need not import anything,
its vectors come from hashes, and at each point of `bot.kill_points` it looks into the file ``points``: its first line
names the point at which it kills itself, and the file beside it (``.passed``) gets every point that it passed.
"""

from __future__ import annotations

import json
import os
import select
import signal
import sys
from pathlib import Path
from typing import Any

from tests.crash.double import play


def _answer(**fields: Any) -> None:
    sys.stdout.write(json.dumps(fields) + "\n")
    sys.stdout.flush()


def _forked(order: dict[str, Any]) -> int:
    pid = os.fork()
    if pid:
        return pid
    log = os.open(order["log"], os.O_CREAT | os.O_APPEND | os.O_WRONLY, 0o600)
    for stream in (1, 2):
        os.dup2(log, stream)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.environ.update(order["variables"])
    os._exit(play(order["words"], Path(order["points"])))


def main() -> None:
    """Serve orders until standard input ends."""
    # The imports that a bot needs, before the first order; nothing may start a thread here.
    import openai  # noqa: F401
    import pydantic_ai.models.openai  # noqa: F401
    import telegramify_markdown  # noqa: F401

    import bot.conversations.summaries
    import bot.serve
    import bot.telegram.inbound.webhook
    import bot.telegram.wiring  # noqa: F401
    from rag.engine import preload

    preload()

    children: set[int] = set()
    _answer(ready=os.getpid())
    while True:
        readable, _, _ = select.select([sys.stdin], [], [], 0.01)
        if readable:
            line = sys.stdin.readline()
            if not line:
                break
            children.add(pid := _forked(json.loads(line)))
            _answer(started=pid)
        for pid in list(children):
            ended, status = os.waitpid(pid, os.WNOHANG)
            if ended:
                children.discard(pid)
                _answer(ended=pid, status=os.waitstatus_to_exitcode(status))
    for pid in children:
        os.kill(pid, signal.SIGKILL)


if __name__ == "__main__":
    main()
