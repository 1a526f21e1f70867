"""The knowledge base that a measurement runs on: its own folder, so that nobody's index is touched."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from rag.errors import InputError
from rag.knowledge.search import KnowledgeBase
from rag.knowledge.sync import Progress, sync
from rag.settings import Knowledge, Models

Tick = Callable[[int, int], None]
"""Called with what is done and what there is to do."""


@asynccontextmanager
async def indexed(
    corpus: Sequence[Path],
    data_dir: Path,
    knowledge: Knowledge,
    models: Models,
    on_progress: Callable[[Progress], None] | None = None,
) -> AsyncIterator[KnowledgeBase]:
    """Index a corpus, incrementally, under the data folder, and open it.

    The search is exact: a figure must not depend on how far Chroma has got with its copy.

    Args:
        corpus: Files and folders; a ``corpus.jsonl`` counts every row as a document.
        data_dir: The data folder; the index goes into a folder of its own inside it.
        knowledge: How documents are read, cut and embedded.
        models: Addresses of embedding servers.
        on_progress: Called with every step of the indexing.

    Raises:
        InputError: There is no corpus, or it holds no text.
        ThinkTwiceError: as `rag.knowledge.sync.sync` does.
    """
    if not corpus:
        raise InputError("a measurement needs its corpus: give --corpus")
    names = "\n".join(str(path.resolve()) for path in corpus)
    folder = data_dir / "evaluate" / hashlib.sha256(names.encode()).hexdigest()[:16]
    await asyncio.to_thread(sync, folder, corpus, knowledge, models, on_progress=on_progress)
    base = await asyncio.to_thread(KnowledgeBase.open, folder, knowledge, models, use_chroma=False)
    try:
        if base.is_empty:
            raise InputError(f"the corpus holds no text: {', '.join(str(path) for path in corpus)}")
        yield base
    finally:
        await asyncio.to_thread(base.close)
