"""Renders values as Telegram messages. Pure: without a bot, a network or a clock.

    markdown.py   Markdown -> a text with formats (tables.py and formulas.py draw what Telegram cannot)
    addresses.py  decides which addresses a reader may tap
    parts.py      a text with formats -> messages within Telegram's limits
    answer.py, sources.py, trail.py   an answer, its quotes, and how it was produced
    progress.py   events of the engine -> the line that shows the present step
    reports.py    tables for commands

All functions return `Part`s: send one message for each part, in order. Senders switch link previews off,
because a preview makes Telegram fetch the address.
"""

from bot.telegram.rendering.answer import answer_parts, render_draft
from bot.telegram.rendering.parts import LIMIT, Entity, Part
from bot.telegram.rendering.progress import Progress
from bot.telegram.rendering.reports import table_parts
from bot.telegram.rendering.sources import sources_parts
from bot.telegram.rendering.text import code, parts, plain, text_parts
from bot.telegram.rendering.trail import trail_parts

__all__ = [
    "LIMIT",
    "Entity",
    "Part",
    "Progress",
    "answer_parts",
    "code",
    "parts",
    "plain",
    "render_draft",
    "sources_parts",
    "table_parts",
    "text_parts",
    "trail_parts",
]
