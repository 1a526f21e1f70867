r"""Rewrites formulas as text: ``\(17 \times 3 = 51\)``, which Telegram cannot draw, as ``17 × 3 = 51``."""

from __future__ import annotations

import regex
from telegramify_markdown.latex_escape.helper import LatexToUnicodeHelper

_FORMULA = regex.compile(
    r"(?<!\\)(?:\\\((?P<inline>[^\n`]{1,300}?)\\\)|\\\[(?P<block>[^`]{1,600}?)\\\]|\$\$(?P<dollars>[^`$]{1,600}?)\$\$)"
)
_COMMAND = regex.compile(r"\\[A-Za-z]{2,}|[_^]")
_CONVERTER = LatexToUnicodeHelper()


def rewrite_formulas(prose: str) -> str:
    """Rewrite the formulas of a Markdown text without code as code spans of mathematical characters."""
    return _FORMULA.sub(_write_formula, prose) if "\\" in prose or "$$" in prose else prose


def _write_formula(found: regex.Match[str]) -> str:
    formula = found["inline"] or found["block"] or found["dollars"]
    if not _COMMAND.search(formula):
        return found.group()
    converted: str = _CONVERTER.convert(formula)  # type: ignore[no-untyped-call]  # the library has no types here
    text = " ".join(converted.split())
    return f"`{text}`" if text and "`" not in text else found.group()
