"""Find numbers: digits with any grouping and magnitude here, words and signs in their own modules.

The normal form is a plain decimal (``1500000``, ``0.5``). If the notation is ambiguous (``1.000`` is a
thousand in Spanish and one in English), it has every reading, separated by ``|``; comparisons use the sets.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import replace
from decimal import Decimal
from functools import cache

import regex

from rag.language import chinese_numbers, korean_numbers, spelled
from rag.language.numeral import Numeral, Reading, decimal
from rag.language.tables import language as table
from rag.language.tables import languages

_LETTER_MAGNITUDES = {"k": 3, "m": 6, "b": 9}
"""Number of zeros that a letter after digits stands for."""
_DIGITS = r"(?:\d{1,3}(?:(?P<group>[,.'’ ])\d{3})(?:(?P=group)\d{3})*(?:[.,]\d+)?(?!\d)|\d+(?:[.,]\d+)?)"
_ODD_CHARACTER = re.compile("[！-～\u00a0\u2007\u2009\u202f\u3000]|[^\\D0-9]")
_SEPARATOR = re.compile("[,.'’ ]")
_DIGIT_GROUPS = re.compile(r"\d+(?:[,.'’ ]\d+)*")
_MAX_GROUPS = 8
_MAX_SPACES = 2
"""Maximum number of spaces between a word for minus and its number."""
_NEEDS_READING = re.compile("[\u00bc-\u00be\u2150-\u215e\u3007\u4e00-\u9fff\uac00-\ud7a3]")
"""Signs of vulgar fractions, Chinese and Korean; texts without any are not read for these numbers."""
_VULGAR = {"½": "5", "¼": "25", "¾": "75"}
_VULGAR_RUN = regex.compile(r"(?P<whole>(?<![\d.,])\d{1,9}[ ]?)?[\u00bc-\u00be\u2150-\u215e]")
_FRACTION = regex.compile(r"(?<!\d)\d+[ ]?(?:分之|분의)[ ]?\d+")
"""Two thirds as 3分之2 or 3분의 2; 百分之 is read with its measure."""


@cache
def _zeros_of() -> Mapping[str, int]:
    """Return the number of zeros that a word after digits stands for."""
    return {
        word: zeros
        for one in languages().values()
        for zeros, words in one.numbers.magnitudes.items()
        for word in words
    }


@cache
def _number() -> regex.Pattern[str]:
    """Return the pattern of a number in digits, for text that has gone through `plain_digits`."""
    magnitudes = "|".join(sorted(map(regex.escape, _zeros_of()), key=len, reverse=True))
    return regex.compile(
        rf"""
        (?<![\p{{Latin}}\p{{Cyrillic}}\d_])(?<!\d[.,])
        (?P<sign>(?:(?<=^|[\s(=:])[-−])?)
        (?P<digits>{_DIGITS})
        (?: (?P<letter>[kKMB])(?![\p{{L}}\d])
          | [ -]?(?P<magnitude>{magnitudes})\.?(?![\p{{Latin}}\p{{Cyrillic}}]) )?
        """,
        regex.VERBOSE | regex.IGNORECASE | regex.MULTILINE,
    )


@cache
def _minus() -> tuple[str, ...]:
    return tuple(word for one in languages().values() for word in one.numbers.minus)


def plain_digits(text: str) -> str:
    """Convert full-width characters, foreign digits and unusual spaces to ASCII; offsets stay."""
    if text.isascii():
        return text
    return _ODD_CHARACTER.sub(_plain_character, text)


def numerals(text: str, language: str = "", *, liberal: bool = False) -> list[Numeral]:
    """Find the numbers of `text`, in digits and in words, in order.

    Args:
        text: Text that has gone through `plain_digits`.
        language: ISO 639-1 code; decides between decimal comma and grouping comma, and whose words count.
        liberal: Also read words that may be numbers ("one", 一). Right for a source, where an extra number
            does no harm, and wrong for a claim, which would then seem unsupported.
    """
    matches = list(_number().finditer(text))
    found = [
        Numeral(_normalise_digits(match, language), match.start(), match.end(), _zeros(match))
        for match in matches
    ]
    readings: list[Reading] = []
    spoken = spelled.languages(text, language, liberal=liberal)
    if spoken:
        figures = [_figures(match, language) for match in matches if not match["letter"]]
        readings += spelled.read_number_words(
            text, figures, spoken, is_known=language in spoken, liberal=liberal
        )
    if not text.isascii() and _NEEDS_READING.search(text):
        readings += chinese_numbers.read(text, liberal=liberal)
        readings += korean_numbers.read(text, liberal=liberal)
        readings += _fractions(text)
    merged = _merge(found, readings) if readings else found
    return _apply_minus(text, merged)


def has_words(text: str) -> bool:
    """Return whether `text` may have a number that is not all digits. Cheap; False is always correct."""
    if not text.isascii() and (
        korean_numbers.may_hold(text) or chinese_numbers.may_hold(text) or _VULGAR_RUN.search(text)
    ):
        return True
    return bool(spelled.languages(text, "", liberal=True))


def significant_digits(decimal: str) -> str:
    """Return the digits of a decimal without outer zeros, which do not depend on grouping and magnitude."""
    return "".join(character for character in decimal if character.isdigit()).strip("0")


def digits(text: str) -> frozenset[str] | None:
    """Return the significant digits of every number that the groups of digits in a text can stand for.

    Args:
        text: Text that has gone through `plain_digits`.

    Returns:
        The digits without outer zeros; None if there are too many groups in a row.
    """
    found: set[str] = set()
    for run in _DIGIT_GROUPS.finditer(text):
        groups = _SEPARATOR.split(run.group())
        if len(groups) > _MAX_GROUPS:
            return None
        for start in range(len(groups)):
            for end in range(start + 1, len(groups) + 1):
                found.add("".join(groups[start:end]).strip("0"))
    return frozenset(found)


def _merge(found: list[Numeral], readings: list[Reading]) -> list[Numeral]:
    """Return the longest of overlapping numbers, and none where a stretch cannot be read."""
    readings += (Reading(numeral, numeral.start, numeral.end) for numeral in found)
    readings.sort(key=lambda reading: (reading.start, -reading.end))
    kept: list[Numeral] = []
    end = 0
    for reading in readings:
        if reading.start >= end:
            end = reading.end
            if reading.numeral is not None:
                kept.append(reading.numeral)
    return kept


def _apply_minus(text: str, found: list[Numeral]) -> list[Numeral]:
    """Make numbers after a word for minus negative, unless the word subtracts from another number."""
    end = 0
    window = max(map(len, _minus())) + _MAX_SPACES
    for position, numeral in enumerate(found):
        before = text[max(end, numeral.start - window) : numeral.start].rstrip(" ").casefold()
        if before.endswith(_minus()) and not _is_subtraction(text, end, numeral) and numeral.normal[0] != "-":
            normal = "|".join(f"-{reading}" for reading in numeral.normal.split("|"))
            found[position] = replace(numeral, normal=normal)
        end = numeral.end
    return found


def _is_subtraction(text: str, end: int, numeral: Numeral) -> bool:
    """Return whether only the word for minus is between two numbers."""
    between = text[end : numeral.start] if end else ""
    return between.strip().casefold() in _minus()


def _fractions(text: str) -> Iterator[Reading]:
    for match in _VULGAR_RUN.finditer(text):
        part = _VULGAR.get(text[match.end() - 1])
        whole = (match["whole"] or "").strip()
        numeral = Numeral(decimal(whole, part), match.start(), match.end()) if part else None
        yield Reading(numeral, match.start(), match.end())
    for match in _FRACTION.finditer(text) if "分之" in text or "분의" in text else ():
        yield Reading(None, match.start(), match.end())


def _zeros(match: regex.Match[str]) -> int:
    written = (match["letter"] or match["magnitude"] or "").casefold()
    return _LETTER_MAGNITUDES.get(written) or _zeros_of().get(written, 0)


def _figures(match: regex.Match[str], language: str) -> spelled.Figures:
    readings = tuple(Decimal(decimal(*reading)) for reading in _readings(match["digits"], language))
    return spelled.Figures(readings, match.start(), match.end("digits"))


def _plain_character(match: re.Match[str]) -> str:
    character = match.group()
    if "！" <= character <= "～":
        return chr(ord(character) - 0xFEE0)
    return str(unicodedata.decimal(character)) if character.isdecimal() else " "


def _normalise_digits(match: regex.Match[str], language: str) -> str:
    zeros = _zeros(match)
    sign = "-" if match["sign"] else ""
    normals = [sign + decimal(*reading, zeros) for reading in _readings(match["digits"], language)]
    if match["letter"]:  # 4K may be a resolution, 1.5B a name
        normals += [sign + decimal(*reading) for reading in _readings(match["digits"], language)]
    return "|".join(dict.fromkeys(normals))


def _readings(digits: str, language: str) -> list[tuple[str, str]]:
    """Return the possible readings of a number: (whole part, fraction)."""
    separators = [character for character in digits if character in ",.'’ "]
    if not separators:
        return [(digits, "")]
    groups = _SEPARATOR.split(digits)
    grouped = (groups[:1] != ["0"]) and all(len(group) == 3 for group in groups[1:])
    if len(separators) > 1:
        if len(set(separators)) == 1:
            return [("".join(groups), "")]
        return [("".join(groups[:-1]), groups[-1])]
    if not grouped or len(groups[0]) > 3:
        return [(groups[0], groups[1])]
    if separators[0] == "." or (separators[0] == "," and table(language).numbers.decimal_comma):
        return [("".join(groups), ""), (groups[0], groups[1])]
    return [("".join(groups), "")]
