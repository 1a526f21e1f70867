"""An answer as messages."""

from __future__ import annotations

from collections.abc import Collection

from bot.service.council_view import faults
from bot.telegram.rendering.addresses import marked
from bot.telegram.rendering.characters import shortened as shortened_line
from bot.telegram.rendering.characters import visible
from bot.telegram.rendering.markdown import formatted
from bot.telegram.rendering.parts import LIMIT, Part, cut, cut_with_tail, shortened
from bot.telegram.rendering.styled import Styled, joined, styled
from bot.texts import TEXTS
from rag.values import Answer, Citation, Label

MARKS: dict[Label, str] = {"verified": "✔", "general": "·", "unverified": "⚠", "not_in_documents": "∅"}
"""The sign before each label; the only one among them that calls for attention is that of a warning."""

_LONGEST_PLACE = 90


def answer_parts(
    answer: Answer,
    language: str,
    *,
    note: str = "",
    allowed_hosts: Collection[str] = (),
    limit: int = LIMIT,
) -> tuple[Part, ...]:
    """Return an answer: its text, what its label means, and its numbered sources.

    Args:
        answer: The answer; its markers ``[n]`` stay in the text.
        language: ISO 639-1 code of the language of the label.
        note: What else the reader has to know, a line above the sources; may be empty.
        allowed_hosts: Hosts whose addresses a reader may tap.
        limit: UTF-16 units a message may have.
    """
    label = styled(f"{MARKS[answer.label]} {TEXTS.text(f'label-{answer.label}', language)}", "italic")
    tail = joined(
        [label, styled(note, "italic"), *(source_line(citation) for citation in answer.citations)], "\n"
    )
    body = formatted(answer.text, allowed_hosts)
    if answer.council is not None:
        # First: a result that is not whole must not be read as one that is.
        body = joined([styled(visible(faults(answer.council, language)), "bold"), body])
    return cut_with_tail(body, tail, limit)


def unchecked(text: str, language: str, *, allowed_hosts: Collection[str] = (), limit: int = LIMIT) -> Part:
    """Return a draft while it is written, marked as not checked; one that is too long ends with "…"."""
    note = styled(TEXTS.text("not-checked-yet", language), "italic")
    return cut(shortened(joined([note, formatted(text, allowed_hosts)]), limit), limit)[0]


def source_line(citation: Citation) -> Styled:
    """One source: its number, its document and the place in it."""
    name = place(citation.document, citation.section)
    return marked(Styled(f"[{citation.n}] ") + linked(name, citation.url))


def linked(name: str, url: str) -> Styled:
    """The name of a source, as a link where it can be opened; its address was checked when it was read."""
    return styled(name, "text_link", url=url) if url else Styled(name)


def place(document: str, section: str) -> str:
    """Name a source once and briefly: the heading path of a page begins with its title."""
    inside = visible(section).removeprefix(visible(document)).removeprefix(" > ").replace(" > ", " › ")
    return shortened_line(f"{visible(document)} › {inside}" if inside else document, _LONGEST_PLACE)
