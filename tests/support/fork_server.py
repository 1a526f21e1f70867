"""Starts programs quickly for tests: a process that has imported everything forks a process for each order.

Run as ``python -m tests.support.fork_server``. An order is a line of JSON on standard input: ``{"call":
"MODULE:FUNCTION", "arguments", "variables", "stdin", "stdout", "stderr"}``, the last three being paths of files.
For each order it writes ``{"started": PID}``, and at the program's end ``{"ended": PID, "status": CODE}``, negative
for a signal.

A forked program is a process of its own, with the environment, the streams and the signals of a new process.
Only what every program would do first is already done: imports, catalogues, certificates and the patterns of the
loop. On a busy machine that takes longer than most tests.
"""

from __future__ import annotations

import asyncio
import gc
import importlib
import json
import os
import select
import signal
import sys
import traceback
from contextlib import suppress
from typing import Any

_PRELOADED = (
    "anyio._backends._asyncio",
    "bot.cli",
    "bot.conversations.summaries",
    "bot.doctor.checks",
    "bot.evaluate.commands",
    "bot.serve",
    "bot.serve_fleet",
    "bot.serve_http",
    "bot.serve_telegram",
    "bot.statistics.picture",
    "bot.storage.bots",
    "bot.telegram.inbound.polling",
    "bot.telegram.inbound.webhook",
    "bot.telegram.wiring",
    "bot.terminal.ask",
    "bot.terminal.chat",
    "bot.doctor.report",
    "bot.terminal.index",
    "bot.terminal.models",
    "bot.terminal.stats",
    "bot.web.wiring",
    "chromadb",
    "genai_prices.data",
    "httpcore",
    "numpy.random",
    "openai.lib.streaming.chat",
    "openai.resources.chat",
    "py3langid.langid",
    "rag.models.client",
    "snowballstemmer",
    "telegramify_markdown",
    "tools.demo",
    "typer.rich_utils",
    "uvicorn",
    "uvicorn.protocols.http.h11_impl",
)
"""None of these imports may leave a thread running: a forked process has only the thread that forked."""


def _answer(**fields: Any) -> None:
    sys.stdout.write(json.dumps(fields) + "\n")
    sys.stdout.flush()


def _serve() -> None:
    woken, wake = os.pipe()
    os.set_blocking(wake, False)
    os.set_blocking(woken, False)
    signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    children: set[int] = set()
    pending = b""
    _answer(ready=os.getpid())
    while True:
        readable, _, _ = select.select([0, woken], [], [])
        if woken in readable:
            os.read(woken, 4096)
        if 0 in readable:
            piece = os.read(0, 65536)
            if not piece:
                break
            *lines, pending = (pending + piece).split(b"\n")
            for line in lines:
                pid = os.fork()
                if not pid:
                    signal.set_wakeup_fd(-1)
                    os.close(woken)
                    os.close(wake)
                    # Skip the shutdown of the interpreter, which would tear down all imported modules.
                    os._exit(_perform(json.loads(line)))
                children.add(pid)
                _answer(started=pid)
        for pid in list(children):
            ended, status = os.waitpid(pid, os.WNOHANG)
            if ended:
                children.discard(pid)
                _answer(ended=pid, status=os.waitstatus_to_exitcode(status))
    for pid in children:
        os.kill(pid, signal.SIGKILL)


def _perform(order: dict[str, Any]) -> int:
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    streams = (
        (order["stdin"], os.O_RDONLY),
        (order["stdout"], os.O_CREAT | os.O_APPEND | os.O_WRONLY),
        (order["stderr"], os.O_CREAT | os.O_APPEND | os.O_WRONLY),
    )
    for descriptor, (path, flags) in enumerate(streams):
        opened = os.open(path, flags, 0o600)
        os.dup2(opened, descriptor)
        os.close(opened)
    os.environ.clear()
    os.environ.update(order["variables"])
    module, _, function = order["call"].partition(":")
    try:
        code: int = getattr(importlib.import_module(module), function)(*order["arguments"])
    except SystemExit as exc:
        code = exc.code if isinstance(exc.code, int) else 0 if exc.code is None else 1
    except BaseException:  # noqa: BLE001 - a test reads it in the output
        traceback.print_exc()
        code = 1
    for stream in (sys.stdout, sys.stderr):
        with suppress(BrokenPipeError):
            stream.flush()
    return code


def thinktwice(*words: str) -> int:
    """Run the command line in this process, as ``python -m bot.cli`` does; return the exit code."""
    from bot.cli import app
    from bot.exit_codes import reported

    sys.argv = ["thinktwice", *words]
    return reported(app)


async def _answer_once() -> None:
    """Go through the loop, so that its patterns are compiled: that takes longer than the loop itself."""
    from rag.values import MODES, Question
    from tests.support.loop import engine, scripted

    for answer_from in ("writer", "reader"):
        answering = engine(scripted(), answer_from=answer_from)
        for mode in MODES:
            await answering.answer(Question("Which Java does FxStore need?", mode=mode))


def _load_certificates() -> None:
    """Open clients, because the first one of a process loads the trusted certificates."""
    from bot.telegram.connection import open_bot
    from rag.models.endpoint import open_client

    open_bot("1:token", "http://localhost")
    for is_loopback in (False, True):
        open_client(1.0, is_loopback=is_loopback)


def main() -> None:
    for module in _PRELOADED:
        importlib.import_module(module)
    from bot.web.context import TEXTS
    from rag.engine import preload

    preload()
    for language in TEXTS.languages:
        TEXTS.text("quotation-absent", language)  # parses its catalogues
    _load_certificates()
    asyncio.run(_answer_once())
    gc.collect()
    gc.freeze()
    _serve()


if __name__ == "__main__":
    main()
