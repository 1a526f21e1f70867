"""Compose answers from verbatim quotations, with a citation for each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rag.knowledge.loaders.content import table_cells, table_rule
from rag.language.sentences import sentences
from rag.values import Citation, Passage

_MAX_PASSAGES = 3
_QUOTE_CHARACTERS = 400


@dataclass(frozen=True, slots=True)
class Quoted:
    """A quotation.

    Args:
        passage: The passage it comes from.
        text: The words, verbatim and contiguous.
        lead: What introduces them earlier in the passage: the line above a list, the header of a table;
            verbatim, or empty.
    """

    passage: Passage
    text: str
    lead: str = ""


def quote(said: str, quoted: Sequence[Quoted]) -> tuple[str, tuple[Citation, ...]]:
    """Compose an answer from quotations.

    Args:
        said: The sentence before the quotations; the whole text if there are none.
        quoted: The quotations, best first.

    Returns:
        The text, and a citation for each quotation.
    """
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
    quotations = "\n\n".join(f"[{n}]\n\n{_format_quotation(one)}" for n, one in enumerate(quoted, 1))
    return f"{said}\n\n{quotations}" if quotations else said, citations


def quote_beginnings(passages: Sequence[Passage]) -> tuple[Quoted, ...]:
    """Return the beginnings of the three best passages, for questions where no sentence stands out."""
    return tuple(Quoted(passage, _cut_beginning(passage.text)) for passage in passages[:_MAX_PASSAGES])


def _format_quotation(one: Quoted) -> str:
    lead, text = one.lead.strip(), one.text.strip()
    if lead.startswith("|") and text.startswith("|"):
        # With the rule below it the header makes a table of the rows.
        lines = [lead, table_rule(len(table_cells(lead))), *text.splitlines()]
    else:
        lines = [*(f"{line} …" for line in lead.splitlines()), *text.splitlines()]
    return "\n".join(f"> {line}" for line in lines)


def _cut_beginning(text: str) -> str:
    """Return complete sentences up to about 400 characters; a very long first sentence is cut at 800."""
    end = 0
    for sentence in sentences(text):
        if sentence.end > _QUOTE_CHARACTERS and end:
            break
        end = sentence.end
    return text[: min(end, 2 * _QUOTE_CHARACTERS)].strip() or text[:_QUOTE_CHARACTERS]
