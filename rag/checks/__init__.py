"""Free checks on a text, before any model is asked, and the repairs that need none.

To add a check: write a module beside the others with ``find(subject) -> Iterator[Finding]``, add it to
`_CHECKS`, and, when its findings are ``fixable``, give their kind a ``replacement(text, finding)`` in
`_REPLACEMENTS`. A repair only sees the text and the place: it must be deterministic, leave nothing
that its check finds again, and never take away a word of the answer or change the inside of a code block.
`rag.checks.losses` says what a kind of finding may take away; a repair that takes more is not made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from rag.checks import edits, empty, language, leftovers, length, losses, markup, repetition, truncation
from rag.checks.empty import says_something
from rag.checks.subject import Subject
from rag.values import Finding, FinishReason

__all__ = ["repair", "run", "says_something"]

_CHECKS: tuple[Callable[[Subject], Iterator[Finding]], ...] = (
    language.find,
    length.find,
    leftovers.find,
    markup.find,
)

_REPLACEMENTS: dict[str, Callable[[str, Finding], str]] = {
    "stray_characters": language.replacement,
    "leftover": lambda _text, finding: finding.leaves,
    "thoughts": lambda _text, _finding: "",
    "broken_markup": markup.replacement,
    "citation": lambda _text, _finding: "",
    "repetition": lambda _text, _finding: "",
}

_HARMLESS = frozenset({"broken_markup", "citation"})

_SURROUNDINGS = 60
"""Characters on either side of a fault that its repair may touch; a figure is shorter."""

_MOST_REPAIRS = 200
"""A text with more faults than this is broken as a whole: mending each of them would take seconds."""
_MOST_SINGLE_REPAIRS = 50
_ROUNDS = 10
"""What repairs lay open is repaired so often; only a text built to nest faults needs more."""


def run(
    text: str,
    *,
    language: str,
    finish_reason: FinishReason = "stop",
    asked: str = "",
    passage_count: int | None = None,
    known: str = "",
) -> tuple[Finding, ...]:
    """Check a text that a model wrote.

    Args:
        text: The text.
        language: ISO 639-1 code of the language it should be in; empty skips that check.
        finish_reason: Why the model stopped.
        asked: The message it answers; what that asks for is no fault.
        passage_count: How many passages ``[n]`` may point to; None when no citations are expected.
        known: Texts in that language which it may copy from: a foreign word in them is no slip.

    Returns:
        Findings in the order of the text; an empty text has that finding alone.
    """
    subject = Subject.of(text, language, finish_reason, asked, passage_count, known)
    if found := tuple(empty.find(subject)):
        return found
    loops = list(repetition.find(subject))
    if loops and loops[-1].end == len(text) and loops[-1].severity == "fixable":
        # A loop is what ran into the token limit, not the answer: what comes before it is the whole.
        subject = replace(subject.until(loops[-1].start), finish_reason="stop")
    findings = [*loops, *(finding for check in _CHECKS for finding in check(subject))]
    if sum(finding.severity == "fixable" for finding in findings) > _MOST_REPAIRS:
        findings = [_left_alone(finding) for finding in findings]
    findings = [_repairable(text, finding) for finding in findings]
    findings += truncation.find(_without_tail(subject, findings))
    taking_away = [finding for finding in findings if finding.kind in losses.TAKING_AWAY]
    if not (says_something(_mended(text, findings)) and says_something(_mended(text, taking_away))):
        # Nothing is left when all of it goes: that is no text to repair but one to write again. A link
        # around a delimiter of the prompt would leave the delimiter.
        findings = [
            replace(finding, severity="critical") if finding.severity == "fixable" else finding
            for finding in findings
        ]
    return tuple(sorted(findings, key=lambda finding: (finding.start, finding.end)))


def _repairable(text: str, finding: Finding) -> Finding:
    """The finding; where its repair would take away a word of the answer, that of a text to write again.

    Broken markup and a number in brackets hurt nobody, so they stay.
    """
    if finding.severity != "fixable":
        return finding
    # Looked at in its surroundings only: a text may hold thousands of faults.
    begin, end = max(0, finding.start - _SURROUNDINGS), finding.end + _SURROUNDINGS
    around = text[begin:end]
    moved = replace(finding, start=finding.start - begin, end=finding.end - begin)
    said = text[:begin] if finding.kind == "repetition" else ""
    if losses.is_lossless(around, [moved], _mended(around, [moved]), said):
        return finding
    return _left_alone(finding)


def _left_alone(finding: Finding) -> Finding:
    """The finding as one that is not repaired: it stays where it hurts nobody, else the text goes back."""
    if finding.severity != "fixable":
        return finding
    return replace(finding, severity="info" if finding.kind in _HARMLESS else "critical")


def _without_tail(subject: Subject, findings: Sequence[Finding]) -> Subject:
    """The text without the leftovers at its end: what they hide is where the answer ends."""
    whole = end = len(subject.text.rstrip())
    for finding in sorted(findings, key=lambda finding: finding.end, reverse=True):
        if (
            finding.kind in {"leftover", "thoughts"}
            and finding.severity == "fixable"
            and finding.start < end <= finding.end
        ):
            end = len(subject.text[: finding.start].rstrip())
    return subject if end == whole else subject.until(end)


def repair(text: str, findings: Sequence[Finding]) -> str:
    """Mend what can be mended without a model.

    Args:
        text: The text that was checked.
        findings: What `run` found in it; only the ``fixable`` ones are mended.

    Returns:
        The text without these faults; the same text when nothing would be left of it, or less than it says.
    """
    spared = {text[found.start : found.end] for found in _marks(text)} - {
        text[finding.start : finding.end] for finding in findings
    }
    repaired, pending = text, list(findings)
    # Taking one thing away can lay another open; each round shortens the text or closes its last block.
    for _ in range(_ROUNDS):
        pending = [one for one in pending if _repairable(repaired, one).severity == "fixable"]
        mended = _mended(repaired, pending)
        if not losses.is_lossless(repaired, pending, mended):
            mended = _mended_one_by_one(repaired, pending)
        if not pending or not says_something(mended):
            break
        repaired = mended
        pending = [found for found in _marks(mended) if mended[found.start : found.end] not in spared]
    return repaired


def _mended_one_by_one(text: str, findings: Sequence[Finding]) -> str:
    """`text` after the repairs that lose nothing: two that are none by themselves may glue words together."""
    for finding in sorted(findings, key=lambda finding: finding.start, reverse=True)[:_MOST_SINGLE_REPAIRS]:
        mended = _mended(text, [finding])
        text = mended if losses.is_lossless(text, [finding], mended) else text
    return text


def _marks(text: str) -> list[Finding]:
    """The fixable findings that need no more than the text itself; some may be what was asked for."""
    subject = Subject.of(text, "", "stop", "", None)
    found = (*leftovers.find(subject), *markup.find(subject), *repetition.find(subject))
    return [finding for finding in found if finding.severity == "fixable"]


def _mended(text: str, findings: Sequence[Finding]) -> str:
    """`text` after one round of repairs."""
    return edits.apply(
        text,
        [
            edits.Edit(finding.start, finding.end, _REPLACEMENTS[finding.kind](text, finding))
            for finding in findings
            if finding.severity == "fixable" and finding.kind in _REPLACEMENTS
        ],
    )
