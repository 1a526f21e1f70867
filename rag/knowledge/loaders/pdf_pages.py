"""Makes running text of the pages of a PDF; pure.

Pages cut sentences and repeat heads and feet. A head that repeats is kept where it stands first, because it
may be the title of the chapter; a sentence that goes over a page break is put together on the page where it
begins.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cache

import regex

from rag.language.tables import alternatives

_EDGE = 2  # lines at the top and at the bottom of a page that may be a head or a foot
_LEAST = 3  # pages on which a line must be found to be a head
_NEAR = 2  # left and right pages may have heads of their own
_LONGEST = 150  # characters of a head

_NUMBER = regex.compile(r"\d{1,5}")
_WORD = regex.compile(r"\p{L}++")
_UNSPACED = regex.compile(r"[\p{Han}\p{Hangul}\p{Hiragana}\p{Katakana}]")
_SENTENCE_END = regex.compile(r"[.!?…:。！？：][\"'”’»)\]」』）]{0,3}\Z")
_CONTINUES = regex.compile(r"[\p{Ll}\p{Lo}\d(,;]")
_FIRST_SENTENCE = regex.compile(
    r"(?:[^.!?…。！？]|(?<=\d)\.(?=\d)){1,400}?[.!?…。！？][\"'”’»)\]」』）]{0,3}(?=\s|\Z)"
)


@cache
def _page_number() -> regex.Pattern[str]:
    """Return the pattern of a line that is only the number of its page, in any language."""
    before = alternatives(lambda one: one.page_numbers.before)
    behind = alternatives(lambda one: one.page_numbers.behind)
    of = alternatives(lambda one: one.page_numbers.of)
    return regex.compile(
        rf"[-–—\s|]*+(?:(?:{before})(?!\p{{L}})\.?)?+\s*+(?:\d{{1,5}}|[ivxlc]{{1,7}})"
        rf"(?:\s*+(?:/|{of})\s*+\d{{1,5}})?\s*+(?:{behind})?[-–—\s|.]*+",
        regex.IGNORECASE,
    )


def running_lines(pages: Sequence[Sequence[str]]) -> list[set[int]]:
    """Find the heads, feet and page numbers that repeat, all but the first of each head.

    Args:
        pages: The lines of every page from top to bottom; none for one that could not be read.

    Returns:
        For every page the places of the lines to leave out.
    """
    edges = [
        {
            place: {(2 * place < len(page), key) for key in _keys(page[place], number)}
            for place in _edges(page)
        }
        for number, page in enumerate(pages)
    ]
    found: dict[tuple[bool, str], list[int]] = defaultdict(list)
    for number, lines in enumerate(edges):
        for key in itertools.chain(*lines.values()):
            found[key].append(number)
    running = {key for key, numbers in found.items() if len(numbers) >= _LEAST and _are_near(numbers)}
    dropped: list[set[int]] = []
    seen: set[tuple[bool, str]] = set()
    for page, lines in zip(pages, edges, strict=True):
        dropped.append(set())
        for place, keys in lines.items():
            if keys & seen or (keys & running and _page_number().fullmatch(page[place])):
                dropped[-1].add(place)
            seen |= keys & running
    return dropped


def _edges(page: Sequence[str]) -> Iterator[int]:
    """The lines at the top and at the bottom that hold something."""
    filled = [place for place, line in enumerate(page) if line.strip()]
    yield from dict.fromkeys((*filled[:_EDGE], *filled[-_EDGE:]))


def _keys(line: str, page: int) -> set[str]:
    """What a line would be called on any page, if one of its numbers counts the pages."""
    text = " ".join(line.split())
    if not text or len(text) > _LONGEST:
        return set()
    numbers = list(_NUMBER.finditer(text))
    # "Step 2" may be the title of a page; a head that counts pages says more than one word.
    words = sum(len(word) > 1 for word in _WORD.findall(text))
    if words < 2 and len(_UNSPACED.findall(text)) < 4 and not _page_number().fullmatch(text):
        return {text}
    counted = {
        f"{text[: found.start()]}\0{int(found.group()) - page}\0{text[found.end() :]}"
        for found in (*numbers[:1], *numbers[-1:])
    }
    return {text} | counted


def _are_near(pages: Sequence[int]) -> bool:
    """Whether a line is found on enough pages that are close to each other."""
    close = sum(later - earlier <= _NEAR for earlier, later in itertools.pairwise(pages))
    return close >= _LEAST - 1


def continued(before: str, after: str) -> int:
    """Length of the beginning of a page that ends the last sentence of the page before it; 0 for none."""
    last = before.rstrip()
    if not last or _SENTENCE_END.search(last[-8:]) or not _CONTINUES.match(after):
        return 0
    rest = _FIRST_SENTENCE.match(after)
    # A table, a list or a new paragraph is no rest of a sentence.
    return rest.end() if rest and "\n\n" not in rest.group() else 0
