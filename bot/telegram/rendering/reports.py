"""Renders tables for commands."""

from __future__ import annotations

from collections.abc import Sequence

from bot.telegram.rendering.addresses import mark_addresses
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
    """Return a table as messages: in columns if a phone can show them, otherwise as a list for each row.

    Args:
        headings: One heading for each column.
        rows: The cells of each row; untrusted texts of users and documents are allowed.
        title: A line above the table, or an empty string.
        width: Available width in characters of monospace text.
        limit: Largest length of a message, in UTF-16 units.
    """
    drawn = table(
        [visible(cell) for cell in headings], [[visible(cell) for cell in row] for row in rows], width=width
    )
    return cut(mark_addresses(joined([styled(visible(title), "bold"), drawn])), limit)
