"""The corpus of this installation: which paths it is, and bringing the knowledge base up to date with it.

It is what the settings name, and the folder of documents that people added in a channel.
"""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable
from contextlib import AbstractContextManager, closing, nullcontext
from dataclasses import replace
from pathlib import Path

from bot.documents.fetching import Fetcher
from bot.documents.pages import Pages
from bot.documents.shared import SharedDocuments, uploads_folder
from bot.settings.tree import Settings
from rag.knowledge.catalog import read_roots
from rag.knowledge.indexing import OnProgress, index_in_thread
from rag.knowledge.sources import Discovery, discover
from rag.knowledge.store import Store
from rag.knowledge.sync import SyncReport, sync
from rag.models.tokens import count_embeddings

_CHROMA_SECONDS = 600.0

Spend = Callable[[int], Awaitable[None]]
"""Counts the tokens of documents that a server has embedded towards the budget of the bot."""


def update(
    settings: Settings,
    folder: Path,
    *,
    rebuild: bool = False,
    on_progress: OnProgress | None = None,
    refreshes: bool = False,
    shared: SharedDocuments | None = None,
) -> SyncReport:
    """Bring a knowledge base up to date with the corpus; blocking.

    Args:
        on_progress: Told how far it is; what it raises ends the work, and nothing is lost.
        refreshes: Ask first whether the added pages of the web have changed.
        shared: What this machine shares with others, if the knowledge base is theirs too.

    Raises:
        ThinkTwiceError: as `rag.knowledge.sync.sync` does.
    """
    if shared is not None:
        shared.refresh()
    kept = web_pages(settings, shared)
    failed = kept.refresh() if refreshes else ()
    addresses = {**settings.knowledge.addresses, **kept.addresses()}
    report = sync(
        folder,
        corpus_paths(settings),
        settings.knowledge.model_copy(update={"addresses": addresses}),
        settings.models,
        rebuild=rebuild,
        on_progress=on_progress,
        origin=None if shared is None else shared.origin,
    )
    if shared is not None:
        shared.refresh()
    return replace(report, failed=(*report.failed, *failed))


def web_pages(settings: Settings, shared: SharedDocuments | None = None) -> Pages:
    """The pages of the web among the added documents."""
    web = settings.web
    fetcher = Fetcher(web.max_bytes, web.seconds)
    return Pages(uploads_folder(settings), fetcher, web.max_pages, changing(shared))


def changing(shared: SharedDocuments | None) -> Callable[[], AbstractContextManager[None]]:
    """Return the context in which the added files may be changed."""
    return nullcontext if shared is None else shared.files.changing


async def update_in_thread(
    settings: Settings,
    folder: Path,
    *,
    rebuild: bool = False,
    on_progress: OnProgress | None = None,
    refreshes: bool = False,
    shared: SharedDocuments | None = None,
    spend: Spend | None = None,
) -> SyncReport:
    """Run `update` in a thread. If the caller is cancelled, the update stops at its next step.

    `spend` is told the tokens also when the update fails.
    """
    with count_embeddings() as embedded:
        try:
            return await index_in_thread(
                lambda report: update(
                    settings, folder, rebuild=rebuild, on_progress=report, refreshes=refreshes, shared=shared
                ),
                on_progress,
            )
        finally:
            if spend is not None:
                await spend(embedded.tokens)


def knowledge_folder(settings: Settings) -> Path:
    """Return the folder of the knowledge base of the corpus that the settings name.

    `thinktwice index` decides what the data folder holds. Another corpus named for a single question or
    chat gets a folder of its own, so that it does not throw the indexed one away.
    """
    if "corpus" not in settings.model_fields_set:
        return settings.data_dir
    asked = [str(path.resolve()) for path in settings.corpus]
    indexed = _indexed_roots(settings)
    if not indexed or indexed == asked:
        return settings.data_dir
    return settings.data_dir / "corpora" / hashlib.sha256("\n".join(asked).encode()).hexdigest()[:16]


def _indexed_roots(settings: Settings) -> list[str]:
    """Return the paths that were named when the data folder was indexed last."""
    with closing(Store(settings.data_dir)) as store:
        roots = [str(root) for root in read_roots(store.state(), settings.data_dir.resolve())]
    added = str(uploads_folder(settings))
    # Unless it was named itself, and nothing else.
    return [root for root in roots if root != added] or roots


def fill_chroma(settings: Settings) -> None:
    """Copy the vectors into Chroma now, so that the first conversation finds them there; blocking.

    Another process may own Chroma's folder; it brings its copy up to date by itself.

    Raises:
        ThinkTwiceError: the knowledge base cannot be read.
    """
    from rag.knowledge.search import KnowledgeBase

    with closing(KnowledgeBase.open(settings.data_dir, settings.knowledge, settings.models)) as base:
        base.wait_for_chroma(_CHROMA_SECONDS)


def find_files(settings: Settings) -> Discovery:
    """Find the files of the corpus without opening one; blocking. Raises `InputError` if a path is gone."""
    knowledge = settings.knowledge
    return discover(corpus_paths(settings), list(knowledge.langchain_loaders), knowledge.exclude)


def corpus_paths(settings: Settings) -> tuple[Path, ...]:
    """The corpus: what was asked for; else what was indexed last; else the product's handbook.

    Documents that people added belong to every corpus of the data folder.
    """
    if "corpus" in settings.model_fields_set:
        paths = settings.corpus
    else:
        paths = tuple(Path(root) for root in _indexed_roots(settings)) or settings.corpus
    added = uploads_folder(settings)
    # Last: where two files have the same name, the one of the operator keeps it.
    return (*paths, added) if added.is_dir() else paths
