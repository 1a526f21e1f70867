"""A corpus in a folder and a knowledge base without a real embedding, for tests."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import pytest

from rag.knowledge.embeddings.hashed import HashedEmbedder
from rag.knowledge.search import KnowledgeBase
from rag.knowledge.sync import SyncReport, sync
from rag.settings import Knowledge, Models


@dataclass
class Workshop:
    """A folder of documents, and the data folder that they are indexed into."""

    corpus: Path
    data: Path
    embedder: HashedEmbedder
    settings: Knowledge = field(default_factory=Knowledge)

    def write(self, **texts: str) -> None:
        """Write documents: ``write(setup="# Set-up …")`` makes ``setup.md``."""
        self.corpus.mkdir(exist_ok=True)
        for name, text in texts.items():
            (self.corpus / f"{name}.md").write_text(text, "utf-8")

    def sync(self, *, rebuild: bool = False) -> SyncReport:
        return sync(self.data, [self.corpus], self.settings, Models(), rebuild=rebuild)

    def open(self, *, use_chroma: bool = False) -> KnowledgeBase:
        return KnowledgeBase.open(self.data, self.settings, Models(), use_chroma=use_chroma)


def make_workshop(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Workshop:
    """Make a workshop whose knowledge base uses a `HashedEmbedder`, whatever embedding the settings name."""
    workshop = Workshop(folder / "corpus", folder / "data", HashedEmbedder())
    for module in ("rag.knowledge.sync", "rag.knowledge.search"):
        monkeypatch.setattr(f"{module}.open_embedder", lambda name, models: workshop.embedder)
    return workshop
