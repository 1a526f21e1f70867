"""Replace or remove stretches of a text, and repair the spacing and capitals around the gap."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import regex

from rag.language.scripts import UNSPACED, dominant_script

_OPENING = "([（［【«“「『《"
_CLOSING = regex.compile(r"[,.;:!?…。！？，、；：)\]）】」』»”]")


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace ``text[start:end]`` by `replacement`. If that is empty, also remove the gap's white space."""

    start: int
    end: int
    replacement: str = ""


def apply(text: str, edits: Iterable[Edit]) -> str:
    """Apply `edits`. If two overlap, the one that starts first is applied."""
    result = text
    chosen: list[Edit] = []
    for edit in sorted(edits, key=lambda edit: (edit.start, -edit.end)):
        if chosen and edit.start == chosen[-1].end and not edit.replacement and not chosen[-1].replacement:
            # Removed one by one, the second one would take white space along that belongs to the first.
            chosen[-1] = Edit(chosen[-1].start, edit.end)
        elif not chosen or edit.start >= chosen[-1].end:
            chosen.append(edit)
    for edit in reversed(chosen):
        if edit.replacement:
            result = result[: edit.start] + edit.replacement + result[edit.end :]
        else:
            result = _remove(result, edit.start, edit.end)
    return result


def _remove(text: str, start: int, end: int) -> str:
    """Return `text` without a stretch and without the white space that only surrounded it."""
    before, removed, after = text[:start], text[start:end], text[end:]
    if not before.strip():
        after = after.lstrip()
        return _capitalise(after) if removed.rstrip().endswith((",", "，")) else after
    if not after.strip():
        return before.rstrip()
    inner_line = before.rstrip(" \t")
    next_line = after.lstrip(" \t")
    if inner_line.endswith("\n"):
        if next_line.startswith("\n"):
            return inner_line + next_line.lstrip("\n")
        return inner_line + (_capitalise(next_line) if removed.rstrip().endswith((",", "，")) else next_line)
    if inner_line[-1] in _OPENING:
        return before + next_line
    if next_line.startswith("\n") or _CLOSING.match(next_line):
        return inner_line + next_line
    if before[-1].isspace() or after[0].isspace() or removed[-1].isspace():
        sentence = inner_line[-1] in ".!?" and removed.rstrip().endswith(",")
        return f"{inner_line} {_capitalise(next_line) if sentence else next_line}"
    if dominant_script(before[-1]) in UNSPACED or dominant_script(after[0]) in UNSPACED:
        return before + after
    return f"{before} {after}"


def _capitalise(text: str) -> str:
    return text[:1].upper() + text[1:]
