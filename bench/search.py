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

SETTINGS = Knowledge(embedding="minilm")
_QUESTIONS = 200


class RandomPassages:
    """minilm for questions, random directions for passages."""

    def __init__(self, embedder: Embedder) -> None:
        self.fingerprint = "random"
        self._dimension = embedder.embed_queries(["a"]).shape[1]
        self._embedder = embedder
        self._random = np.random.default_rng(1)

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Return random directions."""
        vectors = self._random.standard_normal((len(texts), self._dimension), np.float32)
        unit: Vectors = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
        return unit

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """Return real vectors."""
        return self._embedder.embed_queries(texts)


def main() -> None:
    embedder = RandomPassages(open_embedder("minilm", Models()))

    def stand_in(name: str, models: Models) -> Embedder:  # noqa: ARG001 - takes the place of another
        return embedder

    searches.open_embedder = syncs.open_embedder = stand_in  # type: ignore[attr-defined] # in place of minilm
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


async def measure(base: searches.KnowledgeBase, embedder: RandomPassages, chunks: int, index: str) -> None:
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
    baseline = statistics.median(alone)
    median, p95 = statistics.median(probe), statistics.quantiles(probe, n=20)[-1]
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{chunks} passages, {index}")
    print(f"  embedding {baseline * 1000:6.1f} ms")
    print(f"  probe p50 {median * 1000:6.1f} ms, ratio {median / baseline:4.2f}")
    print(f"  probe p95 {p95 * 1000:6.1f} ms, ratio {p95 / baseline:4.2f}")
    print(f"  {rate:.0f} questions/s, eight at a time; {memory:.0f} MB at the most, indexing included")


if __name__ == "__main__":
    main()
