"""Reads JSON: notebooks by their cells, JSON Lines a document a row, any other file as names and values."""

from __future__ import annotations

import codecs
import json
from collections.abc import Container, Iterable, Mapping
from typing import Any

from rag.errors import DocumentError
from rag.knowledge.documents import Document, Section
from rag.knowledge.loaders.content import Content, Outline, TextLimit
from rag.knowledge.loaders.markdown import load_markdown
from rag.knowledge.loaders.tables import add_table
from rag.language.visible import one_line, visible
from rag.reasons import Reason

_NOTES = 100  # a file of another kind would fail on every line
_DEEPEST_HEADING = 4
_NAMES = ("name", "title", "id", "key")
"""What an entry of a list is called by, the first that it has."""


def load_rows(content: bytes, prefix: str, max_text_chars: int) -> Content:
    """Read the rows ``{"id", "title", "text", "url"}`` of a file; a wrong one does not stop the others."""
    documents, notes = dict[str, Document](), list[Reason]()
    for number, line in enumerate(content.removeprefix(codecs.BOM_UTF8).split(b"\n"), start=1):
        if not line.strip():
            continue
        try:
            document = _document(line, prefix, max_text_chars, documents)
            documents[document.key] = document
        except DocumentError as error:
            notes.append(Reason("line", {"line": str(number), "reason": error.reason}))
    if len(notes) > _NOTES:
        notes[_NOTES:] = [Reason("more-lines", {"rows": len(notes) - _NOTES})]
    return Content("", (), tuple(notes), documents=tuple(documents.values()))


def _document(line: bytes, prefix: str, max_text_chars: int, taken: Container[str]) -> Document:
    try:
        row = json.loads(line.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise DocumentError(Reason("row-not-utf8")) from error
    except (ValueError, RecursionError) as error:
        raise DocumentError(Reason("row-not-json")) from error
    if not isinstance(row, dict):
        raise DocumentError(Reason("row-no-object"))
    row_id, title, text, url = row.get("id"), row.get("title") or "", row.get("text"), row.get("url")
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
    # The title heads the text, so that a search finds it.
    section = Section(one_line(title), visible(text).strip("\n"))
    return Document(prefix + name, section.heading or name, (section,), url if isinstance(url, str) else "")


def load_notebook(text: str) -> Content:
    """Read a notebook: its texts, its code, and what the code printed; pictures are not read."""
    book = _parsed(text)
    cells = book.get("cells") if isinstance(book, dict) else None
    if not isinstance(cells, list):
        raise DocumentError(Reason("not-json"))
    parts: list[str] = []
    for cell in (cell for cell in cells if isinstance(cell, dict)):
        source = _source(cell.get("source"))
        if cell.get("cell_type") != "code":
            parts.append(source)
            continue
        outputs = [_output(output) for output in cell.get("outputs") or () if isinstance(output, dict)]
        parts += [_fenced(part) for part in (source, "\n".join(filter(None, outputs))) if part.strip()]
    return load_markdown("\n\n".join(parts))


def _output(output: Mapping[str, object]) -> str:
    values = output.get("data")
    return _source(values.get("text/plain") if isinstance(values, dict) else output.get("text"))


def _source(value: object) -> str:
    return "".join(map(str, value)) if isinstance(value, list) else value if isinstance(value, str) else ""


def _fenced(text: str) -> str:
    fence = "`" * 3
    while fence in text:
        fence += "`"
    return f"{fence}\n{text.strip(chr(10))}\n{fence}"


def load_json(text: str) -> Content:
    """Read a file of JSON: names become headings, lists of like entries tables, and values lines."""
    outline = Outline()
    _add(_parsed(text), 1, outline, TextLimit(8 * len(text)))  # the names of a table are not repeated
    return Content("", outline.sections())


def _parsed(text: str) -> object:
    try:
        return json.loads(text)
    except ValueError as error:
        raise DocumentError(Reason("not-json")) from error


def _add(value: Any, level: int, outline: Outline, limit: TextLimit) -> None:  # noqa: ANN401 - any JSON
    if isinstance(value, dict):
        nested = {name: one for name, one in value.items() if isinstance(one, dict | list)}
        for name, one in value.items():
            if name not in nested:
                outline.line(one_line(f"{name}: {_shown(one)}"))
        for name, one in nested.items():
            if one:
                _add_below(name, one, level, outline, limit)
    elif not isinstance(value, list):
        outline.line(_shown(value))
    elif value and all(isinstance(one, dict) and not _is_nested(one.values()) for one in value):
        names = list(dict.fromkeys(name for one in value for name in one))
        rows = [[_shown(one.get(name, "")) for name in names] for one in value]
        add_table([names, *rows], outline, limit)
    else:
        for number, one in enumerate(value, start=1):
            if _is_nested([one]):
                named = (one[name] for name in _NAMES if isinstance(one, dict) and one.get(name))
                _add_below(_shown(next(named, number)), one, level, outline, limit)
            else:
                outline.line(f"- {_shown(one)}")


def _add_below(name: str, value: object, level: int, outline: Outline, limit: TextLimit) -> None:
    if level <= _DEEPEST_HEADING:
        outline.heading(level, visible(name))
    else:
        outline.line(f"{one_line(name)}:")
    _add(value, level + 1, outline, limit)


def _is_nested(values: Iterable[object]) -> bool:
    return any(isinstance(value, dict | list) for value in values)


def _shown(value: object) -> str:
    return visible(value).strip() if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
