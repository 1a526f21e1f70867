"""``thinktwice stats``: what was asked, what came of it, and what it took."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from rich.console import Console
from rich.text import Text

from bot.answer_json import savings_to_json, usage_to_json
from bot.clock import utcnow
from bot.settings.tree import Settings
from bot.statistics import periods
from bot.statistics.values import Statistics
from bot.storage import data_folder
from bot.storage.answered import StoredAnswers
from bot.storage.database import FILE_NAME, open_database
from bot.terminal import drawing
from bot.views import blocks
from bot.views.statistics import view
from rag import prices
from rag.values import LABELS, Usage


def stats(overrides: dict[str, object], *, days: int | None, as_json: bool) -> int:
    """Show the figures of today, 7 and 30 days, or of one period of `days` that ends today."""
    settings = Settings.load(**overrides)
    data_folder.check_data(settings)
    console = Console()
    wanted = periods.DAYS if days is None else (days,)
    now = utcnow()
    if settings.database_url.get_secret_value() or (settings.data_dir / FILE_NAME).exists():
        found = asyncio.run(_summed(settings, wanted, now))
    else:
        # Looking leaves no database behind.
        if not as_json:
            sentence = f"Nothing was asked yet: there are no figures in {settings.data_dir}."
            console.print(Text(sentence, "dim"), soft_wrap=True)
            return 0
        found = {days: Statistics(periods.since(now, days), now) for days in wanted}
    if as_json:
        rows = [{"days": days, **to_json(sums)} for days, sums in found.items()]
        print(json.dumps({"currency": settings.prices.currency, "periods": rows}))  # noqa: T201 - the output
    else:
        show(console, found, settings.prices.currency)
    return 0


async def _summed(settings: Settings, wanted: Sequence[int], now: datetime) -> dict[int, Statistics]:
    async with open_database(settings.data_dir, settings.database_url.get_secret_value()) as database:
        stored = StoredAnswers(database)
        return {days: await stored.summary(periods.since(now, days), now) for days in wanted}


def to_json(sums: Statistics) -> dict[str, Any]:
    """Return a period as plain data; every label is there, with 0 when it never came."""
    latency = sums.latency
    return {
        "since": sums.since.isoformat(),
        "until": sums.until.isoformat(),
        "questions": sums.questions,
        "people": sums.people,
        "labels": {label: sums.labels.get(label, 0) for label in LABELS},
        "used_documents": sums.used_documents,
        "usage": usage_to_json(sums.usage),
        "savings": savings_to_json(sums.savings),
        "seconds": {"p50": round(latency.p50, 3), "p95": round(latency.p95, 3)} if latency else None,
        "useful": sums.useful,
        "wrong": sums.wrong,
    }


def show(console: Console, found: dict[int, Statistics], currency: str) -> None:
    """Print the periods side by side, the roles of the longest one, and what was saved in it."""
    longest = found[max(found)]
    if not longest.questions and not longest.usage.calls:
        console.print(Text(f"Nothing was asked {_during(max(found))}.", style="dim"))
        return
    titles = {periods.title(days): sums for days, sums in found.items()}
    longest_title = periods.title(max(found))
    members = {
        f"{seat}, {step}": part
        for seat, steps in longest.usage.by_seat.items()
        for step, part in steps.items()
    }
    roles = _roles(longest.usage, currency)
    seats = _roles(Usage(by_role=members), currency)
    shown = (
        *view(titles, currency, "en"),
        blocks.Section(f"By role, {longest_title}:", (roles,)),
        *(
            (blocks.Section(f"By member of the council and stage, {longest_title}:", (seats,)),)
            if members
            else ()
        ),
    )
    drawing.show(console, shown)
    console.print()
    console.print(Text(saved(longest), style="green" if longest.savings.calls else "dim"))
    if longest.usage.unpriced_calls:
        hint = f"{longest.usage.unpriced_calls:,} calls have no price: set prices.models for their models."
        console.print(Text(hint, style="yellow"))


def saved(sums: Statistics) -> str:
    """Say what judging every text would have cost, beyond what it did cost."""
    savings, judge = sums.savings, sums.usage.by_role.get("judge", Usage())
    more = f"Judging everything would have cost {savings.calls:,} calls and {savings.tokens:,} tokens more"
    share = savings.tokens / (savings.tokens + judge.tokens) if savings.tokens else 0.0
    return f"{more}: {share:.0%} of all judging was saved." if share else f"{more}."


def _roles(usage: Usage, currency: str) -> blocks.Table:
    headings = ("role", "calls", "tokens read", "tokens written", "seconds", "cost")
    rows = (
        (
            role,
            f"{part.calls:,}",
            f"{part.input_tokens:,}",
            f"{part.output_tokens:,}",
            f"{part.seconds:,.1f}",
            prices.worded(part, currency),
        )
        for role, part in usage.by_role.items()
    )
    return blocks.table(headings, rows)


def _during(days: int) -> str:
    return "today" if days == 1 else f"in the last {days} days"
