"""Reads the files of a corpus: simple formats here, complex ones in a child process with limits."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePosixPath
from types import TracebackType
from typing import TYPE_CHECKING, Self

from rag.errors import DocumentError
from rag.knowledge.documents import Document
from rag.knowledge.loaders.content import Content
from rag.knowledge.sources import Failure, Source
from rag.language.visible import one_line
from rag.reasons import Reason, reason_of_os
from rag.settings import Knowledge

if TYPE_CHECKING:
    from rag.knowledge.loaders.child import ParserProcess


@dataclass(frozen=True, slots=True)
class FileContent:
    """What was read from a file.

    Args:
        documents: One document, or the rows of a JSONL file in order.
        failed: Parts (rows, pages) that could not be read, although the rest could.
    """

    documents: tuple[Document, ...]
    failed: tuple[Failure, ...] = ()


class DocumentReader:
    """Reads documents one after the other; not thread-safe.

    The child process starts with the first complex format, runs until the reader is closed, and is replaced
    when a document crashes it.
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
        if source.kind == "jsonl":
            return self._read_rows(source)
        content = self._read_content(source)
        if not content.sections:
            raise DocumentError(Reason("no-text"))
        title = content.title or _title_of(source.key)
        document = Document(source.key, title, content.sections)
        return FileContent((document,), tuple(Failure(source.key, note) for note in content.notes))

    def _read_rows(self, source: Source) -> FileContent:
        from rag.knowledge.loaders.rows import load_rows

        documents, notes = load_rows(self._bytes(source), source.row_prefix, self._settings.max_text_chars)
        return FileContent(documents, tuple(Failure(source.key, note) for note in notes))

    def _read_content(self, source: Source) -> Content:
        if source.kind == "markdown":
            from rag.knowledge.loaders.markdown import load_markdown

            return load_markdown(self._text(source))
        if source.kind == "text":
            from rag.knowledge.loaders.text import load_text

            return load_text(self._text(source))
        if source.kind == "jsonl":
            raise AssertionError("a JSONL file is read by rows")
        if self._parser is None:
            from rag.knowledge.loaders.child import ParserProcess

            self._parser = ParserProcess(self._settings)
        return self._parser.load(source.kind, source.path, self._loaders.get(source.path.suffix.lower(), ""))

    def _text(self, source: Source) -> str:
        from rag.knowledge.loaders.content import TextLimit
        from rag.knowledge.loaders.text import decode

        text = decode(self._bytes(source))
        TextLimit(self._settings.max_text_chars).count(text)
        return text

    def _bytes(self, source: Source) -> bytes:
        """The file, of which no more is read than is allowed: it may have grown since it was found."""
        limit = self._settings.max_file_bytes
        try:
            with source.path.open("rb") as file:
                content = file.read(limit + 1)
        except OSError as error:
            raise DocumentError(Reason("file-not-opened", {"reason": reason_of_os(error)})) from error
        if len(content) > limit:
            raise DocumentError(Reason("file-grew", {"limit": limit}))
        return content


def _title_of(key: str) -> str:
    """A title made from a file name: ``"team/vacation_policy.md"`` is "vacation policy"."""
    stem = PurePosixPath(key).stem
    return one_line(stem.replace("_", " ").replace("-", " ")) or one_line(key) or key
