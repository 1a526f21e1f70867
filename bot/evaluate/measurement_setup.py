"""The setup of a measurement: its own knowledge base, and time limits that a busy machine does not reach."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from bot.settings.tree import Settings
from rag.errors import InputError
from rag.knowledge.indexing import index_in_thread
from rag.knowledge.search import KnowledgeBase
from rag.knowledge.sync import Progress, sync
from rag.settings import Knowledge, Models

_PATIENCE_SECONDS = 600.0
"""Time limit for one call; only a hanging model takes longer."""

_QUESTION_SECONDS = 3600.0
_PATIENT = {
    "self_correction": {"judge_patience_seconds": _PATIENCE_SECONDS},
    "review": {"patience_seconds": _PATIENCE_SECONDS},
    "critique": {"patience_seconds": _PATIENCE_SECONDS},
    "models": {"timeout_seconds": _PATIENCE_SECONDS},
    "budget": {"seconds": _QUESTION_SECONDS},
}


def unhurried(settings: Settings) -> Settings:
    """Return the settings with time limits that even a busy machine does not reach: otherwise a judge or a
    reader would be skipped, or an answer cut short, for lack of time.
    """
    longer = {}
    for name, limits in _PATIENT.items():
        section = getattr(settings, name)
        update = {key: max(getattr(section, key), seconds) for key, seconds in limits.items()}
        longer[name] = section.model_copy(update=update)
    return settings.model_copy(update=longer)


@asynccontextmanager
async def indexed(
    corpus: Sequence[Path],
    data_dir: Path,
    knowledge: Knowledge,
    models: Models,
    on_progress: Callable[[Progress], None] | None = None,
) -> AsyncIterator[KnowledgeBase]:
    """Index a corpus, incrementally, under the data folder, and open it; other indexes are not touched.

    The search is exact, so that figures do not depend on the progress of the Chroma index.

    Args:
        corpus: Files and folders; each row of a ``corpus.jsonl`` is a document.
        data_dir: The data folder; the index gets its own folder inside it.

    Raises:
        InputError: There is no corpus, or it has no text.
        ThinkTwiceError: as `rag.knowledge.sync.sync` does.
    """
    if not corpus:
        raise InputError("a measurement needs its corpus: give --corpus")
    names = "\n".join(str(path.resolve()) for path in corpus)
    folder = data_dir / "evaluate" / hashlib.sha256(names.encode()).hexdigest()[:16]
    await index_in_thread(
        lambda report: sync(folder, corpus, knowledge, models, on_progress=report), on_progress
    )
    base = await asyncio.to_thread(KnowledgeBase.open, folder, knowledge, models, use_chroma=False)
    try:
        if base.is_empty:
            raise InputError(f"the corpus holds no text: {', '.join(str(path) for path in corpus)}")
        yield base
    finally:
        await asyncio.to_thread(base.close)
