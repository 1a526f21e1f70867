"""Runs a document loader of `langchain-community` that the settings name for a file ending."""

from __future__ import annotations

import importlib
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rag.errors import DocumentError
from rag.knowledge.loaders.content import Content, Outline, TextLimit
from rag.language.visible import visible
from rag.reasons import Reason


def load_with_langchain(path: Path, loader: str, limit: TextLimit) -> Content:
    """Read a file with a LangChain loader.

    Raises:
        DocumentError: The loader is not installed, does not exist, or needs another package.
    """
    loader_class = _loader_class(loader)
    outline = Outline()
    try:
        for document in loader_class(str(path)).lazy_load():
            text = visible(document.page_content).strip()
            limit.count(text)
            page = document.metadata.get("page")
            if isinstance(page, int):
                outline.heading(1, f"page {page + 1}")
            outline.line(f"{text}\n")
    except ImportError as error:
        raise DocumentError(Reason("loader-package", {"loader": loader, "error": str(error)})) from error
    return Content("", outline.sections())


def _loader_class(loader: str) -> Callable[[str], Any]:
    module_name, _, class_name = loader.partition(":")
    try:
        with warnings.catch_warnings():
            # The package announces its own end on import; the settings' author chose it all the same.
            warnings.simplefilter("ignore", DeprecationWarning)
            loader_class: Callable[[str], Any] = getattr(importlib.import_module(module_name), class_name)
    except ModuleNotFoundError as error:
        raise DocumentError(Reason("loader-missing", {"loader": loader})) from error
    except (AttributeError, ValueError) as error:
        raise DocumentError(Reason("loader-unknown", {"loader": loader})) from error
    return loader_class
