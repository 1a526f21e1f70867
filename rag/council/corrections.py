"""Whether a correction may replace the answer it was made from. One reason against it is enough.

A model that corrects itself can also spoil its answer: it may refuse, answer in another language, repeat
its prompt, or drop what it had right. The original then stands, and the reason is kept.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from rag.checks import says_something
from rag.language.scripts import dominant_script
from rag.models.tokens import estimate_tokens
from rag.values import FinishReason
from rag.values.council import FallbackReason

MIN_LENGTH_SHARE = 0.3
"""A correction shorter than this share of the original has lost it. A guess: short critiques ask for shorter
answers, and the sets of `evaluate council` decide whether it stays."""

_ECHO_WORDS = 12
"""So many words in a row that only the prompt holds were copied from it."""

_CITATION = re.compile(r"\[(\d{1,3})\]")


def find_objection(
    original: str,
    corrected: str | None,
    *,
    finish_reason: FinishReason = "stop",
    is_refusal: bool = False,
    holding_citations: Collection[int] = (),
    prompt: str = "",
) -> FallbackReason | None:
    """Say why a correction must not replace the original, or return None.

    Args:
        corrected: The correction; None when the reply held no text.
        is_refusal: The correction declines to answer although the original answered.
        holding_citations: Numbers of the passages that the original cites and that support it.
        prompt: The instructions that the member was given, without texts of the conversation.
    """
    if corrected is None or not says_something(corrected):
        return "empty"
    if finish_reason == "length":
        return "cut_off"
    if is_refusal:
        return "refused"
    if is_echo(corrected, prompt, original):
        return "echo"
    if dominant_script(corrected) != dominant_script(original):
        return "other_language"
    if estimate_tokens(corrected) < MIN_LENGTH_SHARE * estimate_tokens(original):
        return "too_short"
    if set(holding_citations) - {int(number) for number in _CITATION.findall(corrected)}:
        return "lost_citation"
    return None


def is_echo(text: str, prompt: str, original: str) -> bool:
    """Whether a text copies a stretch of its instructions that the text it was made from did not hold."""
    known = _stretches(prompt) - _stretches(original)
    return not known.isdisjoint(_stretches(text))


def _stretches(text: str) -> set[tuple[str, ...]]:
    words = text.casefold().split()
    return {tuple(words[start : start + _ECHO_WORDS]) for start in range(len(words) - _ECHO_WORDS + 1)}
