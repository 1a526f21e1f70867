"""Renders the quotes of an answer's sources as messages."""

from __future__ import annotations

from bot.telegram.rendering.addresses import mark_addresses
from bot.telegram.rendering.answer import link, place
from bot.telegram.rendering.characters import visible
from bot.telegram.rendering.parts import LIMIT, Part, cut
from bot.telegram.rendering.styled import Kind, Styled, joined, styled
from bot.texts import TEXTS
from rag.values import Answer

_FOLDED = 300
"""Length in characters from which a quote is shown folded; a tap opens it."""


def sources_parts(answer: Answer, language: str, *, limit: int = LIMIT) -> tuple[Part, ...]:
    """Return the quote of each citation of an answer, or the closest passages when it cites none.

    Args:
        answer: The answer.
        language: ISO 639-1 code of the reader's language.
        limit: Largest length of a message, in UTF-16 units.
    """
    if answer.citations:
        entries = [
            _entry(
                f"[{citation.n}] ", place(citation.document, citation.section), citation.url, citation.quote
            )
            for citation in answer.citations
        ]
    elif answer.passages:
        entries = [
            styled(TEXTS.text("nearest-sources", language), "italic"),
            *(
                _entry(
                    "",
                    place(passage.document, passage.section),
                    passage.address_of(passage.text),
                    passage.text,
                )
                for passage in answer.passages
            ),
        ]
    else:
        entries = [Styled(TEXTS.text("sources-none", language))]
    return cut(mark_addresses(joined(entries)), limit)


def _entry(number: str, name: str, url: str, quote: str) -> Styled:
    # Formats must not lie inside a link, so a link is not bold.
    heading = styled(number, "bold") + link(name, url) if url else styled(number + name, "bold")
    quote = visible(quote).strip()
    kind: Kind = "expandable_blockquote" if len(quote) > _FOLDED else "blockquote"
    return joined([heading, styled(quote, kind)], "\n")
