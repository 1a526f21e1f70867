from __future__ import annotations

import json
from typing import Any

import pytest

from tools import layer_tables
from tools.generated import ROOT


@pytest.fixture
def committed() -> dict[str, Any]:
    figures: dict[str, Any] = json.loads((ROOT / "bench" / "judging.json").read_text(encoding="utf-8"))
    return figures


def test_tables_show_what_was_counted_and_of_how_many(committed: dict[str, Any]) -> None:
    committed["free"]["all_caught"] = [950, 1000]
    committed["free"]["own"]["caught"]["mixed_language"] = [3, 7]
    committed["layers"]["reviewer"] |= {"texts": 41, "changed": 3, "worse_bound": 0.0704}
    shown = layer_tables.free(committed) + layer_tables.effects(committed)
    assert "| all faults | 950 | 1000 | 95.0 % |" in shown
    assert "| mixed language | 3 | 7 | 42.9 % |" in shown
    assert "| reviewer | 41 |" in shown
    assert "7.0 %" in shown


def test_language_without_a_text_has_no_share(committed: dict[str, Any]) -> None:
    committed["free"]["alarms_by_language"]["id"] = [0, 0]
    assert "–" in layer_tables.free(committed)


def test_each_threshold_is_a_row(committed: dict[str, Any]) -> None:
    shown = layer_tables.thresholds(committed)
    assert shown.count("\n") == len(committed["threshold"]["choices"]) + 1
