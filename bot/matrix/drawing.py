"""Draws blocks as a message of Matrix: HTML of the tags that the specification names, and a plain text.

The HTML is that of the console, without what a client of Matrix does not show; the plain text is made of it.
"""

from __future__ import annotations

import re
from typing import Any, Final

import lxml.html

from bot.views import html
from bot.views.blocks import Blocks
from bot.views.plain_text import plain_text

# Of the tags in "m.room.message msgtypes" of the Client-Server API.
_KEPT: Final = re.compile(
    "a|blockquote|br|caption|code|del|details|em|h[1-6]|li|ol|p|pre|s|strong|summary|table|tbody|td|th|thead|tr|ul"
)
_UNREADABLE: Final = re.compile("[^\t\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")  # for lxml
_ATTRIBUTES: Final = frozenset({("a", "href"), ("ol", "start")})

_LARGEST_BYTES: Final = 15_000
"""Most bytes of the text and of the HTML: an event has 65,536 for both, and an edit holds both twice."""
_END_BYTES: Final = 2_000


def draw(blocks: Blocks, link_hosts: tuple[str, ...] = ()) -> dict[str, Any]:
    """Return the content of a message that rings for nobody; a long one loses its middle, not its sources."""
    page = _UNREADABLE.sub("", html.draw(blocks, 3, link_hosts=link_hosts))
    tree = lxml.html.fragment_fromstring(page, create_parent=True)
    _clean(tree)
    drawn = "".join(lxml.html.tostring(child, encoding="unicode") for child in tree).encode()
    plain = plain_text(tree).strip("\n").encode()
    if len(plain) > _LARGEST_BYTES:
        plain = b"\n\n[...]\n\n".join((plain[: _LARGEST_BYTES - _END_BYTES], plain[-_END_BYTES:]))
    content = {"msgtype": "m.text", "body": plain.decode("utf-8", "ignore"), "m.mentions": {}}
    if len(drawn) <= _LARGEST_BYTES:
        content |= {"format": "org.matrix.custom.html", "formatted_body": drawn.decode().strip()}
    return content


def _clean(tree: Any) -> None:  # noqa: ANN401 - lxml has no types
    for node in list(tree.iterdescendants()):
        if node.tag == "svg":
            node.drop_tree()
        elif not _KEPT.fullmatch(node.tag) or (node.tag == "a" and node.get("href", "#").startswith("#")):
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
