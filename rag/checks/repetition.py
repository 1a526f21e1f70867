"""A text that goes round in circles: the same words again and again, until the token limit stops it.

Small models fall into such loops. What is said over and over is said once; so everything behind the first
round is taken away. The loop is looked for in words (in scripts without spaces: in characters), because
it may turn within a sentence, over a sentence or over a whole list; numbers of list items do not count.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import regex

from rag.checks.subject import Subject
from rag.language.markdown import blank, code_blocks, code_spans
from rag.language.scripts import LETTER_WEIGHTS, script_runs
from rag.reasons import Reason
from rag.values import Finding, Severity

_SOLID = "\ufffc"
"""In place of a code block or a table row: like nothing else, so that no loop leads across it."""

_TOKEN = regex.compile(
    rf"[\p{{Han}}\p{{Hiragana}}\p{{Katakana}}\p{{Thai}}\p{{Lao}}\p{{Khmer}}\p{{Myanmar}}]"
    rf"|(?:(?![\p{{Han}}\p{{Hiragana}}\p{{Katakana}}\p{{Thai}}\p{{Lao}}\p{{Khmer}}\p{{Myanmar}}])[\p{{L}}\p{{M}}\p{{N}}])+"
    rf"|{_SOLID}+"
)
LIST_MARK = regex.compile(r"^[ \t>]*(?:[-*+•·▪‣◦–]|\d{1,3}[.)])[ \t]+", regex.MULTILINE)
_ROW = regex.compile(r"^[ \t]*\|[^\n]*", regex.MULTILINE)
_MARKS = regex.compile(r"[^\s\p{L}\p{M}\p{N}\p{Ps}\p{Pi}\ufffc`<]*")
_BOUNDARY = regex.compile(r"[.!?…。！？][^\s\p{L}\p{M}\p{N}]*(?=\s|$)|[。！？]|[^\S\n]*(?:\n|$)")
_WORD_LETTERS = regex.compile(r"\p{L}")

_GRAM = 3
_CANDIDATES = 20
_SENTENCE_WEIGHT, _ROUNDS = 10.0, 3
"""What weighs as much as a short sentence is a loop when it is said three times in a row."""
_INNER_ROUNDS = 5  # within a sentence it may be meant: "not supported, not supported, not supported"
_SHORT_ROUNDS = 8  # "no, no, no" and "哈哈哈哈" are none


@dataclass(frozen=True, slots=True)
class _Token:
    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Loop:
    """Tokens `first` to `end` (exclusive) that repeat themselves every `period` tokens."""

    first: int
    end: int
    period: int


def find(subject: Subject) -> Iterator[Finding]:
    """Find the rounds of a loop behind its first one.

    A loop that ends neither with the text nor at a sentence can be cut only in the middle of one: when
    nothing follows it, nobody knows how the sentence was to end, and the text is to be written again.
    """
    text = subject.text
    tokens = _tokens(text)
    behind = 0
    for loop in _loops(text, tokens):
        if loop.first < behind:
            continue
        behind = loop.end
        kept, is_whole = _kept(text, tokens, loop)
        start = _behind_marks(text, tokens[kept - 1].end)
        end = _end(text, tokens, loop)
        said = text[tokens[kept - loop.period].start : tokens[kept - 1].end]
        if start < end and not subject.asks_for(said):
            is_open = end == len(text) and not is_whole
            severity: Severity = "critical" if is_open else "fixable"
            yield Finding("repetition", severity, start, end, Reason("text-repetition"))


def _tokens(text: str) -> list[_Token]:
    """The words; a code block and a table row are like no other, a piece of code in a line is a word."""
    unlike = blank(text, [(block.start, block.end) for block in code_blocks(text)], _SOLID)
    unlike = blank(unlike, [row.span() for row in _ROW.finditer(unlike)], _SOLID)
    masked = blank(unlike, [(span.start, span.end) for span in code_spans(text)], _SOLID)
    masked = blank(masked, [mark.span() for mark in LIST_MARK.finditer(masked)])
    tokens: list[_Token] = []
    for found in _TOKEN.finditer(masked):
        is_unlike = unlike[found.start()] == _SOLID
        word = f"{_SOLID}{found.start()}" if is_unlike else text[found.start() : found.end()].casefold()
        tokens.append(_Token(word, *found.span()))
    return tokens


def _loops(text: str, tokens: list[_Token]) -> Iterator[_Loop]:
    """The stretches that repeat themselves often enough, in order; of two, the shorter rounds first."""
    found = [
        loop for period in _periods(tokens) for loop in _runs(tokens, period) if _is_loop(text, tokens, loop)
    ]
    return iter(sorted(found, key=lambda loop: (loop.first, loop.period)))


def _periods(tokens: list[_Token]) -> list[int]:
    """At which distances words come back, the likeliest ones."""
    latest: dict[tuple[str, ...], int] = {}
    distances: Counter[int] = Counter()
    for i in range(len(tokens) - _GRAM + 1):
        gram = tuple(token.text for token in tokens[i : i + _GRAM])
        if gram in latest:
            distances[i - latest[gram]] += 1
        latest[gram] = i
    return [distance for distance, count in distances.most_common(_CANDIDATES) if count > 1]


def _runs(tokens: list[_Token], period: int) -> Iterator[_Loop]:
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
        return False  # figures repeat themselves by nature
    weight = sum((run.end - run.start) * LETTER_WEIGHTS.get(run.script, 1.0) for run in script_runs(said))
    rounds = _SHORT_ROUNDS
    if weight >= _SENTENCE_WEIGHT:
        rounds = _ROUNDS if _kept(text, tokens, loop)[1] else _INNER_ROUNDS
    return loop.end - loop.first >= loop.period * rounds


def _kept(text: str, tokens: list[_Token], loop: _Loop) -> tuple[int, bool]:
    """Behind which token to cut, and whether a sentence ends there.

    The first round is kept, and as much of the second one as it takes to come to the end of a sentence:
    where a loop begins is chance, when what stands before it happens to sound like its end.
    """
    first = loop.first + loop.period
    for kept in range(first, min(first + loop.period, loop.end)):
        if _BOUNDARY.match(text, tokens[kept - 1].end):
            return kept, True
    return first, False


def _behind_marks(text: str, position: int) -> int:
    """Behind the punctuation that follows a word."""
    marks = _MARKS.match(text, position)
    return marks.end() if marks else position


def _end(text: str, tokens: list[_Token], loop: _Loop) -> int:
    """Where the loop ends; the beginning of one more round at the end of the text is part of it."""
    end = loop.end
    if end == len(tokens) - 1 and tokens[end - loop.period].text.startswith(tokens[end].text):
        end += 1
    return len(text) if end == len(tokens) else _behind_marks(text, tokens[end - 1].end)
