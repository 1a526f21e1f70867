"""Check a model's text without calling a model, and repair what can be repaired that way.

Each of them has ``find(subject) -> Iterator[Finding]``; `Severity` in `rag.values.verdicts` says what follows
from a finding. The words that a check looks for stand in `rag/language/data`, never in code. A check stays
as long as it finds faults that models made (`bench/own_faults.py`); `bench/free_layers.py` counts these,
inserted ones, and false alarms.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rag.checks import edits, empty, leftovers, length, markup, repetition, truncation
from rag.checks import language as language_check
from rag.checks.empty import says_something
from rag.checks.subject import Subject
from rag.values import Finding, FindingKind, FinishReason

__all__ = ["repair", "run", "says_something"]

_MAX_REPAIRS = 200
_HARMLESS: frozenset[FindingKind] = frozenset({"broken_markup", "citation"})


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
        language: ISO 639-1 code of the language it should be in; empty skips that check.
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
    checks = (language_check.find, length.find, leftovers.find, markup.find)
    findings = [*loops, *(finding for find in checks for finding in find(subject))]
    if sum(finding.severity == "fixable" for finding in findings) > _MAX_REPAIRS:
        # Repairing each would take seconds: the text is written again, unless they are harmless.
        findings = [
            replace(finding, severity="info" if finding.kind in _HARMLESS else "critical")
            if finding.severity == "fixable"
            else finding
            for finding in findings
        ]
    findings += truncation.find(_cut_trailing_leftovers(subject, findings))
    if not says_something(_apply_repairs(text, findings)):
        # The repairs would leave nothing, so the text must be rewritten.
        findings = [
            replace(finding, severity="critical") if finding.severity == "fixable" else finding
            for finding in findings
        ]
    return tuple(sorted(findings, key=lambda finding: (finding.start, finding.end)))


def _cut_trailing_leftovers(subject: Subject, findings: Sequence[Finding]) -> Subject:
    """Return the subject without leftovers at its end, so that the end of the answer itself is checked."""
    whole = end = len(subject.text.rstrip())
    for finding in sorted(findings, key=lambda finding: finding.end, reverse=True):
        if finding.kind in {"leftover", "thoughts"} and finding.start < end <= finding.end:
            end = len(subject.text[: finding.start].rstrip())
    return subject if end == whole else subject.until(end)


def repair(text: str, findings: Sequence[Finding]) -> str:
    """Repair the ``fixable`` findings in a text; return it unchanged if the repairs would leave nothing."""
    repaired = _apply_repairs(text, findings)
    return repaired if says_something(repaired) else text


def _apply_repairs(text: str, findings: Sequence[Finding]) -> str:
    replacements = {"stray_characters": language_check.replacement, "broken_markup": markup.replacement}
    return edits.apply(
        text,
        [
            edits.Edit(
                finding.start,
                finding.end,
                replacements[finding.kind](text, finding) if finding.kind in replacements else "",
            )
            for finding in findings
            if finding.severity == "fixable"
        ],
    )
