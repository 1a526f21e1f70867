"""Check a model's text without calling a model, and repair what can be repaired that way.

Checks, each with ``find``:

    language, leftovers, length, markup   listed in `_CHECKS`, in any order
    empty, repetition, truncation         called by `run` itself: the first two before the others, because
                                          they decide how much is left to check, and `truncation` after them
    parroting                             called by `rag.steps.evaluate`, because it needs the verdicts on
                                          earlier drafts

Tools of the checks:

    subject       a text with the question that it answers; every check but `parroting` gets it
    edits         replaces stretches of a text, and repairs the gaps
    losses        decides whether a repair loses part of the answer
    disclaimers   counts disclaimers, for the comparison of two versions in `rag.runs.replacement`

To add a check, write a module with ``find(subject) -> Iterator[Finding]``, add it to `_CHECKS`, and name the
kind of its findings in `FindingKind` (`rag.values.verdicts`); `Severity` there says what follows from each
severity. The words that a check looks for stand in `rag/language/data`, never in code. If its findings are
``fixable``, add a ``replacement(text, finding)`` for their kind to `_REPLACEMENTS`. A repair sees only the
text and the span. It must be deterministic, leave nothing that its check would find again, keep every word of
the answer and leave code blocks unchanged. `rag.checks.losses` defines what each kind of finding may remove;
a repair that removes more is not applied. `bench/free_layers.py` counts false alarms and, of faults that it
inserts, those that are found.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from rag.checks import edits, empty, language, leftovers, length, losses, markup, repetition, truncation
from rag.checks.empty import says_something
from rag.checks.subject import Subject
from rag.values import Finding, FindingKind, FinishReason

__all__ = ["repair", "run", "says_something"]

_CHECKS: tuple[Callable[[Subject], Iterator[Finding]], ...] = (
    language.find,
    length.find,
    leftovers.find,
    markup.find,
)

_REPLACEMENTS: dict[FindingKind, Callable[[str, Finding], str]] = {
    "stray_characters": language.replacement,
    "leftover": lambda _text, _finding: "",
    "thoughts": lambda _text, _finding: "",
    "broken_markup": markup.replacement,
    "citation": lambda _text, _finding: "",
    "repetition": lambda _text, _finding: "",
}

_HARMLESS: frozenset[FindingKind] = frozenset({"broken_markup", "citation"})

_CONTEXT_CHARACTERS = 60
"""Characters before and after a finding that are compared to see whether its repair loses anything."""

_MAX_REPAIRS = 200
"""A text with more faults than this is rewritten, not repaired: repairing each fault would take seconds."""
_MAX_SINGLE_REPAIRS = 50
_MAX_ROUNDS = 10
"""A repair can uncover another fault. Only a text built to nest faults needs more rounds than this."""


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
        asked: The message it answers. Text that the message asks for is not a fault.
        passage_count: How many passages ``[n]`` may point to; None when no citations are expected.
        known: Texts in that language which it may copy from; foreign words in them are allowed.

    Returns:
        Findings in the order of the text. An empty text has one finding.
    """
    subject = Subject.of(text, language, finish_reason, asked, passage_count, known)
    if found := tuple(empty.find(subject)):
        return found
    loops = list(repetition.find(subject))
    if loops and loops[-1].end == len(text) and loops[-1].severity == "fixable":
        # The loop hit the token limit, not the answer: the text before the loop is complete.
        subject = replace(subject.until(loops[-1].start), finish_reason="stop")
    findings = [*loops, *(finding for check in _CHECKS for finding in check(subject))]
    if sum(finding.severity == "fixable" for finding in findings) > _MAX_REPAIRS:
        findings = [_refuse_repair(finding) for finding in findings]
    findings = [_refuse_lossy_repair(text, finding) for finding in findings]
    findings += truncation.find(_cut_trailing_leftovers(subject, findings))
    taking_away = [finding for finding in findings if finding.kind in losses.TAKING_AWAY]
    if not (
        says_something(_apply_repairs(text, findings)) and says_something(_apply_repairs(text, taking_away))
    ):
        # The repairs would leave nothing, so the text must be rewritten. `taking_away` is tried alone because
        # unwrapping a link around a prompt delimiter would keep the delimiter.
        findings = [
            replace(finding, severity="critical") if finding.severity == "fixable" else finding
            for finding in findings
        ]
    return tuple(sorted(findings, key=lambda finding: (finding.start, finding.end)))


def _refuse_lossy_repair(text: str, finding: Finding) -> Finding:
    """Return the finding, marked as not repairable if its repair would remove a word of the answer."""
    if finding.severity != "fixable":
        return finding
    # Compare the surroundings only: a text can have thousands of faults.
    begin, end = max(0, finding.start - _CONTEXT_CHARACTERS), finding.end + _CONTEXT_CHARACTERS
    around = text[begin:end]
    moved = replace(finding, start=finding.start - begin, end=finding.end - begin)
    said = text[:begin] if finding.kind == "repetition" else ""
    if losses.is_lossless(around, [moved], _apply_repairs(around, [moved]), said):
        return finding
    return _refuse_repair(finding)


def _refuse_repair(finding: Finding) -> Finding:
    """Return a fixable finding as ``info`` if it is harmless, else as ``critical`` (rewrite the text)."""
    if finding.severity != "fixable":
        return finding
    return replace(finding, severity="info" if finding.kind in _HARMLESS else "critical")


def _cut_trailing_leftovers(subject: Subject, findings: Sequence[Finding]) -> Subject:
    """Return the subject without leftovers at its end, so that the end of the answer itself is checked."""
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
    """Repair a text without a model.

    Args:
        text: The text that was checked.
        findings: What `run` found in it; only ``fixable`` findings are repaired.

    Returns:
        The repaired text, or the same text if the repairs would lose part of the answer or leave nothing.
    """
    spared = {text[found.start : found.end] for found in _find_fixable(text)} - {
        text[finding.start : finding.end] for finding in findings
    }
    repaired, pending = text, list(findings)
    # A repair can uncover another fault. Each round shortens the text or closes its last block.
    for _ in range(_MAX_ROUNDS):
        pending = [one for one in pending if _refuse_lossy_repair(repaired, one).severity == "fixable"]
        mended = _apply_repairs(repaired, pending)
        if not losses.is_lossless(repaired, pending, mended):
            mended = _apply_one_by_one(repaired, pending)
        if not pending or not says_something(mended):
            break
        repaired = mended
        pending = [found for found in _find_fixable(mended) if mended[found.start : found.end] not in spared]
    return repaired


def _apply_one_by_one(text: str, findings: Sequence[Finding]) -> str:
    """Apply the repairs that lose nothing on their own: two harmless repairs together can join words."""
    for finding in sorted(findings, key=lambda finding: finding.start, reverse=True)[:_MAX_SINGLE_REPAIRS]:
        mended = _apply_repairs(text, [finding])
        text = mended if losses.is_lossless(text, [finding], mended) else text
    return text


def _find_fixable(text: str) -> list[Finding]:
    """Find the fixable faults that show in the text alone. The question may have asked for some of them."""
    subject = Subject.of(text, "", "stop", "", None)
    found = (finding for check in (*_CHECKS, repetition.find) for finding in check(subject))
    return [finding for finding in found if finding.severity == "fixable"]


def _apply_repairs(text: str, findings: Sequence[Finding]) -> str:
    """Return `text` after one round of repairs."""
    return edits.apply(
        text,
        [
            edits.Edit(finding.start, finding.end, _REPLACEMENTS[finding.kind](text, finding))
            for finding in findings
            if finding.severity == "fixable" and finding.kind in _REPLACEMENTS
        ],
    )
