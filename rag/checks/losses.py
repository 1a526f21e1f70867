"""Decide whether a repair loses part of the answer.

No model and no person reviews a repair. So the words, figures and negations of a text must stay the same and
in the same order. Only what a finding names as a whole can be removed; `_may_go` defines this for each kind.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final

import regex

from rag.checks.language import unify_alphabets
from rag.checks.repetition import LIST_MARK
from rag.language.markdown import blank
from rag.language.negation import denies
from rag.language.sentences import marker_runs, without_markers
from rag.language.tables import compile_pattern
from rag.values import Finding, FindingKind

# A figure includes its sign and its unit sign: "-3.5 %" without its sign is another figure.
_UNSPACED = r"\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}"
_WORD = regex.compile(
    rf"""
    [<>≤≥±≠−+-]? \p{{N}}++ (?:[.,:/'’-]\p{{N}}++)*+ (?:\s{{0,3}}[%‰°])?
    | [{_UNSPACED}]
    | (?:(?![{_UNSPACED}])[\p{{L}}\p{{M}}])++ | \p{{Sc}}
    """,
    regex.VERBOSE,
)
TAKING_AWAY: Final[frozenset[FindingKind]] = frozenset({"citation", "leftover", "repetition", "thoughts"})
"""Kinds whose repair removes the stretch of the finding. Other repairs only exchange letters and marks."""
_FIGURE = regex.compile(r"\p{N}")


@cache
def _courtesy() -> regex.Pattern[str]:
    return compile_pattern(lambda one: one.drafts.courteous_denials)


def is_lossless(before: str, findings: Sequence[Finding], after: str, said: str = "") -> bool:
    """Return whether `after` has every word of `before` except what the findings can remove.

    Args:
        before: The text as it was checked.
        findings: The findings that were repaired.
        after: The repaired text.
        said: The text in front of `before`, if `before` is a part of a text.
    """
    gone = [finding for finding in findings if finding.kind in TAKING_AWAY]
    if not all(_may_go(before, finding, said) for finding in gone):
        return False
    return _words(blank(before, [(finding.start, finding.end) for finding in gone])) == _words(after)


def states_no_fact(phrase: str) -> bool:
    """Return whether a phrase has no figure and no negation, polite ones ("don't hesitate") aside."""
    return not (_FIGURE.search(phrase) or denies(_courtesy().sub(" ", phrase)))


def _may_go(text: str, finding: Finding, said: str) -> bool:
    """Return whether the stretch of a finding is complete and states nothing of the answer."""
    stretch = text[finding.start : finding.end]
    match finding.kind:
        case "thoughts":
            return True
        case "citation":
            bare = stretch.strip("()（）")
            start = finding.start + stretch.find(bare)
            return any(run.start() <= start and start + len(bare) <= run.end() for run in marker_runs(text))
        case "repetition":
            return _repeats(
                _words(said + text[: finding.start]), _words(without_markers(LIST_MARK.sub("", stretch)))
            )
        case _:
            return states_no_fact(stretch)


def _repeats(said: Sequence[str], again: Sequence[str]) -> bool:
    """Return whether all words of `again` are in `said`; the last one may be cut off."""
    return set(said).issuperset(again[:-1]) and all(
        any(word.startswith(last) for word in said) for last in again[-1:]
    )


def _words(text: str) -> list[str]:
    """Return the words and figures in order, with look-alike letters of two alphabets unified."""
    return ["".join(unify_alphabets(word.group()).casefold().split()) for word in _WORD.finditer(text)]
