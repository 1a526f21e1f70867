"""Makes running text of the pieces of a PDF's page by where they stand; pure.

A PDF knows places, not sentences. Lines that end because the next word did not fit are joined, and a word
that was divided there is made whole; columns that were drawn line by line are read one after the other; lines
whose pieces stand below each other are the rows of a table. What is not sure stays as it was drawn: joining
must not make a number or a relation.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from statistics import mean

import regex

from rag.language.visible import one_line

_PITCH = 1.9  # heights from a line to the next one of its paragraph, at the most
GUTTER = 1.0  # heights between two pieces of a line that may be cells or columns
_COLUMN_PIECES = 5
_CELLS = 3  # cells that begin at one edge, each above the end of the one before it, make a table
_CELL_LINES = 12  # of a cell that others stand beside
_COLUMN_CHARACTERS = 20
_PROSE_CHARACTERS = 25  # of the lines of a column, on average
_WIDE = 50  # characters of a line that is long enough to be running text by itself
_RIGHT_TO_LEFT = regex.compile(r"[\p{Hebrew}\p{Arabic}\p{Syriac}\p{Thaana}]")
_LEFT_TO_RIGHT = regex.compile(r"[\p{Latin}\p{Cyrillic}\p{Greek}]")
_UNSPACED = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}]")
_ENDED = regex.compile(r"[.!?…:;。！？：؟][\"'”’»)\]」』）]{0,3}$")
_ITEM = regex.compile(r"(?:[-*+•·▪‣◦–—☐☑\uf0b7]|\(?\p{L}[.)]|\(?\d{1,3}(?:\.\d{1,3})*[.)])\s")
_NUMBERED = regex.compile(r"\d{1,3}(?:\.\d{1,3})*+\.?\s+\p{Lu}")
_GOES_ON = regex.compile(r"[\p{Ll}\d(,;%€]")
_LEADERS = regex.compile(r"(?:[._·…] ?){4}")  # "Lift ........ 40 EUR" is a row of a list
_DIVIDED = regex.compile(r"\p{L}{2}-$")


@dataclass(frozen=True, slots=True)
class Piece:
    """Words that stand side by side, with the box around them in points from the lower left corner."""

    text: str
    left: float
    bottom: float
    right: float
    top: float

    @property
    def height(self) -> float:
        """Height of its letters, never zero."""
        return max(self.top - self.bottom, 1.0)

    @property
    def middle(self) -> float:
        """Half way up."""
        return (self.top + self.bottom) / 2


Row = list[Piece]


def pieces_of_line(words: Sequence[Piece]) -> Row:
    """Put the words of a line together, but not over a gap that may part cells or columns.

    Args:
        words: In the order in which they are read, from either side.
    """
    if not words:
        return []
    gap = GUTTER * max(word.height for word in words)
    edges: list[float] = []
    right = float("inf")
    for word in sorted(words, key=lambda word: word.left):
        if word.left - right > gap:
            edges.append(word.left)
        right = word.right if right == float("inf") else max(right, word.right)
    groups: dict[int, list[Piece]] = {}
    for word in words:
        groups.setdefault(sum(word.left >= edge for edge in edges), []).append(word)
    return [together(group) for group in groups.values()]


def together(words: Sequence[Piece], between: str = " ") -> Piece:
    """One piece for several."""
    return Piece(
        between.join(word.text for word in words),
        min(word.left for word in words),
        min(word.bottom for word in words),
        max(word.right for word in words),
        max(word.top for word in words),
    )


def page_lines(rows: Sequence[Row]) -> list[Piece | list[list[str]]]:
    """Order the rows of a page: lines of text, and tables as rows of cells.

    Args:
        rows: In the order in which they were drawn, which is kept but for columns that alternate.
    """
    lines: list[Piece | list[list[str]]] = []
    number = 0
    cells = _by_cells(rows)
    rows = cells if len(cells) < len(rows) else _by_columns(rows)
    while number < len(rows):
        end, columns = _table_from(rows, number)
        if len(columns) > 1:
            lines.append(_cells(rows[number:end], columns))
        else:
            lines.append(together(rows[number]))
        number = max(end, number + 1)
    return lines


def _by_cells(rows: Sequence[Row]) -> list[Row]:
    """The rows with cells that were drawn one after the other, line by line, put beside each other again.

    The next cell begins above the end of the one before it. Columns of running text do so once a page, the
    cells of a table again and again at the same edge.
    """
    jumps: Counter[tuple[str, int]] = Counter()
    for above, below in itertools.pairwise(rows):
        if below[0].middle - above[0].middle > 0.5 * below[0].height:
            jumps.update(_edges(below))
    if max(jumps.values(), default=0) < _CELLS:
        return list(rows)
    ordered: list[Row] = []
    is_cell = False
    for number, row in enumerate(rows):
        piece, before = row[0], rows[number - 1][0]
        is_jump = piece.middle - before.middle > 0.5 * piece.height
        is_cell = max(jumps[edge] for edge in _edges(row)) >= _CELLS if number and is_jump else is_cell
        beside = (
            place
            for place in range(max(len(ordered) - _CELL_LINES, 0), len(ordered))
            if abs(ordered[place][0].middle - piece.middle) < 0.3 * piece.height
            and ordered[place][-1].right < piece.left
        )
        if is_cell and (found := next(beside, None)) is not None:
            ordered[found].extend(row)
            if ordered[-1][0].middle > piece.middle:  # the short cells stand at the foot of their row
                ordered.append(ordered.pop(found))
        else:
            ordered.append(list(row))
            is_cell = is_cell and piece.left >= before.left
    return ordered


def _edges(row: Row) -> list[tuple[str, int]]:
    return [("left", round(row[0].left)), ("right", round(row[-1].right))]


def _by_columns(rows: Sequence[Row]) -> Sequence[Row]:
    """The rows column by column, if two columns of running text were drawn line by line."""
    pieces = [piece for row in rows for piece in row]
    if len(pieces) < 2 * _COLUMN_PIECES:
        return rows
    left, right = min(piece.left for piece in pieces), max(piece.right for piece in pieces)
    places = [left + (right - left) * part / 40 for part in range(12, 29)]
    place = min(
        places, key=lambda x: (sum(p.left < x < p.right for p in pieces), abs(x - (left + right) / 2))
    )
    sides = [0 if piece.right <= place else 1 if piece.left >= place else None for piece in pieces]
    halves = [[p for p, side in zip(pieces, sides, strict=True) if side == number] for number in (0, 1)]
    changes = sum(a != b for a, b in itertools.pairwise(side for side in sides if side is not None))
    is_prose = all(
        len(half) >= _COLUMN_PIECES
        and mean(len(piece.text) for piece in half) >= _COLUMN_CHARACTERS
        and 2 * sum(bool(_ENDED.search(piece.text)) for piece in half) < len(half)
        for half in halves
    )
    if not is_prose or sides.count(None) * 5 > len(pieces) or changes * 3 < len(pieces):
        return rows
    ordered: list[Row] = []
    waiting: tuple[list[Row], list[Row]] = ([], [])
    for row in rows:
        if any(piece.left < place < piece.right for piece in row):  # what goes over both columns parts them
            ordered += [*waiting[0], *waiting[1], row]
            waiting = ([], [])
        else:
            for piece in row:
                waiting[piece.left >= place].append([piece])
    return [*ordered, *waiting[0], *waiting[1]]


def _table_from(rows: Sequence[Row], start: int) -> tuple[int, list[tuple[float, float]]]:
    """The end of the table that begins with a row, and its columns; the next row and none if none begins."""
    if len(rows[start]) < 2:
        return start + 1, []
    columns: list[tuple[float, float]] = []
    end = start
    while end < len(rows) and (end == start or _follows(rows[end - 1], rows[end])):
        joined = _intervals([*columns, *((piece.left, piece.right) for piece in rows[end])])
        if len(joined) < 2 or any(len(row) > len(joined) for row in (rows[start], rows[end])):
            break
        near = rows[max(end - 1, start) : end + 2]
        if max(len(rows[end]), len(near[-1])) < 2 and not any(
            _wraps(above, below, joined) for above, below in itertools.pairwise(near)
        ):
            break
        columns = joined
        end += 1
    return (end, columns) if end - start > 1 else (start + 1, [])


def _follows(above: Row, below: Row) -> bool:
    first, second = together(above), together(below)
    return 0 < first.middle - second.middle <= 3 * max(first.height, second.height)


def _intervals(spans: Iterable[tuple[float, float]]) -> list[tuple[float, float]]:
    merged: list[tuple[float, float]] = []
    for left, right in sorted(spans):
        if merged and left <= merged[-1][1]:
            merged[-1] = merged[-1][0], max(merged[-1][1], right)
        else:
            merged.append((left, right))
    return merged


def _cells(rows: Sequence[Row], columns: Sequence[tuple[float, float]]) -> list[list[str]]:
    table: list[list[str]] = []
    before: list[str] = []
    for number, row in enumerate(rows):
        cells = [
            " ".join(piece.text for piece in row if left <= piece.left <= right) for left, right in columns
        ]
        # A second value in a cell that the line above leaves empty belongs to another row.
        is_own = number and not any(
            cell and held and not over for cell, held, over in zip(cells, table[-1], before, strict=True)
        )
        if is_own and _wraps(rows[number - 1], row, columns):
            pairs = zip(table[-1], cells, strict=True)
            table[-1] = [joined(above, below) if above and below else above + below for above, below in pairs]
        else:
            table.append(cells)
        before = cells
    return table


def _wraps(above: Row, below: Row, columns: Sequence[tuple[float, float]]) -> bool:
    """Whether a row goes on with the text of cells that reach the edge of their columns above it."""
    pairs: list[tuple[Piece, Piece]] = []
    for piece in below:
        left, right = next(((a, b) for a, b in columns if piece.left <= b), columns[-1])
        over = next((one for one in above if left <= one.left <= right), None)
        if over is not None:
            pairs.append((over, piece))
            word = piece.text.split(" ", 1)[0]
            unit = (piece.right - piece.left) / max(len(piece.text), 1)
            is_full = len(over.text) >= _COLUMN_CHARACTERS and right - over.right < (len(word) + 2) * unit
            is_below = _same_block(over, piece) and abs(over.left - piece.left) < piece.height
            if not (is_full and is_below):
                return False
    is_open = not any(_ENDED.search(over.text) for over, _ in pairs)
    # In the first column, or where other cells begin, a capital might begin a row of its own.
    is_beside = len(pairs) == len(below) and below[0].left > columns[0][1]
    return bool(pairs) and is_open and (is_beside or all(_GOES_ON.match(one.text) for _, one in pairs))


def joined_lines(lines: Sequence[Piece], is_title: Callable[[str], bool]) -> list[str]:
    """The text of lines that stand below each other, sentences put together; "" between paragraphs."""
    out: list[str] = []
    run: list[Piece] = []
    for line in lines:
        line = replace(line, text=one_line(line.text))
        if run and (not _same_block(run[-1], line) or is_title(run[-1].text) or is_title(line.text)):
            is_next_column = line.bottom > run[-1].top and not _ENDED.search(run[-1].text)
            out += _paragraphs(run)
            run = []
            if is_next_column and _GOES_ON.match(line.text) and not _NUMBERED.match(line.text):
                line = replace(line, text=joined(out.pop(), line.text))
            else:
                out.append("")
        run.append(line)
    return out + _paragraphs(run)


def _same_block(above: Piece, below: Piece) -> bool:
    """Whether a line stands right below another one, in letters of about the same size."""
    height = min(above.height, below.height)
    return (
        max(above.height, below.height) <= 1.25 * height
        and 0.3 * height < above.middle - below.middle <= _PITCH * height
        and min(above.right, below.right) > max(above.left, below.left)
    )


def _paragraphs(run: Sequence[Piece]) -> list[str]:
    if not run:
        return []
    left, right = min(line.left for line in run), max(line.right for line in run)
    near = sum(_room(line, left, right) < 0.15 * (right - left) for line in run)
    is_prose = (
        len(run) > 2 and 2 * near >= len(run) and mean(len(line.text) for line in run) >= _PROSE_CHARACTERS
    )
    texts = [run[0].text]
    for above, below in itertools.pairwise(run):
        word = below.text.split(" ", 1)[0]
        unit = (below.right - below.left) / max(len(below.text), 1)
        room = _room(above, left, right)
        is_ended = bool(_ENDED.search(above.text))
        is_within = below.text[0].islower() and room < 0.4 * (right - left) and not is_ended
        is_full = is_within or room < (len(word) + 1) * unit
        is_running = is_prose or len(above.text) >= _WIDE or _GOES_ON.match(below.text)
        is_heading = _NUMBERED.match(below.text) and (is_ended or not is_prose)
        is_row = _LEADERS.search(above.text) or _LEADERS.search(below.text)
        is_new = _ITEM.match(below.text) or is_heading or is_row
        is_divided = _DIVIDED.search(above.text) and below.text[:1].isalpha()
        if is_divided or (is_full and is_running and not is_new and not above.text.endswith((":", "："))):
            texts[-1] = joined(texts[-1], below.text)
        else:
            texts.append(below.text)
    return texts


def joined(above: str, below: str) -> str:
    """A line and the one that goes on with it; a word that was divided is made whole."""
    if _DIVIDED.search(above) and below[:1].isalpha():
        return (above[:-1] if below[0].islower() else above) + below
    space = "" if _UNSPACED.match(above[-1:]) and _UNSPACED.match(below) else " "
    return above + space + below


def _room(line: Piece, left: float, right: float) -> float:
    """Points between the end of a line and the edge of its column, on the side on which it ends."""
    rtl = len(_RIGHT_TO_LEFT.findall(line.text)) > len(_LEFT_TO_RIGHT.findall(line.text))
    return line.left - left if rtl else right - line.right
