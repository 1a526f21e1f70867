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
from rag.language.units import missing, units
from rag.language.words import content_terms
from rag.values import Turn

_ASKING = ("?", "？", "؟")
_CLOSING = " \t\n\"'”’»)）]】」』*_~"

_MIN_ABOUT_SHARE = 0.6
"""Minimum share of a question's words, weighted by rarity, in an utterance that is about it."""
_MAX_UNTOLD_SHARE = 0.4
"""Maximum share of a text's words beyond its question that a conversation lacks which tells it."""


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
    """Return the statements of messages and of the summary of earlier ones, oldest first."""
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


def tells(told: str, text: str, question: str, language: str) -> bool:
    """Return whether a conversation has what a text says beyond its question: every fact, most words."""
    asked = frozenset(content_terms(question, language))
    said = frozenset(content_terms(text, language)) - asked - _asking_terms(language)
    lacking = said - frozenset(content_terms(told, language))
    # Some words are those of whoever tells it again: "you asked … and the answer was …".
    is_told = len(lacking) <= max(1, _MAX_UNTOLD_SHARE * len(said)) and len(lacking) < len(said)
    return is_told and not missing(units(text), f"{question}\n{told}")


def is_about(one: Utterance, asked: Mapping[str, float], language: str) -> bool:
    """Return whether an utterance is about a question."""
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
