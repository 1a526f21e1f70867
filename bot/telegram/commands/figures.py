"""What was asked and what it took, and what the documents did not answer."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from functools import partial
from typing import Final

from bot.clock import local
from bot.statistics import periods
from bot.statistics.picture import Words, statistics_png
from bot.statistics.values import Statistics
from bot.telegram.commands.context import Context, Key, Keys, Reply, Told, shorten
from bot.telegram.rendering import LIMIT, duration, money, number, share, table_parts, text_parts
from bot.telegram.typed_numbers import read_number
from rag.values import LABELS

DAYS: Final = "stats"

_UNANSWERED_DAYS: Final = 30
_MOST_UNANSWERED: Final = 20
_QUESTION_CHARACTERS: Final = 150


@dataclass(frozen=True, slots=True)
class Period:
    """What a button of `/stats` carries: how many days, and the picture that it takes the place of, or 0."""

    days: int
    picture: int = 0


async def stats(context: Context) -> None:
    """Show the figures of a period: a picture, a table, and buttons for the other periods."""
    if context.argument not in {"", *map(str, periods.DAYS)}:
        await context.say("stats-how")
        return
    await _show(context, int(context.argument or periods.DAYS[1]), 0)


def read_period(text: str) -> Period | None:
    """Read what a button carries; None for what none of ours does."""
    days, _, picture = text.partition(":")
    if days not in map(str, periods.DAYS):
        return None
    return Period(int(days), read_number(picture) or 0)


async def press_days(context: Context, period: Period) -> Told:
    """Show another period in the place of the one before."""
    await _show(context, period.days, period.picture)
    return Told()


async def _show(context: Context, days: int, old_picture: int) -> None:
    services = context.services
    if old_picture:
        place = context.shown.of(context.place) if context.shown else context.place
        await context.do("clear", partial(services.delivery.delete, place, old_picture))

    async def look() -> Statistics:
        now = services.clock()
        return await services.answers.summary(periods.since(now, days), now)

    figures: Statistics = await context.do("look", look)
    picture = 0
    if figures.questions:
        picture = await context.do("picture", partial(_send_picture, context, figures, days))
    keys = (
        tuple(
            Key(_marked(context, other, is_chosen=other == days), f"{DAYS}:{other}:{picture}")
            for other in periods.DAYS
        ),
    )
    await context.show(_table(context, figures, days, keys))


def _marked(context: Context, days: int, *, is_chosen: bool) -> str:
    title = _title(context, days)
    return context.text("button-chosen", button=title) if is_chosen else title


def _title(context: Context, days: int) -> str:
    return context.text("stats-today") if days == 1 else context.text("stats-days", days=days)


def _table(context: Context, figures: Statistics, days: int, keys: Keys) -> Reply:
    title = context.text("stats-title", period=_title(context, days))
    if not figures.questions and not figures.usage.calls:
        return Reply.of(f"{title}\n{context.text('stats-nothing')}", keys)
    parts = table_parts(("", ""), rows(context, figures), title=title)
    return Reply(parts[:1], keys)


def rows(context: Context, figures: Statistics) -> list[tuple[str, str]]:
    """Return the figures as rows of a name and a value."""
    language, usage = context.language, figures.usage

    def count(value: float) -> str:
        return number(value, language)

    def shared(part: int) -> str:
        if not figures.questions:
            return count(part)
        return f"{count(part)} ({share(part, figures.questions, language)})"

    latency = figures.latency
    return [
        (context.text("stats-questions"), count(figures.questions)),
        (context.text("stats-people"), count(figures.people)),
        *((context.text(f"stats-label-{label}"), shared(figures.labels.get(label, 0))) for label in LABELS),
        (context.text("stats-documents"), shared(figures.used_documents)),
        ("👍 / 👎", f"{count(figures.useful)} / {count(figures.wrong)}"),
        (context.text("stats-half"), duration(latency.p50, language) if latency else "–"),
        (context.text("stats-most"), duration(latency.p95, language) if latency else "–"),
        (context.text("stats-calls"), count(usage.calls)),
        (context.text("stats-tokens"), f"{count(usage.input_tokens)} + {count(usage.output_tokens)}"),
        (context.text("stats-cost"), money(usage, context.services.settings.prices.currency, language)),
        (context.text("stats-saved"), count(figures.savings.calls)),
        *(
            (f"– {context.text(f'saved-{layer}')}", count(saved.calls))
            for layer, saved in figures.savings.by_layer.items()
        ),
    ]


async def _send_picture(context: Context, figures: Statistics, days: int) -> int:
    words = Words(
        context.text("stats-picture-questions"),
        context.text("stats-picture-seconds"),
        context.text("stats-picture-half"),
        context.text("stats-picture-most"),
        context.text("stats-nothing"),
        {label: context.text(f"stats-label-{label}") for label in LABELS},
    )
    image = await asyncio.to_thread(statistics_png, figures, words)
    place = context.shown.of(context.place) if context.shown else context.place
    return await context.services.delivery.send_photo(place, image, _title(context, days))


async def unanswered(context: Context) -> None:
    """List what the documents should tell and do not, the most frequent question first."""

    async def look() -> Reply:
        services = context.services
        since = periods.since(services.clock(), _UNANSWERED_DAYS)
        groups = await services.answers.unanswered(since, _MOST_UNANSWERED)
        if not groups:
            return Reply.of(context.text("unanswered-none", days=_UNANSWERED_DAYS))
        listed = [
            context.text(
                "unanswered-line",
                count=group.count,
                question=shorten(group.text, _QUESTION_CHARACTERS),
                last=f"{local(group.last_asked):%Y-%m-%d}",
            )
            for group in groups
        ]
        title = context.text("unanswered-title", days=_UNANSWERED_DAYS)
        return Reply(text_parts("\n".join([title, *listed]), LIMIT))

    await context.show(await context.do("look", look))
