"""Draws tables for phones: in columns if they fit, otherwise as a list for each row."""

from __future__ import annotations

from collections.abc import Sequence

import regex
from rich.cells import cell_len

from bot.telegram.rendering.characters import grapheme_ends
from bot.telegram.rendering.styled import Styled, joined, styled

PHONE_WIDTH = 36
"""Characters of monospace text that a phone shows without breaking the line."""

_GAP = "  "
_WORDS = regex.compile(r" ?(?:[\p{Han}\p{Hiragana}\p{Katakana}]|[^\s\p{Han}\p{Hiragana}\p{Katakana}]+)")


def table(headings: Sequence[str], rows: Sequence[Sequence[str]], *, width: int = PHONE_WIDTH) -> Styled:
    """Draw a table; without headings, or with empty ones, it has no head. A row may have fewer cells."""
    cells = [[" ".join(cell.split()) for cell in row] for row in (headings, *rows)]
    columns = max((len(row) for row in cells), default=0)
    cells = [row + [""] * (columns - len(row)) for row in cells]
    if not any(any(row) for row in cells):
        return Styled("")
    widths = [max(cell_len(row[n]) for row in cells) for n in range(columns)]
    if sum(widths) + len(_GAP) * (columns - 1) <= width:
        return _align(cells, widths)
    return _list_rows(cells[0], cells[1:])


def wrap(text: str, width: int) -> list[str]:
    """Break a text into lines of at most `width` columns, between words if possible; at least one line."""
    lines = [""]
    for word in _WORDS.findall(" ".join(text.split())):
        if cell_len(lines[-1].rstrip() + word) > width and lines[-1]:
            lines.append("")
        piece = word if lines[-1] else word.lstrip()
        while cell_len(piece) > width:
            end = _measure_fit(piece, width)
            lines[-1:] = [piece[:end], ""]
            piece = piece[end:]
        lines[-1] += piece
    return [line.rstrip() for line in lines if line] or [""]


def _measure_fit(text: str, width: int) -> int:
    """Return how many characters of a word fit into `width` columns, at least one grapheme."""
    ends = grapheme_ends(text)
    return max((end for end in ends if cell_len(text[:end]) <= width), default=ends[0])


def _align(cells: list[list[str]], widths: list[int]) -> Styled:
    """Draw columns in monospace; columns that contain only numbers are aligned to the right."""
    to_right = [_are_numbers([row[n] for row in cells[1:]]) for n in range(len(widths))]
    lines = [_line(row, widths, to_right) for row in cells]
    if any(cells[0]):
        lines.insert(1, "─" * (sum(widths) + len(_GAP) * (len(widths) - 1)))
    else:
        del lines[0]
    return styled("\n".join(lines), "pre")


def _line(row: list[str], widths: list[int], to_right: list[bool]) -> str:
    padded = []
    for cell, width, right in zip(row, widths, to_right, strict=True):
        space = " " * (width - cell_len(cell))
        padded.append(space + cell if right else cell + space)
    return _GAP.join(padded).rstrip()


def _list_rows(headings: list[str], rows: list[list[str]]) -> Styled:
    """Draw each row as lines "heading: cell", the first line bold."""
    if not rows:
        return styled(" · ".join(heading for heading in headings if heading), "bold")
    blocks = []
    for row in rows:
        lines = [
            f"{heading}: {cell or '–'}" if heading else cell
            for heading, cell in zip(headings, row, strict=True)
        ]
        lines = [line for line in lines if line]
        if lines:
            blocks.append(joined([styled(lines[0], "bold"), Styled("\n".join(lines[1:]))], "\n"))
    return joined(blocks)


def _are_numbers(cells: list[str]) -> bool:
    """Return whether every cell that is not empty begins with a digit, behind a sign or not."""
    filled = [cell for cell in cells if cell]
    return bool(filled) and all(
        cell[0].isdigit() or (cell[0] in "+-−" and cell[1:2].isdigit()) for cell in filled
    )
