"""What an answer in Telegram costs: 60 chats with three questions each, and a model that takes 0.2 s a call.

    python -m bench.telegram [--quick]

Three bots, each a process of its own beside a model and a Telegram server on this machine, get the same
questions: a plain python-telegram-bot that asks the model once, a self-RAG on LangGraph (if the dependency
group `bench` is installed), and `thinktwice run`. Prints answers a second, waiting times, memory and
processor time, with ratios to the plain bot in the same run. The passes of the bundled verifier, which are no
overhead but work that the others leave undone, are counted apart. `--quick` leaves out the bot at rest.
"""

from __future__ import annotations

import importlib.util
import os
import sys
import tempfile
import time
from pathlib import Path

from bench import bots
from bench.processes import Measured
from tests.telegram.server import FakeTelegram
from tools.markdown import compared

CHATS = 60
EACH = 3
MODEL_SECONDS = 0.2
IDLE_SECONDS = 20.0
SETTLING_SECONDS = 70.0
_FIRST_SECONDS = 5.0


def _rest(process: Measured) -> float:
    # Work after the start is done by then, and the bot no longer counts as busy (`bot.jobs.queue_polling`).
    time.sleep(SETTLING_SECONDS)
    used = process.processor_seconds
    time.sleep(IDLE_SECONDS)
    return (process.processor_seconds - used) / IDLE_SECONDS


def main(is_quick: bool) -> None:
    # Figures from a machine that is busy with something else mean little.
    print(f"load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors", flush=True)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with bots.documents_and_model(folder, MODEL_SECONDS) as model:

            def play(*words: str) -> dict[str, float]:
                with bots.plain(*words) as (telegram, bot):
                    return bots.load(telegram, [bot], model, CHATS, EACH, lambda _message: True).told()

            columns = {"one call": play("bench.plain_bot", model)}
            if importlib.util.find_spec("langgraph"):
                columns["self-RAG"] = play("bench.self_rag", model, str(folder / "documents"), str(folder))
            with FakeTelegram() as telegram:
                began = time.monotonic()
                with bots.thinktwice(folder / "data", model, telegram) as bot:
                    alone = {"ready with an empty data folder, s": time.monotonic() - began}
                    time.sleep(_FIRST_SECONDS)
                    if not is_quick:
                        alone["processor at rest, %"] = 100 * _rest(bot)
                    alone["memory at rest, MB"] = bot.megabytes
                with bots.thinktwice(folder / "data", model, telegram) as bot:
                    columns["Think Twice"] = bots.load(telegram, [bot], model, CHATS, EACH).told() | alone
    print(compared(columns))


if __name__ == "__main__":
    main("--quick" in sys.argv[1:])
