"""Takes from Markdown what would open a foreign address, for programs that draw it themselves.

A document can order a model to write an image whose address tells another host what was asked.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import Final

import regex

from bot.views.html import allows_host
from rag.language.markdown import code_blocks, code_spans

_OPENS: Final = regex.compile(
    r"""
    (?P<link>\]) (?=\( \s*+ <?+ (?P<target>[^\s<>)]{0,400}+))
    | (?P<definition>\]) (?=: \s*+ <?+ (?P<target>[^\s<>]{0,400}+))
    | (?P<tag><) (?=[a-zA-Z/!?])
    """,
    regex.VERBOSE,
)
_ADDRESS: Final = regex.compile(
    r"(?<![`\w/@])(?:[a-z][a-z0-9+.-]{1,20}://|www\.)[^\s<>`()\[\]]*+", regex.IGNORECASE
)
_HOST: Final = regex.compile(r"https?://([a-z0-9.-]+)(?::\d+)?(?=[/?#]|$)", regex.IGNORECASE)
_OWN_HOST: Final = regex.compile(r"(?!//)[\w./#?=%~+,-]{0,399}")
"""An address without a host, and without a sign that could hide one: a colon, an escape, an entity."""
_FENCE: Final = regex.compile(r"(?P<marks>`{3,}+)[^`]*|(?P<marks>~{3,}+).*")
_JOINER: Final = "\u2060"
"""Stands invisibly behind the first sign of a tag; programs differ in what they take for code."""


def defuse_links(markdown: str, link_hosts: Collection[str]) -> str:
    """Return Markdown in which links and images lead to some hosts alone; other addresses stand as text.

    Code in a fence at the beginning of a line stays as it is. No other code does, because programs differ in
    what they take for code.

    Args:
        link_hosts: Hosts whose addresses stay links, as `telegram.link_hosts` has them.
    """

    def close(found: regex.Match[str]) -> str:
        if found["tag"]:
            return f"<{_JOINER}"
        if _OWN_HOST.fullmatch(found["target"]) or _is_allowed(found["target"], link_hosts):
            return "]"
        return "] " if found["link"] else "]\\"

    def show(found: regex.Match[str]) -> str:
        written = found.group()
        address = written.rstrip(".,;:!?'\"*_")
        return written if _is_allowed(address, link_hosts) else f"`{address}`{written[len(address) :]}"

    pieces = []
    for text, is_code in _split_fences(regex.sub(r"\r\n?", "\n", markdown)):
        pieces.append(text if is_code else _show_addresses(_OPENS.sub(close, text), show))
    return "\n".join(pieces)


def _is_allowed(address: str, link_hosts: Collection[str]) -> bool:
    host = _HOST.match(address)
    return host is not None and allows_host(host[1].lower(), link_hosts)


def _split_fences(markdown: str) -> Iterator[tuple[str, bool]]:
    """Yield stretches of whole lines, and whether each is a fence that begins at the beginning of a line."""
    lines: list[str] = []
    marks = ""
    for line in markdown.split("\n"):
        opening = None if marks else _FENCE.fullmatch(line)
        if opening:
            if lines:
                yield "\n".join(lines), False
            lines, marks = [line], opening["marks"]
        elif marks and (end := line.strip()) and set(end) == {marks[0]} and len(end) >= len(marks):
            yield "\n".join([*lines, line]), True
            lines, marks = [], ""
        else:
            lines.append(line)
    if lines:
        yield "\n".join(lines), bool(marks)


def _show_addresses(markdown: str, show: Callable[[regex.Match[str]], str]) -> str:
    pieces, position = [], 0
    code = [(block.start, block.end) for block in code_blocks(markdown)]
    code = sorted([*code, *((span.start, span.end) for span in code_spans(markdown))])
    for start, end in (*code, (len(markdown), len(markdown))):
        pieces += [_ADDRESS.sub(show, markdown[position:start]), markdown[start:end]]
        position = end
    return "".join(pieces)
