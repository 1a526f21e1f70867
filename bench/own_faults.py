"""What the free checks catch of the faults that a model really made, and their alarms on its whole texts.

``bench/record.py`` recorded the texts, and each was labelled by reading it. The checks are not told
why the model stopped: not every server says so, and where it does, a cut is no question.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

from bench.sets import DATA
from rag import checks

PATH = DATA / "own_faults.jsonl"

Fault = Literal["cut", "other_language", "mixed_language", "loop", "echo", "opener", "delimiter", "empty"]
"""``echo`` repeats the question, ``delimiter`` the tags of a prompt; ``empty`` says nothing, such as markers
alone; ``mixed_language`` has words or letters of another language in it."""

FAULTS: tuple[Fault, ...] = get_args(Fault)

KINDS: Mapping[Fault, frozenset[str]] = {
    "cut": frozenset({"truncated"}),
    "other_language": frozenset({"wrong_language"}),
    "mixed_language": frozenset({"wrong_language", "stray_characters"}),
    "loop": frozenset({"repetition"}),
    "echo": frozenset({"leftover"}),
    "opener": frozenset({"leftover"}),
    "delimiter": frozenset({"leftover"}),
    "empty": frozenset({"empty", "citation"}),
}
"""The kinds of finding that count as catching a fault."""


@dataclass(frozen=True, slots=True)
class Checked:
    """A recorded text: `faults` are those that a person found in it, `found` what the checks found that is
    critical or fixable.
    """

    id: str
    language: str
    text: str
    faults: tuple[Fault, ...]
    found: frozenset[str]

    def is_caught(self, fault: Fault) -> bool:
        """Whether the checks found this fault of the text."""
        return bool(self.found & KINDS[fault])


def checked() -> tuple[Checked, ...]:
    lines = PATH.read_text(encoding="utf-8").splitlines()
    return tuple(
        _checked(row) for row in map(json.loads, filter(None, lines)) if row.get("faults") is not None
    )


def _checked(row: Mapping[str, Any]) -> Checked:
    findings = checks.run(
        row["text"], language=row["lang"], asked=row["question"], passage_count=row["shown"] or None
    )
    kinds = frozenset(one.kind for one in findings if one.severity in {"critical", "fixable"})
    return Checked(row["id"], row["lang"], row["text"], tuple(row["faults"]), kinds)


def figures(texts: Sequence[Checked]) -> dict[str, list[int]]:
    whole = [one for one in texts if not one.faults]
    pairs = [(one, fault) for one in texts for fault in one.faults]
    return {
        "all_caught": [sum(one.is_caught(fault) for one, fault in pairs), len(pairs)],
        "alarms": [sum(bool(one.found) for one in whole), len(whole)],
    }
