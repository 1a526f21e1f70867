"""Prints the findings of ``thinktwice doctor`` as a list in the terminal, or as JSON."""

from __future__ import annotations

import json
from dataclasses import asdict

from rich.console import Console
from rich.text import Text

from bot.doctor.checks import Finding, examine
from bot.settings.tree import Settings

_UNSOUND = 1


def doctor(overrides: dict[str, object], *, as_json: bool) -> int:
    """Check the set-up; return 0 when everything is sound, or will be with the first question; else 1.

    Raises:
        ThinkTwiceError: the settings themselves cannot be read.
    """
    findings = examine(Settings.load(**overrides))
    if as_json:
        print(json.dumps([asdict(finding) for finding in findings], ensure_ascii=False))  # noqa: T201
    else:
        console = Console()
        for finding in findings:
            mark, style = _mark(finding)
            line = Text.assemble((f"{mark} ", style), f"{finding.part}: {finding.detail}")
            console.print(line, soft_wrap=True)
            if finding.remedy:
                console.print(Text(f"    → {finding.remedy}", style="yellow"), soft_wrap=True)
    return 0 if all(finding.is_sound or finding.is_pending for finding in findings) else _UNSOUND


def _mark(finding: Finding) -> tuple[str, str]:
    if finding.is_sound:
        return "✔", "green"
    return ("○", "cyan") if finding.is_pending else ("✘", "red")
