"""Tables as commands show them."""

from __future__ import annotations

from collections.abc import Sequence

from bot.telegram.rendering.addresses import marked
from bot.telegram.rendering.characters import visible
from bot.telegram.rendering.parts import LIMIT, Part, cut
from bot.telegram.rendering.styled import joined, styled
from bot.telegram.rendering.tables import PHONE_WIDTH, table


def table_parts(
    headings: Sequence[str],
    rows: Sequence[Sequence[str]],
    *,
    title: str = "",
    width: int = PHONE_WIDTH,
    limit: int = LIMIT,
) -> tuple[Part, ...]:
    """Return a table as messages: in columns where a phone shows them, else a small list a row.

    Args:
        headings: One a column.
        rows: Their cells; texts of users and documents may be among them.
        title: A line above, or an empty string.
        width: Columns of monospace text there are.
        limit: UTF-16 units a message may have.
    """
    drawn = table(
        [visible(cell) for cell in headings], [[visible(cell) for cell in row] for row in rows], width=width
    )
    return cut(marked(joined([styled(visible(title), "bold"), drawn])), limit)
