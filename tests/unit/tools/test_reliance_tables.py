"""The tables of pairs and natural questions."""

from __future__ import annotations

from typing import Any

from tools import reliance_tables


def _pairs(wrong: float, rows: int = 10) -> dict[str, Any]:
    figures = {"right_verified": 0.8, "wrong_verified": wrong}
    return {"rows": rows, "figures": figures, "by_class": {"yes_no": {"rows": rows, **figures}}}


def test_classes_of_all_parts_are_weighed_by_their_rows() -> None:
    sets = {"false answers fitting": _pairs(0.4, rows=10), "false answers held out": _pairs(0.1, rows=20)}
    shown = reliance_tables.tables({"sets": sets})
    assert "| false answers fitting | 10 | 80.0 % | 40.0 % | – | – |" in shown
    assert "| yes no | 30 | 80.0 % | 20.0 % |" in shown  # (4 + 2) of 30


def test_what_was_not_measured_has_no_share() -> None:
    shown = reliance_tables.tables({"sets": {"natural en": {"rows": 2, "figures": {"right": 0.5}}}})
    assert "| en | 2 | 50.0 % | – | – | – | – |" in shown
