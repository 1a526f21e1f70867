"""Blocks that were drawn as HTML, as plain text for those who see no HTML."""

from __future__ import annotations

import re
from typing import Any, Final

_LINES: Final = re.compile("blockquote|caption|h[1-6]|ol|p|pre|summary|table|ul")


def plain_text(node: Any) -> str:  # noqa: ANN401 - lxml has no types
    """Return the words of an element, with lists, tables and quotes as one writes them by hand."""
    pieces = [node.text or ""]
    for place, child in enumerate(node, int(node.get("start", 1)) if node.tag == "ol" else 1):
        words = plain_text(child)
        match child.tag:
            case "br":
                drawn = "\n"
            case "li":
                drawn = f"\n{f'{place}.' if node.tag == 'ol' else '-'} {words.strip()}"
            case "td" | "th":
                drawn = words.strip() + " | "
            case "tr":
                drawn = "\n" + words.strip(" |")
            case "blockquote":
                drawn = "\n" + "\n".join(f"> {line}" for line in words.strip().splitlines()) + "\n"
            case tag:
                drawn = f"\n{words.strip(chr(10))}\n" if _LINES.fullmatch(tag) else words
        pieces += [drawn, child.tail or ""]
    return re.sub("\n{3,}", "\n\n", "".join(pieces))
