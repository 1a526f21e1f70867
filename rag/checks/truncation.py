"""Find a text that stops before its end.

A missing full stop does not prove a cut: "Java 17", a list and a command are complete without one. A second
sentence without an end is cut if the first one has an end. Each rule here needs a positive sign of a cut.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import regex

from rag.checks.length import measure
from rag.checks.markup import has_open_emphasis
from rag.checks.subject import Subject
from rag.language.markdown import code_blocks
from rag.language.scripts import prose
from rag.language.sentences import markers_pattern
from rag.language.tables import language, languages
from rag.reasons import Reason
from rag.values import Finding

_TERMINAL = ".!?…。！？．｡؟۔।॥։။።‼⁇⁈⁉"
_CLOSERS = "»\"'”’）)]」』〉》】*_~"
_UNFINISHED = ":：,，、;；(（[［【「『《〈“«„–—=&+"
_PAIRS = {"(": ")", "[": "]", "（": "）", "【": "】", "「": "」", "『": "』", "《": "》", "“": "”", "«": "»"}

_SENTENCE_END = regex.compile(
    rf"[。！？।۔؟။።]|[.!?…][{regex.escape(_CLOSERS)}]*(?:\s*\[\d{{1,3}}\])*(?:\s|$)"
)
# In a short line a full stop more likely belongs to an abbreviation: "Fred J. Perry".
_SURE_END = regex.compile(r"[。！？।؟]|[!?](?=\s)|(?:\p{Ll}{4}|[\p{Lo}\p{N}]{2})\.(?=\s)")
_EMOTICON = regex.compile(r"[:;=8]['’-]?[()\[\]DPp|/\\](?!\w)")
_SYMBOL = regex.compile(r"[\p{So}\p{Sk}\ufe0f\u200d]$")
_ITEM = regex.compile(r"^[ \t>]*(?:(?P<bullet>[-*+•·▪‣◦–])|(?P<number>\d{1,3})[.)])(?:[ \t]+(?P<text>.*))?$")
_HEADING = regex.compile(r"^[ \t]{0,3}\#{1,6}(?:[ \t]|$)")
_ROW = regex.compile(r"^[ \t]*\|")
_RULE = regex.compile(r"^[ \t]*(?:[-*_=][ \t]*){3,}$")
_DEFINITION = regex.compile(r"^[ \t]*\[\^?[^\]\n]{1,40}\]:[ \t]")
_LAST_WORD = regex.compile(r"(?<![\p{L}\p{M}\p{N}_.@/'’-])[\p{L}\p{M}'’]+$")

_NO_SENTENCE_END = frozenset({"th", "lo", "km", "my"})

_MIN_LONE_SENTENCE_WORDS = 16
_MIN_LONE_FRAGMENT_WORDS = 5
_MIN_LONE_KOREAN_WORDS = 8
_FRAGMENT = regex.compile(
    r"[\s\p{P}]*\p{Lu}[^:：]*(?<![\p{L}\p{M}\p{N}_.@/'’:：-])\p{Ll}[\p{Ll}\p{M}'’-]+", regex.DOTALL
)
"""A line that begins like a sentence and ends in a plain word. A figure, a name or a list without an end is a
short answer. Of 1,688 whole answers of one line, recorded or written by hand, none of five words or more is
like that; of 919 phrases that people marked in articles, five."""
_KOREAN = regex.compile(r"\p{Hangul}$")
"""A Korean line that no verb ends. A Chinese line is no such sign: of 381 phrases that people marked in
articles, every tenth is as long."""
_MAX_SHORT_LINE_WORDS = 6
_MIN_WORDS = 4  # shorter lines are names and titles


@cache
def _citation() -> regex.Pattern[str]:
    return regex.compile(rf"{markers_pattern()}|\[\^\w{{1,20}}\]")


@cache
def _dangling() -> frozenset[str]:
    return frozenset(word for one in languages().values() for word in one.words.dangling)


@cache
def _dangling_unspaced() -> tuple[str, ...]:
    return tuple(word for one in languages().values() for word in one.words.dangling_unspaced)


@cache
def _sentence_end(code: str) -> regex.Pattern[str] | None:
    """Return the pattern of a complete sentence without a full stop: in Korean the verb ends it."""
    pattern = language(code).words.sentence_end
    return regex.compile(pattern) if pattern else None


@dataclass(frozen=True, slots=True)
class _Line:
    text: str
    start: int


def find(subject: Subject) -> Iterator[Finding]:
    """Find the place where the text was cut; yields at most one finding."""
    end = len(subject.text.rstrip())
    last = _read_last_line(subject.text, end)
    reason: Reason | None
    if subject.finish_reason == "length":
        reason, start = Reason("cut-at-limit"), last.start
    else:
        block = next(iter(code_blocks(subject.text)[-1:]), None)
        if block is not None and not block.closed:
            reason, start = Reason("cut-in-block"), block.start
        elif block is not None and block.end >= end:
            return
        else:
            reason, start = _find_reason(subject, last, end), last.start
    if reason is not None:
        yield Finding("truncated", "critical", min(start, len(subject.text)), len(subject.text), reason)


def _read_last_line(text: str, end: int) -> _Line:
    start = text.rfind("\n", 0, end) + 1
    return _Line(text[start:end], start)


def _find_reason(subject: Subject, last: _Line, end: int) -> Reason | None:
    before = subject.plain[: last.start]
    line = subject.plain[last.start : end]
    if not line.strip() or _RULE.match(last.text) or _DEFINITION.match(last.text):
        return None
    if _ROW.match(line):
        complete = any(row.rstrip().endswith("|") for row in before.splitlines() if _ROW.match(row))
        return Reason("cut-in-row") if complete and not line.rstrip().endswith("|") else None
    if _HEADING.match(line):
        return Reason("cut-after-heading") if before.strip() else None
    item = _ITEM.match(line)
    if item and not (item["text"] or "").strip() and last.text.strip() == line.strip():
        follows = any((other := _ITEM.match(row)) and other["text"] for row in before.splitlines())
        return Reason("cut-after-marker") if follows or (item["bullet"] and before.strip()) else None
    return _find_open_end(line) or _find_unfinished_sentence(subject, before, line, last, item)


def _find_open_end(line: str) -> Reason | None:
    text = _without_citations(line)
    core = text.rstrip(_CLOSERS + " ")
    if core.endswith(tuple(_TERMINAL)) or _SYMBOL.search(text):
        return None
    if text and text[-1] in _UNFINISHED and not _EMOTICON.search(text[-2:]):
        return Reason("cut-after", {"text": text[-1]})
    if core and core[-1] in ":：" and text != core and not _EMOTICON.search(text):
        return Reason("cut-at-colon")
    visible = _EMOTICON.sub("  ", prose(line))
    for opening, closing in _PAIRS.items():
        if visible.count(opening) > visible.count(closing) and visible.rfind(opening) > visible.rfind(
            closing
        ):
            return Reason("cut-in-pair", {"mark": opening})
    if has_open_emphasis(line):
        return Reason("cut-in-emphasis")
    if prose(line).count("`") % 2:
        return Reason("cut-in-code")
    word = _LAST_WORD.search(text)
    dangling = word and (word.group() in _dangling() or word.group().endswith(_dangling_unspaced()))
    if word and dangling and measure(text) >= _MIN_WORDS:
        return Reason("cut-after", {"text": word.group()[-12:]})
    return None


def _find_unfinished_sentence(
    subject: Subject, before: str, line: str, last: _Line, item: regex.Match[str] | None
) -> Reason | None:
    """Return a reason if the last sentence has no end although others have one, else None."""
    text = _without_citations(line)
    # Text that ends with code, an address, a closing mark or a picture needs no full stop.
    whole = _without_citations(last.text)
    ends_whole = whole[-1:] in _CLOSERS + _TERMINAL + "`" or prose(whole)[-1:] == " " or _SYMBOL.search(text)
    if subject.language in _NO_SENTENCE_END or ends_whole or not text:
        return None
    if (end := _sentence_end(subject.language)) and end.search(text):
        return None
    if item:
        items = [
            other["text"] for row in before.splitlines() if (other := _ITEM.match(row)) and other["text"]
        ]
        ended = [text for text in items if _has_end(text)]
        return Reason("cut-in-point") if items and len(ended) == len(items) else None
    words = measure(text)
    if (_SENTENCE_END if words > _MAX_SHORT_LINE_WORDS else _SURE_END).search(text):
        return Reason("cut-in-sentence")
    commas = "，" if subject.language == "zh" else "，、"  # in Chinese "、" only stands in a list
    if words >= _MAX_SHORT_LINE_WORDS and any(comma in text for comma in commas):
        return Reason("cut-in-sentence")
    if not before.strip():
        return Reason("cut-in-sentence") if words >= _least_words_of_a_cut(text) else None
    paragraphs = [row for row in before.splitlines() if row.strip() and not _is_marked(row)]
    ended = [row for row in paragraphs if _has_end(row)]
    mostly = len(ended) * 2 > len(paragraphs)
    return Reason("cut-in-sentence") if mostly and words > _MAX_SHORT_LINE_WORDS else None


def _least_words_of_a_cut(line: str) -> int:
    """Return from how many words on a text of one line without an end is taken for cut off."""
    if _KOREAN.search(line):
        return _MIN_LONE_KOREAN_WORDS
    return _MIN_LONE_FRAGMENT_WORDS if _FRAGMENT.fullmatch(line) else _MIN_LONE_SENTENCE_WORDS


def _is_marked(row: str) -> bool:
    return bool(_ITEM.match(row) or _HEADING.match(row) or _ROW.match(row) or _RULE.match(row))


def _has_end(text: str) -> bool:
    return _without_citations(text).rstrip(_CLOSERS).endswith(tuple(_TERMINAL))


def _without_citations(text: str) -> str:
    """Return the text without white space and citation markers at its end.

    Removes the markers one by one, because a pattern for "markers up to the end" takes quadratic time and
    would need minutes for a reply of nothing but markers.
    """
    end = len(text.rstrip())
    for marker in reversed(list(_citation().finditer(text, 0, end))):
        if marker.end() != end:
            break
        end = marker.start()
        while end and text[end - 1].isspace():
            end -= 1
    return text[:end]
