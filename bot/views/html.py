"""Draws blocks as HTML; whatever a block says is text in it, and no address but of the web is a link."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import jinja2
from markupsafe import Markup

from bot.views.blocks import Blocks

_SCHEMES: Final = {"http", "https", "mailto"}


def draw(blocks: Blocks, level: int = 2) -> Markup:
    """Return blocks as HTML.

    Args:
        blocks: What is shown.
        level: The level of the headings of sections, 2 below the title of a page.
    """
    macros: Any = _template("blocks.html").module
    drawn: Markup = macros.draw(blocks, level)
    return drawn


def page(title: str, blocks: Blocks, language: str) -> str:
    """Return blocks as a page that needs nothing else."""
    return _template("page.html").render(title=title, shown=draw(blocks), language=language)


def _opens(url: str) -> bool:
    """Return whether a reader may open an address."""
    try:
        return urlsplit(url).scheme.lower() in _SCHEMES
    except ValueError:
        return False


@cache
def _template(name: str) -> jinja2.Template:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["opens"] = _opens
    return environment.get_template(name)
