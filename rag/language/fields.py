"""The types of the values in language files."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict


def _split_words(written: object) -> object:
    return tuple(str(written).split()) if isinstance(written, str | int | float) else written


def _split_phrases(written: object) -> object:
    return tuple(phrase.strip() for phrase in written.split(",")) if isinstance(written, str) else written


Words = Annotated[tuple[str, ...], BeforeValidator(_split_words)]
"""Words, separated by spaces."""
Phrases = Annotated[tuple[str, ...], BeforeValidator(_split_phrases)]
"""Phrases, separated by commas, or a list."""
Months = tuple[Words, ...]
"""Rows of words, for example one for each month; a row can be empty."""
Pattern = str
"""A regular expression; an empty one is never tried."""


class Section(BaseModel):
    """A part of a language file; unknown keys are refused."""

    model_config = ConfigDict(extra="forbid", frozen=True)
