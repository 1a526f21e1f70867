"""The sentences that the product itself says, in message catalogues (Fluent, one file a language).

To add a language, copy ``en.ftl`` to ``<code>.ftl`` here, in `bot/texts` and in `bot/web/texts`, translate
the three copies, and run the tests.
A message that a catalogue lacks is taken from English. Messages named ``reason-<code>`` are those of
`rag.reasons.Reason`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rag.reasons import AS_WRITTEN, Reason, Value

if TYPE_CHECKING:
    from fluent.runtime import FluentBundle
    from fluent.syntax.ast import Resource

FALLBACK = "en"

LONGEST_VALUE = 2000
"""Characters of a value inside a sentence. Fluent refuses far longer ones, and somebody may type them."""

ENGINE_FOLDER = Path(__file__).parent


class Texts:
    """The catalogues (``<code>.ftl``) of one or more folders; a later folder overrides an earlier one."""

    def __init__(self, *folders: Path) -> None:
        self._folders = folders or (ENGINE_FOLDER,)
        self._bundles: dict[str, FluentBundle] = {}

    @cached_property
    def languages(self) -> tuple[str, ...]:
        """ISO 639-1 codes of the languages there are, sorted."""
        return tuple(sorted({path.stem for folder in self._folders for path in folder.glob("*.ftl")}))

    def text(self, message: str, language: str = FALLBACK, /, **values: Value) -> str:
        """Return a message in `language`, or in English where there is no translation.

        Args:
            values: What its placeables stand for; strings are inserted verbatim, but for the end of very
                long ones, and reasons as they read in that language.

        Raises:
            LookupError: no catalogue has the message, or a value that it needs is missing.
        """
        for code in (language, FALLBACK):
            bundle = self._bundle(code)
            if not bundle.has_message(message):
                continue
            pattern = bundle.get_message(message).value
            if pattern is None:
                continue
            text, errors = bundle.format_pattern(
                pattern, {name: self._shown(value, code) for name, value in values.items()}
            )
            if errors:
                raise LookupError(f"message {message!r} in {code}: {errors[0]}")
            return str(text)
        raise LookupError(f"no catalogue has the message {message!r}")

    def reason(self, reason: Reason, language: str = FALLBACK) -> str:
        """Return a reason in words of `language`; one that no catalogue knows as its bare code and values."""
        if reason.code == AS_WRITTEN:
            return str(reason.values.get("text", ""))
        try:
            return self.text(f"reason-{reason.code}", language, **reason.values)
        except LookupError:
            values = (str(self._shown(value, language)) for value in reason.values.values())
            return ", ".join([reason.code.replace("-", " "), *values])

    def _shown(self, value: Value, language: str) -> str | float:
        if isinstance(value, Reason):
            value = self.reason(value, language)
        if not isinstance(value, str) or len(value) <= LONGEST_VALUE:
            return value
        return f"{value[: LONGEST_VALUE - 1]}…"

    def _bundle(self, code: str) -> FluentBundle:
        if code not in self._bundles:
            # Imported here: it takes half a second, and most answers need none of these sentences.
            from fluent.runtime import FluentBundle

            # Isolation marks around values are invisible and would end up in copied text.
            locale = code if code in self.languages else FALLBACK
            bundle = FluentBundle([locale], functions=_make_functions(locale), use_isolating=False)
            for folder in self._folders:
                path = folder / f"{code}.ftl"
                if path.is_file():
                    bundle.add_resource(_parse(path), allow_overrides=True)
            self._bundles[code] = bundle
        return self._bundles[code]


def _make_functions(language: str) -> dict[str, Callable[[str], Any]]:
    """Return the functions of catalogues: LANGUAGE names an ISO 639-1 code, SCRIPT a script of Unicode."""
    from babel import Locale

    names = Locale.parse(language)
    scripts = {name: names.scripts.get(code, name) for code, name in Locale.parse(FALLBACK).scripts.items()}
    # The library takes strings from functions; its annotation leaves them out.
    return {
        # Records of an earlier version hold English names instead of codes.
        "LANGUAGE": lambda code: names.languages.get(code, code),
        "SCRIPT": lambda name: scripts.get(name, name),
    }


@cache
def _parse(path: Path) -> Resource:
    """Parse a catalogue; once, because several `Texts` have catalogues in common."""
    from fluent.runtime import FluentResource

    return FluentResource(path.read_text(encoding="utf-8"))


ENGLISH = Texts()
"""Reads the engine's catalogues in English, for logs, prompts and ``str(error)``."""
