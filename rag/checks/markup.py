"""Find markup that does not render, and citations of passages that do not exist.

An unpaired mark is removed, not completed: the intended end of the emphasis is unknown, and the words stay
the same without it. Underscores and single asterisks are ignored, because they occur in names and arithmetic
far more often than in broken emphasis.
"""

from __future__ import annotations

from collections.abc import Iterator

import regex

from rag.checks.subject import Subject
from rag.language.markdown import code_blocks
from rag.language.sentences import MARKER, marker_runs
from rag.reasons import Reason
from rag.values import Finding

_STRONG = regex.compile(r"(?<![*\\/])\*\*(?![*/])")
_PARAGRAPH_END = regex.compile(r"\n[ \t]*(?=\n|[-*+•][ \t]|\d{1,3}[.)][ \t]|\#|\||>)")
_CODE_EDGE = regex.compile(r"[\p{L}\p{N}_\-/.$~\ufffc]")
_BACKTICKS = regex.compile(r"(?<!\\)`+")
# Two cases: [text]() and [text](address without its closing parenthesis. White space after an open
# parenthesis is kept, because it may be all that separates two words.
_EMPTY_LINK = regex.compile(
    r"\[(?P<text>[^\[\]\n]{1,200})\]\((?:[ \t]*+\)|(?=[ \t]*+(?:\[|$)))", regex.MULTILINE
)
_OPEN_LINK = regex.compile(
    r"""
    \[(?P<text>[^\[\]\n]{1,200})\]
    \((?P<address> [^\s()<>\[\]]{1,500} (?=[ \t]*$)
      | (?: [a-z][a-z0-9+.-]{1,20}:// | [./\#] | [\w-]{1,60}[./] ) [^\s()<>]{0,500} (?<![.,;:!?，。])
        (?= [.,;:!?，。]? [ \t]++ (?: [^()\n] | \([^()\n]{0,300}\) )*+ $ ))
    """,
    regex.MULTILINE | regex.VERBOSE | regex.IGNORECASE,
)
_BEGUN_LINK = regex.compile(r"\[(?P<text>[^\[\]\n]+)\]\((?P<address>[^\s()<>]+)")
_MARKER = regex.compile(MARKER)
_NUMBER = regex.compile(r"\d{1,3}")


def find(subject: Subject) -> Iterator[Finding]:
    """Find broken markup and, if the subject has a passage count, citations outside it."""
    yield from _find_open_block(subject)
    for position in _find_unpaired_bold(subject.plain):
        yield Finding("broken_markup", "fixable", position, position + 2, Reason("markup-open-bold"))
    for position, end in _find_unpaired_backticks(subject.plain):
        yield Finding("broken_markup", "fixable", position, end, Reason("markup-open-code"))
    for pattern in (_EMPTY_LINK, _OPEN_LINK):
        for link in pattern.finditer(subject.plain):
            yield Finding("broken_markup", "fixable", *link.span(), Reason("markup-empty-link"))
    if subject.passage_count is not None:
        yield from _find_invalid_citations(subject.plain, subject.passage_count)


def replacement(text: str, finding: Finding) -> str:
    """Return the text that replaces broken markup."""
    broken = text[finding.start : finding.end]
    if finding.end == len(text) and (blocks := code_blocks(broken)) and not blocks[0].closed:
        return f"{broken.rstrip()}\n{blocks[0].fence}"
    link = _EMPTY_LINK.fullmatch(broken) or _BEGUN_LINK.fullmatch(broken)
    if link is None:
        return ""
    return f"{broken})" if link.groupdict().get("address") else link["text"]


def has_open_emphasis(line: str) -> bool:
    """Return whether bold text starts in `line` (given without its code) and does not end there."""
    return any(True for _ in _find_unpaired_bold(line))


def _find_open_block(subject: Subject) -> Iterator[Finding]:
    for block in code_blocks(subject.text):
        if not block.closed:
            yield Finding(
                "broken_markup",
                "fixable",
                block.start,
                len(subject.text),
                Reason("markup-open-block"),
            )


def _find_unpaired_bold(plain: str) -> Iterator[int]:
    ends = [end.start() for end in _PARAGRAPH_END.finditer(plain)]
    start = 0
    for end in (*ends, len(plain)):
        opened: int | None = None
        for mark in _STRONG.finditer(plain, start, end):
            before, after = plain[mark.start() - 1 : mark.start()], plain[mark.end() : mark.end() + 1]
            if before.isascii() and before.isalnum() and after.isascii() and after.isalnum():
                continue  # an operator: 2**3
            if opened is not None and before.strip():
                opened = None
            elif after.strip():
                if opened is not None:
                    yield opened
                opened = mark.start()
        if opened is not None:
            yield opened
        start = end


def _find_unpaired_backticks(plain: str) -> Iterator[tuple[int, int]]:
    """Yield the spans of unpaired backticks next to a word; other backticks are meant as characters."""
    for run in _BACKTICKS.finditer(plain):
        before, after = plain[run.start() - 1 : run.start()], plain[run.end() : run.end() + 1]
        if _CODE_EDGE.match(before) or _CODE_EDGE.match(after):
            yield run.span()


def _find_invalid_citations(plain: str, passage_count: int) -> Iterator[Finding]:
    for run in marker_runs(plain):
        for start, end in _invalid_spans(plain, run, passage_count):
            yield Finding(
                "citation",
                "fixable",
                start,
                end,
                Reason("citation-no-passage", {"marker": plain[start:end].strip()}),
            )


def _invalid_spans(plain: str, run: regex.Match[str], passage_count: int) -> Iterator[tuple[int, int]]:
    """Yield the spans to remove from adjacent markers, with what would be left over of the run.

    In "[1] and [7]" the "and" goes with the 7, and around a lone "[7]" its own parentheses go.
    """
    last_kept: int | None = None
    first_gone: int | None = None
    last_gone = run.start()
    for marker in _MARKER.finditer(plain, run.start(), run.end()):
        numbers = list(_NUMBER.finditer(marker.group()))
        kept = [number for number in numbers if 1 <= int(number.group()) <= passage_count]
        if not kept:
            first_gone = marker.start() if first_gone is None else first_gone
            last_gone = marker.end()
            continue
        if first_gone is not None:
            # "[7], [1]" keeps "[1]"; "[1], [7] and [2]" keeps "[1] and [2]".
            yield (first_gone, marker.start()) if last_kept is None else (last_kept, last_gone)
            first_gone = None
        for start, end in _spans_to_remove(numbers, kept):
            yield marker.start() + start, marker.start() + end
        last_kept = marker.end()
    if first_gone is None:
        return
    if last_kept is not None:
        yield last_kept, run.end()
        return
    start, end = run.span()
    is_bracketed = plain[start - 1 : start] in {"(", "（"} and plain[end : end + 1] in {")", "）"}
    yield (start - 1, end + 1) if is_bracketed else (start, end)


def _spans_to_remove(
    numbers: list[regex.Match[str]], kept: list[regex.Match[str]]
) -> Iterator[tuple[int, int]]:
    last_kept: regex.Match[str] | None = None
    for i, number in enumerate(numbers):
        if number in kept:
            last_kept = number
        elif last_kept is not None:
            yield numbers[i - 1].end(), number.end()
        else:
            yield number.start(), numbers[i + 1].start()
