"""Prints the lines of each room against the budget in pyproject.toml, and fails above it.

    python -m tools.rooms [--lower]

The budget only falls; ``--lower`` writes today's lines where they are fewer.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import tomlkit

ROOT = Path(__file__).resolve().parent.parent
_FILE = ROOT / "pyproject.toml"
_SPLIT = {"rag", "bot"}
"""Packages whose folders are rooms of their own."""
_COUNTED = {".py", ".yaml", ".js", ".css", ".html"}
"""Code, and what code could be moved into."""


def main() -> None:
    """Print the table; exit with 1 if a room is above its budget."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--lower", action="store_true", help="write today's lines where they are fewer")
    options = parser.parse_args()
    document = tomlkit.parse(_FILE.read_text(encoding="utf-8"))
    budget: Any = document["tool"]["thinktwice"]["lines"]
    lines = count()
    for room in sorted({*lines, *budget}):
        sys.stdout.write(f"{room:22} {lines[room]:6} of {budget.get(room, 0)}\n")
    if options.lower:
        for room, number in lines.items():
            budget[room] = min(number, int(budget.get(room, number)))
        _FILE.write_text(tomlkit.dumps(document), encoding="utf-8")
    elif above := [room for room, number in lines.items() if number > int(budget.get(room, 0))]:
        sys.exit(f"more lines than the budget in pyproject.toml allows: {', '.join(sorted(above))}")


def count() -> Counter[str]:
    """Return the lines of code and data by room."""
    found: Counter[str] = Counter()
    for top in ("rag", "bot", "bench", "tools", "tests"):
        for file in (ROOT / top).rglob("*"):
            parts = file.relative_to(ROOT).parts
            if file.suffix not in _COUNTED or "data" in parts[1:2] or "__pycache__" in parts:
                continue
            room = f"{top}/{parts[1]}" if top in _SPLIT and len(parts) > 2 else top
            found[room] += len(file.read_text(encoding="utf-8").splitlines())
    return found


if __name__ == "__main__":
    main()
