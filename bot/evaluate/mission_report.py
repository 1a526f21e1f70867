"""Reports missions as sums, as lines of text and as JSON."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from bot.evaluate.missions import Played


@dataclass(frozen=True, slots=True)
class MissionReport:
    """The sums over all missions.

    Args:
        played: The missions, in the order of the file.
        model: Who led the interviews.
    """

    played: tuple[Played, ...]
    model: str

    def to_json(self) -> dict[str, Any]:
        """Return it as values of JSON."""
        return {
            "model": self.model,
            "missions": len(self.played),
            "right": sum(one.is_right for one in self.played),
            "ended_as_expected": sum(one.status == one.expected for one in self.played),
            **{name: self.total(name) for name in TOTALS},
            "facts_right": sum(one.right for one in self.played),
            "facts_wrong": sum(len(one.wrong) for one in self.played),
            "facts_missing": sum(len(one.missing) for one in self.played),
            "by_mission": [
                {
                    name: list(value) if isinstance(value := getattr(one, name), tuple) else value
                    for name in Played.__dataclass_fields__
                }
                for one in self.played
            ],
        }

    def total(self, name: str) -> int:
        """Return the sum of a figure over the missions."""
        return sum(int(getattr(one, name)) for one in self.played)


TOTALS = (
    "confirmed_changed",
    "questions",
    "repeated",
    "useless",
    "turns",
    "failed_turns",
    "calls",
    "tokens",
)
"""Figures that are summed up."""


def to_lines(report: MissionReport) -> list[str]:
    """Return a report as lines of text."""
    found = report.to_json()
    lines = [
        f"{found['missions']} missions with {report.model}",
        f"ended as they had to: {found['ended_as_expected']}; without a wrong fact as well: {found['right']}",
        f"facts right {found['facts_right']}, wrong {found['facts_wrong']}, missing {found['facts_missing']}",
        f"confirmed facts changed: {found['confirmed_changed']}",
        f"questions {found['questions']}, repeated {found['repeated']}, useless {found['useless']}",
        f"turns {found['turns']} ({found['failed_turns']} failed)",
        f"calls {found['calls']}, tokens {found['tokens']}",
        "",
    ]
    return [*lines, *(to_line(one) for one in report.played)]


def to_line(one: Played) -> str:
    """Return what came of one mission as a line of text."""
    mark = "✓" if one.is_right else "✗"
    faults = [*(f"wrong {path}" for path in one.wrong), *(f"missing {path}" for path in one.missing)]
    said = f": {', '.join(faults)}" if faults else ""
    return f"{mark} {one.id} {one.status}, {one.questions} questions{said}"


def dump_json(report: MissionReport) -> str:
    """Return a report as one JSON object."""
    return json.dumps(report.to_json(), ensure_ascii=False, indent=2)
