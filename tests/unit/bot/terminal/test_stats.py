"""The figures as a person and as a program reads them."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from rich.console import Console

from bot.statistics.values import Latency, Statistics
from bot.terminal import stats
from rag.values import LABELS, Savings, Usage

SINCE, UNTIL = datetime(2026, 5, 20, tzinfo=UTC), datetime(2026, 5, 20, 12, tzinfo=UTC)
ROLES = {"draft": Usage(6, 6000, 600, 12.0, 0.5), "judge": Usage(2, 1000, 100, 3.0, 0.0, 2)}
SUMS = Statistics(
    SINCE,
    UNTIL,
    questions=8,
    people=3,
    labels={"verified": 6, "general": 2},
    used_documents=5,
    usage=Usage(8, 7000, 700, 15.0, 0.5, 2, ROLES),
    savings=Savings(9, 3300, {"checks": Savings(2, 900), "evidence": Savings(7, 2400)}),
    latency=Latency(2.5, 7.25),
    useful=4,
    wrong=1,
)
NOTHING = Statistics(SINCE, UNTIL)


def shown(found: dict[int, Statistics], width: int = 140) -> str:
    console = Console(file=io.StringIO(), width=width)
    stats.show(console, found, "EUR")
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def line(text: str, name: str) -> list[str]:
    """The columns of a line."""
    rows = ([cell.strip() for cell in line.split("  ") if cell.strip()] for line in text.splitlines())
    (found,) = (row for row in rows if row[:1] == [name])
    return found


@pytest.mark.parametrize(
    "expected",
    [
        ["questions", "0", "8"],
        ["verified", "0", "6 (75%)"],
        ["not in documents", "0", "0 (0%)"],
        ["useful / wrong", "0 / 0", "4 / 1"],
        ["median", "–", "2.5 s"],
        ["tokens in + out", "0 + 0", "7,000 + 700"],
        ["cost", "0.00 EUR", "at least 0.50 EUR"],
        ["– free checks", "0", "2"],
        ["draft", "6", "6,000", "600", "12.0", "0.50 EUR"],
        ["judge", "2", "1,000", "100", "3.0", "price unknown"],
    ],
    ids=lambda expected: expected[0],
)
def test_periods_stand_side_by_side_and_roles_below(expected: list[str]) -> None:
    assert line(shown({1: NOTHING, 7: SUMS}), expected[0]) == [column.strip() for column in expected]


def test_savings_are_said_as_what_judging_everything_would_have_cost_more() -> None:
    # 3,300 of 3,300 + 1,100 tokens of judging
    assert stats.saved(SUMS) == (
        "Judging everything would have cost 9 calls and 3,300 tokens more: 75% of all judging was saved."
    )
    assert stats.saved(NOTHING) == "Judging everything would have cost 0 calls and 0 tokens more."


def test_calls_without_a_price_name_the_setting() -> None:
    assert "2 calls have no price: set prices.models" in shown({7: SUMS})
    assert "prices.models" not in shown({7: replace(SUMS, usage=replace(SUMS.usage, unpriced_calls=0))})


def test_silence_is_one_sentence() -> None:
    assert shown({1: NOTHING, 30: NOTHING}) == "Nothing was asked in the last 30 days.\n"
    assert shown({1: NOTHING}) == "Nothing was asked today.\n"


def test_headings_and_names_stay_in_one_piece_in_80_columns() -> None:
    busy = Usage(12_345, 123_456_789, 12_345_678, 98_765.4, 1234.5, 7)
    sums = replace(SUMS, usage=replace(busy, by_role={"summaries": busy}))
    told = shown({1: sums, 7: sums, 30: sums}, width=80).splitlines()

    assert [text for text in told if text.strip() == "By role, 30 days:"]
    (headings,) = [text for text in told if text.startswith("role ")]
    assert headings.rstrip().endswith(" cost")
    assert "tokens read  tokens written" in headings
    assert [text for text in told if text.startswith("not in documents")]
    assert all(len(text) <= 80 for text in told)


def test_json_has_every_label_and_the_documented_keys() -> None:
    row = json.loads(json.dumps(stats.to_json(SUMS)))
    assert row["labels"] == dict.fromkeys(LABELS, 0) | {"verified": 6, "general": 2}
    assert row["seconds"] == {"p50": 2.5, "p95": 7.25}
    by_layer = {"checks": {"calls": 2, "tokens": 900}, "evidence": {"calls": 7, "tokens": 2400}}
    assert row["savings"] == {"calls": 9, "tokens": 3300, "by_layer": by_layer}
    assert row["usage"]["by_role"]["judge"]["cost"] is None
    page = Path(__file__).parents[4] / "docs_corpus" / "command-line.md"
    for key in ("currency", "periods", "days", *row):
        assert f"`{key}`" in page.read_text(encoding="utf-8")


def test_silent_period_has_no_seconds() -> None:
    assert stats.to_json(NOTHING)["seconds"] is None


def test_looking_at_a_new_data_folder_leaves_nothing_behind(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "data"
    assert stats.stats({"data_dir": folder}, days=3, as_json=True) == 0
    (row,) = json.loads(capsys.readouterr().out)["periods"]
    assert (row["days"], row["questions"]) == (3, 0)
    assert not folder.exists()
