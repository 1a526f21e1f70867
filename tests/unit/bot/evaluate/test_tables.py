from __future__ import annotations

from bot.evaluate.tables import tables


def test_reports_stand_side_by_side_and_their_groups_below_one_another() -> None:
    never = {"rows": 4, "ms": {"p50": 2.5}, "cost": None, "by_kind": {"docs": {"rows": 4, "right": 0.25}}, "faults": [1]}  # fmt: skip
    self = {"rows": 4, "ms": {"p50": 3.0}, "cost": 0.0001, "by_kind": {"docs": {"rows": 4, "right": 0.5}}}
    whole, kinds = tables("answers", {"never": never, "self": self}, ("rows", "right"))
    shown = [list(cells) for cells in zip(*(column.cells for column in whole.columns), strict=True)]
    assert [str(column.header) for column in whole.columns] == ["", "never", "self"]
    assert shown == [["rows", "4", "4"], ["ms p50", "2.500", "3.000"], ["cost", "–", "0.000100"]]
    assert [list(column.cells) for column in kinds.columns] == [
        ["docs: never", "docs: self"], ["4", "4"], ["0.250", "0.500"],
    ]  # fmt: skip


def test_missing_count_of_a_confusion_is_a_dash() -> None:
    *_, confusion = tables("verdicts", {"value": {"rows": 2, "confusion": {"a": {"a": 1}, "b": {"c": 1}}}})
    assert [str(column.header) for column in confusion.columns] == ["", "a", "c"]
    assert list(confusion.columns[2].cells) == ["–", "1"]
