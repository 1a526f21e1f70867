"""The report on labelled pairs as a page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bot.evaluate.contrast import WRONG_SHARES, CheckedText, Contrasted, ContrastReport
from bot.evaluate.page import Bar, Card, Page, Part, Table, Words, percent

_MOST_SHOWN = 60


def of_contrast(report: ContrastReport, subtitle: str) -> Page:
    """Verified texts by kind and language, and the pairs that were judged incorrectly."""
    found = report.to_json()
    passed = [one for one in report.contrasted if one.wrong.is_verified]
    missed = [one for one in report.contrasted if not one.right.is_verified]
    return Page(
        "Whether verified means verified",
        subtitle,
        (
            Card(percent(found["right_verified"]), "right texts called verified"),
            Card(
                percent(found["wrong_verified"]), "wrong texts called verified", found["wrong_verified"] > 0
            ),
            *(
                Card(percent(found["right_at_wrong"][str(share)]), f"right ones at {percent(share)} wrong")
                for share in WRONG_SHARES
            ),
            Card(f"{found['ms']['p50']:.0f} / {found['ms']['p95']:.0f} ms", "median / 95th percentile"),
        ),
        (
            (
                Part("By kind", table=_groups(found["by_kind"], "kind")),
                Part("By language", table=_groups(found["by_language"], "language")),
            ),
            (Part(f"Wrong but called verified: {len(passed)}", table=_pairs(passed)),) if passed else (),
            (Part(f"Right but not called verified: {len(missed)}", table=_pairs(missed), is_folded=True),)
            if missed
            else (),
        ),
    )


def _groups(groups: Mapping[str, Mapping[str, Any]], name: str) -> Table:
    rows = [
        (
            key,
            group["rows"],
            Bar(group["right_verified"]),
            Bar(group["wrong_verified"]),
            *(Bar(group["right_at_wrong"][str(share)]) for share in WRONG_SHARES),
        )
        for key, group in groups.items()
    ]
    curve = (f"right at {percent(share)} wrong" for share in WRONG_SHARES)
    return Table((name, "pairs", "right verified", "wrong verified", *curve), rows)


def _pairs(found: Sequence[Contrasted]) -> Table:
    rows = [
        (
            one.row.id,
            Words(one.row.question),
            *(
                cell
                for text, checked in ((one.row.right, one.right), (one.row.wrong, one.wrong))
                for cell in (Words(text), _said(checked))
            ),
        )
        for one in found[:_MOST_SHOWN]
    ]
    return Table(("id", "question", "right text", "carried", "wrong text", "carried"), rows)


def _said(text: CheckedText) -> str:
    return f"{percent(text.probability)}, vetoed" if text.is_vetoed else percent(text.probability)
