"""How far *verified* can be relied on, from the committed figures of ``bench/quality.json``, as Markdown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tools.markdown import percent, table

_LABELS = ("right_verified", "wrong_verified")
_CURVE = ("right_at_0.02_wrong", "right_at_0.03_wrong")
_ANSWERS = ("right", "right_briefly", "refused_wrongly", "wrong_verified", "refused_or_left_open")

Sets = Mapping[str, Mapping[str, Any]]


def tables(committed: Mapping[str, Any]) -> str:
    """Pairs of answers, their classes, and natural questions; a share that was not measured is a dash."""
    sets: Sets = committed["sets"]
    return "\n\n".join((_pairs(sets), _classes(sets), _natural(sets)))


def _pairs(sets: Sets) -> str:
    rows = [
        (name, str(found["rows"]), *_figures(found, (*_LABELS, *_CURVE)))
        for name, found in sets.items()
        if name.startswith(("false answers ", "contrast "))
    ]
    curve = ("right where 2 % of the wrong pass", "where 3 % pass")
    return table(("pairs of answers", "rows", "right verified", "wrong verified", *curve), rows)


def _classes(sets: Sets) -> str:
    """All parts together: a class has few pairs in one of them."""
    sums: dict[str, dict[str, float]] = {}
    for name, found in sets.items():
        for kind, one in found["by_class"].items() if name.startswith("false answers ") else ():
            own = sums.setdefault(kind, dict.fromkeys(("rows", *_LABELS), 0))
            own["rows"] += one["rows"]
            for figure in _LABELS:
                own[figure] += one[figure] * one["rows"]
    rows = [
        (kind.replace("_", " "), str(own["rows"]), *(percent(own[one] / own["rows"]) for one in _LABELS))
        for kind, own in sorted(sums.items())
    ]
    return table(("class of the false answer", "rows", "right verified", "wrong verified"), rows)


def _natural(sets: Sets) -> str:
    rows = [
        (name.removeprefix("natural "), str(found["rows"]), *_figures(found, _ANSWERS))
        for name, found in sets.items()
        if name.startswith("natural ")
    ]
    answerable = ("right", "right briefly", "wrongly refused", "wrong as verified")
    headings = ("rows", *answerable, "unanswerable: refused or left open")
    return table(("natural questions", *headings), rows)


def _figures(found: Mapping[str, Any], names: Sequence[str]) -> list[str]:
    return [percent(found["figures"].get(name)) for name in names]
