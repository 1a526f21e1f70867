"""When there is no answer to send: the best passages, quoted and cited, behind a plain word about it."""

from __future__ import annotations

from rag.language.sentences import sentences
from rag.values import Citation, Passage

_MOST_PASSAGES = 3
_QUOTE_CHARACTERS = 400


def quote(said: str, passages: tuple[Passage, ...]) -> tuple[str, tuple[Citation, ...]]:
    """Write an answer out of verbatim passages.

    Args:
        said: The sentence in front of them, or alone when there are none.
        passages: Best first; at most three are quoted.

    Returns:
        The text, and a citation for each quoted passage.
    """
    citations = tuple(
        Citation(n, passage.document, passage.section_of(words), words, passage.id)
        for n, passage in enumerate(passages[:_MOST_PASSAGES], 1)
        for words in (_beginning(passage.text),)
    )
    quoted = "\n\n".join(
        f"[{citation.n}]\n\n" + "\n".join(f"> {line}" for line in citation.quote.strip().splitlines())
        for citation in citations
    )
    return f"{said}\n\n{quoted}" if quoted else said, citations


def _beginning(text: str) -> str:
    """Whole sentences from the start of a passage, or a hard cut when the first is very long."""
    end = 0
    for sentence in sentences(text):
        if sentence.end > _QUOTE_CHARACTERS and end:
            break
        end = sentence.end
    return text[: min(end, 2 * _QUOTE_CHARACTERS)].strip() or text[:_QUOTE_CHARACTERS]
