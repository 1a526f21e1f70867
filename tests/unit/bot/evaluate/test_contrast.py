from __future__ import annotations

import re

import pytest

from bot.evaluate import contrast_page, tables
from bot.evaluate.contrast import CheckedPair, CheckedText, Contrasted, ContrastReport
from bot.evaluate.rows import LabelledPair, Malformed
from rag.reasons import as_written
from rag.values import Verdict


def text(verified: bool, calls: int = 0, milliseconds: float = 10.0) -> CheckedText:
    verdict = Verdict("adequate", as_written("it stands there"), 0.9, "evidence")
    return CheckedText("verified" if verified else "unverified", verdict, calls, 100 * calls, milliseconds)


def contrasted(kind: str, right: CheckedText, wrong: CheckedText, written: CheckedPair) -> Contrasted:
    row = LabelledPair.model_validate(
        {"id": "1", "kind": kind, "lang": "en", "question": "q", "right": "<b>r</b>", "wrong": "w"}
    )
    return Contrasted(row, CheckedPair(right, wrong), written)


REPORT = ContrastReport(
    (
        contrasted("name", text(True), text(True, 1), CheckedPair(text(True), text(False, 1))),
        contrasted("name", text(True), text(False), CheckedPair(text(True, 2), text(True))),
        contrasted(
            "number", text(False), text(False), CheckedPair(text(True, milliseconds=99.0), text(False))
        ),
        contrasted("number", text(True, milliseconds=30.0), text(True), CheckedPair(text(False), text(True))),
    ),
    (Malformed(3, "the line is not JSON"),),
)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("rows", 4),
        ("right_verified", 0.75),
        ("wrong_verified", 0.5),
        ("written", {"right_verified": 0.75, "wrong_verified": 0.5}),
        ("decided_free", 0.8125),  # of 16 texts three were shown to a model
        ("calls", 4),
        ("tokens", 400),
        ("ms", {"p50": 10.0, "p95": 30.0}),  # of drafts alone
        ("malformed", [{"line": 3, "reason": "the line is not JSON"}]),
        (
            "by_kind",
            {
                "name": {
                    "rows": 2,
                    "right_verified": 1.0,
                    "wrong_verified": 0.5,
                    "written": {"right_verified": 1.0, "wrong_verified": 0.5},
                },
                "number": {
                    "rows": 2,
                    "right_verified": 0.5,
                    "wrong_verified": 0.5,
                    "written": {"right_verified": 0.5, "wrong_verified": 0.5},
                },
            },
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_figure(key: str, value: object) -> None:
    assert REPORT.to_json()[key] == value


def test_table_sets_every_kind_and_language_beside_the_whole() -> None:
    shares, summary = tables.of_contrast(REPORT.to_json())
    assert list(shares.columns[0].cells) == ["all", "name", "number", "en"]
    assert list(shares.columns[3].cells) == ["0.500"] * 4
    assert next(iter(summary.columns[1].cells)) == "0.812"


def test_page_shows_the_wrong_texts_that_were_called_verified_and_no_markup_of_theirs() -> None:
    page = contrast_page.of_contrast(REPORT, "pairs").to_html()
    assert "Wrong but called verified: 3" in page
    assert "Right but not called verified: 2" in page
    assert "&lt;b&gt;r&lt;/b&gt;" in page
    assert not re.search(r"(src|href)=.https?:", page)
