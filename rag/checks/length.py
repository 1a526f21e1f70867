"""Find sections, or whole answers, that are far too short for the question.

The minimum depends on the question: "how many" needs one figure, "explain" needs sentences. The finding
informs the reviewer and the judge and never forces a rewrite, because some correct answers are one word.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import regex

from rag.checks.subject import CODE, Subject
from rag.language.scripts import UNSPACED, prose, script_runs
from rag.language.tables import compile_pattern
from rag.reasons import Reason
from rag.values import Finding

_WORD = regex.compile(r"[\p{L}\p{M}\p{N}]+(?:[_.'’:/-][\p{L}\p{M}\p{N}]+)*")
_WORDS_A_LETTER = {"Han": 0.6, "Hiragana": 0.4, "Katakana": 0.25, "Thai": 0.22, "Lao": 0.22, "Khmer": 0.22}
_HEADING = regex.compile(r"^[ ]{0,3}(#{1,6})[ \t]+\S[^\n]*$", regex.MULTILINE)


@cache
def _explanation() -> regex.Pattern[str]:
    return compile_pattern(lambda one: one.requests.explanation)


@cache
def _way_or_reason() -> regex.Pattern[str]:
    return compile_pattern(lambda one: one.requests.way_or_reason)


@cache
def _brief() -> regex.Pattern[str]:
    return compile_pattern(lambda one: one.requests.brief)


@dataclass(frozen=True, slots=True)
class _Minimum:
    """The minimum number of words of an answer and of each of its sections."""

    answer: float
    section: float


_MINIMUM_EXPLAINED = _Minimum(answer=8, section=4)
_MINIMUM_WAY_OR_REASON = _Minimum(answer=4, section=3)
"""A way or a reason needs a verb and an object: "Restart the server twice"."""
_MINIMUM_NAMED = _Minimum(answer=0, section=1)
"""A name, a figure, yes or no. Also the minimum under headings that were not asked for."""


def measure(text: str) -> float:
    """Return the length of `text` in words; letters of scripts without spaces are fractions of a word."""
    unspaced = [run for run in script_runs(text) if run.script in UNSPACED]
    spaced = list(text)
    for run in unspaced:
        spaced[run.start : run.end] = " " * (run.end - run.start)
    letters = sum((run.end - run.start) * _WORDS_A_LETTER.get(run.script, 0.25) for run in unspaced)
    return len(_WORD.findall("".join(spaced))) + letters


def find(subject: Subject) -> Iterator[Finding]:
    """Find sections that are too short for the question; if there are none, check the whole answer."""
    least = _choose_minimum(subject.asked)
    short = list(_find_short_sections(subject, least.section))
    yield from short
    if not short and not _holds_code(subject, 0, len(subject.text)) and measure(subject.text) < least.answer:
        description = Reason("text-few-words")
        yield Finding("short_section", "complex", 0, len(subject.text), description)


def _choose_minimum(asked: str) -> _Minimum:
    if _brief().search(asked):
        return _MINIMUM_NAMED
    if _explanation().search(asked):
        return _MINIMUM_EXPLAINED
    return _MINIMUM_WAY_OR_REASON if _way_or_reason().search(asked) else _MINIMUM_NAMED


def _find_short_sections(subject: Subject, least: float) -> Iterator[Finding]:
    headings = list(_HEADING.finditer(subject.plain))
    for heading, following in itertools.zip_longest(headings, headings[1:]):
        end = following.start() if following else len(subject.text)
        is_parent = following and len(following.group(1)) > len(heading.group(1))
        body = subject.text[heading.end() : end]
        if not is_parent and not _holds_code(subject, heading.end(), end) and measure(body) < least:
            title = heading.group().strip("# \t")[:60]
            description = Reason("section-too-short" if measure(body) else "section-empty", {"title": title})
            yield Finding("short_section", "complex", heading.start(), end, description)


def _holds_code(subject: Subject, start: int, end: int) -> bool:
    """Return whether the stretch has code or an address, which can be a complete answer."""
    stretch = subject.text[start:end]
    return CODE in subject.plain[start:end] or prose(stretch) != stretch
