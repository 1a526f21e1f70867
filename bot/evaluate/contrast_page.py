"""The report on labelled pairs as a page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bot.evaluate.contrast import CheckedText, Contrasted, ContrastReport
from bot.evaluate.page import Bar, Card, Page, Part, Table, Words, percent

_MOST_SHOWN = 60


def of_contrast(report: ContrastReport, subtitle: str) -> Page:
    """Verified texts by kind and language, and the pairs that were judged incorrectly."""
    found = report.to_json()
    written = found["written"]
    passed = [
        one for one in report.contrasted if one.draft.wrong.is_verified or one.written.wrong.is_verified
    ]
    missed = [
        one
        for one in report.contrasted
        if not one.draft.right.is_verified or not one.written.right.is_verified
    ]
    return Page(
        "Whether verified means verified",
        subtitle,
        (
            Card(percent(found["right_verified"]), "right drafts called verified"),
            Card(
                percent(found["wrong_verified"]), "wrong drafts called verified", found["wrong_verified"] > 0
            ),
            Card(percent(written["right_verified"]), "right, written from passages"),
            Card(percent(written["wrong_verified"]), "wrong, written", written["wrong_verified"] > 0),
            Card(percent(found["decided_free"]), "of the texts: no model called"),
            Card(f"{found['ms']['p50']:.0f} / {found['ms']['p95']:.0f} ms", "median / 95th percentile"),
        ),
        (
            (
                Part("By kind", table=_groups(found["by_kind"], "kind")),
                Part("By language", table=_groups(found["by_language"], "language")),
            ),
            (Part(f"Wrong but called verified: {len(passed)}", table=_wrong(passed)),) if passed else (),
            (Part(f"Right but not called verified: {len(missed)}", table=_right(missed), is_folded=True),)
            if missed
            else (),
        ),
    )


def _groups(groups: Mapping[str, Mapping[str, Any]], name: str) -> Table:
    rows = [
        (
            key,
            group["rows"],
            *(
                Bar(part[share])
                for part in (group, group["written"])
                for share in ("right_verified", "wrong_verified")
            ),
        )
        for key, group in groups.items()
    ]
    return Table((name, "pairs", "right drafts", "wrong drafts", "right, written", "wrong, written"), rows)


def _wrong(found: Sequence[Contrasted]) -> Table:
    rows = [
        (
            one.row.id,
            Words(one.row.question),
            Words(one.row.wrong),
            Words(one.row.right),
            _said(one.draft.wrong),
            _said(one.written.wrong),
        )
        for one in found[:_MOST_SHOWN]
    ]
    return Table(("id", "question", "wrong text", "right would be", "draft", "written"), rows)


def _right(found: Sequence[Contrasted]) -> Table:
    rows = [
        (
            one.row.id,
            Words(one.row.question),
            Words(one.row.right),
            _said(one.draft.right),
            _said(one.written.right),
            Words(str(one.written.right.verdict.reason)),
        )
        for one in found[:_MOST_SHOWN]
    ]
    return Table(("id", "question", "right text", "draft", "written", "because"), rows)


def _said(text: CheckedText) -> str:
    return text.label.replace("_", " ")
