"""The documents that all machines of a fleet share: the knowledge base and the added files, in PostgreSQL.

Each machine has a copy of both in its data folder, where it searches and reads.
"""

from __future__ import annotations

import threading
from contextlib import closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from bot.documents.uploads import is_kept
from bot.settings.tree import Settings
from rag.errors import KnowledgeBusyError
from rag.knowledge.copying import copy
from rag.knowledge.origin import Origin
from rag.knowledge.store import Store

if TYPE_CHECKING:
    from bot.storage.shared_files import SharedFiles
    from bot.storage.shared_knowledge import SharedKnowledge

UPLOADS = "documents"
"""Folder in the data folder: documents that were added."""


class SharedDocuments:
    """Documents that all machines share, and their copy in this one's data folder; every method blocks."""

    def __init__(self, knowledge: SharedKnowledge, files: SharedFiles, folder: Path) -> None:
        self.files = files
        self._knowledge = knowledge
        self._folder = folder
        self._version: tuple[str, int, int] | None = None
        self._lock = threading.Lock()

    @property
    def origin(self) -> Origin:
        """The database that keeps the knowledge base."""
        return self._knowledge

    @property
    def version(self) -> tuple[str, int, int] | None:
        """What was copied last; None before the first copy."""
        return self._version

    def refresh(self) -> bool:
        """Bring this machine's copy up to date; return whether anything has changed since the last time.

        The first machine of a new fleet shares the knowledge base that it had alone.

        Raises:
            StorageError: The database cannot be used.
            ThinkTwiceError: The data folder cannot be used.
        """
        # Whoever waits for the lock finds what was copied meanwhile.
        with self._lock:
            version = self._knowledge.version()
            if version == self._version:
                return False
            self.files.refresh()
            # Another process that copies to or from the same place does the same work.
            with suppress(KnowledgeBusyError), closing(Store(self._folder)) as store:
                if version[0]:
                    copy(self._knowledge, store)
                elif store.state().generation:
                    copy(store, self._knowledge)
                self._version = version
            return True


def open_shared(settings: Settings) -> SharedDocuments | None:
    """Open what is shared; None with a SQLite file, which one machine has alone.

    Raises:
        StorageError: The settings name no PostgreSQL database. One that cannot be reached is found out later.
    """
    url = settings.database_url.get_secret_value()
    if not url:
        return None
    # Imported here: with a file nobody needs the library of databases to ask a question.
    from bot.storage.shared_files import SharedFiles
    from bot.storage.shared_knowledge import SharedKnowledge

    knowledge = SharedKnowledge(url)
    return SharedDocuments(
        knowledge, SharedFiles(knowledge, uploads_folder(settings), is_kept), settings.data_dir
    )


def uploads_folder(settings: Settings) -> Path:
    """Return the folder of the documents that people added; it is made with the first of them."""
    return (settings.data_dir / UPLOADS).resolve()
