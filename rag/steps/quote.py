"""Compose answers from verbatim quotations of the documents, each of which ends in its citation.

A quotation of one line stands in quotation marks, one of several lines is a block quote; the words that
answer are bold.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import regex

from rag.knowledge.loaders.content import table_cells, table_rule
from rag.language.sentences import sentences
from rag.values import Citation, Passage

_MAX_PASSAGES = 3
_QUOTE_CHARACTERS = 400
_MARKUP = regex.compile(r"[*_`~|<>\[\]\\$\n]")
_BLOCK = regex.compile(r"\s*(?:[-+*•]\s|\d+[.)]\s|[|#>]|```|~~~)")
_EDGES = regex.compile(r"\A\W+|[^\w%°]+\Z")
_MOST_BOLD = 0.75
"""Share of a quotation from which its words are not set off, because hardly any others are left."""


@dataclass(frozen=True, slots=True)
class Quoted:
    """A quotation.

    Args:
        text: The words, verbatim and contiguous.
        lead: What introduces them earlier in the passage: the line above a list, the header of a table;
            verbatim, or empty.
        answer: Offsets in `text`, in code points, between which the words that answer stand.
    """

    passage: Passage
    text: str
    lead: str = ""
    answer: tuple[int, int] = (0, 0)


def quote(said: str, quoted: Sequence[Quoted]) -> tuple[str, tuple[Citation, ...]]:
    """Compose an answer from quotations, best first, below what is `said`; return it with their citations."""
    citations = tuple(
        Citation(
            n,
            one.passage.document,
            one.passage.section_of(one.text),
            one.text,
            one.passage.id,
            one.passage.source,
            one.passage.address_of(one.text),
        )
        for n, one in enumerate(quoted, 1)
    )
    if said and len(quoted) == 1 and not _ends_in_prose(quoted[0].text):
        # Below a table or a piece of code the mark would stand alone.
        return f"{said} [1]\n\n{_format_quotation(quoted[0], '')}", citations
    quotations = [_format_quotation(one, f"[{n}]") for n, one in enumerate(quoted, 1)]
    if said and len(quotations) == 1 and quotations[0].startswith("“"):
        return f"{said} {quotations[0]}", citations
    return "\n\n".join(filter(None, (said, *quotations))), citations


def emphasise(text: str, start: int, end: int) -> str:
    """Return a text with the words between two offsets in bold.

    It stays as it is where hardly any other words are left, or where the marks would break its own markup.
    """
    words = plain_words(text[start:end])
    start = text.find(words, start)
    before, after = text[:start], text[start + len(words) :]
    is_part = words and len(words) < _MOST_BOLD * len(text)
    is_marked = any(before.count(mark) % 2 for mark in "`*_")
    # Marks behind a sign and before a letter are no markup: "**30 %**is".
    is_closed = words[-1:].isalnum() or not after[:1].isalnum()
    return f"{before}**{words}**{after}" if is_part and is_closed and not is_marked else text


def quote_beginnings(passages: Sequence[Passage]) -> tuple[Quoted, ...]:
    """Return the beginnings of the three best passages, for questions where no sentence stands out."""
    return tuple(Quoted(passage, _cut_beginning(passage.text)) for passage in passages[:_MAX_PASSAGES])


def plain_words(text: str) -> str:
    """Return words without the signs around them; empty if there is markup among them."""
    words = _EDGES.sub("", text)
    return "" if _MARKUP.search(words) else words


def _ends_in_prose(text: str) -> bool:
    return not text.strip().rpartition("\n")[2].lstrip().startswith(("|", "```", "~~~"))


def _format_quotation(one: Quoted, mark: str) -> str:
    lead, text = one.lead.strip(), emphasise(one.text, *one.answer).strip()
    if not lead and "\n" not in text and not _BLOCK.match(text):
        return f"“{text}” {mark}"
    if lead.startswith("|") and text.startswith("|"):
        # With the rule below it the header makes a table of the rows.
        lines = [lead, table_rule(len(table_cells(lead))), *text.splitlines()]
    else:
        lines = [*(f"{line} …" for line in lead.splitlines()), *text.splitlines()]
    if _ends_in_prose(lines[-1]):
        lines[-1] += f" {mark}"
    elif mark:
        lines += ["", mark]
    return "\n".join(f"> {line}".rstrip() for line in lines)


def _cut_beginning(text: str) -> str:
    """Return complete sentences up to about 400 characters; a very long first sentence is cut at 800."""
    end = 0
    for sentence in sentences(text):
        if sentence.end > _QUOTE_CHARACTERS and end:
            break
        end = sentence.end
    return text[: min(end, 2 * _QUOTE_CHARACTERS)].strip() or text[:_QUOTE_CHARACTERS]
