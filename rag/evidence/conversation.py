"""What a conversation has stated: the part of it that may support an answer.

A question states nothing, and neither does a sentence that declines: whoever repeats "the documents do not
say it" gives no answer, however often it was said before.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from rag.evidence import bank
from rag.evidence.coverage import share
from rag.evidence.statements import declines
from rag.language import phrases
from rag.language.sentences import sentences
from rag.language.words import content_terms
from rag.values import Turn

_ASKING = ("?", "？", "؟")
_CLOSING = " \t\n\"'”’»)）]】」』*_~"

_SPOKEN_OF = 0.6
"""Share of a question, by rare words, that must stand in what is about it."""


@dataclass(frozen=True, slots=True)
class Told:
    """Something that was said.

    Args:
        stated: Its sentences that state something.
        around: The whole of it, with the message that it answers: what it is about.
    """

    stated: str
    around: str


def told(turns: Iterable[Turn], summary: str = "") -> tuple[Told, ...]:
    """What messages and a summary of earlier ones state, oldest first.

    Args:
        turns: The messages that count, oldest first.
        summary: What fell out of the window; its sentences count one by one, each with the one before it.
    """
    found: list[Told] = []
    before = ""
    for sentence in _stating(summary):
        found.append(Told(sentence, f"{before} {sentence}"))
        before = sentence
    asked = ""
    for turn in turns:
        around = f"{asked}\n{turn.text}" if turn.role == "assistant" else turn.text
        if stated := "\n".join(_stating(turn.text)):
            found.append(Told(stated, around))
        asked = turn.text if turn.role == "user" else asked
    return tuple(found)


def asked(turns: Iterable[Turn]) -> tuple[str, ...]:
    """The sentences that ask something."""
    return tuple(
        sentence.text for turn in turns for sentence in sentences(turn.text) if _is_asking(sentence.text)
    )


def speaks_of(one: Told, asked: Mapping[str, float], language: str) -> bool:
    """Whether something that was said is about a question.

    Args:
        one: What was said.
        asked: The question's content terms with their weights.
        language: ISO 639-1 code of the question.
    """
    named = {term: weight for term, weight in asked.items() if term not in _asking_terms(language)}
    return share(named, frozenset(content_terms(one.around, language))) >= _SPOKEN_OF


@lru_cache(maxsize=64)
def _asking_terms(language: str) -> frozenset[str]:
    return frozenset(term for word in phrases.asking_words() for term in content_terms(word, language))


def _is_asking(sentence: str) -> bool:
    return sentence.rstrip(_CLOSING).endswith(_ASKING)


@lru_cache(maxsize=512)  # the same messages are read for every text that is checked
def _stating(text: str) -> tuple[str, ...]:
    return tuple(
        sentence.text
        for sentence in sentences(text)
        if not _is_asking(sentence.text) and not declines(bank.fold(sentence.text))
    )
