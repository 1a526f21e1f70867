"""Time of the probe compared with embedding its question, and memory use.

    python bench/search.py

The passages get random vectors, because only their number matters here; questions are embedded for real.
Aims: p95 under 25 ms at 10,000 passages, 60 questions a second at 3,000 on two cores.
"""

from __future__ import annotations

import asyncio
import resource
import statistics
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from bench import texts
from rag.knowledge import search as searches
from rag.knowledge import sync as syncs
from rag.knowledge.embedder import Embedder, Vectors
from rag.knowledge.embeddings import open_embedder
from rag.settings import Knowledge, Models
from tools.markdown import compared

SETTINGS = Knowledge(embedding="minilm")
_QUESTIONS = 200


def main() -> None:
    embedder = open_embedder("minilm", Models())
    dimension, chance = embedder.embed_queries(["a"]).shape[1], np.random.default_rng(1)

    def random_directions(texts: Sequence[str]) -> Vectors:
        vectors = chance.standard_normal((len(texts), dimension), np.float32)
        unit: Vectors = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
        return unit

    embedder.embed_passages = random_directions  # type: ignore[method-assign] # it is the same in all of it
    for size in (3000, 10_000):
        with tempfile.TemporaryDirectory() as folder:
            corpus = texts.write_corpus(Path(folder, "corpus"), size)
            chunks = syncs.sync(Path(folder, "data"), [corpus], SETTINGS, Models()).chunks
            for use_chroma in (False, True):
                data = Path(folder, "data")
                base = searches.KnowledgeBase.open(data, SETTINGS, Models(), use_chroma=use_chroma)
                if use_chroma and not base.wait_for_chroma(600):
                    print("Chroma did not come up")
                asyncio.run(measure(base, embedder, chunks, "chroma" if use_chroma else "exact"))
                base.close()


async def measure(base: searches.KnowledgeBase, embedder: Embedder, chunks: int, index: str) -> None:
    """Ask one by one and eight at a time; every question is new, so that no vector is cached."""
    writer = texts.Writer(seed=time.time_ns())
    await base.search([writer.text(9)])
    alone: list[float] = []
    probe: list[float] = []
    for _ in range(_QUESTIONS):  # measured in turns, because other work on the machine slows both
        question = writer.text(9)
        started = time.perf_counter()
        embedder.embed_queries([question])
        embedded = time.perf_counter()
        await base.search([question])
        alone.append(embedded - started)
        probe.append(time.perf_counter() - embedded)

    async def ask(questions: Sequence[str]) -> None:
        for question in questions:
            await base.search([question])

    lots = [[writer.text(9) for _ in range(_QUESTIONS // 4)] for _ in range(8)]
    started = time.perf_counter()
    await asyncio.gather(*map(ask, lots))
    rate = sum(map(len, lots)) / (time.perf_counter() - started)
    shown = {
        "embedding alone, median": statistics.median(alone),
        "probe, median": statistics.median(probe),
        "probe, p95": statistics.quantiles(probe, n=20)[-1],
    }
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"\n{chunks} passages, {index}: {rate:.0f} questions/s, eight at a time")
    print(f"{memory:.0f} MB at the most, indexing included\n")
    print(compared({name: {"ms": seconds * 1000} for name, seconds in shown.items()}), flush=True)


if __name__ == "__main__":
    main()
