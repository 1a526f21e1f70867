"""Read numbers in Chinese characters and in Sino-Korean syllables, also mixed with digits.

Both put a digit before each power of ten and group by ten thousands: 二十六, 이십육, 3万5千, 2억 3천만.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

_DIGITS = {
    sign: value for row in ("零一二三四五六七八九", "〇壹贰叁肆伍陆柒捌玖") for value, sign in enumerate(row)
}
_DIGITS |= {sign: value for value, sign in enumerate("영일이삼사오육칠팔구")}
_DIGITS |= {"两": 2, "兩": 2, "貳": 2, "參": 3, "陸": 6, "륙": 6, "공": 0}
_TENS = {"廿": 20, "卅": 30, "卌": 40}
_POWERS = {"十": 10, "百": 100, "千": 1000, "拾": 10, "佰": 100, "仟": 1000, "십": 10, "백": 100, "천": 1000}
_GROUPS = {"万": 10**4, "萬": 10**4, "亿": 10**8, "億": 10**8, "兆": 10**12}
_GROUPS |= {"만": 10**4, "억": 10**8, "조": 10**12}
_FIGURES = frozenset("0123456789.,")
_MAX_SIGNS = 60
_TEN_THOUSAND = 10**4


def read_number(written: str, *, bare_powers: bool = False) -> Decimal | None:
    """Return the value of a number with powers of ten; None if its signs do not form one.

    Args:
        written: Signs of one of the two scripts, and ASCII digits.
        bare_powers: A power needs no digit before it: always so in Korean (천이백), uncertain in Chinese.
    """
    if len(written) > _MAX_SIGNS:
        return None
    reading = _Reading(is_korean=any("가" <= sign <= "힣" for sign in written), bare_powers=bare_powers)
    if not all(reading.take(piece) for piece in _split(written)):
        return None
    return reading.finish()


def read_digits(written: str) -> str:
    """Return the digits of a number without powers: 二〇二三 is 2023."""
    return "".join(str(_DIGITS[sign]) for sign in written)


def has_power(written: str) -> bool:
    """Return whether `written` has a power of ten, so that `read_number` can read it."""
    return any(sign in _POWERS or sign in _GROUPS or sign in _TENS for sign in written)


def zeros(written: str) -> int:
    """Return the number of zeros of the powers at the end: 4 for 3万, 7 for 3천만."""
    total = 0
    for sign in reversed(written):
        power = _GROUPS.get(sign) or _POWERS.get(sign)
        if not power:
            break
        total += len(str(power)) - 1
    return total


def _split(written: str) -> Sequence[str]:
    """Split into signs; a run of digits is one piece."""
    found: list[str] = []
    for sign in written:
        if sign in _FIGURES and found and found[-1][-1] in _FIGURES:
            found[-1] += sign
        elif sign != " ":
            found.append(sign)
    return found


class _Reading:
    """The state of reading a number: finished groups, current group, digit before its power."""

    def __init__(self, *, is_korean: bool, bare_powers: bool) -> None:
        self.is_korean = is_korean
        self.bare_powers = bare_powers or is_korean
        self.total = Decimal(0)
        self.smallest_group = 10**16
        self.group = Decimal(0)
        self.power = _TEN_THOUSAND
        self.waiting: Decimal | None = None
        self.has_zero = self.in_figures = False
        self.last = 0
        """The value of the previous sign if it is a power of ten; else 0."""

    def take(self, piece: str) -> bool:
        if piece[0] in _FIGURES:
            return self._take_figures(piece)
        if piece in _DIGITS:
            return self._take_digit(_DIGITS[piece])
        if piece in _TENS:
            return self.waiting is None and self.power > 10 and self._add(Decimal(_TENS[piece] // 10), 10)
        if piece in _POWERS:
            return self._take_power(_POWERS[piece])
        return piece in _GROUPS and self._take_group(_GROUPS[piece])

    def finish(self) -> Decimal | None:
        if self.waiting is None:
            return None if self.has_zero else self.total + self.group
        waiting = self.waiting
        if self.in_figures:
            # 3万5000 is clear, but 3万5 may be 35000
            return self.total + self.group + waiting if 100 <= waiting < self.last else None
        if not self.is_korean and not self.has_zero and self.last >= 100:
            waiting *= self.last // 10  # 一万二 is 12000; 10002 is 一万零二
        return self.total + self.group + waiting

    def _take_figures(self, piece: str) -> bool:
        if self.waiting is not None or self.has_zero:
            return False
        value = Decimal(piece.replace(",", ""))
        if self.total and value >= _TEN_THOUSAND:
            return False
        self.waiting, self.in_figures = value, True
        return True

    def _take_digit(self, value: int) -> bool:
        if self.waiting is not None or self.power == 1:
            return False
        if value == 0:
            if self.has_zero or not (self.total or self.group):
                return False
            self.has_zero, self.last = True, 0
            return True
        self.waiting = Decimal(value)
        return True

    def _take_power(self, power: int) -> bool:
        if power >= self.power:
            return False
        if self.waiting is None:
            is_ten = power == 10 and (self.has_zero or not self.total)  # 十二, 一百十二, 一万零十二
            if not (is_ten or self.is_korean or (self.bare_powers and not (self.group or self.total))):
                return False
        elif self.in_figures and self.waiting >= 10 and self.group:
            return False
        return self._add(self.waiting if self.waiting is not None else Decimal(1), power)

    def _add(self, count: Decimal, power: int) -> bool:
        self.group += count * power
        self.power = self.last = power
        self.waiting, self.in_figures, self.has_zero = None, False, False
        return True

    def _take_group(self, size: int) -> bool:
        value = self.group + (self.waiting or 0)
        if self.total >= size:
            if size >= self.smallest_group:
                return False
        elif self.total and size > self.smallest_group:  # 三万亿
            value, self.total = value + self.total, Decimal(0)
        if not value:
            if not self.bare_powers or self.total or size > (_TEN_THOUSAND if self.is_korean else size):
                return False
            value = Decimal(1)
        if self.has_zero and self.waiting is None:
            return False
        self.total += value * size
        self.smallest_group, self.group, self.power, self.last = size, Decimal(0), _TEN_THOUSAND, size
        self.waiting, self.in_figures, self.has_zero = None, False, False
        return True
