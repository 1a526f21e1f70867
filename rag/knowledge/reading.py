"""Reads the files of a corpus, each in a child process with limits: any format can be made to do harm."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from types import TracebackType
from typing import TYPE_CHECKING, Self

from rag.addresses import address_in
from rag.errors import DocumentError
from rag.knowledge.documents import Document
from rag.knowledge.sources import Failure, Source
from rag.language.visible import one_line
from rag.reasons import Reason
from rag.settings import Knowledge

if TYPE_CHECKING:
    from rag.knowledge.loaders.child import ParserProcess


@dataclass(frozen=True, slots=True)
class FileContent:
    """The content that was read from a file.

    Args:
        documents: One document, or the rows of a JSONL file in order.
        failed: Parts (rows, pages) that could not be read, although the rest could.
    """

    documents: tuple[Document, ...]
    failed: tuple[Failure, ...] = ()


class DocumentReader:
    """Reads documents one after the other; not thread-safe.

    The child process is started for the first file, serves until the reader is closed, and is replaced when a
    document breaks it.
    """

    def __init__(self, settings: Knowledge) -> None:
        self._settings = settings
        self._loaders = {ending.lower(): name for ending, name in settings.langchain_loaders.items()}
        self._parser: ParserProcess | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        error_type: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the child process, if there is one."""
        if self._parser:
            self._parser.close()

    def read(self, source: Source) -> FileContent:
        """Read one file.

        Raises:
            DocumentError: Nothing of it can be read; the message says why and what to do.
        """
        if source.size == 0:
            raise DocumentError(Reason("file-empty"))
        if source.size > self._settings.max_file_bytes:
            raise DocumentError(
                Reason("file-too-large", {"bytes": source.size, "limit": self._settings.max_file_bytes})
            )
        if self._parser is None:
            from rag.knowledge.loaders.child import ParserProcess

            self._parser = ParserProcess(self._settings)
        content = self._parser.load(source, self._loaders.get(source.path.suffix.lower(), ""))
        failed = tuple(Failure(source.key, note) for note in content.notes)
        if source.kind == "jsonl":
            rows = (replace(row, url=row.url or self._address(source)) for row in content.rows)
            return FileContent(tuple(rows), failed)
        if not content.sections:
            raise DocumentError(Reason("no-text"))
        title = content.title or _title_of(source.key)
        document = Document(source.key, title, content.sections, content.url or self._address(source))
        return FileContent((document,), failed)

    def _address(self, source: Source) -> str:
        return address_in(source.path, self._settings.addresses)


def _title_of(key: str) -> str:
    """A title made from a file name: ``"team/vacation_policy.md"`` is "vacation policy"."""
    stem = PurePosixPath(key).stem
    return one_line(stem.replace("_", " ").replace("-", " ")) or one_line(key) or key
