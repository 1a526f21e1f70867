"""Answers put together from verbatim quotations, with a citation for each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rag.language.sentences import sentences
from rag.values import Citation, Passage

_MOST_PASSAGES = 3
_QUOTE_CHARACTERS = 400


@dataclass(frozen=True, slots=True)
class Quoted:
    """Words that are quoted.

    Args:
        passage: Where they stand.
        text: The words, verbatim and in one piece.
        lead: What introduces them further up in the passage, such as the line above a list; verbatim, or
            empty.
    """

    passage: Passage
    text: str
    lead: str = ""


def quote(said: str, quoted: Sequence[Quoted]) -> tuple[str, tuple[Citation, ...]]:
    """Write an answer out of quotations.

    Args:
        said: The sentence in front of them, or alone when there are none.
        quoted: What is quoted, best first.

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
    quotations = "\n\n".join(f"[{n}]\n\n{_block(one)}" for n, one in enumerate(quoted, 1))
    return f"{said}\n\n{quotations}" if quotations else said, citations


def beginnings(passages: Sequence[Passage]) -> tuple[Quoted, ...]:
    """The beginnings of the best passages, at most three, for when no sentence stands out."""
    return tuple(Quoted(passage, _beginning(passage.text)) for passage in passages[:_MOST_PASSAGES])


def _block(one: Quoted) -> str:
    lines = [*(f"{line} …" for line in one.lead.strip().splitlines()), *one.text.strip().splitlines()]
    return "\n".join(f"> {line}" for line in lines)


def _beginning(text: str) -> str:
    """Whole sentences from the start of a passage, or a hard cut when the first is very long."""
    end = 0
    for sentence in sentences(text):
        if sentence.end > _QUOTE_CHARACTERS and end:
            break
        end = sentence.end
    return text[: min(end, 2 * _QUOTE_CHARACTERS)].strip() or text[:_QUOTE_CHARACTERS]
