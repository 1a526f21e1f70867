"""Reduce a question to its words, without order, case and endings."""

from __future__ import annotations

from rag.language.scripts import UNSPACED, dominant_script
from rag.language.words import content_terms


def wording(text: str, language: str) -> frozenset[str]:
    """Return the content terms of a text. In scripts without spaces, terms are split into characters,
    because pairs of characters depend on the word order.
    """
    return frozenset(
        piece
        for term in content_terms(text, language)
        for piece in (term if dominant_script(term) in UNSPACED else (term,))
    )
