"""Figures as tables for a terminal: totals with a column each, and groups with a row each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from rich.table import Table

Figures = Mapping[str, Any]


def tables(title: str, columns: Mapping[str, Figures], of_groups: Sequence[str] = ()) -> list[Table]:
    """Return the totals of reports side by side, and a table for each kind of group in them.

    Args:
        columns: Reports by name; a group is a figure that holds figures by name, such as ``by_kind``.
        of_groups: The figures that are shown of each group; those of the first one if empty.
    """
    first = next(iter(columns.values()))
    flat = [dict(_totals(one)) for one in columns.values()]
    rows = [(name, [one.get(name) for one in flat]) for name in flat[0]]
    found = [_table(title, columns if len(columns) > 1 else ["value"], rows)]
    for kind in filter(lambda name: _is_group(name, first[name]), first):
        members = {
            f"{member}: {column}" if len(columns) > 1 else member: figures
            for member in first[kind]
            for column, report in columns.items()
            if (figures := report[kind].get(member)) is not None
        }
        names = of_groups or sorted({name for one in members.values() for name in one}, key=_rank)
        lines = [(name, [one.get(heading) for heading in names]) for name, one in members.items()]
        found.append(_table(kind, names, lines))
    return [table for table in found if table.row_count]


def _is_group(name: str, value: object) -> bool:
    return isinstance(value, dict) and (name.startswith("by_") or name == "confusion")


def _rank(name: str) -> tuple[bool, str]:
    return name != "rows", name


def _totals(figures: Figures, above: str = "") -> Iterator[tuple[str, float | None]]:
    for name, value in figures.items():
        if isinstance(value, Mapping):
            if not _is_group(name, value):
                yield from _totals(value, f"{above}{name} ")
        elif not isinstance(value, list):
            yield f"{above}{name}", value


def _table(title: str, headings: Iterable[str], rows: Iterable[tuple[str, Sequence[float | None]]]) -> Table:
    table = Table(title=_spoken(title), title_justify="left", box=None, padding=(0, 2, 0, 0))
    table.add_column("")
    for heading in headings:
        table.add_column(_spoken(heading), justify="right")
    for name, values in rows:
        table.add_row(_spoken(name), *map(_shown, values))
    return table


def _spoken(name: str) -> str:
    return name.replace("_", " ")


def _shown(value: float | int | None) -> str:
    if value is None:
        return "–"
    digits = 6 if 0 < abs(value) < 0.0005 else 3
    return f"{value:.{digits}f}" if isinstance(value, float) else str(value)
