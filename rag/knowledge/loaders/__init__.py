"""The loaders: bytes of a file in, its text in sections out. They run in a child process with limits.

To add a format: write a function here that takes the content and a `TextLimit`, counts its text with it,
returns a `Content` and raises `DocumentError` for what cannot be read; name it below, and give its endings a
kind in `rag.knowledge.sources`.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import replace

from rag.knowledge.loaders.content import Content, TextLimit
from rag.knowledge.sources import Kind

_LOADERS: dict[Kind, str] = {
    "html": "html:load_html",
    "pdf": "pdf:load_pdf",
    "docx": "docx:load_docx",
    "xlsx": "xlsx:load_xlsx",
    "pptx": "office:load_pptx",
    "opendocument": "office:load_opendocument",
    "epub": "office:load_epub",
    "eml": "mail:load_eml",
    "msg": "mail:load_msg",
}
_LOADERS_OF_TEXT: dict[Kind, str] = {
    "markdown": "markdown:load_markdown",
    "text": "text:load_text",
    "rst": "titled:load_rst",
    "asciidoc": "titled:load_asciidoc",
    "rtf": "text:load_rtf",
    "json": "json_files:load_json",
    "ipynb": "json_files:load_notebook",
    "csv": "tables:load_delimited",
}


def loader_of(kind: Kind) -> Callable[[bytes, TextLimit], Content]:
    """Import the loader of a kind of file, and return its call."""
    from rag.knowledge.loaders.text import decode

    module, _, name = (_LOADERS | _LOADERS_OF_TEXT)[kind].partition(":")
    load: Callable[..., Content] = getattr(importlib.import_module(f"{__name__}.{module}"), name)
    if kind in _LOADERS:
        return load

    def load_decoded(content: bytes, limit: TextLimit) -> Content:
        text, doubts = decode(content)
        if kind == "csv":  # a table grows, so that it is counted as it is written
            found = load(text, limit)
        else:
            limit.count(text)
            found = load(text)
        return replace(found, notes=(*doubts, *found.notes))

    return load_decoded
