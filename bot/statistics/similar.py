"""Groups questions that are the same question in other words. Pure.

Two wordings belong together if they have nearly the same words, by stem and without function words, and the
same numbers: "error 404" is not "error 500".
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime

from bot.statistics.values import Unanswered
from rag.language.words import content_terms

_LIKENESS = 0.75
"""Minimum share of common terms: a question of four words with one word more still matches."""


@dataclass
class _Group:
    terms: frozenset[str]
    numbers: frozenset[str]
    wordings: Counter[str] = field(default_factory=Counter)
    last_asked: datetime | None = None


def grouped(questions: Iterable[tuple[str, str, datetime]], limit: int) -> tuple[Unanswered, ...]:
    """Return the most frequent questions (text, ISO 639-1 code, time) first; of equals, the latest first."""
    rows = list(questions)
    keys = {(text, language): frozenset(_terms(text, language)) for text, language, _ in rows}
    counts = Counter(keys[text, language] for text, language, _ in rows)
    # The most frequent wording starts a group; others join it, regardless of their time.
    groups: dict[frozenset[str], _Group] = {}
    by_term: dict[str, list[_Group]] = defaultdict(list)
    for terms, _ in counts.most_common():
        groups[terms] = _nearest(terms, by_term) or _founded(terms, by_term)
    for text, language, asked_at in rows:
        group = groups[keys[text, language]]
        group.wordings[" ".join(text.split())] += 1
        group.last_asked = max(group.last_asked or asked_at, asked_at)
    distinct = {id(group): group for group in groups.values()}.values()
    found = [_unanswered(group) for group in distinct]
    return tuple(sorted(found, key=lambda group: (group.count, group.last_asked), reverse=True)[:limit])


def _terms(text: str, language: str) -> list[str]:
    # In lower case, because few people type the capitals inside a product's name. A question without letters
    # ("???") at least matches itself.
    folded = text.strip().casefold()
    return content_terms(folded, language) or [folded]


def _nearest(terms: frozenset[str], by_term: dict[str, list[_Group]]) -> _Group | None:
    shared: Counter[int] = Counter()
    candidates: dict[int, _Group] = {}
    for term in terms:
        for group in by_term.get(term, ()):
            candidates[id(group)] = group
            shared[id(group)] += 1
    numbers = _numbers(terms)
    likeness = {
        key: common / (len(terms) + len(candidates[key].terms) - common)
        for key, common in shared.items()
        if candidates[key].numbers == numbers
    }
    best = max(likeness, key=lambda key: likeness[key], default=None)
    return candidates[best] if best is not None and likeness[best] >= _LIKENESS else None


def _founded(terms: frozenset[str], by_term: dict[str, list[_Group]]) -> _Group:
    group = _Group(terms, _numbers(terms))
    for term in terms:
        by_term[term].append(group)
    return group


def _numbers(terms: frozenset[str]) -> frozenset[str]:
    return frozenset(term for term in terms if any(character.isdigit() for character in term))


def _unanswered(group: _Group) -> Unanswered:
    wordings = tuple(text for text, _ in group.wordings.most_common())
    assert group.last_asked is not None  # every group has a question in it
    return Unanswered(wordings[0], group.wordings.total(), group.last_asked, wordings)
