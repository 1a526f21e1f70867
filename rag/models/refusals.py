"""Tell a refusal to help, which a model writes as its text, from an answer that says that it knows none."""

from __future__ import annotations

from functools import cache
from typing import Final

import regex

from rag.language import tables
from rag.language.characters import normalise_characters
from rag.language.fields import Pattern

_LONGEST = 500
_CITATION: Final = regex.compile(r"\[\d")
_UNSAFE: Final = regex.compile(r"unsafe(?:\s{1,3}s\d{1,2}(?:, ?s\d{1,2})*+)?")
"""What Llama Guard says of a conversation that it lets nobody answer."""
_SENTENCE_END: Final = regex.compile(r"[.!?;。!?；]")


def is_refusal(reply: str) -> bool:
    """Return whether a reply without its thinking refuses to help, and says nothing else.

    A reply that also says what the documents or the model do not know is an answer.
    """
    if not reply.strip() or len(reply) > _LONGEST or _CITATION.search(reply):
        return False
    text = " ".join(normalise_characters(reply).casefold().replace("’", "'").split())
    if _UNSAFE.fullmatch(text):
        return True
    refusing, ignorant = _patterns()
    refused = next(filter(None, (pattern.match(text) for pattern in refusing)), None)
    if refused is None:
        return False
    rest = (one.strip() for one in _SENTENCE_END.split(text[refused.end() :]))
    return not any(
        pattern.search(one)
        for one in rest
        if not any(again.match(one) for again in refusing)
        for pattern in ignorant
    )


@cache
def _patterns() -> tuple[tuple[regex.Pattern[str], ...], tuple[regex.Pattern[str], ...]]:
    texts = [one.evidence for one in tables.languages().values()]

    def compiled(patterns: tuple[Pattern, ...]) -> list[regex.Pattern[str]]:
        return [regex.compile(pattern) for pattern in patterns]

    refusing = (pattern for one in texts for pattern in compiled(one.refusing))
    ignorant = (pattern for one in texts for pattern in compiled((*one.declining, *one.ignorance)))
    return tuple(refusing), tuple(ignorant)
