"""An answer that is only what its writer was told about the fault of an earlier one.

Small models that are told "the draft is about something else" sometimes answer just that, in English or in
the language of the chat. Our own reasons are known word for word; a judge's may hold the right answer, so
of those only talk about the draft counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher
from functools import cache

import regex

from rag.language.sentences import markers_pattern, sentences
from rag.language.tables import compiled
from rag.reasons import Reason
from rag.values import Finding, Verdict

_WORD = regex.compile(r"[\p{L}\p{M}\p{N}]+")
_LEAST_WORDS = 3
_SAME = 0.8


def find(text: str, told: Sequence[Verdict], known: str) -> Finding | None:
    """Find that a whole text only says what was wrong with an earlier one.

    Args:
        text: The text.
        told: The verdicts that sent earlier texts back; without any nothing was told.
        known: What the text may talk about: the question, the conversation, the passages.
    """
    own = [str(one.reason) for one in told if one.source != "judge"]
    if told and (_is_one_of(text, own) or _is_about_draft(text, known)):
        return Finding("leftover", "critical", 0, len(text), Reason("text-repeats-fault"))
    return None


@cache
def _about_draft() -> regex.Pattern[str]:
    return compiled(lambda one: one.drafts.about_draft)


@cache
def _no_words() -> regex.Pattern[str]:
    return regex.compile(rf"</?\w+>|{markers_pattern()}")


def _is_one_of(text: str, reasons: Sequence[str]) -> bool:
    words = _words(text)
    return any(
        len(reason) >= _LEAST_WORDS and SequenceMatcher(None, words, reason).ratio() >= _SAME
        for reason in map(_words, reasons)
    )


def _is_about_draft(text: str, known: str) -> bool:
    said = sentences(_no_words().sub(" ", text))
    return (
        bool(said)
        and all(_about_draft().search(sentence.text) for sentence in said)
        and not _about_draft().search(known)
    )


def _words(text: str) -> list[str]:
    return _WORD.findall(_no_words().sub(" ", text).casefold())
