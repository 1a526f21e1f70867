"""Any text as messages."""

from __future__ import annotations

from collections.abc import Collection

import regex

from bot.telegram.rendering.addresses import disarmed, marked
from bot.telegram.rendering.characters import visible
from bot.telegram.rendering.markdown import formatted
from bot.telegram.rendering.parts import LIMIT, Part, cut
from bot.telegram.rendering.styled import Span, Styled

_CODE = regex.compile("`([^`\n]+)`")


def parts(markdown: str, limit: int = LIMIT, *, allowed_hosts: Collection[str] = ()) -> tuple[Part, ...]:
    """Return Markdown as messages; none for a text without anything to see.

    Args:
        markdown: Any text, complete or cut off.
        limit: UTF-16 units a message may have.
        allowed_hosts: Hosts, in lower case, whose addresses a reader may tap; ``.example.com`` stands for
            every host under it.
    """
    return cut(formatted(markdown, allowed_hosts), limit)


def text_parts(text: str, limit: int = LIMIT, *, allowed_hosts: Collection[str] = ()) -> tuple[Part, ...]:
    """Return a text that is no Markdown, such as a sentence of the catalogues, as messages.

    What stands between two backticks, a command or a name, is shown as code; see `code`.
    """
    shown, spans, position = "", [], 0
    whole = visible(text)
    for found in _CODE.finditer(whole):
        shown += whole[position : found.start()]
        spans.append(Span("code", len(shown), len(shown) + len(found[1])))
        shown += found[1]
        position = found.end()
    return cut(marked(Styled(shown + whole[position:], tuple(spans)), allowed_hosts), limit)


def code(name: str) -> str:
    """Return a name as `text_parts` shows it from end to end as code, whatever stands in it."""
    return f"`{' '.join(visible(name).replace('`', chr(39)).split())}`"


def plain(markdown: str, limit: int = LIMIT) -> tuple[Part, ...]:
    """Return Markdown as messages without entities: the last resort when Telegram refuses them.

    Without code to put them in, addresses are written so that nobody can tap them.
    """
    return cut(Styled(disarmed(formatted(markdown).text)), limit)
