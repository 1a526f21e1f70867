"""Words that turn a figure into a bound or a comparison: "more than", "newer", "from 11:00 on".

Texts must be folded (`bank.fold`). The words of all languages are tried on every text.
"""

from __future__ import annotations

from typing import Literal

import regex

Direction = Literal["up", "down"]

_UPWARDS = (
    r"\b(?:more|greater|higher|larger|bigger|longer|newer|later|heavier|above|over|exceed\w*|rose|rises?|increas\w+"
    r"|больше|более|выше|новее|позже|позднее|тяжелее|дольше|свыше|старше|выросл\w*"
    r"|más|mayor(?:es)?|superior(?:es)?|posterior(?:es)?|lebih (?:banyak|besar|tinggi|baru|dari)|di atas)\b"
    r"|更[高大多新晚重长]|高于|大于|多于|晚于|超过|以上|이상|초과|더 (?:크|높|많|길)"
)
_DOWNWARDS = (
    r"\b(?:less|fewer|lower|smaller|shorter|older|earlier|lighter|below|under|fell|falls?|decreas\w+"
    r"|меньше|менее|ниже|старее|раньше|ранее|легче|короче|моложе|упал\w*"
    r"|menos|menor(?:es)?|inferior(?:es)?|anterior(?:es)?|kurang dari|lebih (?:sedikit|kecil|rendah|lama)"
    r"|di bawah)\b"
    r"|更[低小少旧早轻短]|低于|小于|少于|早于|不到|以下|이하|미만|더 (?:작|낮|적|짧)"
)
_EARLIEST = (
    r"\b(?:at the earliest|not (?:before|until)|not? (?:earlier|sooner|less|fewer)"
    r"|не (?:раньше|ранее|менее|меньше)|no (?:antes|menos)|paling cepat|tidak kurang)\b"
    r"|不早于|不少于|不低于|最早|빨라야"
)
_LATEST = (
    r"\b(?:at the latest|not after|not? (?:later|more|longer)|не (?:позже|позднее|более|больше|дольше)"
    r"|no más|a más tardar|paling lambat|tidak lebih)\b|不晚于|不超过|不多于|最[晚迟]|늦어도"
)
_STARTING = (
    r"\bfrom\b|\bstarting\b|(?<!\w)(?:с|со|начиная)(?= \d)|\b(?:desde|a partir de|mulai|sejak)\b"
    r"|从|起|开始|부터"
)
_PATTERNS: dict[Direction, regex.Pattern[str]] = {
    "up": regex.compile(_UPWARDS),
    "down": regex.compile(_DOWNWARDS),
}
_LIMITS: dict[Direction, regex.Pattern[str]] = {
    "up": regex.compile(_EARLIEST),
    "down": regex.compile(_LATEST),
}
_EITHER_LIMIT = regex.compile(f"{_EARLIEST}|{_LATEST}")
_STARTS = regex.compile(_STARTING)


def directions(text: str) -> frozenset[Direction]:
    """How a text compares: ``up`` ("more than", "newer") or ``down`` ("under", "earlier")."""
    found = {name for name, pattern in _LIMITS.items() if pattern.search(text)}
    rest = without_limits(text)
    return frozenset(found.union(name for name, pattern in _PATTERNS.items() if pattern.search(rest)))


def without_limits(text: str) -> str:
    """A folded text without "not before" and similar words, which set a bound and deny nothing."""
    return _EITHER_LIMIT.sub(" ", text)


def gives_beginning(text: str) -> bool:
    """Whether a folded text says where something begins: "from 11:00 on"."""
    return bool(_STARTS.search(text))
