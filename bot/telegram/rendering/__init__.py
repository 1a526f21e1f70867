"""Draws blocks (`bot.views`) as Telegram messages. Pure: without a bot, a network or a clock.

    blocks.py     blocks -> a text with formats -> messages; tables.py draws what Telegram cannot
    addresses.py  decides which addresses a reader may tap
    parts.py      a text with formats -> messages within Telegram's limits

All functions return `Part`s: send one message for each part, in order. Senders switch link previews off,
because a preview makes Telegram fetch the address.
"""

from bot.telegram.rendering.blocks import draw, draw_one, text_parts
from bot.telegram.rendering.parts import LIMIT, Entity, Part
from bot.views.blocks import code

__all__ = ["LIMIT", "Entity", "Part", "code", "draw", "draw_one", "text_parts"]
