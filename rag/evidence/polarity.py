"""Recognise words for yes and no, and how a sentence answers.

The words of all languages are tried on every text, because chats mix languages. Texts must be folded
(`bank.fold`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import cache
from typing import Literal

import regex

from rag.language.fields import Words
from rag.language.negation import denies
from rag.language.tables import Language, languages

Polarity = Literal["yes", "no"]

_PIECE = regex.compile(r"\p{Han}|[\w'’-]+?(?=\p{Han})|[\w'’-]+")
_HAN_LETTER = regex.compile(r"\p{Han}")


@cache
def _leading() -> regex.Pattern[str]:
    yes = _longest_first(lambda one: one.answers.affirming)
    no = _longest_first(lambda one: one.answers.denying)
    return regex.compile(rf"(?:(?<!\W)\W++)?(?:(?P<yes>{yes})|(?P<no>{no}))(?:(?=[\s,，.。;；:：!！—–-])|$)")


def _longest_first(pick: Callable[[Language], Words]) -> str:
    words = {word for one in languages().values() for word in pick(one)}
    return "|".join(sorted(words, key=lambda word: (-len(word), word)))


def leading_word(text: str) -> tuple[Polarity | None, str]:
    """Return the yes or no that a folded text begins with, and the rest of the text."""
    match = _leading().match(text)
    if not match:
        return None, text
    return ("yes" if match["yes"] else "no"), text[match.end() :].strip(" ,，.。;；:：!！—–-")


def are_opposed(one: str, other: str) -> bool:
    """Return whether one of two folded texts denies what the other one says.

    Only denials that one text has alone count: "may not print without a badge" has one more "not" than "may
    they print without a badge?", and both have "without".
    """
    return _denies_alone(one, other) != _denies_alone(other, one)


def answers(text: str, question: str) -> Polarity:
    """Return ``yes`` or ``no``: how a folded text answers a yes-or-no question."""
    leading, rest = leading_word(text)
    return leading or ("no" if are_opposed(rest, question) else "yes")


def _denies_alone(text: str, other: str) -> bool:
    left = Counter(_PIECE.findall(other))
    alone: list[str] = []
    for piece in _PIECE.findall(text):
        if left[piece]:
            left[piece] -= 1
        else:
            alone.append(piece if _HAN_LETTER.match(piece) else f" {piece} ")
    return denies("".join(alone))
