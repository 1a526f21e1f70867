"""Speed of indexing, as ratios to the unavoidable work.

    python bench/index.py

Prints the time of a first sync over the time of embedding the same passages alone (aim: at most
1.10), and the time of a sync of many unchanged files compared with only listing them (aim: under 2 s for
10,000).
"""

from __future__ import annotations

import os
import tempfile
import time
from pathlib import Path

from bench import texts
from rag.knowledge.embeddings import open_embedder
from rag.knowledge.store import Store
from rag.knowledge.sync import sync
from rag.settings import Knowledge, Models
from tools.markdown import compared

SETTINGS = Knowledge(embedding="minilm")


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        first_sync(Path(folder), passages=300)
        unchanged(Path(folder), files=10_000)


def first_sync(folder: Path, passages: int) -> None:
    """Sync a new corpus and, in turns, only embed its passages."""
    corpus = texts.write_corpus(folder / "corpus", passages)
    embedder = open_embedder("minilm", Models())
    embedder.embed_passages(["warm"] * 8)
    # Each of the two is measured before and after the other, because other work on the machine slows both.
    half = sync(folder / "first", [corpus], SETTINGS, Models())
    store = Store(folder / "first")
    with store.reading() as connection:
        rows = connection.execute("SELECT heading, text FROM passages").fetchall()
    store.close()
    embedded = [f"{heading}\n{text}" if heading else text for heading, text in rows]
    raw: list[float] = []
    for _ in range(2):
        started = time.perf_counter()
        embedder.embed_passages(embedded)
        raw.append(time.perf_counter() - started)
    whole = sync(folder / "second", [corpus], SETTINGS, Models())
    seconds = (half.seconds + whole.seconds) / 2
    baseline = sum(raw) / 2
    print(f"{whole.chunks} passages (aim: a ratio of 1.10 at the most)\n")
    print(compared({"embedding alone": {"s": baseline}, "first sync": {"s": seconds}}))


def unchanged(folder: Path, files: int) -> None:
    corpus = folder / "notes"
    corpus.mkdir()
    old = time.time() - 3600
    for number in range(files):
        file = corpus / f"{number % 100}" / f"note{number}.md"
        file.parent.mkdir(exist_ok=True)
        file.write_text(f"# Note {number % 50}\n\nNote {number % 50}.", "utf-8")
        os.utime(file, (old, old))
    sync(folder / "data", [corpus], SETTINGS, Models())
    started = time.perf_counter()
    listed = sum(1 for path in corpus.rglob("*.md") if path.stat().st_size)
    baseline = time.perf_counter() - started
    report = sync(folder / "data", [corpus], SETTINGS, Models())
    print(f"\n{listed} files, {report.unchanged} unchanged (aim: under 2 s for 10,000)\n")
    print(compared({"listing alone": {"s": baseline}, "unchanged sync": {"s": report.seconds}}))


if __name__ == "__main__":
    main()
