"""The table of faults names every fault once, and only tests that exist."""

from __future__ import annotations

import ast
import re

import pytest

from tests.conftest import REPOSITORY

PAGE = REPOSITORY / "docs" / "what-happens-when-things-fail.md"
FAULTS = 73

_ROW = re.compile(r"^\| (\d+) \| ([^|]+) \| ([^|]+) \| ([^|]+) \|$", re.MULTILINE)


def rows() -> list[tuple[int, str, list[str]]]:
    """Number, what happens, and the tests of each row."""
    found = _ROW.findall(PAGE.read_text("utf-8"))
    return [(int(number), what, re.findall(r"`(\w+)`", tests)) for number, _, what, tests in found]


@pytest.fixture(scope="module")
def tests() -> set[str]:
    """The names of all tests."""
    return {
        node.name
        for path in (REPOSITORY / "tests").rglob("test_*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_")
    }


def test_every_fault_stands_there_once_and_in_order() -> None:
    assert [number for number, _, _ in rows()] == list(range(1, FAULTS + 1))


def test_every_fault_has_tests_or_a_reason_why_it_needs_none() -> None:
    bare = [number for number, what, named in rows() if bool(named) == what.startswith("Does not apply. ")]

    assert bare == []


def test_every_named_test_exists(tests: set[str]) -> None:
    missing = {number: lost for number, _, named in rows() if (lost := sorted(set(named) - tests))}

    assert missing == {}
