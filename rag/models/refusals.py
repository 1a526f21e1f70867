"""Tell a refusal to help, which a model writes as its text, from an answer that says that it knows none."""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple

import regex

from rag.language import tables
from rag.language.characters import normalise_characters
from rag.language.fields import Pattern

_MOST_CHARACTERS = 500
_MOST_WORDS = 60
_MOST_WIDE = 200
_MOST_WORDS_OF_OBJECT = 2
_MOST_OF_OBJECT = 20
_UNSAFE: Final = regex.compile(r"unsafe(?:\s{1,3}s\d{1,2}(?:, ?s\d{1,2})*+)?")
"""What Llama Guard says of a conversation that it lets nobody answer."""
_SENTENCE: Final = regex.compile(r"[^.!?;。]+[.!?;。]?")
_WIDE: Final = regex.compile(r"[\p{Han}\p{Hangul}\p{Hiragana}\p{Katakana}]")
_COMMA: Final = regex.compile(r"[,、:]")
_DIGIT: Final = regex.compile(r"\d")


class _Patterns(NamedTuple):
    refusing: tuple[regex.Pattern[str], ...]
    offering: tuple[regex.Pattern[str], ...]
    ignorant: tuple[regex.Pattern[str], ...]


def is_refusal(reply: str) -> bool:
    """Return whether a reply without its thinking refuses to help, and says nothing else.

    Beside a refusal may stand an offer of other help, a reason in rules of safety, and a question. A reply
    that says more, or that says what the documents or the model do not know, is an answer: a refusal taken
    for an answer costs less than an answer taken for a refusal.
    """
    if not reply.strip() or len(reply) > _MOST_CHARACTERS:
        return False
    text = " ".join(normalise_characters(reply).casefold().replace("’", "'").split())
    if _UNSAFE.fullmatch(text):
        return True
    if _DIGIT.search(text) or len(text.split()) > _MOST_WORDS or len(_WIDE.findall(text)) > _MOST_WIDE:
        return False
    patterns = _read_patterns()
    refused = next(filter(None, (pattern.match(text) for pattern in patterns.refusing)), None)
    if refused is None:
        return False
    behind = text[refused.end() :]
    if not refused[0].endswith((".", "!", ";", "。", ",", ":")) and (object_ := _SENTENCE.match(behind)):
        said = object_[0].rstrip(".!;。 ")
        width = len(said) + len(_WIDE.findall(said))
        is_short = len(said.split()) <= _MOST_WORDS_OF_OBJECT and width <= _MOST_OF_OBJECT
        if is_short and not _COMMA.search(said):
            behind = behind[object_.end() :]
    return all(_may_stand_beside(one.strip(" ,\"'*"), patterns) for one in _SENTENCE.findall(behind))


def _may_stand_beside(sentence: str, patterns: _Patterns) -> bool:
    plain = sentence.rstrip(".!?;。 ")
    if not plain or any(pattern.match(sentence) for pattern in patterns.refusing):
        return True
    if any(pattern.search(plain) for pattern in patterns.offering):
        return True
    is_question = sentence.endswith("?")
    return is_question and not any(pattern.search(plain) for pattern in patterns.ignorant)


@cache
def _read_patterns() -> _Patterns:
    texts = [one.evidence for one in tables.languages().values()]

    def compiled(patterns: tuple[Pattern, ...]) -> list[regex.Pattern[str]]:
        return [regex.compile(pattern) for pattern in patterns]

    return _Patterns(
        tuple(pattern for one in texts for pattern in compiled(one.refusing)),
        tuple(pattern for one in texts for pattern in compiled(one.offering)),
        tuple(pattern for one in texts for pattern in compiled((*one.declining, *one.ignorance))),
    )
