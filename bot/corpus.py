"""The corpus of this installation: which paths it is, and bringing the knowledge base up to date with it."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from bot.settings import Settings
from rag.knowledge.store import Store
from rag.knowledge.sync import Progress, SyncReport, sync

OnProgress = Callable[[Progress], None]

_CHROMA_SECONDS = 600.0


def update(settings: Settings, *, rebuild: bool = False, on_progress: OnProgress | None = None) -> SyncReport:
    """Bring the knowledge base up to date with the corpus; blocking.

    Raises:
        ThinkTwiceError: as `rag.knowledge.sync.sync` does.
    """
    return sync(
        settings.data_dir,
        corpus_paths(settings),
        settings.knowledge,
        settings.models,
        rebuild=rebuild,
        on_progress=on_progress,
    )


def fill_chroma(settings: Settings) -> None:
    """Copy the vectors into Chroma now, so that the first conversation finds them there; blocking.

    Another process may own Chroma's folder; it brings its copy up to date by itself.

    Raises:
        ThinkTwiceError: the knowledge base cannot be read.
    """
    from rag.knowledge.search import KnowledgeBase

    with closing(KnowledgeBase.open(settings.data_dir, settings.knowledge, settings.models)) as base:
        base.wait_for_chroma(_CHROMA_SECONDS)


def corpus_paths(settings: Settings) -> tuple[Path, ...]:
    """The corpus that was asked for; else the one indexed last; else the product's handbook."""
    if "corpus" in settings.model_fields_set:
        return settings.corpus
    with closing(Store(settings.data_dir)) as store:
        indexed = json.loads(store.state().roots)
    return tuple(Path(root) for root in indexed) or settings.corpus
