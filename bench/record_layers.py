"""Asks the embedded model whatever the measurements of `bench.judging` need and nobody has recorded yet."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import aclosing
from itertools import zip_longest
from pathlib import Path

from bench.judging_texts import Ground, drafted, small_talk
from bench.layer_effects import Layer, Text, effect
from bench.recorded_model import RecordedModel, Records
from bot.evaluate import ground
from rag.engine import AnswerEngine
from rag.errors import ThinkTwiceError
from rag.knowledge.search import KnowledgeBase
from rag.loop.run import Corpus, Run
from rag.models.chat import ChatModel
from rag.models.roles import RoleModels
from rag.settings import Critique, Knowledge, Models
from rag.steps.classify import classify
from rag.steps.draft import draft

_TIMEOUT_SECONDS = 600.0
_EARLY = 20


async def record(
    grounds: Sequence[Ground], data_dir: Path, records: Records, *, seconds: float, threads: int
) -> None:
    """Record until everything is known or the time is up.

    Args:
        grounds: The texts and their corpora.
        data_dir: Where the model and the indexes lie.
        records: What is known; new replies are added.
        seconds: No text is begun after that.
        threads: Threads of the embedded model; 0: all cores.
    """
    end = time.monotonic() + seconds
    settings = Models(timeout_seconds=_TIMEOUT_SECONDS, embedded_threads=threads)
    async with aclosing(RoleModels(settings, data_dir)) as models:
        for one in [one for one in grounds if one.is_own]:
            async with ground.indexed(one.corpus, data_dir, Knowledge(), settings) as base:
                await _talk(base, records, models, end)
                for layer, text in _in_order(one.texts):
                    if time.monotonic() > end:
                        return
                    await _effect(text, layer, base, records, models)
                await _grow(one, base, records, models, end)


async def _grow(one: Ground, base: Corpus, records: Records, models: ChatModel, end: float) -> None:
    """Draft what nobody has drafted yet, and show it to both layers; what no critic reads comes last."""
    layers: tuple[Layer, ...] = ("critic", "reviewer")
    floor = Critique().shortest_characters
    short: list[Text] = []
    for name, row in one.asked:
        if time.monotonic() > end:
            return
        try:
            text = await drafted(name, row, base, records, models)
        except ThinkTwiceError as error:
            print(f"draft {name} {row.id} is left for the next run: {error}", flush=True)
            continue
        if text is None or len(text.text) < floor:
            short += [text] if text is not None else []
            continue
        for layer in layers:
            await _effect(text, layer, base, records, models)
    for text in short:
        for layer in layers:
            if time.monotonic() > end:
                return
            await _effect(text, layer, base, records, models)


def _in_order(texts: Sequence[Text]) -> Iterator[tuple[Layer, Text]]:
    """Critic and reviewer in turn; of short texts, which are mostly right, some come first."""
    floor = Critique().shortest_characters
    long, short = (
        [text for text in texts if (len(text.text) >= floor) is wanted] for wanted in (True, False)
    )
    written = [text for text in texts if text.shown is not None]
    drafted = [text for text in texts if text.shown is None]
    criticised: list[tuple[Layer, Text]] = [
        ("critic", text) for text in (*short[:_EARLY], *long, *short[_EARLY:])
    ]
    reviewed: list[tuple[Layer, Text]] = [("reviewer", text) for text in (*written, *drafted)]
    yield from (job for turn in zip_longest(criticised, reviewed) for job in turn if job is not None)


async def _effect(text: Text, layer: Layer, base: Corpus, records: Records, models: ChatModel) -> None:
    known, started = len(records), time.monotonic()
    try:
        found = await effect(text, layer, base, records, models)
    except ThinkTwiceError as error:
        print(f"{layer} {text.set} {text.id} is left for the next run: {error}", flush=True)
        return
    if found is not None and len(records) > known:
        calls, spent = len(records) - known, time.monotonic() - started
        told = f"changed, {found.step:+d}" if found.is_changed else "unchanged"
        print(f"{layer} {text.set} {text.id}: {told}; {calls} calls, {spent:.0f} s", flush=True)


async def _talk(base: KnowledgeBase, records: Records, models: RoleModels, end: float) -> None:
    """Draft the social half of the stream: its texts are judged, or not, like all others."""
    engine = AnswerEngine(RecordedModel(records, models), base)
    for row in small_talk():
        if time.monotonic() > end:
            return
        run = Run(row.asked(), engine.tools)
        await draft(run, classify(run.question))
