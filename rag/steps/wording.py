"""The words of a question without their order, case and endings: what it asks for."""

from __future__ import annotations

from rag.language.scripts import UNSPACED, dominant_script
from rag.language.words import content_terms


def wording(text: str, language: str) -> frozenset[str]:
    """The content terms of a text; in scripts without spaces their characters: pairs depend on the order."""
    return frozenset(
        piece
        for term in content_terms(text, language)
        for piece in (term if dominant_script(term) in UNSPACED else (term,))
    )
