"""Split a text into sentences, in any script, including Markdown.

A heading, a sentence of a list item, a table row and a whole code block count as one sentence each, because
each can be a claim or a source.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import regex

from rag.language.markdown import code_blocks, code_spans
from rag.language.recent_texts import cache_recent
from rag.language.tables import alternatives, languages

MARKER = r"[\[［【]\s*+\d{1,3}(?:\s*+[,;，、–—\-]\s*+\d{1,3})*+\s*+[\]］】](?!\()"
"""Pattern of a citation marker; after a full stop it still belongs to the sentence before."""
_SOFT_WRAP_COLUMNS = 50  # nobody wraps narrower; a shorter line ends intentionally

_LINE_OF_ITS_OWN = regex.compile(
    r"""[ \t]*(?:>[ \t]*)*(?:
        \#{1,6}(?:[ \t]|$)                        # heading
      | (?:[-*+•·▪‣◦–—]|\d{1,3}[.)]|\p{L}\)|\(\p{N}{1,3}\))[ \t]   # list item
      | \|                                        # table row
      | (?:[-=*_][ \t]*){3,}$                     # rule or underline
      | \[\^?[^\]\n]{1,40}\]:[ \t]                # link or footnote definition
    )""",
    regex.VERBOSE,
)
_WHOLE_LINE = regex.compile(r"[ \t]*(?:>[ \t]*)*(?:\#{1,6}(?:[ \t]|$)|\||(?:[-=*_][ \t]*){3,}$)")
_LIST_NUMBER = regex.compile(r"[ \t]*(?:>[ \t]*)*\d{1,3}\.(?=[ \t])")
_LAST_WORD = regex.compile(r"(?:\p{L}[\p{M}\p{L}]*\.)*[\p{L}\p{M}]+$|\d+$")
_UNITS_TOO = {"min"}  # "wait 5 min." ends a sentence, "for min. 5 people" does not
_BEFORE_DIGITS = "+±~≈<>≤≥€$£#№§"
_OPENING = " \t\n\u00a0\"'“„«‘(（[「『《*_~¿¡"
_UNSPACED = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}\p{Thai}]")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence and its offsets: ``text == whole[start:end]``, in code points."""

    text: str
    start: int
    end: int


@cache
def markers_pattern() -> str:
    """Return the pattern of adjacent markers: ``[1][2]``, ``[1], [2] and [3]``."""
    joints = alternatives(lambda one: one.words.joints)
    return rf"{MARKER}(?:[ \t\u00a0]*+(?:(?:[,;，、&]|{joints})[ \t\u00a0]*+)?{MARKER})*"


def marker_runs(text: str) -> Iterator[regex.Match[str]]:
    """Find the adjacent markers of a text, each run as one match."""
    return _runs().finditer(text)


@cache
def _runs() -> regex.Pattern[str]:
    return regex.compile(markers_pattern())


def without_markers(text: str) -> str:
    """Return `text` without citation markers and the spaces before them."""
    return _markers().sub("", text)


@cache
def _markers() -> regex.Pattern[str]:
    return regex.compile(rf"(?:(?<![ \t])[ \t]++)?{markers_pattern()}")


@cache
def _end() -> regex.Pattern[str]:
    """Return the pattern of a mark that can end a sentence, with closing marks and citations."""
    return regex.compile(
        rf"""
        (?:
            (?P<wide>[。！？｡؟۔।॥။။።‼⁇⁈⁉]+[.!?]*)
          | (?P<loud>[!?]+[.!?]*) | (?P<dots>…+|\.{{2,}}) | (?P<stop>\.)
        )
        (?P<closing>[»"'”’）\)\]」』〉》】\*_~]*)
        (?P<markers>(?:[ \t\u00a0]*{markers_pattern()}|\[\^[^\]\s]{{1,20}}\])*)
        (?P<closed>[»"'”’）\)」』〉》\*_~]*)
        """,
        regex.VERBOSE,
    )


@cache
def _abbreviations(*, before_number: bool) -> frozenset[str]:
    words = {word for one in languages().values() for word in one.words.abbreviations}
    if before_number:
        words |= {word for one in languages().values() for word in one.words.abbreviations_before_number}
    return frozenset(words)


@cache
def _ordinal() -> regex.Pattern[str]:
    months = alternatives(lambda one: tuple(name for names in one.dates.months for name in names))
    articles = alternatives(lambda one: one.words.before_ordinals)
    return regex.compile(rf"(?i)(?<=\b(?:{articles})[ ])\d\d?\.[ ]\p{{L}}|\d\d?\.[ ](?:{months})(?!\p{{L}})")


def sentences(text: str) -> list[Sentence]:
    """Split `text` into its sentences, in order.

    They do not overlap, and only white space is between them, so that no text is lost.
    """
    return list(_split_text(text))


@cache_recent
def _split_text(text: str) -> tuple[Sentence, ...]:
    masked = list(text)
    for code in code_spans(text):
        masked[code.start : code.end] = "X" * (code.end - code.start)  # no boundary inside code
    plain = "".join(masked)
    spans: list[tuple[int, int]] = []
    position = 0
    for block in code_blocks(text):
        spans += _split_prose(plain, position, block.start)
        spans.append((block.start, block.end))
        position = block.end
    spans += _split_prose(plain, position, len(text))
    return tuple(
        Sentence(text[start:end], start, end)
        for start, end in (_strip(text, *span) for span in spans)
        if start < end
    )


def _split_prose(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    for begin, finish in _paragraphs(text, start, end):
        if _WHOLE_LINE.match(text, begin, finish):
            yield begin, finish
        else:
            yield from _split(text, begin, finish)


def _paragraphs(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield stretches of lines that belong together: a paragraph, or a list item with its wrapped lines."""
    begin = position = start
    previous = ""
    for line in text[start:end].splitlines(keepends=True):
        words = line.strip()
        if position > begin and (not words or not _continues(previous, line)):
            yield begin, position
            begin = position
        position += len(line)
        previous = words and line.rstrip()
    if position > begin:
        yield begin, position


def _continues(previous: str, line: str) -> bool:
    if not previous or _LINE_OF_ITS_OWN.match(line.rstrip()) or _WHOLE_LINE.match(previous):
        return False
    return _columns(previous) >= _SOFT_WRAP_COLUMNS and previous[-1] not in ":："


def _columns(line: str) -> int:
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in line)


def _split(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    begin = start
    number = _LIST_NUMBER.match(text, start, end)
    for match in _end().finditer(text, number.end() if number else start, end):
        if _is_end(text, match, begin, end):
            yield begin, match.end()
            begin = match.end()
    if begin < end:
        yield begin, end


def _is_end(text: str, match: regex.Match[str], begin: int, end: int) -> bool:
    if match["wide"]:
        return True
    following = text[match.end() : match.end() + 1] if match.end() < end else ""
    before = text[match.start() - 1 : match.start()] if match.start() > begin else ""
    if following and not following.isspace():
        # Without a space, it is a decimal, a file name or an address, unless the script uses no spaces.
        return not match["closing"] and bool(_UNSPACED.match(before) and _UNSPACED.match(following))
    if match["loud"]:
        return True
    word = _LAST_WORD.search(text, max(begin, match.start() - 40), match.start())
    last = word.group() if word else ""
    behind = text[match.end() : min(end, match.end() + 40)].lstrip(_OPENING)
    ahead = behind[:1]
    is_number = behind.lstrip(_OPENING + _BEFORE_DIGITS)[:1].isdigit()
    is_unit = (
        last.casefold() in _UNITS_TOO and text[begin : match.start() - len(last)].rstrip()[-1:].isdigit()
    )
    if ahead.islower():
        return (
            not match["dots"] and len(last) > 3 and last.casefold() not in _abbreviations(before_number=True)
        )
    if match["stop"] and not match["closing"] and not match["markers"]:
        initial = len(last) == 1 and last.isupper()
        short = last.casefold() in _abbreviations(before_number=is_number) and not is_unit
        ordinal = last.isdecimal() and _ordinal().match(text, match.start() - len(last), end)
        return not ahead or not (initial or short or ordinal)
    return True


def _strip(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end
