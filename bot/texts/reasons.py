"""Why something could not be done, as the reader's language says it.

The engine gives its reasons in English sentences of known forms, which is also how the knowledge base and
the record of work keep them. The English catalogue holds those forms under ``reason-…``; a sentence of such
a form is said in the reader's language, every other one stays as it is.

To have another reason said in every language, add its English sentence to the catalogue, with placeables
where its values stand, and translate it. ``reason`` stands for a reason inside the reason, ``model`` for a
model as the engine names it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

import regex

from bot.texts import TEXTS
from rag.texts import FALLBACK

if TYPE_CHECKING:
    from fluent.syntax.ast import Placeable, TextElement

_REASON: Final = "reason-"
_MODEL: Final = "model-name-"
_SEPARATOR: Final = "; "
_NUMBERS: Final = frozenset({"bytes", "limit", "megabytes", "rows", "seconds"})
"""Values that are written as the reader's language writes numbers."""


def said(reason: str, language: str) -> str:
    """Return a reason in a language; one that has none of the forms stays as it is.

    Args:
        reason: One English sentence or clause of the engine, or several behind semicolons.
        language: ISO 639-1 code of the reader's language.
    """
    whole = _said(_REASON, reason, language)
    if whole is not None:
        return whole
    return _SEPARATOR.join(_said(_REASON, part, language) or part for part in reason.split(_SEPARATOR))


def _said(prefix: str, sentence: str, language: str) -> str | None:
    for form, message in _forms(prefix):
        if found := form.fullmatch(sentence):
            values = {name: _value(name, text, language) for name, text in found.groupdict().items()}
            return TEXTS.text(message, language, **values)
    return None


def _value(name: str, text: str, language: str) -> str | float:
    if name == "reason":
        return said(text, language)
    if name == "model":
        return _said(_MODEL, text, language) or text
    return float(text.replace(",", "")) if name in _NUMBERS else text


@cache
def _forms(prefix: str) -> tuple[tuple[regex.Pattern[str], str], ...]:
    """What the English messages with a prefix look like, those with the most words of their own first."""
    forms = [(sum(map(len, words)), form, message) for message, words, form in _read(prefix)]
    ranked = sorted(forms, key=lambda each: (-each[0], each[2]))
    return tuple((regex.compile(form, regex.DOTALL), message) for _, form, message in ranked)


def _read(prefix: str) -> Iterator[tuple[str, list[str], str]]:
    # Imported here: it takes a while, and most readers meet no reason.
    from fluent.syntax import FluentParser
    from fluent.syntax.ast import Message

    catalogue = Path(__file__).parent / f"{FALLBACK}.ftl"
    for entry in FluentParser().parse(catalogue.read_text(encoding="utf-8")).body:
        if isinstance(entry, Message) and entry.id.name.startswith(prefix) and entry.value:
            words: list[str] = []
            form = "".join(_form(element, words) for element in entry.value.elements)
            yield entry.id.name, words, form


def _form(element: TextElement | Placeable, words: list[str]) -> str:
    from fluent.syntax.ast import StringLiteral, TextElement, VariableReference

    if isinstance(element, TextElement):
        words.append(element.value)
        return regex.escape(element.value, literal_spaces=True)
    match element.expression:
        case VariableReference(id=name):
            number = r"\d[\d,]*(?:\.\d+)?"
            return f"(?P<{name.name}>{number if name.name in _NUMBERS else '.+?'})"
        case StringLiteral(value=text):
            return regex.escape(text, literal_spaces=True)
        case other:
            raise TypeError(f"a reason holds values, not {type(other).__name__}")
