"""Formats tables and shares as Markdown for README, docs and benchmarks; pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any


def table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table whose first column contains words and whose other columns contain figures."""
    lines = [headings, ["---", *["---:"] * (len(headings) - 1)], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def figures(headings: str, found: Mapping[str, Mapping[str, Any]], row: str) -> str:
    """Return a table of figures by name.

    Args:
        headings: The headings as Markdown, with " | " between them; the first is that of the names.
        row: The form of the other cells, likewise; a figure that was not measured is a dash.
    """
    rows = ((name, *(_filled(cell, one) for cell in row.split(" | "))) for name, one in found.items())
    return table(headings.split(" | "), rows)


def _filled(cell: str, one: Mapping[str, Any]) -> str:
    try:
        return cell.format_map(one).replace("%", " %")
    except (KeyError, TypeError):
        return "–"


def compared(columns: Mapping[str, Mapping[str, float]]) -> str:
    """Return a table of named figures with a column for each; in brackets is the ratio to the first."""
    first = next(iter(columns.values()))
    labels = dict.fromkeys(label for found in columns.values() for label in found)
    rows = ((label, *(_beside(found, first, label) for found in columns.values())) for label in labels)
    return table(("", *columns), rows)


def _beside(found: Mapping[str, float], first: Mapping[str, float], label: str) -> str:
    if label not in found:
        return "–"
    is_ratio = found is not first and first.get(label)
    return f"{found[label]:.2f}" + (f" ({found[label] / first[label]:.2f} x)" if is_ratio else "")


def percent(share: float | None) -> str:
    """Return a share of 0-1 as a percentage with one decimal; a dash if it was not measured."""
    return "–" if share is None else f"{100 * share:.1f} %"
