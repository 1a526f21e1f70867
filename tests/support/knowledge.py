"""A corpus in a folder and a knowledge base without a real embedding, for tests."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from rag.knowledge.copying import copy
from rag.knowledge.embeddings.hashed import HashedEmbedder
from rag.knowledge.origin import Origin
from rag.knowledge.search import KnowledgeBase
from rag.knowledge.store import Store
from rag.knowledge.sync import Progress, SyncReport, sync
from rag.settings import Knowledge, Models


@dataclass
class Workshop:
    """A folder of documents, and the data folder that they are indexed into.

    With an `origin` the knowledge base is kept there, and the data folder gets a copy.
    """

    corpus: Path
    data: Path
    embedder: HashedEmbedder
    settings: Knowledge = field(default_factory=Knowledge)
    origin: Origin | None = None

    def write(self, **texts: str) -> None:
        """Write documents: ``write(setup="# Set-up …")`` makes ``setup.md``."""
        self.corpus.mkdir(exist_ok=True)
        for name, text in texts.items():
            (self.corpus / f"{name}.md").write_text(text, "utf-8")

    def sync(
        self,
        paths: Sequence[Path] | None = None,
        *,
        rebuild: bool = False,
        on_progress: Callable[[Progress], None] | None = None,
    ) -> SyncReport:
        return sync(
            self.data,
            [self.corpus] if paths is None else paths,
            self.settings,
            Models(),
            rebuild=rebuild,
            on_progress=on_progress,
            origin=self.origin,
        )

    def open(self, *, use_chroma: bool = False) -> KnowledgeBase:
        if self.origin is not None:
            with closing(Store(self.data)) as store:
                copy(self.origin, store)
        return KnowledgeBase.open(self.data, self.settings, Models(), use_chroma=use_chroma)


@contextmanager
def indexed(folder: Path, pages: Mapping[str, str], embedding: str) -> Iterator[KnowledgeBase]:
    """Index pages by their names with a real embedding, and open what was indexed."""
    workshop = Workshop(folder / "corpus", folder / "data", HashedEmbedder(), Knowledge(embedding=embedding))
    workshop.write(**pages)
    workshop.sync()
    with closing(workshop.open(use_chroma=True)) as base:
        yield base


def make_workshop(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Workshop:
    """Make a workshop whose knowledge base uses a `HashedEmbedder`, whatever embedding the settings name."""
    workshop = Workshop(folder / "corpus", folder / "data", HashedEmbedder())
    for module in ("rag.knowledge.sync", "rag.knowledge.search"):
        monkeypatch.setattr(f"{module}.open_embedder", lambda name, models: workshop.embedder)
    return workshop
