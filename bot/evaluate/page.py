"""One self-contained HTML page, without scripts and without external fonts or pictures."""

from __future__ import annotations

import base64
import html
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest

_STYLE = """
:root{--ink:#1f2933;--muted:#616e7c;--line:#e4e7eb;--accent:#0f766e;--bad:#b91c1c;--soft:#f5f7fa}
*{box-sizing:border-box}
body{margin:0;background:var(--soft);color:var(--ink);
font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif}
main{max-width:1080px;margin:0 auto;padding:2rem 1.2rem 4rem}
h1{font-size:1.6rem;margin:0}h2{font-size:1.05rem;margin:0 0 .7rem}
header p{color:var(--muted);margin:.3rem 0 1.4rem;overflow-wrap:anywhere}
.cards{display:grid;grid-template-columns:repeat(auto-fit,minmax(9.5rem,1fr));gap:.8rem;margin-bottom:.8rem}
.card,section{background:#fff;border:1px solid var(--line);border-radius:10px}
.card{padding:.8rem 1rem}
.card b{display:block;font-size:1.35rem;line-height:1.3;font-weight:650}
.card span{color:var(--muted);font-size:.85rem}.card.bad b{color:var(--bad)}
.columns{display:grid;grid-template-columns:repeat(auto-fit,minmax(26rem,1fr));gap:.8rem}
section{padding:1.1rem 1.2rem;margin-bottom:.8rem;overflow-x:auto}
.columns>section{margin:0}.columns{margin-bottom:.8rem}
section p.note{color:var(--muted);font-size:.87rem;margin:.6rem 0 0;max-width:75ch}
img{max-width:100%;height:auto;display:block;margin:0 auto}
table{border-collapse:collapse;width:100%;font-size:.86rem}
th,td{padding:.32rem .45rem;text-align:right;border-bottom:1px solid var(--line);
font-variant-numeric:tabular-nums;vertical-align:top}
td:not(.text):not(:first-child){white-space:nowrap}
th{color:var(--muted);font-weight:600;white-space:nowrap}
th:first-child,td:first-child,.text{text-align:left}
td.text{min-width:11rem;overflow-wrap:anywhere}
td.bar{background:linear-gradient(90deg,#ccece8 var(--share),transparent var(--share)) no-repeat}
tr:last-child td{border-bottom:0}
summary{cursor:pointer;font-weight:600}details[open] summary{margin-bottom:.7rem}
@media(max-width:600px){.columns{grid-template-columns:1fr}}
@media print{body{background:#fff}section,.card{break-inside:avoid}}
"""


@dataclass(frozen=True, slots=True)
class Card:
    """A figure at the top of the page."""

    value: str
    name: str
    is_bad: bool = False


@dataclass(frozen=True, slots=True)
class Bar:
    """A share that is drawn as a bar behind its number in a table."""

    share: float


@dataclass(frozen=True, slots=True)
class Words:
    """A text from the measured data in a table."""

    text: str


Cell = str | int | float | Bar | Words | None


@dataclass(frozen=True, slots=True)
class Table:
    """Headings and rows; the first column is the name of the row."""

    headings: Sequence[str]
    rows: Sequence[Sequence[Cell]]


@dataclass(frozen=True, slots=True)
class Part:
    """A framed part of the page.

    Args:
        title: Its heading.
        plot: SVG, or an empty string.
        alternative: Description of the plot for those who cannot see it.
        table: Table below the plot.
        note: One or two sentences below everything.
        is_folded: Collapsed until the reader opens it.
    """

    title: str
    plot: str = ""
    alternative: str = ""
    table: Table | None = None
    note: str = ""
    is_folded: bool = False


@dataclass(frozen=True, slots=True)
class Page:
    """A report: cards, then rows of parts beside each other."""

    title: str
    subtitle: str
    cards: Sequence[Card] = ()
    parts: Sequence[Sequence[Part]] = field(default_factory=tuple)

    def to_html(self) -> str:
        """The page."""
        rows = (_row(parts) for parts in self.parts if parts)
        return (
            '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
            '<meta name="viewport" content="width=device-width,initial-scale=1">'
            f"<title>{html.escape(self.title)}</title><style>{_STYLE}</style></head><body><main>"
            f"<header><h1>{html.escape(self.title)}</h1><p>{html.escape(self.subtitle)}</p></header>"
            f'<div class="cards">{"".join(map(_card, self.cards))}</div>'
            f"{''.join(rows)}</main></body></html>\n"
        )


def percent(share: float | None) -> str:
    """A share as a percentage."""
    return "–" if share is None else f"{100 * share:.1f} %"


def _row(parts: Sequence[Part]) -> str:
    inner = "".join(map(_part, parts))
    return f'<div class="columns">{inner}</div>' if len(parts) > 1 else inner


def _card(card: Card) -> str:
    kind = "card bad" if card.is_bad else "card"
    return f'<div class="{kind}"><b>{html.escape(card.value)}</b><span>{html.escape(card.name)}</span></div>'


def _part(part: Part) -> str:
    picture = ""
    if part.plot:
        # As an image, so that the ids inside one plot cannot clash with those of another.
        encoded = base64.b64encode(part.plot.encode()).decode()
        source = f"data:image/svg+xml;base64,{encoded}"
        picture = f'<img alt="{html.escape(part.alternative or part.title)}" src="{source}">'
    inner = picture + (_table(part.table) if part.table else "")
    if part.note:
        inner += f'<p class="note">{html.escape(part.note)}</p>'
    title = html.escape(part.title)
    if part.is_folded:
        return f"<section><details><summary>{title}</summary>{inner}</details></section>"
    return f"<section><h2>{title}</h2>{inner}</section>"


def _table(table: Table) -> str:
    first = table.rows[0] if table.rows else ()
    head = "".join(
        f'<th class="text">{html.escape(heading)}</th>'
        if isinstance(cell, Words)
        else f"<th>{html.escape(heading)}</th>"
        for heading, cell in zip_longest(table.headings, first[: len(table.headings)])
    )
    body = "".join(f"<tr>{_cells(row)}</tr>" for row in table.rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _cells(row: Iterable[Cell]) -> str:
    return "".join(map(_cell, row))


def _cell(cell: Cell) -> str:
    if isinstance(cell, Bar):
        return f'<td class="bar" style="--share:{100 * cell.share:.1f}%">{percent(cell.share)}</td>'
    if isinstance(cell, Words):
        return f'<td class="text" dir="auto">{html.escape(cell.text)}</td>'
    if isinstance(cell, float):
        return f"<td>{cell:,.3g}</td>" if abs(cell) < 10 else f"<td>{cell:,.0f}</td>"
    if cell is None:
        return "<td>–</td>"
    return f"<td>{html.escape(f'{cell:,}' if isinstance(cell, int) else cell)}</td>"
