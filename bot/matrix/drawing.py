"""Draws blocks as a message of Matrix: HTML of the tags that the specification names, and a plain text.

The HTML is that of the console, without what a client of Matrix does not show; the plain text is made of it.
"""

from __future__ import annotations

from typing import Any, Final

import lxml.html

from bot.views import html
from bot.views.blocks import Blocks

_TAGS: Final = frozenset(
    [
        "a",
        "blockquote",
        "br",
        "caption",
        "code",
        "del",
        "details",
        "em",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "li",
        "ol",
        "p",
        "pre",
        "s",
        "strong",
        "summary",
        "table",
        "tbody",
        "td",
        "th",
        "thead",
        "tr",
        "ul",
    ]
)
"""What is kept, of the tags in "m.room.message msgtypes" of the Client-Server API."""

_ATTRIBUTES: Final = frozenset({("a", "href"), ("ol", "start")})
_LINES: Final = frozenset(
    ["blockquote", "caption", "h1", "h2", "h3", "h4", "h5", "h6", "ol", "p", "pre", "summary", "table", "ul"]
)
_DROPPED: Final = frozenset({"svg"})

LARGEST_BODY: Final = 15_000
"""Characters: an event has at most 65,536 bytes, and holds text and HTML, both twice in an edit."""


def draw(blocks: Blocks, link_hosts: tuple[str, ...] = ()) -> dict[str, str]:
    """Return the content of a message that shows blocks."""
    tree = lxml.html.fragment_fromstring(str(html.draw(blocks, 3, link_hosts=link_hosts)), create_parent=True)
    _clean(tree)
    plain = _plain(tree)
    content = {"msgtype": "m.text", "body": plain[:LARGEST_BODY]}
    drawn = "".join(
        [tree.text or "", *(lxml.html.tostring(child, encoding="unicode") for child in tree)]
    ).strip()
    if len(plain) <= LARGEST_BODY and len(drawn.encode()) <= LARGEST_BODY:
        content |= {"format": "org.matrix.custom.html", "formatted_body": drawn}
    return content


def _clean(tree: Any) -> None:  # noqa: ANN401 - lxml has no types
    for node in list(tree.iterdescendants()):
        if node.tag in _DROPPED:
            node.drop_tree()
        elif node.tag not in _TAGS or (node.tag == "a" and node.get("href", "#").startswith("#")):
            node.drop_tag()
        else:
            for name in list(node.attrib):
                if (node.tag, name) not in _ATTRIBUTES:
                    del node.attrib[name]
    for node in tree.iter():
        # Between blocks the template has spaces and ends of lines, which mean nothing.
        if node.tag != "pre" and node.getparent() is not None and node.getparent().tag != "code":
            node.tail = _joined(node.tail)
        if node.tag not in {"pre", "code"}:
            node.text = _joined(node.text)


def _joined(text: str | None) -> str | None:
    return text if text is None or text.strip() else ("" if "\n" in text else " ")


def _plain(node: Any) -> str:  # noqa: ANN401 - as above
    pieces = [node.text or ""]
    for place, child in enumerate(node, int(node.get("start", 1)) if node.tag == "ol" else 1):
        match child.tag:
            case "br":
                drawn = "\n"
            case "li":
                drawn = f"\n{f'{place}.' if node.tag == 'ol' else '-'} {_plain(child).strip()}"
            case "td" | "th":
                drawn = _plain(child).strip() + " | "
            case "tr":
                drawn = "\n" + _plain(child).strip(" |")
            case "blockquote":
                drawn = "\n" + "\n".join(f"> {line}" for line in _plain(child).strip().splitlines()) + "\n"
            case tag:
                drawn = f"\n{_plain(child).strip(chr(10))}\n" if tag in _LINES else _plain(child)
        pieces += [drawn, child.tail or ""]
    text = "".join(pieces)
    while "\n\n\n" in text:
        text = text.replace("\n\n\n", "\n\n")
    return text.strip("\n") if node.getparent() is None else text
