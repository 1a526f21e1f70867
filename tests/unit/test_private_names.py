"""No private name of a library is used: such a name may change with any of its releases."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import REPOSITORY

OURS = {"bot", "rag", "bench", "tests", "tools"}

ALLOWED = {
    # lxml's own documentation and type stubs name the class of an element so.
    "etree._Element",
    # For annotations alone: typer carries a copy of click, and gives these types no other name.
    "typer._click",
}


def _is_private(name: str) -> bool:
    return name.startswith("_") and not name.endswith("__")


def _is_library(module: str) -> bool:
    first = module.partition(".")[0]
    return first not in OURS and first not in sys.stdlib_module_names


def private_names(source: str) -> Iterator[str]:
    """The private names of libraries that a module imports, or reads from what it has imported."""
    tree = ast.parse(source)
    imported: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if _is_library(alias.name):
                    imported.add(alias.asname or alias.name.partition(".")[0])
                    yield from [alias.name] if any(map(_is_private, alias.name.split("."))) else []
        if isinstance(node, ast.ImportFrom) and not node.level and _is_library(node.module or ""):
            module = node.module or ""
            imported.update(alias.asname or alias.name for alias in node.names)
            yield from [module] if any(map(_is_private, module.split("."))) else []
            yield from (f"{module}.{alias.name}" for alias in node.names if _is_private(alias.name))
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and _is_private(node.attr):
            root = node.value
            while isinstance(root, ast.Attribute | ast.Call):
                root = root.value if isinstance(root, ast.Attribute) else root.func
            if isinstance(root, ast.Name) and root.id in imported:
                yield ast.unparse(node)
        if isinstance(node, ast.ClassDef) and imported & {
            ast.unparse(one).partition(".")[0] for one in node.bases
        }:
            yield from _inherited(node)


def _inherited(inheriting: ast.ClassDef) -> Iterator[str]:
    """The private names of itself that a class neither defines nor sets: it has them of its base."""
    names = {
        node.name for node in inheriting.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }
    used: set[str] = set()
    for node in ast.walk(inheriting):
        if isinstance(node, ast.Attribute) and ast.unparse(node.value) in {"self", "cls", "super()"}:
            (names if isinstance(node.ctx, ast.Store) else used).add(node.attr)
    yield from (f"{inheriting.name}.{name}" for name in sorted(used - names) if _is_private(name))


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("from library import _queue", ["library._queue"]),
        ("import library._queue", ["library._queue"]),
        ("from library._queue import Queue", ["library._queue"]),
        ("import library as lib\nlib.Queue()._items", ["lib.Queue()._items"]),
        ("from library import Queue\nQueue._items", ["Queue._items"]),
        ("from library import Queue\nclass Q(Queue):\n    def f(self): self._items", ["Q._items"]),
        ("from library import Queue\nclass Q(Queue):\n    def f(self): self._x = 1; return self._x", []),
        ("import os\nos._exit(1)\nfrom bot import _x\nself._x\nlibrary.__name__", []),
    ],
)
def test_private_names_are_seen(source: str, found: list[str]) -> None:
    assert list(private_names(source)) == found


@pytest.mark.parametrize("room", ["bot", "rag"])
def test_no_private_name_of_a_library_is_used(room: str) -> None:
    paths = sorted((REPOSITORY / room).rglob("*.py"))
    assert paths
    assert [
        f"{path.relative_to(REPOSITORY)}: {name}"
        for path in paths
        for name in private_names(Path(path).read_text(encoding="utf-8"))
        if name not in ALLOWED
    ] == []
