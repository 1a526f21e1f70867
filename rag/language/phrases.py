"""Recognise small talk and follow-ups by everyday phrases.

All languages are tried at once: a greeting needs no language detection, and chats mix languages.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import regex

from rag.language.characters import normalise_characters
from rag.language.fields import Phrases
from rag.language.tables import Conversation, compile_pattern, languages
from rag.reasons import Reason

_SPACED = regex.compile(r"[\p{L}\p{M}\p{N}]+(?:['’-][\p{L}\p{M}\p{N}]+)*")
_UNSPACED = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]")
_LAUGHTER = regex.compile(
    r"(?:a?(?:(?:ha){2,}|(?:he){2,}|(?:hi){2,}|(?:ja){2,}|(?:je){2,}|(?:ji){2,})[hj]?|(?:wk){2,}w?|k{3,}|rs(?:rs)+|l+o+l+"
    r"|[аa]?(?:ха|хе|хи|ах){2,}х?|[\u110f\u1112]+)"
)
"""A word of laughter of any length: jajaja, wkwk, хаха, ㅋㅋㅋ."""
_UNSPACED_LAUGHTER = regex.compile("[哈呵嘿嘻]{2,}")
_MAX_SMALL_TALK_WORDS = 12
_MAX_FOLLOW_UP_WORDS = 8
_MAX_FOLLOW_UP_CHARACTERS = 12


@dataclass(frozen=True)
class _Phrases:
    doubts: frozenset[str]
    small_talk: frozenset[str]
    fillers: frozenset[str]
    follow_up: tuple[str, ...]
    pointers: frozenset[str]
    unspaced_pointers: tuple[str, ...]
    resolved: frozenset[str]
    asking: frozenset[str]
    longest: int


def _normalise(text: str) -> str:
    folded = normalise_characters(text).casefold().replace("’", "'")
    return " ".join(_SPACED.findall(folded))


def _has_unspaced_script(text: str) -> bool:
    return bool(_UNSPACED.search(text))


@cache
def _phrases() -> _Phrases:
    def every(pick: Callable[[Conversation], Phrases]) -> dict[str, None]:
        picked = (phrase for one in languages().values() for phrase in pick(one.conversation))
        return dict.fromkeys(map(_normalise, picked))

    pointers = every(lambda one: one.pointers)
    doubts = every(lambda one: one.doubts)
    follow_up = every(lambda one: one.follow_up) | doubts
    small_talk = every(lambda one: one.small_talk)
    return _Phrases(
        doubts=frozenset(doubts),
        small_talk=frozenset(small_talk),
        fillers=frozenset(every(lambda one: one.fillers)),
        follow_up=tuple(sorted(follow_up, key=len, reverse=True)),
        pointers=frozenset(pointers),
        unspaced_pointers=tuple(sorted(filter(_has_unspaced_script, pointers), key=len, reverse=True)),
        resolved=frozenset(pointers | every(lambda one: one.resolved)),
        asking=frozenset(every(lambda one: one.asking)),
        longest=max(len(phrase.split()) for phrase in small_talk),
    )


def _is_segmentable(text: str, bank: frozenset[str], fillers: frozenset[str]) -> bool:
    """Return whether a text without spaces is a chain of phrases, at least one of them not a filler."""
    # best[i] is None if text[:i] is not a chain, else whether the chain has a phrase that is not a filler.
    best: list[bool | None] = [None] * (len(text) + 1)
    best[0] = False
    for end in range(1, len(text) + 1):
        for start in range(max(0, end - 12), end):
            before = best[start]
            if before is None:
                continue
            piece = text[start:end]
            if piece in bank:
                best[end] = True
            elif piece in fillers and best[end] is None:
                best[end] = before
    return best[-1] is True


def is_small_talk(text: str) -> bool:
    """Return whether a message consists only of social phrases ("thanks a lot!", "你好", emoji)."""
    bank = _phrases()
    normal = _normalise(text)
    if not normal:
        # Emoji and punctuation alone are a reaction, not a question.
        return bool(text.strip()) and "?" not in text and "？" not in text
    normal = " ".join("haha" if _LAUGHTER.fullmatch(word) else word for word in normal.split())
    normal = _UNSPACED_LAUGHTER.sub("哈哈", normal)
    if normal in bank.small_talk:
        return True
    if _has_unspaced_script(normal):
        return len(normal) <= _MAX_SMALL_TALK_WORDS * 2 and _is_segmentable(
            normal.replace(" ", ""), bank.small_talk, bank.fillers
        )
    words = normal.split()
    if len(words) > _MAX_SMALL_TALK_WORDS:
        return False
    found, position = False, 0
    while position < len(words):
        for length in range(min(bank.longest, len(words) - position), 0, -1):
            if " ".join(words[position : position + length]) in bank.small_talk:
                found, position = True, position + length
                break
        else:
            if words[position] not in bank.fillers:
                return False
            position += 1
    return found


def is_doubt(text: str) -> bool:
    """Return whether a message only asks whether the last answer is true: "Are you sure?"."""
    return _normalise(text) in _phrases().doubts


def resolved_words() -> frozenset[str]:
    """Return words that refer back; a standalone rewrite replaces them by what they refer to."""
    return _phrases().resolved


def asking_words() -> frozenset[str]:
    """Return words that only ask ("how many") and name nothing."""
    return _phrases().asking


def follow_up_reason(text: str) -> Reason | None:
    """Return why a message depends on the conversation; None if it does not.

    Only short messages count, because a long one names its own subject.
    """
    bank = _phrases()
    normal = _normalise(text)
    if not normal:
        return Reason("only-punctuation")
    if _has_unspaced_script(normal):
        packed = normal.replace(" ", "")
        if len(packed) > _MAX_FOLLOW_UP_CHARACTERS:
            return None
        for phrase in bank.follow_up:
            if _has_unspaced_script(phrase) and packed.startswith(phrase.replace(" ", "")):
                return Reason("begins-with", {"phrase": phrase})
        pointer = next((p for p in bank.unspaced_pointers if p in packed), "")
        return Reason("points-back", {"word": pointer}) if pointer else None
    words = normal.split()
    if len(words) > _MAX_FOLLOW_UP_WORDS:
        return None
    for phrase in bank.follow_up:
        if normal == phrase or normal.startswith(phrase + " "):
            return Reason("begins-with", {"phrase": phrase})
    pointer = next((word for word in words if word in bank.pointers), "")
    return Reason("points-back", {"word": pointer}) if pointer else None


def points_back(sentence: str) -> bool:
    """Return whether a sentence begins with a word for something before it: "It listens on port 8443."."""
    bank = _phrases()
    words = _normalise(sentence).split()[:1]
    return any(word in bank.pointers or word.startswith(bank.unspaced_pointers) for word in words)


@cache
def _summary() -> regex.Pattern[str]:
    return compile_pattern(lambda one: one.conversation.summary)


@cache
def _talk() -> regex.Pattern[str]:
    return compile_pattern(lambda one: one.conversation.talk)


def asks_for_summary(text: str) -> bool:
    """Return whether a message asks to sum something up: "summarise the handbook"."""
    return _summary().search(normalise_characters(text)) is not None


def asks_for_summary_of_talk(text: str) -> bool:
    """Return whether a message asks to sum the conversation up, not a document."""
    return asks_for_summary(text) and _talk().search(normalise_characters(text)) is not None
