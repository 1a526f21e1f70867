"""Draws blocks as messages: the one renderer of this channel."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace
from itertools import groupby
from operator import itemgetter
from typing import Final

from bot.telegram.rendering.addresses import mark_addresses, target
from bot.telegram.rendering.characters import shorten as shorten_line
from bot.telegram.rendering.parts import LIMIT, Part, cut, cut_with_tail, shorten
from bot.telegram.rendering.styled import Kind, Span, Styled, joined, styled
from bot.telegram.rendering.tables import table
from bot.views import blocks
from bot.views.blocks import Block, Blocks, Fact, Line, Source, Step, Style, Tone
from rag.language.visible import visible

MARKS: Final[dict[Tone, str]] = {
    "verified": "✔",
    "partly": "◐",
    "unverified": "⚠",
    "conversation": "↩",
    "general": "·",
    "not_in_documents": "∅",
    "person": "👤",
    "warning": "⚠",
}
"""The sign before a remark; only a warning has a sign that calls for attention."""

_KINDS: Final[dict[Style, Kind]] = {
    "bold": "bold",
    "italic": "italic",
    "strikethrough": "strikethrough",
    "code": "code",
    "marked": "bold",
    "added": "bold",
    "removed": "strikethrough",
    "badge": "bold",
}
_BULLETS: Final = "•◦▪"
_INDENT: Final = "   "
_LONGEST_PLACE: Final = 90
_FOLDED: Final = 300
"""Length in characters from which a quote is shown folded; a tap opens it."""


def draw(found: Blocks, *, allowed_hosts: Collection[str] = (), limit: int = LIMIT) -> tuple[Part, ...]:
    """Return blocks as messages; none where there is nothing to see.

    Remarks and sources at the end stand in the last message, together with some of the text above them.

    Args:
        allowed_hosts: Hosts, in lower case, whose addresses stay links; ``.example.com`` stands for every
            host under it.
    """
    end = len(found)
    while end and _is_tail(found[end - 1]):
        end -= 1
    body, tail = (_page(part, allowed_hosts) for part in (found[:end], found[end:]))
    return cut_with_tail(body, tail, limit) if tail.text else cut(body, limit)


def draw_one(found: Blocks, *, limit: int = LIMIT) -> Part:
    """Return blocks as one message, which ends with "…" when they are too long for it."""
    return cut(shorten(_page(found, ()), limit), limit)[0]


def text_parts(text: str, limit: int = LIMIT) -> tuple[Part, ...]:
    """Return a text without Markdown, such as a catalogue message, as messages.

    A stretch between two backticks, such as a command or a name, is shown as code; see `code`.
    """
    return draw((blocks.message(visible(text)),), limit=limit)


def _is_tail(block: Block) -> bool:
    match block:
        case blocks.Sources(sources):
            return not any(source.quote for source in sources)
        case _:
            return isinstance(block, blocks.Note) and not _is_hint(block)


def _is_hint(block: Block) -> bool:
    return isinstance(block, blocks.Note) and block.tone == "hint"


def _page(found: Blocks, allowed_hosts: Collection[str]) -> Styled:
    return mark_addresses(_Walk(allowed_hosts).draw(found), allowed_hosts)


class _Walk:
    def __init__(self, allowed_hosts: Collection[str]) -> None:
        self._allowed_hosts = allowed_hosts

    def draw(self, found: Iterable[Block], gap: str = "\n\n") -> Styled:
        """Return blocks below each other; remarks at the end and hints are not set apart."""
        pieces: list[Styled] = []
        above: Block | None = None
        for block in found:
            drawn = self._block(block)
            if drawn.text:
                if above is not None:
                    is_near = _is_hint(block) or (_is_tail(block) and _is_tail(above))
                    pieces.append(Styled("\n" if is_near else gap))
                pieces.append(drawn)
                above = block
        return joined(pieces, "")

    def _block(self, block: Block) -> Styled:
        match block:
            case blocks.Text(words, level):
                drawn = self._line(words)
                return _formatted(drawn, "bold") if level else drawn
            case blocks.Note(words, tone):
                drawn = joined([Styled(MARKS.get(tone, "")), self._line(words)], " ")
                return _formatted(drawn, "bold" if tone == "warning" else "italic") if words else Styled("")
            case blocks.Code(text, language):
                return styled(visible(text), "pre", language=language)
            case blocks.List():
                return self._list(block)
            case blocks.Table():
                rows = [[_plain(cell) for cell in row] for row in block.rows]
                drawn = table([_plain(heading) for heading in block.headings], rows)
                return joined([styled(visible(block.caption), "bold"), drawn])
            case blocks.Facts(facts):
                return Styled("\n".join(map(_fact, facts)))
            case blocks.Steps(steps):
                return Styled("\n".join(map(_step, steps)))
            case blocks.Sources(sources):
                return joined(map(_source, sources), "\n\n" if any(one.quote for one in sources) else "\n")
            case blocks.Choices():
                return Styled("")  # they are buttons
            case _:
                return self._nested(block)

    def _nested(self, block: blocks.Quote | blocks.Section | blocks.Panels | blocks.Details) -> Styled:
        match block:
            case blocks.Quote(inner):
                return _formatted(self.draw(inner), "blockquote")
            case blocks.Section(title, inner) | blocks.Details(title, inner, is_open=True):
                gap = "\n\n" if inner and isinstance(inner[0], blocks.Text) else "\n"
                return joined([styled(visible(title), "bold"), self.draw(inner)], gap)
            case blocks.Panels(panels):
                return self.draw(panels)
            case blocks.Details(title, inner):
                folded = _formatted(self.draw(inner), "expandable_blockquote")
                return joined([styled(visible(title), "bold"), folded], "\n")

    def _line(self, words: Line) -> Styled:
        return joined((self._link(url, tuple(run)) for url, run in groupby(words, lambda one: one.url)), "")

    def _link(self, url: str, words: Line) -> Styled:
        """Return words that lead to one address, or nowhere; an address that may not be tapped is shown."""
        texts = [visible(one.text) for one in words]
        spans: list[Span] = []
        for style in dict.fromkeys(each for one in words for each in one.styles if each in _KINDS):
            start = 0
            flags = [style in one.styles for one in words]
            for is_styled, run in groupby(zip(flags, texts, strict=True), itemgetter(0)):
                end = start + sum(len(text) for _, text in run)
                if is_styled:
                    spans.append(Span(_KINDS[style], start, end))
                start = end
        drawn = Styled("".join(texts), tuple(spans))
        shown = drawn.text.strip()
        opened = target(url, self._allowed_hosts) if "://" in url else ""
        if opened and shown:
            return _formatted(drawn, "text_link", opened)
        if not url or shown in {url, url.removeprefix("mailto:")}:
            return drawn
        return drawn + Styled(" (") + styled(url, "code") + Styled(")")

    def _list(self, found: blocks.List, depth: int = 0, bullets: int = 0) -> Styled:
        """Return a list; what Telegram draws as a box stands on lines of its own, never beside a bullet."""
        lines: list[Styled] = []
        number = found.start
        for item in found.items:
            mark = _BULLETS[min(bullets, len(_BULLETS) - 1)] if number is None else f"{number}."
            pending = _INDENT * depth + mark
            for block in item:
                if isinstance(block, blocks.Text) and (drawn := self._block(block)).text:
                    if drawn.text[0] in "☐☑" and pending:
                        lead = _INDENT * depth
                    else:
                        lead = f"{pending} " if pending else _INDENT * (depth + 1)
                    lines.append(Styled(lead) + _indented(drawn, _INDENT * (depth + 1)))
                else:
                    if pending:
                        lines.append(Styled(pending))
                    lines.append(
                        self._list(block, depth + 1, bullets + (number is None))
                        if isinstance(block, blocks.List)
                        else self._block(block)
                    )
                pending = ""
            if pending:
                lines.append(Styled(pending))
            number = None if number is None else number + 1
        return joined(lines, "\n")


def _formatted(whole: Styled, kind: Kind, url: str = "") -> Styled:
    return Styled(whole.text, (*whole.spans, *styled(whole.text, kind, url=url).spans))


def _indented(whole: Styled, indent: str) -> Styled:
    """Return a text with all its lines but the first one indented."""

    def moved(place: int) -> int:
        return place + len(indent) * whole.text.count("\n", 0, place)

    spans = (replace(span, start=moved(span.start), end=moved(span.end)) for span in whole.spans)
    return Styled(whole.text.replace("\n", f"\n{indent}"), tuple(spans))


def _plain(words: Line) -> str:
    """Return a line without formats, with the addresses that its links lead to."""
    pieces = []
    for url, run in groupby(words, lambda one: one.url):
        text = "".join(visible(one.text) for one in run)
        pieces.append(f"{text} ({url})" if url and text.strip() != url else text)
    return "".join(pieces)


def _fact(fact: Fact) -> str:
    named = f"{fact.name}: {fact.value}" if fact.value else fact.name
    return visible(f"{fact.mark} {named}" if fact.mark else named)


def _step(step: Step) -> str:
    price = ", ".join(filter(None, (step.time, step.tokens)))
    told = filter(None, (step.outcome, *(f"- {note}" for note in step.notes)))
    return "\n".join(
        (f"{step.name} ({price})" if price else step.name, *(f"{_INDENT}{visible(one)}" for one in told))
    )


def _source(source: Source) -> Styled:
    name = shorten_line(source.name, _LONGEST_PLACE)
    number = f"[{source.number}] " if source.number else ""
    shown = styled(name, "text_link", url=source.url) if source.url else Styled(name)
    if not source.quote:
        return Styled(number) + shown
    # Formats must not lie inside a link, so a link is not bold.
    heading = styled(number, "bold") + shown if source.url else styled(number + name, "bold")
    quote = visible(source.quote).strip()
    return joined(
        [heading, styled(quote, "expandable_blockquote" if len(quote) > _FOLDED else "blockquote")], "\n"
    )
