"""Find identifiers: addresses, paths, flags, variables, versions, designators, inline code."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import regex

from rag.language.markdown import code_spans

_URL = r"[^\s<>\"`|\\^{}\x7f-\U0010ffff]"
_FILE = r"(?:[\w.-]+/)*[\w-][\w.-]*[\w-]\.[a-z][a-z0-9]{0,7}"


def _compiled(*patterns: str) -> tuple[regex.Pattern[str], ...]:
    # ASCII: in Korean and Chinese a particle or the next word follows an identifier without a space.
    return tuple(regex.compile(pattern, regex.ASCII) for pattern in patterns)


_LOOKS_LIKE_A_FILE = re.compile(r"\w\.[a-z]", re.ASCII)
_ADDRESSES = _compiled(
    rf"(?:https?|ftp|file|wss?)://{_URL}*(?<![.,:;!?)\]'*_])",
    r"(?<![\w.+-])[A-Za-z0-9][\w.+-]{0,63}@[\w-]{1,63}(?:\.[A-Za-z0-9-]{1,63})+",
    r"(?<![\w-])--?[A-Za-z][\w-]*\w(?:=[^\s,;)\]'\"`]+)?",  # --flag=value
    r"(?<![\w/.~-])(?:~|\.{1,2}|[A-Za-z]:)?[/\\](?:[\w.@-]+[/\\]?)+(?<![.,])",  # /etc/hosts, ./run
)
(_FILES,) = _compiled(rf"(?<![\w/.-]){_FILE}(?![\w/]|[.-]\w)")
_VERSIONS = _compiled(
    r"(?<!\w)(?!\d{1,3}(?:\.\d{3}){2,}(?!\.?\d))v?\d+(?:\.\d+){2,}(?:[-+][A-Za-z0-9.]*[A-Za-z0-9])?(?!\w)",
    r"(?<!\w)v\d+(?:\.\d+)*(?!\w)",
)
(_VARIABLES,) = _compiled(r"(?<!\w)(?=_*[A-Za-z0-9])(?=\w*_)\w+(?!\w)")  # snake_case, ENVIRONMENT_NAME
(_CALLS,) = _compiled(r"(?<!\w)[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*\(\)")
_DESIGNATOR = regex.compile(r"(?<![\w.,])\d+[A-Za-z][A-Za-z0-9]*(?!\w)", regex.ASCII)
_COMPOUND = re.compile(r"(?<![\w.-])[A-Za-z][A-Za-z0-9]*+(?:[.-][A-Za-z0-9]++)*+(?!\w)", re.ASCII)
_PIECE = re.compile(r"[A-Za-z0-9]++")
_CAMEL = re.compile(r"[a-z][A-Z]|[A-Z]{2}[a-z]")
_SCHEME = re.compile(r"(?:https?|ftp)://(?:www\.)?")
_VERSION_LETTER = re.compile(r"v(?=\d+(?:\.|$))")
_PLAIN_VALUE = regex.compile(r"[\d.,:%\s/$€£¥₽+-]+(?:\s?\p{L}{1,10})?")


@dataclass(frozen=True, slots=True)
class Identifier:
    """A piece of code in prose: its normal form (lower case, no backticks) and its offsets."""

    normal: str
    start: int
    end: int


def inline_code(text: str) -> Iterator[Identifier]:
    """Find text between backticks, except plain values (``17``, ``9:00``), which are facts themselves."""
    for span in code_spans(text):
        content = text[span.start : span.end].strip("`").strip()
        if content and not _PLAIN_VALUE.fullmatch(content):
            yield Identifier(" ".join(content.casefold().split()), span.start, span.end)


def addresses(text: str) -> Iterator[Identifier]:
    """Find addresses, flags and paths. Call this before looking for dates, which these can contain."""
    yield from _matches(_ADDRESSES, text)


def identifiers(text: str) -> Iterator[Identifier]:
    """Find file names, versions, variables, calls, CamelCase and "A23a"; dates (10.12.2023) come first."""
    # Cheap conditions skip patterns that most prose cannot match.
    if _LOOKS_LIKE_A_FILE.search(text):
        yield from _matches((_FILES,), text)
    yield from _matches(_VERSIONS, text)
    if "_" in text:
        yield from _matches((_VARIABLES,), text)
    if "()" in text:
        yield from _matches((_CALLS,), text)
    for match in _COMPOUND.finditer(text):
        if match.group().isalpha() and match.group()[1:].islower():
            continue
        if any(character.isdigit() for character in match.group()):  # gpt-5-mini, A23a
            yield Identifier(normal_form(match.group()), match.start(), match.end())
            continue
        for piece in _PIECE.finditer(text, match.start(), match.end()):
            if _CAMEL.search(piece.group()):
                yield Identifier(normal_form(piece.group()), piece.start(), piece.end())


def _matches(patterns: tuple[regex.Pattern[str], ...], text: str) -> Iterator[Identifier]:
    for pattern in patterns:
        for match in pattern.finditer(text):
            yield Identifier(normal_form(match.group()), match.start(), match.end())


def designators(text: str) -> Iterator[Identifier]:
    """Find words that start with a digit without being a number (``3f2a``, ``23a``). Call this last."""
    yield from _matches((_DESIGNATOR,), text)


def normal_form(written: str) -> str:
    """Remove what does not distinguish identifiers: case, a scheme, a version's ``v``, a trailing slash."""
    folded = written.casefold().removesuffix("()").rstrip("/")
    for prefix in (_SCHEME, _VERSION_LETTER):
        if found := prefix.match(folded):
            folded = folded[found.end() :]
    return folded
