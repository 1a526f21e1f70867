"""Renders any text as messages."""

from __future__ import annotations

from collections.abc import Collection

import regex

from bot.telegram.rendering.addresses import disarm, mark_addresses
from bot.telegram.rendering.characters import visible
from bot.telegram.rendering.markdown import format_markdown
from bot.telegram.rendering.parts import LIMIT, Part, cut
from bot.telegram.rendering.styled import Span, Styled

_CODE = regex.compile("`([^`\n]+)`")


def parts(markdown: str, limit: int = LIMIT, *, allowed_hosts: Collection[str] = ()) -> tuple[Part, ...]:
    """Return Markdown as messages; none for a text without visible characters.

    Args:
        markdown: Any text, complete or cut off.
        limit: Largest length of a message, in UTF-16 units.
        allowed_hosts: Hosts, in lower case, whose addresses stay links; ``.example.com`` stands for
            every host under it.
    """
    return cut(format_markdown(markdown, allowed_hosts), limit)


def text_parts(text: str, limit: int = LIMIT, *, allowed_hosts: Collection[str] = ()) -> tuple[Part, ...]:
    """Return a text without Markdown, such as a catalogue message, as messages.

    A stretch between two backticks, such as a command or a name, is shown as code; see `code`.
    """
    shown, spans, position = "", [], 0
    whole = visible(text)
    for found in _CODE.finditer(whole):
        shown += whole[position : found.start()]
        spans.append(Span("code", len(shown), len(shown) + len(found[1])))
        shown += found[1]
        position = found.end()
    return cut(mark_addresses(Styled(shown + whole[position:], tuple(spans)), allowed_hosts), limit)


def code(name: str) -> str:
    """Return a name between backticks and without any inside, so that `text_parts` shows it as code."""
    return f"`{' '.join(visible(name).replace('`', chr(39)).split())}`"


def plain(markdown: str, limit: int = LIMIT) -> tuple[Part, ...]:
    """Return Markdown as messages without entities, for when Telegram refuses the entities.

    Addresses cannot be shown as code then, so they are written in a form that cannot be tapped.
    """
    return cut(Styled(disarm(format_markdown(markdown).text)), limit)
