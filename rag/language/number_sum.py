"""Compute the value of the words of one number; words that form no valid number have no value."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal

from rag.language.number_words import Grammar, NumberWord, Role

_HUNDRED = 100
_ONE = Decimal(1)


def add_up(parts: Sequence[NumberWord], grammar: Grammar) -> Decimal | None:
    """Return the value of a number's words; None if they do not form one number."""
    addition = _Addition(grammar)
    if all(map(addition.take, parts)):
        return addition.finish()
    return _read_year_pair(parts, grammar) if "year_pairs" in grammar.habits else None


def _read_year_pair(parts: Sequence[NumberWord], grammar: Grammar) -> Decimal | None:
    """Return a year written as two numbers: "nineteen eighty-four"."""
    first, rest = parts[0], parts[1:]
    if not (first.role == "number" and 16 <= first.value <= 20 and 1 <= len(rest) <= 2):
        return None
    if any(part.role != "number" for part in rest):
        return None
    addition = _Addition(grammar)
    within = addition.finish() if all(map(addition.take, rest)) else None
    return first.value * 100 + within if within is not None and 10 <= within <= 99 else None


class _Addition:
    """The sum so far. Each method takes one word and returns whether it is valid at this place.

    `scaled` has the finished groups with their scales ("two thousand"), in falling order; `group` is the
    value of the words since. The next word must be less than `room`: ten after "forty".
    """

    def __init__(self, grammar: Grammar) -> None:
        self.habits = grammar.habits
        self.scaled: list[tuple[Decimal, Decimal]] = []
        self.group = self.last = Decimal(0)
        self.room = self.room_before = Decimal(1000)
        self.has_zero = self.has_joint = self.has_article = self.is_closed = False
        self.share = Decimal(0)
        self.decimals: str | None = None
        self.is_last_decimal = False
        self.before_parts: Decimal | None = None
        self.methods: dict[Role, Callable[[NumberWord], bool]] = {
            "number": self.take_number,
            "digits": self.take_digits,
            "teens": self.take_teens,
            "tens": self.take_tens,
            "hundreds": self.take_hundreds,
            "groups": self.take_group,
            "scales": self.take_scale,
            "ordinals": self.take_ordinal,
            "shares": self.take_share,
            "apart": self.take_apart,
            "joints": self.take_joint,
            "articles": self.take_article,
            "of": lambda _: bool(self.share),
            "points": self.take_point,
            "wholes": self.take_wholes,
            "parts": self.take_parts,
        }

    def take(self, part: NumberWord) -> bool:
        method = self.methods.get(part.role)  # fractions have no method: "two thirds" is not two
        return method is not None and not self.is_closed and method(part)

    def finish(self) -> Decimal | None:
        if self.has_joint or self.has_article or self.share or self.before_parts is not None:
            return None
        if self.decimals == "" or self.is_empty:
            return None
        return self.total

    @property
    def is_empty(self) -> bool:
        return not (self.scaled or self.group or self.has_zero)

    @property
    def total(self) -> Decimal:
        whole = sum((value for value, _ in self.scaled), self.group)
        return whole + Decimal(f"0.{self.decimals}") if self.decimals else whole

    def take_number(self, part: NumberWord) -> bool:
        value = part.value
        if self.decimals is not None:
            return self._take_decimal(value)
        if self.share or self.has_article or self.has_zero or not self._may_follow(value):
            return False
        self.has_zero = value == 0
        self.group += value
        self.last, self.room_before = value, self.room
        self.room = self._room_after(value)
        self.has_joint = False
        return True

    def _may_follow(self, value: Decimal) -> bool:
        if value >= self.room or (value == 0 and not self.is_empty):
            return False
        if self.has_joint and "joint_before_share_only" in self.habits:
            return False
        if "joint_everywhere" in self.habits:  # "duzentos e trinta e quatro"
            return self.has_joint == bool(self.group) or (self.has_joint and bool(self.scaled))
        joined_tens = "joint_behind_tens" in self.habits
        if not self.has_joint:
            return not (joined_tens and self.room <= 10)
        if joined_tens:
            return self.room == 10 and (self.last != 10 or value >= 6)  # "diez y seis" is 16
        return self.room == _HUNDRED or (not self.group and bool(self.scaled))

    def _room_after(self, value: Decimal) -> Decimal:
        if value >= _HUNDRED:
            return Decimal(_HUNDRED)
        if value % 10 == 0 and (value >= 20 or (value == 10 and "joint_behind_tens" in self.habits)):
            return Decimal(10)
        return Decimal(0)

    def _take_decimal(self, value: Decimal) -> bool:
        """Take digits after a decimal point, one by one ("five six") or as one number ("fifty-six")."""
        if self.is_last_decimal or value % 1 or value >= _HUNDRED or (value >= 10 and self.decimals):
            return False
        self.decimals = f"{self.decimals}{value}"
        self.is_last_decimal = value >= 10
        return True

    def take_digits(self, part: NumberWord) -> bool:
        if self.group or self.has_joint or self.has_article or self.share or self.decimals is not None:
            return False
        if self.scaled and (part.value >= self.scaled[-1][1] or part.value % 1):
            return False
        self.group = self.last = part.value
        self.has_zero = part.value == 0
        self.room_before, self.room = self.room, Decimal(0)
        return True

    def take_teens(self, _: NumberWord) -> bool:
        if not 2 <= self.last <= 9 or self.room_before < 20:
            return False
        self.group += 10
        self.last = Decimal(0)
        return True

    def take_tens(self, _: NumberWord) -> bool:
        if not 2 <= self.last <= 9 or self.room_before < _HUNDRED:
            return False
        self.group += self.last * 9
        self.last, self.room = Decimal(0), Decimal(10)
        return True

    def take_hundreds(self, _: NumberWord) -> bool:
        if self.share or self.decimals is not None or (self.has_joint and not self.has_article):
            return False
        if self.has_article and not self.group:
            self.group = _ONE
        if not 0 < self.group < _HUNDRED or self.group % 10 == 0:
            return False
        if self.scaled and self.group * _HUNDRED >= self.scaled[-1][1]:
            return False
        self.group *= _HUNDRED
        self.room, self.last = Decimal(_HUNDRED if self.group % _HUNDRED == 0 else 0), Decimal(0)
        self.has_article = self.has_joint = False
        return True

    def take_group(self, part: NumberWord) -> bool:
        base = self.share or self.group or (_ONE if self.has_article or part.is_whole else Decimal(0))
        if not base or self.scaled or self.has_joint or self.decimals is not None:
            return False
        self.group = base * part.value
        self.share = Decimal(0)
        self.has_article, self.is_closed = False, True
        return True

    def take_scale(self, part: NumberWord) -> bool:
        scale = part.value
        is_joined = "joint_everywhere" in self.habits and part.is_whole  # "um milhão e mil"
        if (self.has_joint and not is_joined) or (self.has_zero and not self.decimals):
            return False
        if self.before_parts is not None:
            return False
        base = self._base(scale, is_whole=part.is_whole)
        if not base or (self.scaled and base * scale >= self.scaled[-1][1]):
            return False
        self.scaled.append((base * scale, scale))
        self.group = self.last = self.share = Decimal(0)
        self.room = Decimal(0) if base % 1 else min(Decimal(1000), scale)
        self.has_article = self.has_zero = self.has_joint = False
        self.decimals = None
        return True

    def _base(self, scale: Decimal, *, is_whole: bool) -> Decimal:
        """Return what a scale multiplies; 0 if the scale is not valid here."""
        if self.decimals is not None:
            return Decimal(0) if self.scaled or not self.decimals else self.total
        base = self.share or self.group
        if self.scaled and self.scaled[-1][1] < scale and not (self.has_article or self.share):
            if base and "thousands_of_millions" not in self.habits:
                return Decimal(0)
            while self.scaled and self.scaled[-1][1] < scale:
                base += self.scaled.pop()[0]
        return base or (_ONE if self.has_article or is_whole else Decimal(0))

    def take_ordinal(self, part: NumberWord) -> bool:
        is_joint = self.has_joint and (self.room == _HUNDRED or not self.group)
        if self.is_empty or part.value >= self.room or (self.has_joint and not is_joint):
            return False
        if self.has_article or self.share or self.has_zero or self.decimals is not None:
            return False
        self.group += part.value
        self.has_joint, self.is_closed = False, True
        return True

    def take_share(self, part: NumberWord) -> bool:
        if self.is_empty:
            self.share = part.value
        elif not (self.has_joint or "share_without_joint" in self.habits):
            if self.scaled or self.group != 1:
                return False
            self.share, self.group = part.value, Decimal(0)  # un cuarto de millón
        elif self.group and not self.is_closed and self.decimals is None and not self.group % 1:
            self.group += part.value
            self.room = Decimal(0)
        elif self.scaled and not self.group and self.room:
            value, scale = self.scaled[-1]
            self.scaled[-1] = (value + part.value * scale, scale)
            self.is_closed = True
        else:
            return False
        self.has_joint = self.has_article = False
        return True

    def take_apart(self, part: NumberWord) -> bool:
        if not self.is_empty or self.share or self.has_article:
            return False
        self.group = part.value
        self.is_closed = True
        return True

    def take_joint(self, _: NumberWord) -> bool:
        if self.is_empty or self.has_joint or self.has_article or self.share or self.decimals is not None:
            return False
        self.has_joint = True
        return True

    def take_article(self, _: NumberWord) -> bool:
        if self.has_article or not (self.is_empty or self.has_joint):
            return self.share > 0 and not self.has_article
        self.has_article = True
        return True

    def take_point(self, _: NumberWord) -> bool:
        if self.is_empty or self.has_joint or self.has_article or self.share or self.decimals is not None:
            return False
        self.decimals = ""
        return not self.total % 1

    def take_wholes(self, _: NumberWord) -> bool:
        if self.is_empty or self.total % 1 or self.before_parts is not None or self.decimals is not None:
            return False
        self.before_parts = self.total
        self.scaled, self.group, self.has_zero, self.room = [], Decimal(0), False, Decimal(1000)
        return True

    def take_parts(self, part: NumberWord) -> bool:
        if self.before_parts is None or self.scaled or not 0 < self.group < part.value:
            return False
        self.group = self.before_parts + self.group / part.value
        self.before_parts, self.room = None, Decimal(0)
        return True
