from __future__ import annotations

import pytest

from bot.evaluate import tables
from bot.evaluate.contrast import CheckedText, Contrasted, ContrastReport
from bot.evaluate.rows import LabelledPair, Malformed


def contrasted(kind: str, right: CheckedText, wrong: CheckedText, milliseconds: float = 10.0) -> Contrasted:
    row = LabelledPair.model_validate(
        {"id": "1", "kind": kind, "lang": "en", "question": "q", "right": "r", "wrong": "w"}
    )
    return Contrasted(row, right, wrong, 1, 100, milliseconds)


REPORT = ContrastReport(
    (
        contrasted("name", CheckedText(0.99), CheckedText(0.9)),
        contrasted("name", CheckedText(0.95), CheckedText(0.1)),
        contrasted("number", CheckedText(0.5), CheckedText(0.97, is_vetoed=True), milliseconds=99.0),
        contrasted("number", CheckedText(0.85), CheckedText(0.2), milliseconds=30.0),
    ),
    (Malformed(3, "the line is not JSON"),),
)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("rows", 4),
        ("right_verified", 0.75),
        ("wrong_verified", 0.25),
        ("right_at_wrong", {"0.02": 0.5, "0.03": 0.5}),  # above .9, so that none of four passes
        ("calls", 4),
        ("tokens", 400),
        ("ms", {"p50": 10.0, "p95": 99.0}),
        ("malformed", [{"line": 3, "reason": "the line is not JSON"}]),
        (
            "by_kind",
            {
                "name": {
                    "rows": 2,
                    "right_verified": 1.0,
                    "wrong_verified": 0.5,
                    "right_at_wrong": {"0.02": 1.0, "0.03": 1.0},
                },
                "number": {
                    "rows": 2,
                    "right_verified": 0.5,
                    "wrong_verified": 0.0,
                    "right_at_wrong": {"0.02": 1.0, "0.03": 1.0},
                },
            },
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_figure(key: str, value: object) -> None:
    assert REPORT.to_json()[key] == value


def test_table_sets_every_kind_and_language_beside_the_whole() -> None:
    shares, _ = tables.of_contrast(REPORT.to_json())
    assert list(shares.columns[0].cells) == ["all", "name", "number", "en"]
    assert list(shares.columns[4].cells) == ["0.500", "1.000", "1.000", "0.500"]
