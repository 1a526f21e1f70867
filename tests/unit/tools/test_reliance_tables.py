"""The tables of pairs and natural questions."""

from __future__ import annotations

from typing import Any

from tools import reliance_tables


def _pairs(wrong: float, rows: int = 10, recorded: float | None = None) -> dict[str, Any]:
    figures = dict.fromkeys(("draft_right_verified", "written_right_verified"), 0.8) | dict.fromkeys(
        ("draft_wrong_verified", "written_wrong_verified"), wrong
    )
    by_class = {"yes_no": {"rows": rows, **figures}}
    return {
        "rows": rows,
        "figures": figures if recorded is None else {**figures, "recorded": recorded},
        "by_class": by_class,
    }


def test_classes_of_both_splits_are_weighed_by_their_rows() -> None:
    sets = {"false answers fitting": _pairs(0.4, rows=10), "false answers held out": _pairs(0.1, rows=20)}
    shown = reliance_tables.tables({"sets": sets})
    assert "| yes no | 30 | 20.0 % | 20.0 % | – | – |" in shown  # (4 + 2) of 30


def test_reader_stands_beside_what_needs_no_model() -> None:
    sets = {
        "false answers fitting": _pairs(0.4),
        "false answers fitting with reader": _pairs(0.1, recorded=0.95) | {"unrecorded": 1},
    }
    shown = reliance_tables.tables({"sets": sets})
    assert "| false answers fitting | 10 | – | 80.0 % | 40.0 % | 80.0 % | 40.0 % |" in shown
    assert "| false answers fitting with reader | 11 | 95.0 % | 80.0 % | 10.0 % | 80.0 % | 10.0 % |" in shown
    assert "| yes no | 10 | 40.0 % | 40.0 % | 10.0 % | 10.0 % |" in shown


def test_classes_are_not_compared_with_a_reader_of_half_the_handbooks() -> None:
    sets = {
        "false answers fitting": _pairs(0.4),
        "false answers held out": _pairs(0.4),
        "false answers fitting with reader": _pairs(0.1, recorded=0.95),
        "false answers held out with reader": {"rows": 2, "unrecorded": 8, "figures": {"recorded": 0.2}},
    }
    shown = reliance_tables.tables({"sets": sets})
    assert "| yes no | 20 | 40.0 % | 40.0 % | – | – |" in shown


def test_what_is_not_recorded_has_no_share() -> None:
    sets = {"natural en with reader": {"rows": 2, "unrecorded": 8, "figures": {"recorded": 0.2}}}
    shown = reliance_tables.tables({"sets": sets})
    assert "| en with reader | 10 | 20.0 % | – | – | – | – | – |" in shown
