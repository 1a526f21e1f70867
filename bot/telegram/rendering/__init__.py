"""Values as Telegram messages: pure, without a bot, a network or a clock.

    markdown.py   Markdown -> a text with formats (tables.py and formulas.py draw what Telegram cannot)
    addresses.py  which addresses a reader may tap
    parts.py      a text with formats -> messages within Telegram's limits
    answer.py, sources.py, trail.py   an answer, the words behind it, how it came about
    progress.py   events of the engine -> the line that says what is being done
    reports.py    tables for commands

Everything returns `Part`s: send one message a part, in order. Senders switch link previews off: a preview
fetches what it points at.
"""

from bot.telegram.rendering.answer import answer_parts, unchecked
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
    "sources_parts",
    "table_parts",
    "text_parts",
    "trail_parts",
    "unchecked",
]
