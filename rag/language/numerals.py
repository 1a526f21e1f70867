"""How numbers are written: digits with any grouping, magnitudes, and small numbers in words.

A normal form is a plain decimal (``1500000``, ``0.5``). Where the writing is ambiguous (``1.000`` is a
thousand in Spanish and one in English) every reading is given, separated by ``|``; readers compare the sets.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import regex

_DECIMAL_COMMA = frozenset({"ru", "uk", "es", "id", "de", "fr", "it", "pt", "nl", "pl", "tr", "cs"})

_VALUES: dict[str, str] = {
    "en": "zero 0 one 1 two 2 three 3 four 4 five 5 six 6 seven 7 eight 8 nine 9 ten 10 eleven 11 twelve 12"
    " thirteen 13 fourteen 14 fifteen 15 sixteen 16 seventeen 17 eighteen 18 nineteen 19 twenty 20 thirty 30"
    " forty 40 fifty 50 sixty 60 seventy 70 eighty 80 ninety 90 hundred 100 thousand 1000 million 1000000"
    " billion 1000000000 twice 2",
    "ru": "ноль 0 ноля 0 нулю 0 один 1 одна 1 одно 1 одного 1 одной 1 одному 1 одним 1 одну 1 два 2"
    " две 2 двух 2 двум 2 двумя 2 три 3 трех 3 трем 3 тремя 3 четыре 4 четырех 4 четырем 4"
    " четырьмя 4 пять 5 пяти 5 пятью 5 шесть 6 шести 6 шестью 6 семь 7 семи 7 восемь 8"
    " восьми 8 восемью 8 девять 9 девяти 9 девятью 9 десять 10 десяти 10 десятью 10"
    " одиннадцать 11 одиннадцати 11 одиннадцатью 11 двенадцать 12 двенадцати 12 двенадцатью 12"
    " тринадцать 13 тринадцати 13 тринадцатью 13 четырнадцать 14 четырнадцати 14 четырнадцатью 14"
    " пятнадцать 15 пятнадцати 15 пятнадцатью 15 шестнадцать 16 шестнадцати 16 шестнадцатью 16"
    " семнадцать 17 семнадцати 17 семнадцатью 17 восемнадцать 18 восемнадцати 18 восемнадцатью 18"
    " девятнадцать 19 девятнадцати 19 девятнадцатью 19 двадцать 20 двадцати 20 двадцатью 20"
    " тридцать 30 тридцати 30 тридцатью 30 сорок 40 сорока 40 пятьдесят 50 пятидесяти 50"
    " шестьдесят 60 шестидесяти 60 семьдесят 70 семидесяти 70 восемьдесят 80 восьмидесяти 80"
    " девяносто 90 девяноста 90 сто 100 ста 100 двести 200 двухсот 200 двумстам 200"
    " двумястами 200 триста 300 трехсот 300 тремстам 300 тремястами 300 четыреста 400"
    " четырехсот 400 четыремстам 400 пятьсот 500 пятисот 500 шестьсот 600 шестисот 600"
    " семьсот 700 семисот 700 восемьсот 800 восьмисот 800 девятьсот 900 девятисот 900 тысяча 1000"
    " тысячу 1000 тысячи 1000 тысяч 1000 тысячей 1000 тысячам 1000 тысячами 1000 миллион 1000000"
    " миллиона 1000000 миллионов 1000000 миллиону 1000000 миллионам 1000000 миллионами 1000000"
    " миллиард 1000000000 миллиарда 1000000000 миллиардов 1000000000 миллиардами 1000000000"
    " дважды 2 трижды 3",
    "es": "cero 0 uno 1 una 1 dos 2 tres 3 cuatro 4 cinco 5 seis 6 siete 7 ocho 8 nueve 9 diez 10 once 11"
    " doce 12 trece 13 catorce 14 quince 15 dieciséis 16 diecisiete 17 dieciocho 18 diecinueve 19 veinte 20"
    " veinticinco 25 treinta 30 cuarenta 40 cincuenta 50 sesenta 60 setenta 70 ochenta 80 noventa 90 cien 100"
    " ciento 100 doscientos 200 trescientos 300 quinientos 500 mil 1000 millón 1000000 millones 1000000",
    "id": "nol 0 satu 1 dua 2 tiga 3 empat 4 lima 5 enam 6 tujuh 7 delapan 8 sembilan 9 sepuluh 10 sebelas 11"
    " belas +10 puluh *10 seratus 100 ratus 100 seribu 1000 ribu 1000 juta 1000000 miliar 1000000000",
    "ko": "하나 1 한 1 둘 2 두 2 셋 3 세 3 넷 4 네 4 다섯 5 여섯 6 일곱 7 여덟 8 아홉 9 열 10 스물 20 스무 20"
    " 서른 30 마흔 40 쉰 50 예순 60 일흔 70 여든 80 아흔 90",
}
_AMBIGUOUS = frozenset({"once", "dos", "una", "한", "세", "네", "열"})
"""Number words that mean something else in another language, or hang in longer words."""

_MAGNITUDES = {
    3: "k thousand тыс тысяча тысячи тысяч тысячу mil ribu rb tausend mille 千 천",
    4: "万 萬 만",
    6: "m mn mio million millions млн миллион миллиона миллионов millón millon millones juta jt millionen"
    " milhão milhões 百万 백만",
    7: "千万 천만",
    8: "亿 億 억",
    9: "b bn billion billions млрд миллиард миллиарда миллиардов miliar milliarden milliarde milliard",
    12: "trillion trillions трлн триллион триллиона триллионов triliun 兆 조",
}
_ZEROS = {word: zeros for zeros, words in _MAGNITUDES.items() for word in words.split()}
_LETTER_MAGNITUDES = frozenset({"k", "m", "b"})
_HAN_DIGITS = {character: value for value, character in enumerate("零一二三四五六七八九")} | {
    "〇": 0,
    "两": 2,
    "兩": 2,
}
_HAN_POWERS = {"十": 10, "百": 100, "千": 1000, "万": 10_000, "萬": 10_000, "亿": 10**8, "億": 10**8}
_HAN_PHRASES = frozenset({"万一", "千万", "十分", "一一", "万万", "三三", "百万", "千百"})

_DIGITS = r"(?:\d{1,3}(?:(?P<group>[,.'’ ])\d{3})(?:(?P=group)\d{3})*(?:[.,]\d+)?(?!\d)|\d+(?:[.,]\d+)?)"
_WORD_MAGNITUDE = "|".join(
    sorted((regex.escape(word) for word in _ZEROS if word not in _LETTER_MAGNITUDES), key=len, reverse=True)
)
NUMBER = regex.compile(
    rf"""
    (?<![\p{{Latin}}\p{{Cyrillic}}\d_])(?<!\d[.,])
    (?P<sign>(?:(?<=^|[\s(=:])[-−])?)
    (?P<digits>{_DIGITS})
    (?: (?P<letter>[kKMB])(?![\p{{L}}\d])
      | [ -]?(?!千[米克瓦卡帕伏赫])(?P<magnitude>{_WORD_MAGNITUDE})\.?(?![\p{{Latin}}\p{{Cyrillic}}]) )?
    """,
    regex.VERBOSE | regex.IGNORECASE | regex.MULTILINE,
)
"""A number in digits (the text must have gone through `plain_digits`)."""

_SEPARATOR = re.compile("[,.'’ ]")
_DIGIT_GROUPS = re.compile(r"\d+(?:[,.'’ ]\d+)*")
_MOST_GROUPS = 8
_WORD = re.compile(r"[^\W\d_]+")
_HANGUL = re.compile("[가-힣]")
_HALF_MORE = regex.compile(
    r"(?<!\p{L})(?:полтор[аы]|полутора)(?!\p{L})(?:[ ](?P<magnitude>тысяч|миллион|миллиард)\p{L}*)?",
    regex.IGNORECASE,
)
_HALF_MORE_WORDS = frozenset({"полтора", "полторы", "полутора"})
_HALF_MORE_ZEROS = {"тысяч": 3, "миллион": 6, "миллиард": 9}
_HAN_NUMBER = regex.compile(r"[〇零一二三四五六七八九十百千万萬亿億两兩]+(?!分之)")
_HAN_COUNTER = regex.compile(r"[ ]?[个個种種次天年月日号小时分钟秒份条項项名位台倍元周页層层]")


@dataclass(frozen=True, slots=True)
class Numeral:
    """A number in a text: its normal form (readings separated by ``|``) and where it stands."""

    normal: str
    start: int
    end: int


def plain_digits(text: str) -> str:
    """`text` with full-width characters, foreign digits and odd spaces in their ASCII form; offsets stay."""
    if text.isascii():
        return text
    return "".join(map(_plain_character, text))


def numerals(text: str, language: str = "", *, liberal: bool = False) -> list[Numeral]:
    """Find the numbers of `text`, in digits and in words, in order.

    Args:
        text: Text that has gone through `plain_digits`.
        language: ISO 639-1 code; decides between decimal comma and grouping comma, and whose words count.
        liberal: Also read words that are numbers only perhaps ("one", 一): right for a source, where a
            number too many does no harm, and wrong for a claim, where it would be missed in the source.
    """
    found = [
        Numeral(_digits_normal(match, language), match.start(), match.end())
        for match in NUMBER.finditer(text)
    ]
    in_words = [
        *_half_more(text),
        *_spelled(text, language, liberal=liberal),
        *_han(text, liberal=liberal),
    ]
    if not in_words:
        return found
    found += in_words
    found.sort(key=lambda numeral: (numeral.start, -numeral.end))
    kept: list[Numeral] = []
    for numeral in found:
        if not kept or numeral.start >= kept[-1].end:
            kept.append(numeral)
    return kept


def has_words(text: str) -> bool:
    """Whether `text` may hold a number in words or Han characters; cheap, and never wrong when it denies."""
    if not text.isascii() and (_HANGUL.search(text) or _HAN_NUMBER.search(text)):
        return True
    return not _liberal_words().isdisjoint(_WORD.findall(text.casefold().replace("ё", "е")))


def significant(decimal: str) -> str:
    """What the writings of a number share whatever its grouping and magnitude: digits without outer zeros."""
    return "".join(character for character in decimal if character.isdigit()).strip("0")


def digits(text: str) -> frozenset[str] | None:
    """The `significant` digits of every number that may stand in digits in `text`; None for too many.

    Args:
        text: Text that has gone through `plain_digits`.
    """
    found: set[str] = set()
    for run in _DIGIT_GROUPS.finditer(text):
        groups = _SEPARATOR.split(run.group())
        if len(groups) > _MOST_GROUPS:
            return None
        for start in range(len(groups)):
            for end in range(start + 1, len(groups) + 1):
                found.add("".join(groups[start:end]).strip("0"))
    return frozenset(found)


def _plain_character(character: str) -> str:
    if "！" <= character <= "～":
        return chr(ord(character) - 0xFEE0)
    if character.isdecimal():
        return str(unicodedata.decimal(character))
    if character in "\u00a0\u2007\u2009\u202f\u3000":
        return " "
    return character


def _digits_normal(match: regex.Match[str], language: str) -> str:
    zeros = _ZEROS.get((match["letter"] or match["magnitude"] or "").casefold(), 0)
    sign = "-" if match["sign"] else ""
    normals = [sign + decimal(*reading, zeros) for reading in _readings(match["digits"], language)]
    if match["letter"]:  # 4K may be a resolution, 1.5B a name
        normals += [sign + decimal(*reading) for reading in _readings(match["digits"], language)]
    return "|".join(dict.fromkeys(normals))


def _readings(digits: str, language: str) -> list[tuple[str, str]]:
    """The ways to read a number: (whole part, fraction)."""
    if digits.isdecimal():
        return [(digits, "")]
    groups = _SEPARATOR.split(digits)
    separators = [character for character in digits if character in ",.'’ "]
    grouped = (groups[:1] != ["0"]) and all(len(group) == 3 for group in groups[1:])
    if len(separators) > 1:
        if len(set(separators)) == 1:
            return [("".join(groups), "")]
        return [("".join(groups[:-1]), groups[-1])]
    if not grouped or len(groups[0]) > 3:
        return [(groups[0], groups[1])]
    if separators[0] == "." or (separators[0] == "," and language in _DECIMAL_COMMA):
        return [("".join(groups), ""), (groups[0], groups[1])]
    return [("".join(groups), "")]


def decimal(whole: str, fraction: str = "", zeros: int = 0) -> str:
    """A plain decimal of digits, shifted left by `zeros` places, without needless zeros."""
    moved = fraction[:zeros].ljust(zeros, "0")
    whole = (whole + moved).lstrip("0") or "0"
    fraction = fraction[zeros:].rstrip("0")
    return f"{whole}.{fraction}" if fraction else whole


def _vocabulary(language: str, *, liberal: bool) -> dict[str, str]:
    codes = [language] if language in _VALUES and not liberal else list(_VALUES)
    words: dict[str, str] = {}
    for code in codes:
        pieces = _VALUES[code].split()
        words |= dict(zip(pieces[::2], pieces[1::2], strict=True))
    if liberal or language in _VALUES:
        return words
    return {word: value for word, value in words.items() if word not in _AMBIGUOUS}


@cache
def _liberal_words() -> frozenset[str]:
    return frozenset(_vocabulary("", liberal=True)) | _HALF_MORE_WORDS


def _pattern(words: dict[str, str]) -> regex.Pattern[str]:
    latin = "|".join(sorted((word for word in words if not _is_hangul(word)), key=len, reverse=True))
    hangul = "|".join(sorted((word for word in words if _is_hangul(word)), key=len, reverse=True))
    spaced = rf"(?:{latin})(?:(?:[ -]|[ ](?:and|y)[ ])(?:{latin}))*"
    alternatives = [rf"(?<![\p{{L}}_]){spaced}(?![\p{{L}}_])"] if latin else []
    if hangul:
        alternatives.append(rf"(?<!\p{{Hangul}})(?:{hangul})+(?=[ ]?[개번명시살달가배주장권대줄]|[ ]|$)")
    return regex.compile("|".join(alternatives), regex.IGNORECASE)


def _is_hangul(word: str) -> bool:
    return "가" <= word[0] <= "힣"


_patterns: dict[tuple[str, bool], tuple[regex.Pattern[str], dict[str, str]]] = {}


def _spelled(text: str, language: str, *, liberal: bool) -> list[Numeral]:
    key = (language if language in _VALUES else "", liberal)
    if key not in _patterns:
        words = _vocabulary(language, liberal=liberal)
        _patterns[key] = (_pattern(words), words)
    pattern, words = _patterns[key]
    folded = text.replace("ё", "е")
    if words.keys().isdisjoint(_WORD.findall(folded.casefold())) and not _HANGUL.search(text):
        return []  # a look at the words is cheaper than the pattern
    found = [numeral for match in pattern.finditer(folded) for numeral in _sums(folded, match, words)]
    if liberal:
        return found
    # A capital makes a name of it, or the start of a sentence; one is more often an article than a count.
    return [
        numeral
        for numeral in found
        if int(numeral.normal) > 10 or (numeral.normal != "1" and not text[numeral.start].isupper())
    ]


@cache
def _any_of(words: tuple[str, ...]) -> regex.Pattern[str]:
    return regex.compile("|".join(sorted(words, key=len, reverse=True)), regex.IGNORECASE)


def _sums(text: str, match: regex.Match[str], words: dict[str, str]) -> Iterator[Numeral]:
    """Add up a run of number words; "five and ten" are two numbers, "fifty-five" is one."""
    pieces = _any_of(tuple(words))
    start = end = match.start()
    total = hundreds = small = 0
    counted = False
    for piece in pieces.finditer(text, match.start(), match.end()):
        value = words[piece.group().casefold()]
        number = int(value.strip("*+"))
        goes_on = value[0] in "*+" or number >= 1000 or (number >= 100 and not hundreds)
        if counted and not goes_on and small and not (small >= 20 and small % 10 == 0 and number < 10):
            yield Numeral(str(total + hundreds + small), start, end)
            start, total, hundreds, small = piece.start(), 0, 0, 0
        if value == "*10":
            small = max(small, 1) * 10
        elif number < 100:
            small += number
        elif number < 1000:
            hundreds, small = (max(small, 1) * 100 if number == 100 else number), 0
        else:
            total, hundreds, small = total + max(hundreds + small, 1) * number, 0, 0
        counted = counted or value[0] not in "*+"
        end = piece.end()
    if counted:
        yield Numeral(str(total + hundreds + small), start, end)


def _half_more(text: str) -> Iterator[Numeral]:
    """Half of a thousand more than one: "полторы тысячи" is 1500."""
    if text.isascii():
        return
    for match in _HALF_MORE.finditer(text):
        zeros = _HALF_MORE_ZEROS.get((match["magnitude"] or "").casefold(), 0)
        yield Numeral(decimal("1", "5", zeros), match.start(), match.end())


def _han(text: str, *, liberal: bool) -> list[Numeral]:
    found: list[Numeral] = []
    if text.isascii():
        return found
    for match in _HAN_NUMBER.finditer(text):
        written = match.group()
        value = han_value(written)
        counted = len(written) > 1 or text[max(0, match.start() - 2) : match.start()] == "分之"
        counted = counted or bool(_HAN_COUNTER.match(text, match.end()))
        if liberal or (
            counted
            and value > 1
            and not _HAN_PHRASES.intersection({written, text[match.start() : match.end() + 1]})
        ):
            found.append(Numeral(str(value), match.start(), match.end()))
    return found


def han_value(written: str) -> int:
    """The value of a number in Han characters: 二十六 is 26, 二〇二三 is 2023."""
    if not any(character in _HAN_POWERS for character in written):
        return int("".join(str(_HAN_DIGITS[character]) for character in written))  # 二〇二三
    total = section = digit = 0
    for character in written:
        if character in _HAN_DIGITS:
            digit = _HAN_DIGITS[character]
            continue
        power = _HAN_POWERS[character]
        if power < 10_000:
            section += max(digit, 1) * power
        else:
            total, section = (total + section + digit or 1) * power, 0
        digit = 0
    return total + section + digit
