"""Find an answer that only repeats why an earlier draft was rejected.

Small models that are told "the draft is about something else" sometimes answer exactly that. Our own reasons
are compared word for word. A judge's reason may contain the right answer, so there only sentences about "the
draft" count.
"""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher
from functools import cache

import regex

from rag.language.sentences import markers_pattern, sentences
from rag.language.tables import compile_pattern
from rag.reasons import Reason
from rag.values import Finding, Verdict

_WORD = regex.compile(r"[\p{L}\p{M}\p{N}]+")
_MIN_WORDS = 3
_SAME_RATIO = 0.8


def find(text: str, told: Sequence[Verdict], known: str) -> Finding | None:
    """Return a finding if the whole text only says what was wrong with an earlier draft, else None.

    Args:
        text: The text.
        told: Verdicts on earlier drafts that the writer saw; empty if it saw none.
        known: What the text can be about: the question, the conversation, the passages.
    """
    own = [str(one.reason) for one in told if one.source != "judge"]
    if told and (_is_one_of(text, own) or _is_about_draft(text, known)):
        return Finding("leftover", "critical", 0, len(text), Reason("text-repeats-fault"))
    return None


@cache
def _about_draft() -> regex.Pattern[str]:
    return compile_pattern(lambda one: one.drafts.about_draft)


@cache
def _tags_and_markers() -> regex.Pattern[str]:
    return regex.compile(rf"</?\w+>|{markers_pattern()}")


def _is_one_of(text: str, reasons: Sequence[str]) -> bool:
    words = _words(text)
    return any(
        len(reason) >= _MIN_WORDS and SequenceMatcher(None, words, reason).ratio() >= _SAME_RATIO
        for reason in map(_words, reasons)
    )


def _is_about_draft(text: str, known: str) -> bool:
    said = sentences(_tags_and_markers().sub(" ", text))
    return (
        bool(said)
        and all(_about_draft().search(sentence.text) for sentence in said)
        and not _about_draft().search(known)
    )


def _words(text: str) -> list[str]:
    return _WORD.findall(_tags_and_markers().sub(" ", text).casefold())
