"""Formats tables and shares as Markdown for README and docs; pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table whose first column contains words and whose other columns contain figures."""
    lines = [headings, ["---", *["---:"] * (len(headings) - 1)], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def percent(share: float | None) -> str:
    """Return a share of 0-1 as a percentage with one decimal; a dash if it was not measured."""
    return "–" if share is None else f"{100 * share:.1f} %"
