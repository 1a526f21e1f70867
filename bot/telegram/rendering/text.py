"""Any text as messages."""

from __future__ import annotations

from collections.abc import Collection

from bot.telegram.rendering.addresses import disarmed, marked
from bot.telegram.rendering.characters import visible
from bot.telegram.rendering.markdown import formatted
from bot.telegram.rendering.parts import LIMIT, Part, cut
from bot.telegram.rendering.styled import Styled


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
    """Return a text that is no Markdown, such as a sentence of the catalogues, as messages."""
    return cut(marked(Styled(visible(text)), allowed_hosts), limit)


def plain(markdown: str, limit: int = LIMIT) -> tuple[Part, ...]:
    """Return Markdown as messages without entities: the last resort when Telegram refuses them.

    Without code to put them in, addresses are written so that nobody can tap them.
    """
    return cut(Styled(disarmed(formatted(markdown).text)), limit)
