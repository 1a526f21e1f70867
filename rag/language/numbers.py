"""Find numbers and what they measure: in digits with any grouping, in words, in East Asian characters.

The normal form is a plain decimal (``1500000``, ``0.5``), followed by the name of its measure (``5 %``,
``10 gb``), which is the same in every language. If the notation is ambiguous (``1.000`` is a thousand in
Spanish and one in English), it has every reading, separated by ``|``; comparisons use the sets.

Words for numbers are read without a grammar: words below a thousand add up, the others multiply. What does
not add up ("two hundred five hundred") is not read, because half of it would be a wrong number.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cache
from typing import Literal

import regex

from rag.language.tables import alternatives, languages
from rag.language.tables import language as table

_SYMBOLS = {
    "$": "usd", "€": "eur", "£": "gbp", "¥": "cny", "₽": "rub", "₩": "krw", "rp": "idr", "百分之": "%",
}  # fmt: skip
_LETTERS = {"k": 3, "m": 6, "b": 9}
"""Number of zeros that a letter behind digits stands for."""
_HANGUL = {sign: value for value, sign in enumerate("영일이삼사오육칠팔구")} | {
    "십": 10, "백": 100, "천": 1000, "만": 10**4, "억": 10**8, "조": 10**12,
}  # fmt: skip
_HAN = "〇零一二两兩三四五六七八九十廿百千万萬亿億壹贰貳叁肆伍陆柒捌玖拾佰仟"
_DIGITS = r"(?:\d{1,3}(?:(?P<group>[,.'’ ])\d{3})(?:(?P=group)\d{3})*(?:[.,]\d+)?(?!\d)|\d+(?:[.,]\d+)?)"
_ODD_CHARACTER = regex.compile("[！-～\u00a0\u2007\u2009\u202f\u3000]|[^\\D0-9]")
_SEPARATOR = regex.compile("[,.'’ ]")
_WORD = regex.compile(r"(?<![\p{L}\p{M}\d_])\p{L}[\p{L}\p{M}]*+(?![\d_])")
_SPACE = regex.compile(r"[ \t]{1,3}|[ \t]?\r?\n[ \t]?|[-‐‑]")
_EAST_ASIAN = regex.compile(rf"[{_HAN}가-힣]")
_EAST_ASIAN_LETTER = regex.compile(r"[\p{Han}가-힣]")
_HAN_RUN = regex.compile(rf"(?<![\d.,])(?:\d[\d,]*(?:\.\d+)?[ ]?(?=[十百千万萬亿億]))?[{_HAN}][{_HAN}\d]*")
_HANGUL_SIGNS = "".join(_HANGUL)
_HANGUL_RUN = regex.compile(
    rf"(?<![가-힣\d.,])(?:\d[\d,]*(?:\.\d+)?[ ]?(?=[십백천만억조]))?[{_HANGUL_SIGNS}]"
    rf"(?:[{_HANGUL_SIGNS}\d]|(?<=[만억조])[ ](?=[\d{_HANGUL_SIGNS}]*[십백천만]))*"
)
_SIGN = regex.compile(r"\d[\d,]*(?:\.\d+)?|\D")
_VAGUE_BEFORE = frozenset("几幾数數上好成第点點몇수")
"""Before a number in signs: "some dozens" (几十), "the third" (第三)."""
_VAGUE_BEHIND = regex.compile(rf"[几幾多余餘来來]|分之|[ ]?분의|월|[点點][{_HAN}]|[ ]?점[ ]")
_MEASURE_BEFORE = regex.compile(
    r"(?:(?:US|A|C|CA|HK)?(?P<symbol>[$€£¥₽₩])|(?<!\p{L})(?P<name>Rp)\.?|(?P<percent>百分之))[ ]?$"
)
_MAX_PREFIX_CHARACTERS = 24
_POWER = regex.compile("[十百千万萬亿億拾佰仟廿십백천만억조]")
_MAX_DAY = 31
"""Ordinals up to this are more often days of a month than numbers."""
_MAX_SIGNS = 40
"""Characters of a number in signs; a longer run is none."""
_LONE_DIGITS = 3
"""Fewest digits in a row that are a number without a word for ten, hundred or thousand: 二〇一五 is 2015."""
_GOES_ON = regex.compile(r"(?!(?:st|nd|rd|th|x)\b)[A-Za-z_]")
"""What makes "3f2a" a designator and not the number 3."""

Role = Literal["plain", "teen", "times", "scale", "ordinal", "joint", "article", "spoiling"]


@dataclass(frozen=True, slots=True)
class Numeral:
    """A number in a text: its normal form, its offsets, and what its last word multiplies by."""

    normal: str
    start: int
    end: int
    scale: int = 1


@dataclass(frozen=True, slots=True)
class _Word:
    role: Role
    value: Decimal = Decimal(0)


@dataclass(frozen=True, slots=True)
class _Entry:
    role: Role
    value: Decimal
    written: str
    start: int
    end: int


def plain_digits(text: str) -> str:
    """Convert full-width characters, foreign digits and unusual spaces to ASCII; offsets stay."""
    return text if text.isascii() else _ODD_CHARACTER.sub(_plain_character, text)


def find_numbers(text: str, language: str = "", *, liberal: bool = False) -> list[Numeral]:
    """Find the numbers of `text` with their measures, in order; "10-20 %" is a percentage at both ends.

    Args:
        text: Text that has gone through `plain_digits`.
        language: ISO 639-1 code if known; decides between decimal comma and grouping comma, and whose words
            count.
        liberal: Also read words that may be numbers ("one", 一). Right for a source, where an extra number
            does no harm, and wrong for a claim, which would then seem unsupported.
    """
    found = list(_in_digits(text, language))
    found += _in_words(text, language, liberal=liberal)
    if not text.isascii() and _EAST_ASIAN.search(text):
        found += _in_signs(text, liberal=liberal)
    found.sort(key=lambda one: (one.start, -one.end))
    apart: list[Numeral] = []
    for one in found:
        if not apart or one.start >= apart[-1].end:
            apart.append(one)
    return list(_measured(text, apart))[::-1]


def east_asian_number(signs: str) -> int | None:
    """Read a number in Chinese characters, Korean syllables and digits; None if it does not add up."""
    values = [_value_of(sign) for sign in _SIGN.findall(signs.replace(" ", ""))]
    if len(values) >= _LONE_DIGITS and all(value < 10 for value in values):
        return int("".join(str(value) for value in values))
    total = section = Decimal(0)
    waiting: Decimal | None = None
    power = largest = Decimal(1)
    for value in values:
        if value >= 10**4:
            here = section + (waiting or 0)
            total = (total + here) * value if total and value > largest else total + (here or 1) * value
            section, waiting, largest = Decimal(0), None, value
        elif value in {10, 100, 1000}:
            section += (1 if waiting is None else waiting) * value
            waiting = None
        elif value == 20:  # 廿
            section += value
        elif waiting:  # two digits in a row: "two or three" (两三)
            return None
        else:
            waiting, power = value, power if value else Decimal(1)
            continue
        power = value
    if waiting and power >= 100 and signs[-1] in _HAN:
        waiting *= power / 10  # 三百五 is 350
    number = total + section + (waiting or 0)
    return int(number) if number == int(number) else None


def _value_of(sign: str) -> Decimal:
    if sign[0].isdecimal():
        return Decimal(sign.replace(",", ""))
    if sign == "两":
        return Decimal(2)
    return Decimal(_HANGUL[sign] if sign in _HANGUL else int(unicodedata.numeric(sign)))


def _plain_character(match: regex.Match[str]) -> str:
    character = match.group()
    if "！" <= character <= "～":
        return chr(ord(character) - 0xFEE0)
    return str(unicodedata.decimal(character)) if character.isdecimal() else " "


# In digits


@cache
def _digits_pattern() -> regex.Pattern[str]:
    scales = "|".join(sorted(map(regex.escape, _scales()), key=len, reverse=True))
    return regex.compile(
        rf"""
        (?<![\p{{Latin}}\p{{Cyrillic}}\d_])(?<!\d[.,])
        (?P<sign>(?:(?<=^|[\s(=:])[-−])?)
        (?P<digits>{_DIGITS})(?P<half>½?)
        (?: (?P<letter>[kKMB])(?![\p{{L}}\d])
          | (?:[ -]?(?P<scale>{scales})\.?(?![\p{{Latin}}\p{{Cyrillic}}米克瓦]))+ )?
        """,
        regex.VERBOSE | regex.IGNORECASE | regex.MULTILINE,
    )


@cache
def _scales() -> Mapping[str, int]:
    return {
        spelling: int(value)
        for one in languages().values()
        for value, words in one.numbers.scales.items()
        for word in words
        for spelling in _spellings(word)
    }


def _in_digits(text: str, language: str) -> Iterator[Numeral]:
    for match in _digits_pattern().finditer(text):
        scale = 10 ** _LETTERS[match["letter"].casefold()] if match["letter"] else 1
        for word in match.captures("scale"):
            scale *= _scales()[word.casefold()]
        readings = [Decimal(reading) for reading in _readings(match["digits"], language)]
        if match["half"]:
            readings = [reading + Decimal("0.5") for reading in readings]
        values = [reading * scale for reading in readings]
        if match["letter"]:  # 4K may be a resolution, 1.5B a name
            values += readings
        sign = "-" if match["sign"] else ""
        yield Numeral(_join(values, sign), match.start(), match.end(), scale)


def _readings(digits: str, language: str) -> list[str]:
    separators = [character for character in digits if character in ",.'’ "]
    groups = _SEPARATOR.split(digits)
    whole, fraction = "".join(groups), f"{''.join(groups[:-1])}.{groups[-1]}"
    if not separators:
        return [whole]
    if len(separators) > 1:
        return [whole if len(set(separators)) == 1 else fraction]
    if groups[0] == "0" or len(groups[1]) != 3 or len(groups[0]) > 3:
        return [fraction]
    is_fraction_too = separators[0] == "." or (separators[0] == "," and table(language).numbers.decimal_comma)
    return [whole, fraction] if is_fraction_too else [whole]


def _join(values: list[Decimal], sign: str = "") -> str:
    return "|".join(dict.fromkeys(sign + _plain(value) for value in values))


def _plain(value: Decimal) -> str:
    written = f"{value:f}"
    return written.rstrip("0").rstrip(".") if "." in written else written


# In words


@cache
def _words_of(language: str) -> Mapping[str, _Word]:
    numbers = table(language).numbers
    found: dict[str, _Word] = {}

    def add(role: Role, words: tuple[str, ...], value: Decimal | int = 0) -> None:
        for word in words:
            found.update(dict.fromkeys(_spellings(word), _Word(role, Decimal(value))))

    add("spoiling", numbers.spoiling)
    for value, stems in numbers.ordinals.items():
        endings = numbers.ordinal_endings or ("",)
        add("ordinal", tuple(stem + ending for stem in stems for ending in endings), value)
    for value, words in numbers.scales.items():
        add("scale", words, value)
    for value, words in numbers.times.items():
        add("times", words, value)
    for value, words in numbers.words.items():
        add("plain", words, value)
    add("teen", numbers.teens)
    add("joint", numbers.joints)
    add("article", numbers.articles)
    return found


def _spellings(word: str) -> set[str]:
    """Return a word with and without its accents: ё, á."""
    bare = "".join(c for c in unicodedata.normalize("NFD", word) if not unicodedata.combining(c))
    return {word, word.replace("ё", "е"), bare if "й" not in word else word}


def _in_words(text: str, language: str, *, liberal: bool) -> Iterator[Numeral]:
    known = [code for code, one in languages().items() if one.numbers.words]
    spoken = [language] if language in known and not liberal else known
    runs: dict[str, list[_Entry]] = {code: [] for code in spoken}
    words = {code: _words_of(code) for code in spoken}
    for match in _WORD.finditer(text):
        written = unicodedata.normalize("NFC", match.group()).casefold().replace("\u0301", "")
        for code in spoken:
            word = words[code].get(written)
            if word is None or _is_seconds(text, match, word, code):
                continue
            run = runs[code]
            if run and not _goes_on(text, run[-1], match.start()):
                yield from _read_run(text, run, code, language, liberal=liberal)
                run = runs[code] = []
            run.append(_Entry(word.role, word.value, written, match.start(), match.end()))
    for code, run in runs.items():
        yield from _read_run(text, run, code, language, liberal=liberal)


def _is_seconds(text: str, match: regex.Match[str], word: _Word, code: str) -> bool:
    """Return whether an ordinal is a measure here: "thirty-second" is none, "thirty second" is one."""
    if word.role != "ordinal" or match.group().casefold() not in _measure_names():
        return False
    before = ("-", *(f"{joint} " for joint in table(code).numbers.joints))
    return not text.endswith(before, 0, match.start())


def _goes_on(text: str, last: _Entry, start: int) -> bool:
    gap = text[last.end : start]
    return _SPACE.fullmatch(gap) is not None or (last.role == "scale" and gap == ", ")


def _read_run(text: str, run: list[_Entry], code: str, language: str, *, liberal: bool) -> Iterator[Numeral]:
    while run and run[-1].role in {"joint", "article"}:
        run = run[:-1]
    while run and (
        run[0].role == "joint" or (run[0].role == "article" and run[1].role not in {"times", "scale"})
    ):
        run = run[1:]
    if not run or any(entry.role == "spoiling" for entry in run):
        return
    value = _add_up(run, table(code).numbers.whole)
    if value is None:
        for at, entry in enumerate(run):
            halves = run[:at], run[at + 1 :]
            if entry.role == "joint" and None not in [_add_up(list(half), ()) for half in halves]:
                for half in halves:
                    yield from _read_run(text, half, code, language, liberal=liberal)
                return
        return
    start, end = run[0].start, run[-1].end
    if run[0].role == "scale" and text[max(0, start - 2) : start].strip(" ").isdecimal():  # "3 million"
        return
    counting = [entry for entry in run if entry.role != "article"]
    if run[-1].role == "ordinal" and value <= _MAX_DAY:
        return
    if len(counting) == 1 and not _counts_alone(text, counting[0], value, code, language, liberal=liberal):
        return
    yield Numeral(_plain(value), start, end, int(run[-1].value) if run[-1].role == "scale" else 1)


def _counts_alone(
    text: str, entry: _Entry, value: Decimal, code: str, language: str, *, liberal: bool
) -> bool:
    """Return whether a single word is a number: "first" is none, "one" hardly ever, "once" in Spanish."""
    if entry.role == "ordinal" or liberal:
        return entry.role != "ordinal"
    numbers = table(code).numbers
    is_doubtful = entry.written in numbers.unclear or (code != language and entry.written in numbers.foreign)
    return value > 1 and not (is_doubtful and not _measure(text, entry.start, entry.end).name)


def _add_up(run: list[_Entry], whole: tuple[str, ...]) -> Decimal | None:
    has_article = run[0].role == "article"
    parts: list[tuple[Decimal, Decimal]] = []  # each a value that ends in a scale, and that scale
    small: Decimal | None = None
    for at, entry in enumerate(run[1:] if has_article else run):
        is_first = at == 0
        if entry.role == "scale":
            before = [value for value, scale in parts if scale < entry.value]
            if small is None and not before and not (is_first and has_article) and entry.written not in whole:
                return None
            if any(scale == entry.value for _, scale in parts):
                return None
            value = (sum(before, small or Decimal(0)) or 1) * entry.value
            parts = [*(part for part in parts if part[1] > entry.value), (value, entry.value)]
            small = None
        elif entry.role != "joint" or (small is None and not parts):
            small = _add_small(small, entry, is_first and has_article)
            if small is None:
                return None
    return sum((value for value, _ in parts), small or Decimal(0))


def _add_small(small: Decimal | None, entry: _Entry, has_article: bool) -> Decimal | None:
    """Return a number below a thousand with one more word; None if the word cannot follow it."""
    if entry.role == "times" and (small or has_article):
        small = small or Decimal(1)
        last = small % 10 if entry.value == 10 else small
        return small + last * (entry.value - 1) if last and (entry.value == 10 or small < 100) else None
    if entry.role == "teen" and small:
        return small + 10 if small % 10 > 1 else None
    if entry.role not in {"plain", "ordinal"} or has_article:
        return None
    if small is None:
        return entry.value
    room = 100 if small % 100 == 0 else 10 if small % 10 == 0 and small % 100 > 10 else 0
    return small + entry.value if 0 < entry.value < room else None


# In Chinese characters and Korean syllables


@cache
def word_end() -> str:
    """Return a pattern of where a Korean word can end: before other signs, or before particles."""
    particles = "|".join(table("ko").numbers.particles)
    return rf"(?=(?:{particles}){{0,2}}(?![가-힣]))"


@cache
def _counter(language: str) -> regex.Pattern[str]:
    counters = sorted(table(language).numbers.counters, key=len, reverse=True)
    names = sorted(
        (name for name in _measure_names() if _EAST_ASIAN_LETTER.match(name)), key=len, reverse=True
    )
    return regex.compile(rf"[ ]?(?:{'|'.join([*counters, *names])})")


@cache
def _everyday() -> regex.Pattern[str]:
    return regex.compile(alternatives(lambda one: one.numbers.everyday))


@cache
def _native() -> tuple[regex.Pattern[str], Mapping[str, int]]:
    numbers = table("ko").numbers
    values = {word: int(value) for value, words in numbers.native.items() for word in words}
    tens = "|".join(word for word, value in values.items() if value >= 10)
    ones = "|".join(word for word, value in values.items() if value < 10)
    counters = "|".join(numbers.counters)
    # A single syllable right before a counter is mostly part of a word: 세대, 열대.
    behind = rf"(?=(?:[ ]|(?<=[가-힣]{{2}}))(?:{counters}){word_end()})"
    pattern = rf"(?<![가-힣])(?P<tens>{tens})?(?P<ones>{ones})?(?<=[가-힣]){behind}"
    return regex.compile(pattern), values


def _in_signs(text: str, *, liberal: bool) -> Iterator[Numeral]:
    for pattern, language in ((_HAN_RUN, "zh"), (_HANGUL_RUN, "ko")):
        for match in pattern.finditer(text):
            value = east_asian_number(match.group()) if len(match.group()) <= _MAX_SIGNS else None
            if value is None or not _is_number(text, match, language, value, liberal=liberal):
                continue
            yield Numeral(str(value), match.start(), match.end())
    pattern, values = _native()
    for match in pattern.finditer(text):
        value = sum(values[word] for word in match.groups() if word)
        if liberal or value != 1:
            yield Numeral(str(value), match.start(), match.end())


def _is_number(text: str, match: regex.Match[str], language: str, value: int, *, liberal: bool) -> bool:
    start, end = match.span()
    if text[start - 1 : start] in _VAGUE_BEFORE or _VAGUE_BEHIND.match(text, end):
        return False
    written = match.group()
    if written[0] in "万萬亿億" or (written[-1] == "千" and text[end : end + 1] in {"米", "克", "瓦"}):
        return False
    if any(character.isdigit() for character in written):
        return True
    if len(written) > 1 and not _POWER.search(written):
        return "〇" in written or "零" in written or text[end : end + 1] == "年"
    is_counted = _counter(language).match(text, end) is not None or text.endswith("百分之", 0, start)
    if _everyday().match(text, start) and not (is_counted and text[end : end + 1] == " "):
        return False
    if len(written) == 1:
        return is_counted and (liberal or value > 1) and (language == "zh" or value >= 10)
    return is_counted or not _EAST_ASIAN_LETTER.match(text, end) or (language == "ko" and liberal)


# What is measured


@dataclass(frozen=True, slots=True)
class _Measure:
    name: str
    start: int
    end: int


@cache
def _measure_names() -> Mapping[str, str]:
    return {
        phrase: name
        for one in languages().values()
        for name, phrases in one.measures.names.items()
        for phrase in phrases
    }


@cache
def _measure_behind() -> regex.Pattern[str]:
    """Return the pattern of a measure; endings of ordinals (1948-м) and longer words (5 원칙) are none."""
    adjective = alternatives(lambda one: one.measures.adjectives)
    words = "|".join(sorted(map(regex.escape, _measure_names()), key=len, reverse=True))
    return regex.compile(
        rf"(?:[ ](?:{adjective})[ ]|[ ]|-(?!\p{{Cyrillic}}\b))?"
        rf"(?:(?P<symbol>[$€£¥₽₩])|(?P<word>{words})(?![\p{{Latin}}\p{{Cyrillic}}\d_])"
        rf"(?:(?<![가-힣])|{word_end()})(?<!年(?=[级級代]))(?<!周(?=末)))",
        regex.IGNORECASE,
    )


@cache
def _range() -> regex.Pattern[str]:
    return regex.compile(rf"[ ]?(?:[-–—~～]|{alternatives(lambda one: one.numbers.ranges)})[ ]?")


@cache
def _half() -> regex.Pattern[str]:
    return regex.compile(rf"[个個]半|(?:{alternatives(lambda one: one.numbers.half)})")


@cache
def _minus() -> regex.Pattern[str]:
    words = "|".join(word for one in languages().values() for word in one.numbers.minus)
    return regex.compile(rf"(?<!\d[ ]?)(?:{words})[ ]?$", regex.IGNORECASE)


def _measure(text: str, start: int, end: int) -> _Measure:
    """Find the measure of the number at ``text[start:end]``; an empty name if there is no known one."""
    behind = _measure_behind().match(text, end)
    if behind:
        word = behind["word"]
        name = _measure_names()[word.casefold()] if word else _SYMBOLS[behind["symbol"]]
        return _Measure(name, start, behind.end())
    window = max(0, start - _MAX_PREFIX_CHARACTERS)
    before = _MEASURE_BEFORE.search(text[window:start])
    if before:
        symbol = before["symbol"] or before["name"] or before["percent"]
        return _Measure(_SYMBOLS[symbol.casefold()], window + before.start(), end)
    return _Measure("", start, end)


def _measured(text: str, found: list[Numeral]) -> Iterator[Numeral]:
    behind: Numeral | None = None
    name_behind = ""
    for number in reversed(found):
        values = [Decimal(reading) for reading in number.normal.split("|")]
        half = _half().match(text, number.end)
        end = half.end() if half else number.end
        measure = _measure(text, number.start, end)
        if not half and (half := _half().match(text, measure.end)) and measure.end > number.end:
            measure = replace(measure, end=half.end())
        values = [value + Decimal("0.5") * number.scale for value in values] if half else values
        name = measure.name
        if behind is not None and _range().fullmatch(text, measure.end, max(measure.end, behind.start)):
            name = name or name_behind
            if behind.scale > 1 and number.scale == 1:  # "2-3 million" may start at two or at two million
                values += [value * behind.scale for value in values]
        window = text[max(0, measure.start - _MAX_PREFIX_CHARACTERS) : measure.start]
        sign = "-" if _minus().search(window) else ""
        behind, name_behind = number, name
        if measure.name or not _GOES_ON.match(text, measure.end):
            named = [f"{reading} {name}".strip() for reading in _join(values, sign).split("|")]
            yield Numeral("|".join(named), measure.start, measure.end, number.scale)
