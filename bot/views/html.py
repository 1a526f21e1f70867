"""Draws blocks as HTML; whatever a block says is text in it, and no address but of the web is a link."""

from __future__ import annotations

from collections.abc import Collection
from functools import cache, partial
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import jinja2
from markupsafe import Markup

from bot.views.blocks import Blocks
from rag.addresses import safe_address

_SCHEMES: Final = {"http", "https", "mailto"}


def draw(
    blocks: Blocks, level: int = 2, *, link_hosts: tuple[str, ...] = (), within: str = "", source_at: str = ""
) -> Markup:
    """Return blocks as HTML.

    Args:
        level: The level of the headings of sections, 2 below the title of a page.
        link_hosts: Hosts whose addresses stay links in a text; those of sources always do.
        within: What names of places begin with, in a page that may show the same block twice.
        source_at: Where sources are opened, up to their number; empty: they are folded into the page.
    """
    template = _template("blocks.html", link_hosts)
    macros: Any = template.make_module({"within": within, "source_at": source_at})
    drawn: Markup = macros.draw(blocks, level)
    return drawn


def page(title: str, blocks: Blocks, language: str) -> str:
    """Return blocks as a page that needs nothing else."""
    return _template("page.html").render(title=title, shown=draw(blocks), language=language)


def allows_host(host: str, allowed: Collection[str]) -> bool:
    """Whether a host, in lower case, is allowed; `.example.org` stands for all hosts under it."""
    return any(host == name or (name.startswith(".") and host.endswith(name)) for name in allowed)


def _taps(link_hosts: tuple[str, ...], url: str) -> bool:
    # Browsers read a backslash, a tab or a name in front of a host in ways of their own.
    return allows_host(urlsplit(safe_address(url)).hostname or "", link_hosts)


def opens(url: str) -> bool:
    """Return whether a reader may open an address."""
    try:
        return urlsplit(url).scheme.lower() in _SCHEMES
    except ValueError:
        return False


@cache
def _template(name: str, link_hosts: tuple[str, ...] = ()) -> jinja2.Template:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["opens"] = opens
    environment.filters["taps"] = partial(_taps, link_hosts)
    return environment.get_template(name)
