"""The command that counts attacks plays tests that exist, all that count, and says when one was won."""

from __future__ import annotations

import re

import pytest

from bench import attacks
from tests.conftest import REPOSITORY


def test_every_row_names_tests_and_every_test_that_counts_is_in_a_row() -> None:
    files = {
        path.relative_to(REPOSITORY / "tests"): path.read_text("utf-8")
        for path in (REPOSITORY / "tests").rglob("test_*.py")
    }
    named = {
        f"{path.as_posix()}::{name}"
        for path, text in files.items()
        for name in re.findall(r"^ *(?:async )?def (test_\w+)", text, re.MULTILINE)
    }
    rows = [line[22:] for line in attacks.ATTACKS.splitlines()]
    assert [row for row in rows if not any(name.startswith(row) for name in named)] == []
    counting = {
        f"{path.as_posix()}::{name}"
        for path, text in files.items()
        for name in re.findall(r"def (test_\w+)\([^)]*\battacked:", text)
    }
    assert len(counting) > 9
    assert [name for name in counting if attacks.kind_of(f"tests/{name}") is None] == []


@pytest.mark.parametrize(
    ("outcome", "counted", "found"),
    [
        ("passed", [], (1, 0)),
        ("passed", [("tried", 40), ("won", 0)], (40, 0)),
        ("failed", [("tried", 40), ("won", 3)], (40, 3)),
        ("failed", [("tried", 40), ("won", 0)], (40, 0)),
        ("failed", [], (1, 1)),
        ("skipped", [], (0, 0)),
    ],
)  # fmt: skip
def test_attacks_are_counted(outcome: str, counted: list[tuple[str, object]], found: tuple[int, int]) -> None:
    tally = attacks.Tally()
    node = "tests/integration/test_attacks.py::test_orders[a]"
    why = ("a.py", 1, "Skipped: no development data") if outcome == "skipped" else None
    tally.pytest_runtest_logreport(
        pytest.TestReport(node, ("", 0, ""), {}, outcome, why, "call", user_properties=counted)  # type: ignore[arg-type]  # one of three words
    )
    assert (tally.tried["orders"], tally.won["orders"]) == found
    assert ("no development data" in tally.table()) is (outcome == "skipped")
