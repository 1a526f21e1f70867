"""``make demo-council``: three seats on the embedded model answer a question on the handbook.

    python -m tools.demo_council                 shows the council at work, and its record
    python -m tools.demo_council --page          also writes docs/a-run-of-the-council.md

The seats are one model at three temperatures: they show how a council works, not how good one can be.
"""

from __future__ import annotations

import asyncio
import os
import sys
import time
from typing import Any

from rich.console import Console
from rich.text import Text

from bot.app import running
from bot.exit_codes import reported
from bot.settings.tree import Settings
from bot.terminal.drawing import Ticker, show, show_answer
from bot.terminal.index import Bars
from bot.views import councils
from rag.events import Answered
from rag.values import Answer
from tools.rooms import ROOT

QUESTION = "How many corrections of one answer does Think Twice make at most?"

PAGE = ROOT / "docs" / "a-run-of-the-council.md"

_TEMPERATURES = {"exact": 0.0, "free": 0.5, "bold": 1.0}

SETTINGS: dict[str, Any] = {
    "council": {
        "members": tuple(_TEMPERATURES),
        "chairman": "exact",
        "seats": {
            name: {"model": "embedded", "temperature": temperature, "answer_tokens": 120}
            for name, temperature in _TEMPERATURES.items()
        },
        "patience_seconds": 600,
        "review_tokens": 250,
        "feedback_tokens": 500,
    },
    # Three calls wait for one another on one processor.
    "models": {"timeout_seconds": 600},
    "knowledge": {"top_k": 3, "passage_budget_tokens": 450},
}
"""Small enough for two cores, and patient enough for busy ones."""

_INTRODUCTION = """# What does `make demo-council` print?

This is a run on two cores with the embedded model of 1.5 billion parameters in three seats, which differ by their temperature. It took {minutes} minutes; the machine had {load} other processes waiting for its cores on average. `python -m tools.demo_council --page` writes this page. [How the council works](../docs_corpus/council.md) explains the stages.

```text
{transcript}
```
"""  # noqa: E501 - a paragraph is one line


async def _held(console: Console, settings: Settings) -> None:
    found: Answer | None = None
    with Bars(Console(stderr=True)) as bars:
        async with running(settings, bars, is_lasting=False) as app:
            bars.stop()
            console.print(Text(f"> {QUESTION}", style="bold"))
            with Ticker(console, shows_steps=True) as ticker:
                async for event in app.engine.council(QUESTION):
                    ticker(event)
                    if isinstance(event, Answered):
                        found = event.answer
    assert found is not None  # the engine's promise: the last event
    console.print()
    show_answer(console, found)
    show(console, councils.view(found.council, found.language) if found.council else ())


def _demo(words: list[str]) -> None:
    console = Console(width=110, record=True)
    started = time.monotonic()
    asyncio.run(_held(console, Settings.load(**SETTINGS)))
    seconds = time.monotonic() - started
    console.print(Text(f"\nThe council took {seconds / 60:.1f} minutes.", style="bold"))
    if "--page" in words:
        transcript = "\n".join(line.rstrip() for line in console.export_text().splitlines())
        # What waits for a core, less what this process itself keeps busy.
        load = max(0.0, os.getloadavg()[1] - 2)
        PAGE.write_text(
            _INTRODUCTION.format(minutes=f"{seconds / 60:.1f}", load=f"{load:.0f}", transcript=transcript),
            encoding="utf-8",
        )


def main() -> None:
    """Run the demo."""
    sys.exit(reported(lambda: _demo(sys.argv[1:])))


if __name__ == "__main__":
    main()
