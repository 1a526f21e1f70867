"""Puts the lines of a PDF in Hebrew, Arabic and their kin into the order in which they are read; pure.

A PDF knows only where letters stand. What stands from right to left is told from what stands from left to
right by the bidirectional algorithm of Unicode, in reverse: numbers and words of other scripts keep their
order, with what is inside them, and everything else goes from right to left. Where two texts would look the
same, a number beside a Latin word belongs to it ("CS-101").
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace

import regex

from rag.knowledge.loaders.pdf_layout import GUTTER, Piece, Row, together
from rag.language.visible import one_line

_KINDS = {"L": "L", "R": "R", "AL": "A", "EN": "N", "AN": "D", "CS": "C", "ES": "S", "ET": "T"}
"""One letter for each class of characters that counts; the others are neutral."""
_NEUTRAL = "."
_RIGHT_TO_LEFT = regex.compile(r"[\p{Bidi_Class=R}\p{Bidi_Class=AL}]")
_FROM_LEFT = regex.compile(r"[^RA]+")
_FROM_RIGHT = regex.compile(r"[^L]+")
_NUMBER = regex.compile(r"N++(?:(?:[CS]|T++)N++)*+T*+|D++(?:CD++)*+")
_NUMBER_IN_ARABIC = regex.compile(r"[ND]++(?:C[ND]++)*+")
_STOPS = frozenset(".,:;!?،؛؟")
_OPENING, _CLOSING = "([{<«‹", ")]}>»›"
_MIRRORED = str.maketrans(_OPENING + _CLOSING, _CLOSING + _OPENING)
_WORD_GAP = 0.15  # heights between two words, at the least


def kinds(text: str) -> str:
    """The kind of each character, as one letter: R and A go from right to left, L, N and D from the left."""
    return "".join(_KINDS.get(unicodedata.bidirectional(letter), _NEUTRAL) for letter in text)


def has_from_right(text: str) -> bool:
    """Whether a text holds letters that go from right to left."""
    return _RIGHT_TO_LEFT.search(text) is not None


def is_to_turn(text: str, *, is_page: bool) -> bool:
    """Whether a line holds letters that go from right to left, or only numbers on such a page."""
    return has_from_right(text) or bool(is_page and text.strip() and "L" not in kinds(text))


def goes_from_right(text: str, *, is_page: bool = False) -> bool:
    """Whether a text as it is shown is one from right to left; `is_page` says what most of its page is."""
    found = kinds(text)
    right, left = len(regex.findall("[RA]", found)), found.count("L")
    if (right > left) == is_page and right + left:
        return is_page
    starts, ends = (text[place : place + 1] in _STOPS for place in (0, len(text) - 1))
    return starts if starts != ends else right > left


def reading_order(shown: str, *, is_from_right: bool) -> list[tuple[int, bool]]:
    """The places of a line's characters in the order in which they are read.

    Args:
        shown: The characters from left to right.
        is_from_right: The line as a whole goes from right to left.

    Returns:
        Each place, and whether the character there stands in a part that goes from right to left.
    """
    found = kinds(shown)
    if is_from_right:
        return _turned(shown, found, 0, len(shown))
    order: list[tuple[int, bool]] = []
    position = 0
    for part in _FROM_RIGHT.finditer(found):
        letters = [place for place in range(*part.span()) if found[place] in "RA"]
        if letters:
            order += [(place, False) for place in range(position, letters[0])]
            position = letters[-1] + 1
            order += _turned(shown, found, letters[0], position)
    return order + [(place, False) for place in range(position, len(shown))]


def _turned(shown: str, found: str, start: int, end: int) -> list[tuple[int, bool]]:
    order: list[tuple[int, bool]] = []
    position = end
    for first, last in reversed(_from_left(shown, found, start, end)):
        order += [(place, True) for place in range(position - 1, last - 1, -1)]
        order += [(place, False) for place in range(first, last)]
        position = first
    return order + [(place, True) for place in range(position - 1, start - 1, -1)]


def _from_left(shown: str, found: str, start: int, end: int) -> list[tuple[int, int]]:
    """The stretches that go from left to right: words of other scripts with what is between, and numbers."""
    stretches: list[tuple[int, int]] = []
    for part in _FROM_LEFT.finditer(found, start, end):
        places = [place for place in range(*part.span()) if found[place] in "LND"]
        if "L" in part.group():
            stretches.append((places[0], _with_bracket(shown, places[0], places[-1] + 1)))
            continue
        # The letter before a number, in the order of reading, says how its signs are taken.
        is_arabic = found[part.end() : part.end() + 1] == "A"
        for number in (_NUMBER_IN_ARABIC if is_arabic else _NUMBER).finditer(found, *part.span()):
            first = number.start()
            while not is_arabic and first > part.start() and found[first - 1] == "T":
                first -= 1
            stretches.append((max(first, stretches[-1][1] if stretches else start), number.end()))
    return stretches


def _with_bracket(shown: str, first: int, last: int) -> int:
    """The end of a stretch, with the bracket that closes one within it."""
    place = _CLOSING.find(shown[last : last + 1] or " ")
    part = shown[first:last]
    return last + (place >= 0 and part.count(_OPENING[place]) > part.count(_CLOSING[place]))


@dataclass(slots=True)
class _Letter:
    """A letter with its marks, and whether PDFium turned it; `place` counts as PDFium orders them."""

    text: str
    box: Piece
    place: int
    was_turned: bool


def row_of(line: Sequence[Piece], *, is_page: bool) -> Row:
    """The pieces of a line, each in the order in which it is read.

    Args:
        line: Letters and white space as PDFium orders them: numbers and signs are not yet in their places.
        is_page: Most of the page goes from right to left.
    """
    letters = _letters(line)
    height = max(letter.box.height for letter in letters if letter.text != " ")
    cells: list[list[_Letter]] = [[]]
    before: _Letter | None = None
    for letter in sorted(letters, key=lambda letter: letter.box.left + letter.box.right):
        if letter.text == " ":
            cells[-1] += [letter] if before else []
            continue
        gap = letter.box.left - before.box.right if before else 0
        is_word = before is not None and abs(letter.place - before.place) == 1
        if gap > GUTTER * height:
            cells.append([])
        elif gap > _WORD_GAP * height and not is_word and cells[-1][-1].text != " ":
            cells[-1].append(_Letter(" ", letter.box, letter.place, letter.was_turned))
        cells[-1].append(letter)
        before = letter
    row = [_read(cell, is_page=is_page) for cell in cells]
    shown = "".join(letter.text[0] for cell in cells for letter in cell)
    return row[::-1] if goes_from_right(shown, is_page=is_page) else row


def _letters(line: Sequence[Piece]) -> list[_Letter]:
    letters: list[_Letter] = []
    found = kinds("".join(piece.text[0] for piece in line))
    # PDFium turns signs with what is before them, and mirrors the brackets that it turns.
    was_turned = len(regex.findall("[RA]+", found)) >= len(regex.findall("L+", found))
    for place, (piece, kind) in enumerate(zip(line, found, strict=True)):
        was_turned = kind in "RA" if kind in "RAL" else was_turned
        last = letters[-1] if letters else None
        is_same = last and (piece.left, piece.right) == (last.box.left, last.box.right)
        if piece.text.isspace():
            # Those that PDFium put in have no width, and stand where it took the end of a word to be.
            letters += [_Letter(" ", piece, place, was_turned)] if piece.right > piece.left else []
        elif last and last.text != " " and (is_same or unicodedata.combining(piece.text[0])):
            last.text += piece.text
        else:
            letters.append(_Letter(piece.text, piece, place, was_turned))
    return letters


def _read(cell: Sequence[_Letter], *, is_page: bool) -> Piece:
    shown = "".join(letter.text[0] for letter in cell).rstrip()
    order = reading_order(shown, is_from_right=goes_from_right(shown, is_page=is_page))
    # Some programs write a bracket as it is shown, and some as it is read.
    as_shown, as_read = (
        "".join(
            cell[place].text.translate(_MIRRORED)
            if cell[place].was_turned != (is_turned and is_shown)
            else cell[place].text
            for place, is_turned in order
        )
        for is_shown in (True, False)
    )
    text = as_read if _pairs(as_read) > _pairs(as_shown) else as_shown
    return replace(together([letter.box for letter in cell if letter.text != " "]), text=one_line(text))


def _pairs(text: str) -> int:
    """How many brackets are opened and closed again."""
    opened: list[str] = []
    pairs = 0
    for letter in text:
        if letter in _OPENING:
            opened.append(_CLOSING[_OPENING.index(letter)])
        elif opened and letter == opened[-1]:
            opened.pop()
            pairs += 1
    return pairs
