"""The figures of README and docs."""

from __future__ import annotations

from tools import summary


def test_verdicts_stand_beside_those_of_weights_that_never_met_the_question() -> None:
    committed = {
        "sets": {
            f"verdicts {name}": {"rows": 114, "figures": {"accuracy": 0.974}} for name in ("es", "ko", "zh")
        },
        "evidence": {
            "questions": {"es": {"rows": 114, "accuracy": 0.96}, "ko": {"rows": 736, "accuracy": 0.931}}
        },
    }
    rows = summary.headlines(committed).splitlines()[2:]
    assert [row.split(" drafts | ")[1] for row in rows] == [
        "97.4 % | 96.0 % |",
        "97.4 % | 93.1 % of 736 |",
        "97.4 % |  |",
    ]
