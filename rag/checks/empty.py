"""Find an answer without content."""

from __future__ import annotations

from collections.abc import Iterator

import regex

from rag.checks.subject import Subject
from rag.language.sentences import without_markers
from rag.reasons import Reason
from rag.values import Finding

# Letters, digits and symbols: a thumbs-up is an answer, three dots are not.
_SAYS_SOMETHING = regex.compile(r"[\p{L}\p{N}\p{So}\p{Sc}\p{Sm}]")


def says_something(text: str) -> bool:
    """Return whether `text` has more than white space and punctuation."""
    return _SAYS_SOMETHING.search(text) is not None


def find(subject: Subject) -> Iterator[Finding]:
    """Yield one finding for the whole text if it is empty, or if it only cites."""
    if not says_something(subject.text if subject.passage_count is None else without_markers(subject.text)):
        yield Finding("empty", "critical", 0, len(subject.text), Reason("text-empty"))
