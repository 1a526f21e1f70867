"""Takes from Markdown what would open a foreign address, for programs that draw it themselves.

A document can order a model to write an image whose address tells another host what was asked.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final
from urllib.parse import urlsplit

import regex

from bot.views.html import allows_host
from rag.language.markdown import code_blocks, code_spans

_MARKUP: Final = regex.compile(
    r"""
    (?P<link>\]) (?=\( \s*+ <?+ (?P<target>[^\s()<>]*+))
    | (?P<definition>\]) (?=:)
    | (?P<tag><) (?=[a-zA-Z/!?])
    | (?<![`\w/@]) (?P<address>(?:[a-z][a-z0-9+.-]{1,20}://|www\.) [^\s<>`()\[\]]*+)
    """,
    regex.VERBOSE | regex.IGNORECASE,
)


def defuse_links(markdown: str, link_hosts: Collection[str]) -> str:
    """Return Markdown in which links and images lead to some hosts alone; other addresses stand as code.

    Args:
        markdown: What a model wrote.
        link_hosts: Hosts whose addresses stay links, as `telegram.link_hosts` has them.
    """

    def rewrite(found: regex.Match[str]) -> str:
        if found["link"]:
            return "]" if _is_allowed(found["target"], link_hosts) else "] "
        if found["address"]:
            address = found["address"].rstrip(".,;:!?'\"*_")
            rest = found["address"][len(address) :]
            return found["address"] if _is_allowed(address, link_hosts) else f"`{address}`{rest}"
        return "]\\" if found["definition"] else "\\<"

    pieces, position = [], 0
    code = [(block.start, block.end) for block in code_blocks(markdown)]
    code = sorted([*code, *((span.start, span.end) for span in code_spans(markdown))])
    for start, end in (*code, (len(markdown), len(markdown))):
        pieces += [_MARKUP.sub(rewrite, markdown[position:start]), markdown[start:end]]
        position = end
    return "".join(pieces)


def _is_allowed(address: str, link_hosts: Collection[str]) -> bool:
    try:
        parts = urlsplit(address)
        host = (parts.hostname or "").lower()
    except ValueError:
        return False
    return parts.scheme.lower() in {"http", "https"} and allows_host(host, link_hosts)
