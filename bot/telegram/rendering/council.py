"""Renders the record of a council as messages: a member's text, and the ranking."""

from __future__ import annotations

from collections.abc import Collection

from bot.service.council_view import Version, member_text, ranking_lines
from bot.telegram.rendering.addresses import mark_addresses
from bot.telegram.rendering.characters import visible
from bot.telegram.rendering.markdown import format_markdown
from bot.telegram.rendering.parts import LIMIT, Part, cut
from bot.telegram.rendering.styled import Styled, joined, styled
from bot.texts import TEXTS
from rag.values.council import CouncilRecord


def member_parts(
    record: CouncilRecord,
    number: int,
    version: Version,
    language: str,
    *,
    allowed_hosts: Collection[str] = (),
    limit: int = LIMIT,
) -> tuple[Part, ...]:
    """Return a member's text as messages; no message when the council has no such member.

    Args:
        record: The council.
        number: Place of the member, from 0.
        version: The member's first answer, or the corrected one.
        language: ISO 639-1 code of the reader's language.
        allowed_hosts: Hosts whose addresses stay links.
        limit: Largest length of a message, in UTF-16 units.
    """
    try:
        heading, text = member_text(record, number, version, language)
    except IndexError:
        return ()
    return cut(
        joined([mark_addresses(styled(visible(heading), "bold")), format_markdown(text, allowed_hosts)]),
        limit,
    )


def ranking_parts(record: CouncilRecord, language: str, *, limit: int = LIMIT) -> tuple[Part, ...]:
    """Return the members' ranking of each other's first answers, as messages."""
    lines = [visible(line) for line in ranking_lines(record, language)]
    title = styled(TEXTS.text("council-ranking", language), "bold")
    return cut(mark_addresses(joined([title, Styled("\n".join(lines))])), limit)
