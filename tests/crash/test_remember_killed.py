"""A process that is killed while it remembers an exchange leaves both messages, or neither."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from bot.conversations.memory import ConversationMemory
from bot.storage.conversations import StoredConversations
from bot.storage.database import open_database

REMEMBER_FOR_EVER = """
import asyncio, sys
from pathlib import Path
from bot.conversations.memory import ConversationMemory
from bot.storage.conversations import StoredConversations
from bot.storage.database import open_database
from rag.values import Answer, Usage, Verdict

VERDICT = Verdict("adequate", "", 1.0, "rules")

async def summarise(summary, turns, language):
    return "summary"

async def main():
    async with open_database(Path(sys.argv[1])) as database:
        memory = ConversationMemory(StoredConversations(database), summarise, 4)
        number = 0
        while True:
            number += 1
            text = f"a{number} " + "x" * 5000
            answer = Answer("q", text, "general", "en", VERDICT, (), (), False, 0, Usage(), 0.1, ())
            await memory.remember("c", f"q{number}", answer)
            print(number, flush=True)

asyncio.run(main())
"""


@pytest.mark.parametrize("seed", range(4))
async def test_kill_during_remember_keeps_whole_exchanges(tmp_path: Path, seed: int) -> None:
    confirmed = _remember_until_killed(tmp_path, after=3 + seed, delay=random.Random(seed).uniform(0, 0.02))

    async with open_database(tmp_path) as database:
        messages = (await StoredConversations(database).conversation("c", 10_000)).latest
        memory = ConversationMemory(StoredConversations(database), _unused, 4)
        history, _ = await memory.recall("c")
        last = await memory.last_answer("c")

    numbers = [int(message.text.split()[0][1:]) for message in messages]
    exchanges = len(messages) // 2
    assert [message.role for message in messages] == ["user", "assistant"] * exchanges
    assert numbers == [number for number in range(1, exchanges + 1) for _ in range(2)]
    # What was confirmed is there; at most the one exchange in flight is there besides.
    assert confirmed <= exchanges <= confirmed + 1
    assert len(history) == 4
    assert last is not None
    assert last.text.startswith(f"a{exchanges} ")


def _remember_until_killed(folder: Path, after: int, delay: float) -> int:
    """Kill the process `delay` seconds after it has confirmed `after` exchanges; return how many it did."""
    process = subprocess.Popen(
        [sys.executable, "-c", REMEMBER_FOR_EVER, str(folder)], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    confirmed = 0
    for line in process.stdout:
        confirmed = int(line)
        if confirmed == after:
            # From a thread: the kill must meet the process at work, not at a line we have read.
            threading.Thread(target=_kill, args=(process.pid, delay)).start()
    process.wait()
    process.stdout.close()
    return confirmed


def _kill(pid: int, delay: float) -> None:
    time.sleep(delay)
    os.kill(pid, signal.SIGKILL)


async def _unused(summary: str, turns: object, language: str) -> str:
    raise AssertionError
