"""Write the characters of a text in one way, so that texts can be compared."""

from __future__ import annotations

import unicodedata

import regex

from rag.language.han import simplify

_DEGREES = regex.compile(r"\u00ba(?=\s?[CF]\b)")
_RAISED_LETTERS = regex.compile(r"(?<=\d)\.?[\u00aa\u00ba]")
"""The letter of a Spanish ordinal; NFKC turns "12.ª" into "12.a", which looks like code."""


def normalise_characters(text: str) -> str:
    """Return `text` in NFKC and simplified Chinese, "12.ª" as "12", and "25 ºC" with the sign of degrees."""
    plain = _RAISED_LETTERS.sub("", _DEGREES.sub("\u00b0", text))
    return simplify(unicodedata.normalize("NFKC", plain))
