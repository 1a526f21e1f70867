"""Record what the embedded model reads in the passages of the sets, so that the gate needs no model.

    python bench/record_readings.py [--data-dir .data] [--seconds 1200] [--out bench/data/readings.jsonl]

The questions and false answers of ``bench/data/questions``, and samples of the public contrast pairs where
they are there, go through the code that measures them (``bench/reliance.py``), with the real reader behind
the record: a rerun asks only what is missing, and a changed prompt makes everything missing. Replies that no
request asks for any longer do no harm; to be rid of them, delete the file first.
"""

from __future__ import annotations

import argparse
import asyncio
import time
from collections.abc import Iterable
from contextlib import aclosing
from pathlib import Path

from bench import reliance
from bench.recorded_model import RecordedModel, Records
from bench.reliance import Group
from bench.sets import REPOSITORY
from bot.logs import setup
from rag.models.chat import ChatModel
from rag.models.roles import RoleModels
from rag.settings import Models

_TIMEOUT_SECONDS = 600.0


def main() -> None:
    """Record until everything is known or the time is up."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--data-dir", type=Path, default=REPOSITORY / ".data", help="model and indexes")
    parser.add_argument("--seconds", type=float, default=1200, help="no row is begun after that")
    parser.add_argument("--out", type=Path, default=reliance.READINGS, help="the record")
    options = parser.parse_args()
    setup.configure()
    asyncio.run(_asked(options.data_dir, Records(options.out), options.seconds))


async def _asked(data_dir: Path, records: Records, seconds: float) -> None:
    settings = Models(timeout_seconds=_TIMEOUT_SECONDS)
    async with aclosing(RoleModels(settings, data_dir)) as models:
        await record(reliance.groups(), data_dir, records, models, end=time.monotonic() + seconds)


async def record(
    groups: Iterable[Group], data_dir: Path, records: Records, models: ChatModel, *, end: float
) -> None:
    """Ask for every reading of the groups with a reader that is not recorded yet.

    Args:
        groups: What is measured; those without a reader need no recording.
        data_dir: Where the indexes go.
        records: What is known; new replies are added.
        models: Asked for what is not known.
        end: No row is begun after that moment of the monotonic clock.
    """
    for group in reliance.available(group for group in groups if group.has_reader):
        known, reader = len(records), RecordedModel(records, models)
        measure = reliance.answered_rows if group.kind == "natural" else reliance.contrasted_rows
        found, left_out = await measure(group, data_dir, reader, end)
        print(
            f"{group.name}: {len(found)} rows; {len(records) - known} new readings; "
            f"rows without a reading: {left_out}",
            flush=True,
        )


if __name__ == "__main__":
    main()
