"""Reads JSON Lines: every row ``{"id", "title", "text", "url"}`` is a document of its own."""

from __future__ import annotations

import codecs
import json
from collections.abc import Container

from rag.errors import DocumentError
from rag.knowledge.documents import Document, Section
from rag.language.visible import one_line, visible
from rag.reasons import Reason

_NOTES = 100  # a file of another kind would fail on every line


def load_rows(
    content: bytes, prefix: str, max_text_chars: int
) -> tuple[tuple[Document, ...], tuple[Reason, ...]]:
    """Read the rows of a file; a row that is wrong does not stop the others.

    The title heads the text, so that a search finds it.

    Args:
        content: The file.
        prefix: Put before each id to make a document key.
        max_text_chars: A row with more text is left out.

    Returns:
        The documents, and for each row left out its line number and what is wrong with it.
    """
    documents: dict[str, Document] = {}
    notes: list[Reason] = []
    failures = 0
    for number, line in enumerate(content.removeprefix(codecs.BOM_UTF8).split(b"\n"), start=1):
        if not line.strip():
            continue
        try:
            document = _document(line, prefix, max_text_chars, documents)
        except DocumentError as error:
            failures += 1
            if failures <= _NOTES:
                notes.append(Reason("line", {"line": str(number), "reason": error.reason}))
        else:
            documents[document.key] = document
    if failures > _NOTES:
        notes.append(Reason("more-lines", {"rows": failures - _NOTES}))
    return tuple(documents.values()), tuple(notes)


def _document(line: bytes, prefix: str, max_text_chars: int, taken: Container[str]) -> Document:
    try:
        row = json.loads(line.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise DocumentError(Reason("row-not-utf8")) from error
    except (ValueError, RecursionError) as error:
        raise DocumentError(Reason("row-not-json")) from error
    if not isinstance(row, dict):
        raise DocumentError(Reason("row-no-object"))
    row_id, title, text = row.get("id"), row.get("title") or "", row.get("text")
    if isinstance(row_id, bool) or not isinstance(row_id, str | int) or not one_line(str(row_id)):
        raise DocumentError(Reason("row-no-id"))
    if not isinstance(text, str) or not visible(text).strip():
        raise DocumentError(Reason("row-no-text"))
    if not isinstance(title, str):
        raise DocumentError(Reason("row-title"))
    if len(text) > max_text_chars:
        raise DocumentError(Reason("row-too-long", {"limit": max_text_chars}))
    name = one_line(str(row_id))
    if prefix + name in taken:
        raise DocumentError(Reason("row-same-id", {"id": repr(name)}))
    title = one_line(title)
    url = row.get("url")
    section = Section(title, visible(text).strip("\n"))
    return Document(prefix + name, title or name, (section,), url if isinstance(url, str) else "")
