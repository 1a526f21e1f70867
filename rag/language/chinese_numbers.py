"""Read numbers in Chinese characters: 三百零五, 3万5千, 二点五公里, 二〇二三年.

Many everyday words start like numbers (四周, 十分, 万一), so a single character counts only before a counter.
"""

from __future__ import annotations

import re
from decimal import Decimal
from functools import cache

from rag.language import measures
from rag.language.east_asian import has_power, read_digits, read_number, zeros
from rag.language.numeral import Numeral, Reading, normal_form
from rag.language.tables import language

_PLAIN = "〇零一二三四五六七八九两兩"
_POWERS = "百千万萬亿億"
_SIGNS = f"{_PLAIN}十廿卅卌{_POWERS}壹贰叁肆伍陆柒捌玖拾佰仟貳參陸"
_FIGURES = r"\d{1,15}(?:,\d{3})*+(?:\.\d{1,15})?+"
_RUN = re.compile(
    rf"(?:[{_SIGNS}]|(?<![\d.,])(?:{_FIGURES})[ ]?+[{_POWERS}])"
    rf"[{_SIGNS}]*+(?:(?<=[{_POWERS}])\d[\d.]*+[{_SIGNS}]*+)*+"
)
_DECIMALS = re.compile(rf"[点點](?P<digits>[{_PLAIN}]++)(?P<power>[百千万萬亿億]*+)(?![十廿])")
_VAGUE_BEFORE = frozenset("几幾数數")
_VAGUE_BEHIND = frozenset("几幾")
_UNITS_WITH_THOUSAND = frozenset("米克瓦卡帕伏赫")


@cache
def _counter() -> re.Pattern[str]:
    return re.compile(rf"[ ]?(?:{'|'.join(language('zh').numbers.signs.counters)})")


@cache
def _everyday() -> re.Pattern[str]:
    return re.compile("|".join(language("zh").numbers.signs.everyday))


def may_hold(text: str) -> bool:
    """Return whether `text` may have a number in Chinese characters."""
    return _RUN.search(text) is not None


def read(text: str, *, liberal: bool) -> list[Reading]:
    """Read the numbers in Chinese characters of `text`; `liberal` as in `numerals.numerals`."""
    found = (_read_run(text, match.start(), match.end(), liberal) for match in _RUN.finditer(text))
    return [reading for reading in found if reading is not None]


def _read_run(text: str, start: int, end: int, liberal: bool) -> Reading | None:
    written = text[start:end]
    with_figures = written[0].isdecimal()
    if with_figures and written[-1] == "千" and text[end : end + 1] in _UNITS_WITH_THOUSAND:
        written, end = written[:-1], end - 1  # 3千米 are kilometres
        if written.isdecimal() or not has_power(written):
            return None
    if written[-1] in "两兩" and len(written) > 1 and has_power(written):
        written, end = written[:-1], end - 1  # in 八百两, 两 is a weight of silver
    if text[end : end + 1] in {"点", "點"}:
        return _read_decimals(text, start, end)
    if _is_fraction_part(text, start, end) or _is_vague(text, start, end):
        return Reading(None, start, end)
    value = _read_value(text, start, end, liberal=liberal)
    if value is None:
        # A single character can be any word; several are a number that cannot be read.
        is_name = not with_figures and any(map(str.isdecimal, written))  # 永万2年
        return Reading(None, start, end) if len(written) > 1 and not is_name else None
    normal = normal_form(value)
    shift = zeros(written) if len(written) > 1 else 0
    return Reading(Numeral(normal, start, end, shift), start, end)


def _read_value(text: str, start: int, end: int, *, liberal: bool) -> Decimal | None:
    written = text[start:end]
    if not liberal and _everyday().match(text, start):
        return None
    if len(written) == 1:
        if written == "百" and text[max(0, start - 3) : start] == "百分之":
            return Decimal(100)
        counted = text[max(0, start - 3) : start] == "百分之" or _counter().match(text, end) is not None
        if written not in f"{_PLAIN}十廿卅" or not (counted or liberal):
            return None
        value = Decimal(read_digits(written)) if written in _PLAIN else read_number(written)
        return value if liberal or value != 1 else None
    if has_power(written):
        return read_number(written, bare_powers=liberal)
    is_year = len(written) == 4 and written[0] in "一二" and text[end : end + 2].lstrip()[:1] == "年"
    is_spelled = len(written) > 2 and not {"〇", "零"}.isdisjoint(written) and "两" not in written
    return Decimal(read_digits(written)) if is_year or is_spelled else None  # 两三天 are two or three days


def _read_decimals(text: str, start: int, end: int) -> Reading:
    """Read 三点五公里 and 百分之三点五; 三点五 alone may be a time of day."""
    match = _DECIMALS.match(text, end)
    if match is None:
        return Reading(None, start, end + 1)
    written = text[start:end]
    whole = read_number(written) if has_power(written) else Decimal(read_digits(written))
    stop = match.end()
    scale = read_number("一" + match["power"]) if match["power"] else Decimal(1)
    in_percent = text[max(0, start - 3) : start] == "百分之"
    counted = in_percent or bool(match["power"]) or _is_measured(text, start, stop)
    if whole is None or scale is None or not counted or (len(written) > 1 and not has_power(written)):
        return Reading(None, start, stop)
    value = (whole + Decimal(f"0.{read_digits(match['digits'])}")) * scale
    return Reading(Numeral(normal_form(value), start, stop), start, stop)


def _is_measured(text: str, start: int, end: int) -> bool:
    if text[end : end + 1] in {"分", "刻"}:
        return False
    return bool(measures.measure(text, start, end).name) or _counter().match(text, end) is not None


def _is_fraction_part(text: str, start: int, end: int) -> bool:
    if text.startswith("分之", end):
        return True
    return text[max(0, start - 2) : start] == "分之" and text[max(0, start - 3) : start] != "百分之"


def _is_vague(text: str, start: int, end: int) -> bool:
    """Return whether a number is approximate: 十几个, 几十万."""
    before = text[start - 1 : start] if start else ""
    is_part = before in _VAGUE_BEFORE and before != "" and text[start] not in _PLAIN
    return is_part or (text[end : end + 1] in _VAGUE_BEHIND and text[end : end + 1] != "")
