"""What people say to steer an interview: skip, later, back, stop, "I told you already", "change the price".

The phrases stand in the catalogues, and those of every language are tried on every message: people write in
their own language, whatever that of the pack.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Final, Literal, TypeAlias, get_args

import regex

from rag.interview.documents import State
from rag.interview.missions import Mission
from rag.interview.quotes import normalise
from rag.language.words import content_terms
from rag.texts import Texts

Wish: TypeAlias = Literal["skip", "later", "back", "stop", "told", "go_on"]
"""What a person wants: leave the open question open, be asked later, take the last answer back, end the
interview, be spared a question that is answered already, hear the open question again."""

Phrase: TypeAlias = Literal[
    "affirmative",
    "negative",
    "not_applicable",
    "unknown",
    "finished",
    "first",
    "second",
    "correction",
    "negation",
    "filler",
]

_TEXTS: Final = Texts()
_UNSPACED: Final = regex.compile(r"[\p{Han}\p{Hangul}]")
_MIN_NAMED: Final = 0.6
"""Share of a title's words that name it: "the name of the first party" for "name or company of the first
party"."""


def read_wish(message: str) -> Wish | None:
    """Return what a message wants of the interview; None if it is something else."""
    return next((wish for wish in get_args(Wish) if _is_one_of(message, wish)), None)


def is_phrase(message: str, kind: Phrase, more: Iterable[str] = ()) -> bool:
    """Return whether a whole message is a phrase of a kind, in any language, or one of `more`."""
    return _is_one_of(message, kind) or normalise(message) in set(map(normalise, more))


def holds_phrase(message: str, kind: Phrase) -> bool:
    """Return whether a phrase of a kind stands anywhere in a message."""
    said = normalise(message)
    return any(
        phrase in said if _UNSPACED.search(phrase) else f" {phrase} " in f" {said} "
        for phrase in _phrases(kind)
    )


def find_named(state: State, mission: Mission, message: str) -> tuple[str, ...]:
    """Return the paths of the known facts that a message names by their titles, those named best."""
    said = _terms(message, mission)
    shares = {}
    for path in state.facts:
        title = _terms(mission.title_of(path), mission)
        shares[path] = len(title & said) / len(title) if title else 0.0
    best = max(shares.values(), default=0.0)
    return tuple(path for path, share in shares.items() if share == best >= _MIN_NAMED)


def is_only_named(mission: Mission, message: str, paths: Sequence[str]) -> bool:
    """Return whether a correction says nothing but what is to be corrected: "change the price"."""
    rest = _without(normalise(message), "correction", "filler")
    if holds_phrase(rest, "negation"):
        return False
    titles = frozenset(term for path in paths for term in _terms(mission.title_of(path), mission))
    return _terms(rest, mission) <= titles


def _terms(text: str, mission: Mission) -> frozenset[str]:
    return frozenset(content_terms(text, mission.locale.language))


def _is_one_of(message: str, kind: str) -> bool:
    said = normalise(message)
    return said in _phrases(kind) or _without(said, "filler") in _phrases(kind)


def _without(said: str, *kinds: str) -> str:
    """Return what is left of a message without phrases of some kinds, the longest taken out first."""
    for phrase in sorted((one for kind in kinds for one in _phrases(kind)), key=len, reverse=True):
        is_unspaced = _UNSPACED.search(phrase) is not None
        said = said.replace(phrase, " ") if is_unspaced else f" {said} ".replace(f" {phrase} ", " ")
    return " ".join(said.split())


@cache
def _phrases(kind: str) -> frozenset[str]:
    code = f"interview-says-{kind.replace('_', '-')}"
    listed = (phrase for language in _TEXTS.languages for phrase in _TEXTS.text(code, language).split(","))
    return frozenset(map(normalise, listed))
