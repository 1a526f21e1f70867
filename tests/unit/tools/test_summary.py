"""The figures of README and docs."""

from __future__ import annotations

from tools import summary


def test_headlines_are_shares_of_the_questions_of_all_foreign_sets() -> None:
    counts = {"right": 30, "right_briefly": 30, "refused_wrongly": 30, "refused_or_left_open": 10}
    figures = {"right_briefly": 0.1, "refused_wrongly": 0.0, "refused_or_left_open": 0.9}
    sets = {
        "natural en-a": {"rows": 40, "figures": {}},  # its authors knew the program
        "natural en-c": {
            "rows": 40,
            "counts": counts,
            "figures": figures | {"right": 0.9, "wrong_verified": 0.05},
        },
        "natural ru-c": {
            "rows": 120,
            "counts": counts | {"right": 90},
            "figures": figures | {"right": 0.5, "wrong_verified": 0.01},
        },
        "contrast en": {"rows": 250, "figures": {"right_verified": 0.81, "wrong_verified": 0.004}},
        "contrast ja": {"rows": 250, "figures": {"right_verified": 0.53, "wrong_verified": 0.016}},
    }
    own = {"right": 0.75, "wrong_verified": 0.0, "seconds": 5.02}
    said = summary.headlines(
        {"sets": sets, "answers": {"rows": 40, "systems": {"self": own, "always": {"right": 0.6}}}}
    )
    shares = [row.split(" | ")[-1].removesuffix(" |") for row in said.splitlines()[2:]]
    assert shares == ["60", "10", "0", "90", "2", "75", "60", "0", "53 to 81", "0 to 2"]
    assert "120 questions that the handbooks answer" in said
    assert "embedded model, 5 s each" in said
