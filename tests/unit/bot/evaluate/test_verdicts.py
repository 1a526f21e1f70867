from __future__ import annotations

import pytest

from bot.evaluate.rows import LabelledDraft, Malformed
from bot.evaluate.verdicts import Judged, VerdictReport
from rag.reasons import as_written
from rag.values import Quality, Verdict


def judged(
    expected: str, quality: Quality, confidence: float = 0.9, *, kind: str = "doc_right", decided: bool = True
) -> Judged:
    row = LabelledDraft.model_validate(
        {"id": "1", "kind": kind, "lang": "en", "question": "q", "draft": "d", "expected": expected}
    )
    said = Verdict(quality, as_written(""), confidence, "evidence")
    return Judged(row, said, None, decided, False, 10.0, 5)


REPORT = VerdictReport(
    (
        judged("adequate", "adequate"),
        judged("hallucination", "needs_docs", kind="doc_wrong"),  # another verdict, the same action
        judged("hallucination", "adequate", 0.75, kind="doc_wrong"),
        judged("off_topic", "off_topic", 0.5, kind="off_topic", decided=False),
    ),
    (Malformed(3, "the line is not JSON"),),
).to_json()


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("rows", 4),
        ("accuracy", 0.25),
        ("action_accuracy", 0.5),
        ("wrongly_adequate", 0.25),
        ("undecided", 0.25),
        ("decided_without_model", 0.75),
        ("tokens", 20),
        ("ms", {"p50": 10.0, "p95": 10.0}),
        ("malformed", [{"line": 3, "reason": "the line is not JSON"}]),
        ("by_language", {"en": {"rows": 4, "accuracy": 0.25}}),
    ],
)
def test_figure(key: str, value: object) -> None:
    assert REPORT[key] == value


def test_undecided_counts_as_wrong_for_its_kind() -> None:
    assert REPORT["by_kind"]["off_topic"] == {"rows": 1, "accuracy": 0.0}


def test_confusion_counts_what_was_said_for_what_was_expected() -> None:
    assert REPORT["confusion"] == {
        "adequate": {"adequate": 1},
        "hallucination": {"needs_docs": 1, "adequate": 1},
        "off_topic": {"undecided": 1},
    }
