"""Whether a value stands in what the person said. A model that invents a value cannot quote it."""

from __future__ import annotations

import unicodedata

from pydantic import JsonValue

from rag.language.units import missing, units
from rag.language.words import content_terms

MIN_SHARED_TERMS = 0.5
"""Share of a value's terms that its quote must hold: people say "from the first of May" for "starts 1 May".

Fitted to nothing yet."""


def normalise(text: str) -> str:
    """Return a text without case, punctuation, and doubled white space."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    kept = "".join(character if character.isalnum() else " " for character in folded)
    return " ".join(kept.split())


def is_quoted(quote: str, said: str) -> bool:
    """Return whether a quote stands in what was said, word for word."""
    wanted = normalise(quote)
    return bool(wanted) and f" {wanted} " in f" {normalise(said)} "


def states_value(quote: str, value: JsonValue, language: str, share: float = MIN_SHARED_TERMS) -> bool:
    """Return whether a quote states a value: all its figures and dates, and most of its words.

    Args:
        value: A scalar. Yes and no are never stated by a quote alone: "we deliver" and "we do not deliver"
            share their words.
    """
    match value:
        case bool() | None | dict() | list():
            return False
        case int() | float():
            return not missing(units(f"{value:g}", language), quote)
        case str():
            if normalise(value) and normalise(value) in normalise(quote):
                return True
            if missing(units(value, language), quote):
                return False
            terms, said = content_terms(value, language), set(content_terms(quote, language))
            return bool(terms) and sum(term in said for term in terms) >= share * len(terms)
