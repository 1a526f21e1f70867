"""Markdown of models as HTML that can do no harm.

Twice: the parser takes no HTML, and what it makes is cleaned by an allow-list. No image is loaded, because
its address would tell another host what was asked.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import cache
from typing import Final

import nh3
from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

_TAGS: Final = frozenset(
    [
        "p",
        "br",
        "hr",
        "strong",
        "em",
        "s",
        "code",
        "pre",
        "blockquote",
        "ul",
        "ol",
        "li",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "table",
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
        "a",
    ]
)
_ATTRIBUTES: Final = {"a": {"href", "title"}, "ol": {"start"}}
_SCHEMES: Final = {"http", "https", "mailto"}
_MARKER = re.compile(r"\[(\d{1,3})\]")


def to_html(text: str, known: Collection[int] = ()) -> str:
    """Return Markdown as HTML.

    Args:
        text: The Markdown; anybody may have written it.
        known: Numbers of sources: their markers ``[n]`` become links to ``#source-n``.
    """
    html = _parser().render(text, {"known": frozenset(known)})
    return nh3.clean(
        html,
        tags=set(_TAGS),
        attributes=_ATTRIBUTES,
        url_schemes=_SCHEMES,
        link_rel="noopener noreferrer nofollow",
    )


@cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"]).disable("image")
    parser.core.ruler.push("markers", _link_markers)
    return parser


def _link_markers(state: StateCore) -> None:
    """Make a link of each marker of a source, but for those in code and in other links."""
    known: frozenset[int] = state.env.get("known", frozenset())
    for block in state.tokens:
        if block.type != "inline" or not known:
            continue
        children: list[Token] = []
        depth = 0
        for token in block.children or ():
            depth += {"link_open": 1, "link_close": -1}.get(token.type, 0)
            if token.type == "text" and not depth:
                children.extend(_pieces(token.content, known))
            else:
                children.append(token)
        block.children = children


def _pieces(text: str, known: Collection[int]) -> list[Token]:
    pieces: list[Token] = []
    end = 0
    for match in _MARKER.finditer(text):
        if int(match[1]) not in known:
            continue
        pieces.append(_said(text[end : match.start()]))
        pieces.append(Token("link_open", "a", 1, attrs={"href": f"#source-{int(match[1])}"}))
        pieces.append(_said(match[0]))
        pieces.append(Token("link_close", "a", -1))
        end = match.end()
    return [*pieces, _said(text[end:])]


def _said(text: str) -> Token:
    return Token("text", "", 0, content=text)
