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
import statistics
import sys
import tempfile
import time
from pathlib import Path

from bench import bots
from bench.bots import Figures, p95
from bench.processes import Measured
from tests.telegram.server import FakeTelegram

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


def _show(name: str, figures: Figures, base: Figures) -> None:
    outcome, waits = figures.outcome, figures.outcome.waits
    print(f"\n{name}: {len(waits)} answers to {CHATS} chats in {outcome.seconds:.1f} s")
    of_base = base.outcome
    for label, value, compared, unit, form in (
        ("answers a second", figures.rate, base.rate, "", ".1f"),
        ("wait, median", statistics.median(waits), statistics.median(of_base.waits), "s", ".2f"),
        ("wait, p95", p95(waits), p95(of_base.waits), "s", ".2f"),
        ("first sign of life, p95", p95(outcome.signs), p95(of_base.signs), "s", ".2f"),
        ("processor of an answer", figures.milliseconds, base.milliseconds, "ms", ".1f"),
        ("memory at the most", figures.peak_megabytes, base.peak_megabytes, "MB", ".0f"),
    ):
        print(f"  {label:28} {value:8{form}} {unit:3} {value / compared:6.2f} x plain")
    calls = figures.per_answer(figures.model_calls)
    print(f"  calls an answer: {calls:.2f} of the model, {figures.per_answer(outcome.calls):.2f} of Telegram")
    print(f"  lost {outcome.lost}, doubled {outcome.doubled}, chats out of order {outcome.reordered}")
    if passes := figures.per_answer(figures.counted["verifier passes"]):
        print(f"  verifier, on top: {figures.reading_milliseconds:.1f} ms an answer, {passes:.2f} passes")
    threads = {
        name.removeprefix("thread "): figures.per_answer(spent / 1000)
        for name, spent in figures.counted.most_common()
        if name.startswith("thread ")
    }
    if threads:
        print("  by thread: " + ", ".join(f"{name} {spent:.1f}" for name, spent in threads.items()))
    sys.stdout.flush()


def main(is_quick: bool) -> None:
    # Figures from a machine that is busy with something else mean little.
    print(f"load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors", flush=True)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with bots.documents_and_model(folder, MODEL_SECONDS) as model:

            def play(*words: str) -> Figures:
                with bots.plain(*words) as (telegram, bot):
                    return bots.load(telegram, [bot], model, CHATS, EACH, lambda _message: True)

            base = play("bench.plain_bot", model)
            _show("python-telegram-bot, one call", base, base)
            if importlib.util.find_spec("langgraph"):
                rag = play("bench.self_rag", model, str(folder / "documents"), str(folder))
                _show("self-RAG on LangGraph", rag, base)
            with FakeTelegram() as telegram:
                began = time.monotonic()
                with bots.thinktwice(folder / "data", model, telegram) as bot:
                    started = time.monotonic() - began
                    time.sleep(_FIRST_SECONDS)
                    share = 0.0 if is_quick else _rest(bot)
                    idle = bot.megabytes
                with bots.thinktwice(folder / "data", model, telegram) as bot:
                    figures = bots.load(telegram, [bot], model, CHATS, EACH)
            _show("Think Twice", figures, base)
    print(f"\nready after {started:.1f} s with an empty data folder; then at rest {idle:.0f} MB", end="")
    print("" if is_quick else f" and {share:.1%} of a processor")


if __name__ == "__main__":
    main("--quick" in sys.argv[1:])
