"""Find the checkable facts of a text: its numbers, dates, times, names and code.

A claim can be fluent and wrong, but its facts are either in a source or not. Equal facts have equal normal
forms in every language and notation. A claim can be less precise than its source ("Feb 2023" for 7 February
2023), never more precise.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import regex

from rag.language import dates, identifiers
from rag.language.names import names
from rag.language.numbers import Numeral, find_numbers, plain_digits
from rag.language.recent_texts import PASSAGE_CHARACTERS, cache_recent, cache_up_to
from rag.language.sentences import MARKER
from rag.language.words import term_set, terms

Kind = Literal["number", "date", "time", "name", "code"]

_NOT_FACTS = (
    regex.compile(MARKER),
    regex.compile(r"\[\^[^\]\s]{1,20}\]"),
    regex.compile(
        r"^[ \t]*(?:>[ \t]*)*\(?\d{1,3}[.)](?=[ \t])(?![ ]\d{1,2}\.[ ]\d{1,2}\.)",
        regex.MULTILINE,
    ),  # the number of a list item
)
_TAKEN = "\x00"
_NUMBER_IN_CODE = regex.compile(r"\d+(?:\.\d+)?")
_CALENDAR_YEAR = regex.compile(r"(?:1\d|20)\d\d year")


@dataclass(frozen=True, slots=True)
class Unit:
    """One fact.

    Args:
        normal: The normal form, which equal facts share: ``5 %``, ``2023-02-07``, ``09:00``, the stems of a
            name, code in lower case. Readings of an ambiguous notation are separated by ``|`` (not in code).
        start: Offset in the text, in code points.
    """

    kind: Kind
    text: str
    normal: str
    start: int
    end: int

    @property
    def readings(self) -> tuple[str, ...]:
        """The possible normal forms of the fact."""
        return (self.normal,) if self.kind == "code" else tuple(self.normal.split("|"))


def units(text: str, language: str = "", *, with_names: bool = True) -> list[Unit]:
    """Find the facts of `text` in reading order; they do not overlap.

    Citation markers and the numbers of list items are not facts. A known language decides how ambiguous
    notations are read.
    """
    found = _find(text, language, liberal=False)
    return _sort([*found.units, *_names(text, found.rest, language)]) if with_names else list(found.units)


def matches(claimed: Unit, stated: Unit) -> bool:
    """Return whether `stated` states `claimed`; the claim can be less precise, not more."""
    if claimed.kind == "number" and stated.kind == "date":
        return any(_year(reading) == day[:4] for reading in claimed.readings for day in stated.readings)
    if claimed.kind == "date" and stated.kind == "number":
        return any(day == f"{_year(one)}-??-??" for day in claimed.readings for one in stated.readings)
    if {claimed.kind, stated.kind} == {"name", "code"}:
        return _letters(claimed.text) == _letters(stated.text)
    if claimed.kind != stated.kind:
        return False
    if claimed.kind == "code":
        return claimed.normal == stated.normal or _letters(claimed.text) == _letters(stated.text) != ""
    says = _SAYS[claimed.kind]
    return any(says(one, other) for one in claimed.readings for other in stated.readings)


def missing(claimed: Sequence[Unit], source: str | Sequence[Unit]) -> list[Unit]:
    """Return the units of a claim that its source does not state.

    Where the source's text is not available, its facts do; names and code are then compared only with them.
    """
    stated = _source(source) if isinstance(source, str) else _Source("", tuple(source))
    return [unit for unit in claimed if not stated.states(unit)]


_ENDS_CELL = regex.compile(r"[ \t]*(?:[|,;.)\]\n]|$)")


class _Source:
    """The source of a claim, read only as far as the claim requires.

    Args:
        text: The source's text; empty if only its facts are available.
        units: Its facts; None to find them in the text.
    """

    def __init__(self, text: str, units: tuple[Unit, ...] | None = None) -> None:
        self._written = text
        self._given = units

    @cached_property
    def text(self) -> str:
        return " ".join(self._written.casefold().split())

    @property
    def terms(self) -> frozenset[str]:
        return term_set(self._written)

    @cached_property
    def units(self) -> tuple[Unit, ...]:
        """The facts, without the names of a text."""
        return self._given if self._given is not None else self._found.units

    @cached_property
    def _named(self) -> tuple[Unit, ...]:
        return () if self._given is not None else tuple(_names(self._written, self._found.rest, ""))

    @cached_property
    def _found(self) -> _Found:
        return _find(self._written, "", liberal=True)

    def states(self, claimed: Unit) -> bool:
        if any(matches(claimed, stated) for stated in self.units):
            return True
        if claimed.kind in {"name", "code"} and any(matches(claimed, stated) for stated in self._named):
            return True
        if claimed.kind == "date":
            return self._states_in_parts(claimed)
        if claimed.kind == "number":
            return self._states_measure_apart(claimed)
        if claimed.kind == "name":
            return bool(self.terms) and self.terms.issuperset(claimed.normal.split())
        return claimed.kind == "code" and self._contains_code(claimed)

    def _states_measure_apart(self, claimed: Unit) -> bool:
        """Match a bare number whose measure is elsewhere, as in a table header: "Price (USD)"."""
        bare = {
            unit.normal
            for unit in self.units
            # A number before a noun counts that noun: "10 model calls" is not a price.
            if unit.kind == "number" and " " not in unit.normal and _ENDS_CELL.match(self.text, unit.end)
        }
        folded = self.text.casefold()
        for reading in claimed.readings:
            value, _, measure = reading.partition(" ")
            # The claim's own spelling of the measure ("Price in $"), or its standard name ("Price (USD)").
            written = "".join(c for c in claimed.text if not (c.isdigit() or c.isspace() or c in ".,"))
            if value in bare and measure and measure != "%":
                names = {regex.escape(name) for name in (written.casefold(), measure) if name}
                if any(regex.search(rf"(?<!\w){name}(?!\w)", folded) for name in names):
                    return True
        return False

    def _states_in_parts(self, claimed: Unit) -> bool:
        """Match a day in one place with its year in another: "the 2023 meeting … on February 7"."""
        for reading in claimed.readings:
            year, day = reading[:4], f"????{reading[4:]}"
            if (
                not reading.startswith(("?", "W"))
                and any(day in stated.readings for stated in self.units)
                and self._states_year(year)
            ):
                return True
        return False

    def _states_year(self, year: str) -> bool:
        return any(
            year in map(_year, unit.readings) if unit.kind == "number" else unit.normal[:4] == year
            for unit in self.units
            if unit.kind in {"number", "date"}
        )

    def _contains_code(self, claimed: Unit) -> bool:
        pieces = claimed.normal.split()
        if all(_is_word_in(piece, self.text) for piece in pieces):
            return True
        return len(pieces) == 1 and _is_compound_in(claimed, self.terms)


def _is_compound_in(claimed: Unit, stated: frozenset[str]) -> bool:
    """Match ``FxStore`` with "fx-store", but not ``--data-dir`` with "data" and "dir" in different places."""
    word = claimed.text.strip("`")
    return len(word) > 1 and word.isalnum() and terms(word)[0] in stated


def _is_word_in(piece: str, text: str) -> bool:
    position = text.find(piece)
    while position >= 0:
        before, after = text[max(0, position - 1) : position], text[position + len(piece) :][:1]
        cut = (_is_word(before) and _is_word(piece[0])) or (_is_word(after) and _is_word(piece[-1]))
        if not cut and not (piece[0] == after == "-"):  # --data is not --data-dir
            return True
        position = text.find(piece, position + 1)
    return False


def _is_word(character: str) -> bool:
    return character.isascii() and (character.isalnum() or character == "_")


@cache_up_to(PASSAGE_CHARACTERS)  # every sentence of an answer is compared with it, by several checks
def _source(text: str) -> _Source:
    return _Source(text)


@dataclass(frozen=True, slots=True)
class _Found:
    """The facts of a text without its names, and the text with NUL characters in their place."""

    units: tuple[Unit, ...]
    rest: str


def _sort(found: Iterable[Unit]) -> list[Unit]:
    return sorted(found, key=lambda unit: unit.start)


def _names(text: str, rest: str, language: str) -> list[Unit]:
    return [
        Unit("name", text[name.start : name.end], name.normal, name.start, name.end)
        for name in names(rest, language)
    ]


def _numbers_in_code(code: Unit) -> Iterator[Unit]:
    """Yield the numbers in code: "Java17" states 17."""
    for number in _NUMBER_IN_CODE.finditer(code.text):
        yield Unit("number", number.group(), find_numbers(number.group())[0].normal, code.start, code.end)


@cache_recent
def _find(text: str, language: str, *, liberal: bool) -> _Found:
    plain = plain_digits(text).replace(_TAKEN, " ")
    for pattern in _NOT_FACTS:
        plain = pattern.sub(lambda match: " " * len(match.group()), plain)
    free = list(plain)
    found: list[Unit] = []

    def take(kind: Kind, units: Iterable[identifiers.Identifier | dates.Moment | Numeral]) -> None:
        for unit in sorted(units, key=lambda unit: (unit.start, -unit.end)):
            if _TAKEN not in free[unit.start : unit.end]:
                found.append(Unit(kind, text[unit.start : unit.end], unit.normal, unit.start, unit.end))
                free[unit.start : unit.end] = _TAKEN * (unit.end - unit.start)

    take("code", identifiers.inline_code(plain))
    take("code", identifiers.addresses("".join(free)))
    take("date", dates.dates("".join(free)))
    take("time", dates.times("".join(free)))
    take("code", identifiers.identifiers("".join(free)))
    unread = "".join(free)
    perhaps: list[Unit] = []
    if liberal:
        # Read both ways, because a word that may be a number can hide the number after it.
        perhaps += (
            Unit("number", text[number.start : number.end], number.normal, number.start, number.end)
            for number in find_numbers(unread, language, liberal=True)
        )
    take("number", find_numbers(unread, language))
    take("code", identifiers.designators("".join(free)))
    if liberal:
        perhaps += (number for unit in found if unit.kind == "code" for number in _numbers_in_code(unit))
    return _Found(tuple(_sort([*found, *perhaps])), "".join(free))


def _year(number: str) -> str:
    """Remove the word "year" from a calendar year: "in 1853" and "in the year 1853" are equal."""
    return number.removesuffix(" year") if _CALENDAR_YEAR.fullmatch(number) else number


def _number_says(claimed: str, stated: str) -> bool:
    value, _, measure = _year(claimed).partition(" ")
    other_value, _, other_measure = stated.partition(" ")
    return value == other_value and measure in {"", other_measure}


def _date_says(claimed: str, stated: str) -> bool:
    if len(claimed) != len(stated):
        return False
    return all(one in {"?", other} for one, other in zip(claimed, stated, strict=True))


def _time_says(claimed: str, stated: str) -> bool:
    return stated == claimed or stated.startswith(f"{claimed}:")


def _name_says(claimed: str, stated: str) -> bool:
    return set(claimed.split()) <= set(stated.split())


_SAYS = {"number": _number_says, "date": _date_says, "time": _time_says, "name": _name_says}


def _letters(text: str) -> str:
    return "".join(character for character in text.casefold() if character.isalnum())
