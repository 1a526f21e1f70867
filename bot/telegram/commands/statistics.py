"""`/stats` and `/unanswered`: usage figures, and questions that the documents did not answer."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from functools import partial
from typing import Final

from bot.clock import local
from bot.statistics import periods
from bot.statistics.picture import Words, statistics_png
from bot.statistics.values import Statistics
from bot.telegram.commands.context import Context, Key, Keys, Reply, Told
from bot.telegram.ids import read_number
from bot.telegram.outbound.messages import send_file
from bot.telegram.rendering import draw
from bot.telegram.rendering.characters import shorten
from bot.views.statistics import view

DAYS: Final = "stats"

_UNANSWERED_DAYS: Final = 30
_MOST_UNANSWERED: Final = 20
_QUESTION_CHARACTERS: Final = 150


@dataclass(frozen=True, slots=True)
class Period:
    """The payload of a button of `/stats`: the number of days, and the id of the picture to replace, or 0."""

    days: int
    picture: int = 0


async def stats(context: Context) -> None:
    """Carry out `/stats`: show a picture and a table of a period, with buttons for the other periods."""
    if context.argument not in {"", *map(str, periods.DAYS)}:
        await context.say("stats-how")
        return
    await _show(context, int(context.argument or periods.DAYS[1]), 0)


def read_period(text: str) -> Period | None:
    """Parse the payload of a button of `/stats`; return None for anything else."""
    days, _, picture = text.partition(":")
    if days not in map(str, periods.DAYS):
        return None
    return Period(int(days), read_number(picture) or 0)


async def press_days(context: Context, period: Period) -> Told:
    """Carry out a press of a period: show that period instead of the one before."""
    await _show(context, period.days, period.picture)
    return Told()


async def _show(context: Context, days: int, old_picture: int) -> None:
    services = context.services
    if old_picture:
        place = context.shown.of(context.place) if context.shown else context.place
        await context.do("clear", partial(services.delivery.delete, place, old_picture))

    async def look() -> Statistics:
        now = services.clock()
        return await services.parts.answers.summary(periods.since(now, days), now)

    figures: Statistics = await context.do("look", look)
    picture = 0
    if figures.questions:
        picture = await context.do("picture", partial(_send_picture, context, figures, days))
    keys = (
        tuple(
            Key(context.mark(_title(context, other), is_chosen=other == days), f"{DAYS}:{other}:{picture}")
            for other in periods.DAYS
        ),
    )
    await context.show(_table(context, figures, days, keys))


def _title(context: Context, days: int) -> str:
    return context.text("stats-today") if days == 1 else context.text("stats-days", days=days)


def _table(context: Context, figures: Statistics, days: int, keys: Keys) -> Reply:
    title = context.text("stats-title", period=_title(context, days))
    currency = context.parts.settings.prices.currency
    return Reply(draw(view({"": figures}, currency, context.language, title))[:1], keys)


async def _send_picture(context: Context, figures: Statistics, days: int) -> int:
    words = Words.of(context.language)
    image = await asyncio.to_thread(statistics_png, figures, words)
    place = context.shown.of(context.place) if context.shown else context.place
    delivery, title = context.services.delivery, _title(context, days)
    return (await send_file(delivery, place, "", image, title, after=context.asked_in)).message_id


async def unanswered(context: Context) -> None:
    """Carry out `/unanswered`: list the questions that the documents did not answer, most frequent first."""

    async def look() -> Reply:
        services = context.services
        since = periods.since(services.clock(), _UNANSWERED_DAYS)
        groups = await services.parts.answers.unanswered(since, _MOST_UNANSWERED)
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
        return Reply.of("\n".join([title, *listed]))

    await context.show(await context.do("look", look))
