"""What a repair may take away: whole parts that are no part of the answer, and never a word of the answer.

A repair is made without a model and told to nobody. So the words of a text, its figures and its denials
stand in the repaired text as they stood before, in the same order; only what the finding names as a whole
may go, and each kind of finding says what that is.
"""

from __future__ import annotations

from collections.abc import Sequence

import regex

from rag.checks.language import in_one_alphabet
from rag.checks.phrases import COURTEOUS_DENIAL
from rag.checks.repetition import LIST_MARK
from rag.language.markdown import blank
from rag.language.negation import denies
from rag.language.sentences import MARKER
from rag.values import Finding

# A figure is one with its sign and its unit sign: "-3.5 %" that loses the sign is another figure.
_UNSPACED = r"\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}"
_WORD = regex.compile(
    rf"""
    [<>≤≥±≠−+-]? \p{{N}}++ (?:[.,:/'’-]\p{{N}}++)*+ (?:\s{{0,3}}[%‰°])?
    | [{_UNSPACED}]
    | (?:(?![{_UNSPACED}])[\p{{L}}\p{{M}}])++ | \p{{Sc}}
    """,
    regex.VERBOSE,
)
TAKING_AWAY = frozenset({"citation", "leftover", "repetition", "thoughts"})
"""Kinds whose repair takes away what the finding names; the others only exchange letters and marks."""
_FIGURE = regex.compile(r"\p{N}")
_COURTESY = regex.compile(COURTEOUS_DENIAL, regex.VERBOSE | regex.IGNORECASE)
_MARKER = regex.compile(MARKER)


def is_lossless(before: str, findings: Sequence[Finding], after: str, said: str = "") -> bool:
    """Whether `after` says everything that `before` says, but for what the findings may take away.

    Args:
        before: The text as it was checked.
        findings: The findings that were repaired.
        after: The repaired text.
        said: What stands in front of `before`, if that is a part of a text.
    """
    gone = [finding for finding in findings if finding.kind in TAKING_AWAY]
    if not all(_may_go(before, finding, said) for finding in gone):
        return False
    return _words(blank(before, [(finding.start, finding.end) for finding in gone])) == _words(after)


def states_nothing(phrase: str) -> bool:
    """Whether a phrase of a chatbot holds neither a figure nor a denial, politeness left out."""
    return not (_FIGURE.search(phrase) or denies(_COURTESY.sub(" ", phrase)))


def _may_go(text: str, finding: Finding, said: str) -> bool:
    """Whether the stretch that a finding names is a whole that says nothing of the answer."""
    stretch = text[finding.start : finding.end]
    match finding.kind:
        case "thoughts":
            return True
        case "citation":
            return any(
                marker.start() <= finding.start and finding.end <= marker.end()
                for marker in _MARKER.finditer(text)
            )
        case "repetition":
            return _is_said_before(_words(said + text[: finding.start]), _words(LIST_MARK.sub("", stretch)))
        case _:
            return states_nothing(stretch)


def _is_said_before(said: Sequence[str], again: Sequence[str]) -> bool:
    """Whether every word stands before; the last one may be cut off."""
    return set(said).issuperset(again[:-1]) and all(
        any(word.startswith(last) for word in said) for last in again[-1:]
    )


def _words(text: str) -> list[str]:
    """The words and figures in order; look-alike letters of two alphabets count as the same."""
    return ["".join(in_one_alphabet(word.group()).casefold().split()) for word in _WORD.finditer(text)]
