"""Extract what a conversation has stated: the part of it that can support an answer.

Questions state nothing, and neither do refusals: "the documents do not say it" is not an answer, however
often it was said before.
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

_MIN_ABOUT_SHARE = 0.6
"""Minimum share of a question's words, weighted by rarity, in an utterance that is about it."""


@dataclass(frozen=True, slots=True)
class Utterance:
    """A statement of the conversation.

    Args:
        stated: Its sentences that state something.
        around: Its whole text and the message that it answers, which show what it is about.
    """

    stated: str
    around: str


def utterances(turns: Iterable[Turn], summary: str = "") -> tuple[Utterance, ...]:
    """Return the statements of messages and of the summary of earlier ones, oldest first.

    Args:
        turns: The messages that count, oldest first.
        summary: Summary of older messages; each of its sentences counts separately, with the one before it.
    """
    found: list[Utterance] = []
    before = ""
    for sentence in _stating_sentences(summary):
        found.append(Utterance(sentence, f"{before} {sentence}"))
        before = sentence
    asked = ""
    for turn in turns:
        around = f"{asked}\n{turn.text}" if turn.role == "assistant" else turn.text
        if stated := "\n".join(_stating_sentences(turn.text)):
            found.append(Utterance(stated, around))
        asked = turn.text if turn.role == "user" else asked
    return tuple(found)


def asked(turns: Iterable[Turn]) -> tuple[str, ...]:
    """Return the sentences that ask something."""
    return tuple(
        sentence.text for turn in turns for sentence in sentences(turn.text) if _is_asking(sentence.text)
    )


def is_about(one: Utterance, asked: Mapping[str, float], language: str) -> bool:
    """Return whether an utterance is about a question.

    Args:
        one: What was said.
        asked: The question's content terms with their weights.
        language: ISO 639-1 code of the question.
    """
    named = {term: weight for term, weight in asked.items() if term not in _asking_terms(language)}
    return share(named, frozenset(content_terms(one.around, language))) >= _MIN_ABOUT_SHARE


@lru_cache(maxsize=64)
def _asking_terms(language: str) -> frozenset[str]:
    return frozenset(term for word in phrases.asking_words() for term in content_terms(word, language))


def _is_asking(sentence: str) -> bool:
    return sentence.rstrip(_CLOSING).endswith(_ASKING)


@lru_cache(maxsize=512)  # the same messages are read for every text that is checked
def _stating_sentences(text: str) -> tuple[str, ...]:
    return tuple(
        sentence.text
        for sentence in sentences(text)
        if not _is_asking(sentence.text) and not declines(bank.fold(sentence.text))
    )
