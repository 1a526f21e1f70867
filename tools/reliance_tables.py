"""How far *verified* can be relied on, from the committed figures of ``bench/quality.json``, as Markdown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tools.markdown import percent, table

_LABELS = ("draft_right_verified", "draft_wrong_verified", "written_right_verified", "written_wrong_verified")
_WRONG = ("draft_wrong_verified", "written_wrong_verified")
_ANSWERS = ("right", "right_briefly", "refused_wrongly", "wrong_verified", "refused_or_left_open")
_READER = " with reader"

Sets = Mapping[str, Mapping[str, Any]]


def tables(committed: Mapping[str, Any]) -> str:
    """Pairs of answers, their classes, and natural questions; a share that was not measured is a dash.

    Args:
        committed: The content of ``bench/quality.json``.
    """
    sets: Sets = committed["sets"]
    return "\n\n".join((_pairs(sets), _classes(sets), _natural(sets)))


def _pairs(sets: Sets) -> str:
    named = [name for name in sets if name.startswith(("false answers ", "contrast "))]
    rows = [(name, *_counted(sets[name]), *_figures(sets[name], _LABELS)) for name in named]
    forms = ("right draft verified", "wrong draft", "right written text", "wrong written text")
    return table(("pairs of answers", "rows", "reading recorded", *forms), rows)


def _classes(sets: Sets) -> str:
    """Both splits together: a class has seven pairs in one of them."""
    without, reading = (
        _together([one for name, one in sets.items() if _is_of_false_answers(name, has_reader=has_reader)])
        for has_reader in (False, True)
    )
    rows = [
        (
            name.replace("_", " "),
            str(found["rows"]),
            *(percent(found[figure]) for figure in _WRONG),
            *(percent(reading[name][figure] if name in reading else None) for figure in _WRONG),
        )
        for name, found in sorted(without.items())
    ]
    shares = ("wrong draft verified", "wrong written text", "wrong draft, with reader", "wrong written text")
    return table(("class of the false answer", "rows", *shares), rows)


def _is_of_false_answers(name: str, *, has_reader: bool) -> bool:
    return name.startswith("false answers ") and name.endswith(_READER) is has_reader


def _together(found: Sequence[Mapping[str, Any]]) -> dict[str, dict[str, float]]:
    """The classes of several groups merged; empty if too little of a group is recorded."""
    if any("by_class" not in group for group in found):
        return {}
    sums: dict[str, dict[str, float]] = {}
    for group in found:
        for name, one in group["by_class"].items():
            own = sums.setdefault(name, dict.fromkeys(("rows", *_WRONG), 0))
            own["rows"] += one["rows"]
            for figure in _WRONG:
                own[figure] += one[figure] * one["rows"]
    return {
        name: {"rows": own["rows"], **{figure: own[figure] / own["rows"] for figure in _WRONG}}
        for name, own in sums.items()
    }


def _natural(sets: Sets) -> str:
    rows = [
        (name.removeprefix("natural "), *_counted(found), *_figures(found, _ANSWERS))
        for name, found in sets.items()
        if name.startswith("natural ")
    ]
    answerable = ("right", "right briefly", "wrongly refused", "wrong as verified")
    headings = ("rows", "reading recorded", *answerable, "unanswerable: refused or left open")
    return table(("natural questions", *headings), rows)


def _counted(found: Mapping[str, Any]) -> tuple[str, str]:
    """The rows, recorded or not, and the share that is recorded; a dash where no reader is asked."""
    return str(found["rows"] + found.get("unrecorded", 0)), percent(found["figures"].get("recorded"))


def _figures(found: Mapping[str, Any], names: Sequence[str]) -> list[str]:
    return [percent(found["figures"].get(name)) for name in names]
