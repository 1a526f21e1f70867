"""An answer that says nothing."""

from __future__ import annotations

from collections.abc import Iterator

import regex

from rag.checks.subject import Subject
from rag.reasons import Reason
from rag.values import Finding

# Letters, digits and symbols; a thumb is an answer, three dots are not.
_SAYS_SOMETHING = regex.compile(r"[\p{L}\p{N}\p{So}\p{Sc}\p{Sm}]")


def says_something(text: str) -> bool:
    """Whether `text` holds more than white space and punctuation."""
    return _SAYS_SOMETHING.search(text) is not None


def find(subject: Subject) -> Iterator[Finding]:
    """Find the whole text when it is empty."""
    if not says_something(subject.text):
        yield Finding("empty", "critical", 0, len(subject.text), Reason("text-empty"))
