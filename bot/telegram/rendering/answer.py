"""Renders an answer as messages."""

from __future__ import annotations

from collections.abc import Collection

from bot.service.council_view import faults
from bot.telegram.rendering.addresses import mark_addresses
from bot.telegram.rendering.characters import shorten as shorten_line
from bot.telegram.rendering.characters import visible
from bot.telegram.rendering.markdown import format_markdown
from bot.telegram.rendering.parts import LIMIT, Part, cut, cut_with_tail, shorten
from bot.telegram.rendering.styled import Styled, joined, styled
from bot.texts import TEXTS
from rag.values import Answer, Citation, Label

MARKS: dict[Label, str] = {"verified": "✔", "general": "·", "unverified": "⚠", "not_in_documents": "∅"}
"""The sign before each label; only a warning has a sign that calls for attention."""

_LONGEST_PLACE = 90


def answer_parts(
    answer: Answer,
    language: str,
    *,
    note: str = "",
    allowed_hosts: Collection[str] = (),
    limit: int = LIMIT,
) -> tuple[Part, ...]:
    """Return an answer as messages: its text, its label in words, and its numbered sources.

    Args:
        answer: The answer; its markers ``[n]`` stay in the text.
        language: ISO 639-1 code of the language of the label.
        note: A line above the sources; may be empty.
        allowed_hosts: Hosts whose addresses stay links.
        limit: Largest length of a message, in UTF-16 units.
    """
    label = styled(f"{MARKS[answer.label]} {TEXTS.text(f'label-{answer.label}', language)}", "italic")
    tail = joined(
        [
            label,
            mark_addresses(styled(visible(note), "italic")),
            *(source_line(citation) for citation in answer.citations),
        ],
        "\n",
    )
    body = format_markdown(answer.text, allowed_hosts)
    if answer.council is not None:
        # Placed first, so that an incomplete result is not read as a complete one.
        body = joined([styled(visible(faults(answer.council, language)), "bold"), body])
    return cut_with_tail(body, tail, limit)


def render_draft(
    text: str, language: str, *, allowed_hosts: Collection[str] = (), limit: int = LIMIT
) -> Part:
    """Return a draft as one message, marked as not checked; a draft that is too long ends with "…"."""
    note = styled(TEXTS.text("not-checked-yet", language), "italic")
    return cut(shorten(joined([note, format_markdown(text, allowed_hosts)]), limit), limit)[0]


def source_line(citation: Citation) -> Styled:
    """Return one source: its number, its document and the section in it."""
    name = place(citation.document, citation.section)
    return mark_addresses(Styled(f"[{citation.n}] ") + link(name, citation.url))


def link(name: str, url: str) -> Styled:
    """Return the name of a source, as a link if it has an address, which was checked when it was indexed."""
    return styled(name, "text_link", url=url) if url else Styled(name)


def place(document: str, section: str) -> str:
    """Return the short name of a source, without the title that document and section both begin with."""
    inside = visible(section).removeprefix(visible(document)).removeprefix(" > ").replace(" > ", " › ")
    return shorten_line(f"{visible(document)} › {inside}" if inside else document, _LONGEST_PLACE)
