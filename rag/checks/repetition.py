"""Find loops: the same words again and again, until the token limit stops the model.

Small models fall into such loops. Everything after the first round is removed. The search works on words (on
characters in scripts without spaces), because a loop can be part of a sentence, a sentence or a whole list.
Numbers of list items are ignored.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import regex

from rag.checks.subject import Subject
from rag.language.markdown import blank, code_blocks, code_spans
from rag.language.scripts import LETTER_WEIGHTS, script_runs
from rag.language.sentences import marker_runs
from rag.reasons import Reason
from rag.values import Finding, Severity

_OPAQUE = "\ufffc"
"""Replaces code blocks and table rows. Each becomes a unique token, so that no loop crosses it."""

_TOKEN = regex.compile(
    rf"[\p{{Han}}\p{{Hiragana}}\p{{Katakana}}\p{{Thai}}\p{{Lao}}\p{{Khmer}}\p{{Myanmar}}]"
    rf"|(?:(?![\p{{Han}}\p{{Hiragana}}\p{{Katakana}}\p{{Thai}}\p{{Lao}}\p{{Khmer}}\p{{Myanmar}}])[\p{{L}}\p{{M}}\p{{N}}])+"
    rf"|{_OPAQUE}+"
)
LIST_MARK = regex.compile(r"^[ \t>]*(?:[-*+•·▪‣◦–]|\d{1,3}[.)])[ \t]+", regex.MULTILINE)
_ROW = regex.compile(r"^[ \t]*\|[^\n]*", regex.MULTILINE)
_MARKS = regex.compile(r"[^\s\p{L}\p{M}\p{N}\p{Ps}\p{Pi}\ufffc`<]*")
_BOUNDARY = regex.compile(r"[.!?…。！？][^\s\p{L}\p{M}\p{N}]*(?=\s|$)|[。！？]|[^\S\n]*(?:\n|$)")
_WORD_LETTERS = regex.compile(r"\p{L}")

_GRAM = 3
_MAX_PERIODS = 20
_SENTENCE_WEIGHT, _MIN_ROUNDS = 10.0, 3
"""A round of at least the weight of a short sentence is a loop from three times in a row."""
_MIN_ROUNDS_IN_SENTENCE = 5  # a repetition inside a sentence can be meant: "not supported, not supported"
_MIN_ROUNDS_SHORT = 8  # "no, no, no" and "哈哈哈哈" are not loops


@dataclass(frozen=True, slots=True)
class _Token:
    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Loop:
    """Tokens `first` to `end` (exclusive), which repeat every `period` tokens."""

    first: int
    end: int
    period: int


def find(subject: Subject) -> Iterator[Finding]:
    """Find the rounds of each loop after its first one.

    If a loop stops neither with the text nor at the end of a sentence, a cut would break a sentence. If
    nothing follows such a loop, the end of the sentence is unknown and the text must be rewritten.
    """
    text = subject.text
    tokens = _tokenise(text, is_cited=subject.passage_count is not None)
    behind = 0
    for loop in _find_loops(text, tokens):
        if loop.first < behind:
            continue
        behind = loop.end
        kept, is_whole = _choose_cut(text, tokens, loop)
        start = _skip_punctuation(text, tokens[kept - 1].end)
        end = _find_end(text, tokens, loop)
        said = text[tokens[kept - loop.period].start : tokens[kept - 1].end]
        if start < end and not subject.asks_for(said):
            is_open = end == len(text) and not is_whole
            severity: Severity = "critical" if is_open else "fixable"
            yield Finding("repetition", severity, start, end, Reason("text-repetition"))


def _tokenise(text: str, *, is_cited: bool) -> list[_Token]:
    """Return the words of a text. Code blocks and table rows are unique tokens; inline code is a word.

    Of a text with citations the markers are left out: a loop can count them up.
    """
    unlike = blank(text, [(block.start, block.end) for block in code_blocks(text)], _OPAQUE)
    unlike = blank(unlike, [row.span() for row in _ROW.finditer(unlike)], _OPAQUE)
    masked = blank(unlike, [(span.start, span.end) for span in code_spans(text)], _OPAQUE)
    masked = blank(masked, [mark.span() for mark in LIST_MARK.finditer(masked)])
    if is_cited:
        masked = blank(masked, [run.span() for run in marker_runs(masked)])
    tokens: list[_Token] = []
    for found in _TOKEN.finditer(masked):
        is_unlike = unlike[found.start()] == _OPAQUE
        word = f"{_OPAQUE}{found.start()}" if is_unlike else text[found.start() : found.end()].casefold()
        tokens.append(_Token(word, *found.span()))
    return tokens


def _find_loops(text: str, tokens: list[_Token]) -> Iterator[_Loop]:
    """Return the repeated stretches by start; among those with the same start, shorter rounds first."""
    found = [
        loop
        for period in _likely_periods(tokens)
        for loop in _find_runs(tokens, period)
        if _is_loop(text, tokens, loop)
    ]
    return iter(sorted(found, key=lambda loop: (loop.first, loop.period)))


def _likely_periods(tokens: list[_Token]) -> list[int]:
    """Return the most frequent distances (in tokens) between equal groups of words."""
    latest: dict[tuple[str, ...], int] = {}
    distances: Counter[int] = Counter()
    for i in range(len(tokens) - _GRAM + 1):
        gram = tuple(token.text for token in tokens[i : i + _GRAM])
        if gram in latest:
            distances[i - latest[gram]] += 1
        latest[gram] = i
    return [distance for distance, count in distances.most_common(_MAX_PERIODS) if count > 1]


def _find_runs(tokens: list[_Token], period: int) -> Iterator[_Loop]:
    first: int | None = None
    for i in range(period, len(tokens) + 1):
        if i < len(tokens) and tokens[i].text == tokens[i - period].text:
            first = i - period if first is None else first
        elif first is not None:
            yield _Loop(first, i, period)
            first = None


def _is_loop(text: str, tokens: list[_Token], loop: _Loop) -> bool:
    said = "".join(token.text for token in tokens[loop.first : loop.first + loop.period])
    if not _WORD_LETTERS.search(said):
        return False  # figures repeat naturally
    weight = sum((run.end - run.start) * LETTER_WEIGHTS.get(run.script, 1.0) for run in script_runs(said))
    rounds = _MIN_ROUNDS_SHORT
    if weight >= _SENTENCE_WEIGHT:
        rounds = _MIN_ROUNDS if _choose_cut(text, tokens, loop)[1] else _MIN_ROUNDS_IN_SENTENCE
    return loop.end - loop.first >= loop.period * rounds


def _choose_cut(text: str, tokens: list[_Token], loop: _Loop) -> tuple[int, bool]:
    """Return the token index to cut after, and whether a sentence ends there.

    Keeps the first round and as much of the second as completes a sentence: words before the loop can look
    like the end of a round, so the start of the loop is not always the start of a sentence.
    """
    first = loop.first + loop.period
    for kept in range(first, min(first + loop.period, loop.end)):
        if _BOUNDARY.match(text, tokens[kept - 1].end):
            return kept, True
    return first, False


def _skip_punctuation(text: str, position: int) -> int:
    marks = _MARKS.match(text, position)
    return marks.end() if marks else position


def _find_end(text: str, tokens: list[_Token], loop: _Loop) -> int:
    """Return where the loop ends. A cut-off last word at the end of the text belongs to the loop."""
    end = loop.end
    if end == len(tokens) - 1 and tokens[end - loop.period].text.startswith(tokens[end].text):
        end += 1
    return len(text) if end == len(tokens) else _skip_punctuation(text, tokens[end - 1].end)
