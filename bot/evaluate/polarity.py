"""Whether an answer opens with yes or no; the words are in ``yes_no.yaml``."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import get_args

import regex
import yaml

from bot.evaluate import gold
from bot.evaluate.rows import Polarity

_WORDS = Path(__file__).with_name("yes_no.yaml")
_ALWAYS = "en"
"""Always checked too, because small models answer in English whatever the question's language."""

_POLARITIES: tuple[Polarity, ...] = get_args(Polarity)
_OPENING_CHARACTERS = 100
_BEFORE = r"^[^\p{L}\p{N}]*+"
_AFTER = r"(?![\p{L}\p{M}\p{N}])"
_PAUSE = r"[*_\"'”’»]*+(?:[,;:!?…，。；：！？、(（\n]|\.(?!\s*\d)|\s+[-–—]|[–—]|\s*+$)"
_UNSPACED = regex.compile(r"\p{Han}$")


def opening(text: str, language: str) -> Polarity | None:
    """Return whether an answer opens with yes or no; None if with neither.

    Args:
        text: An answer; its citation markers are taken out already.
        language: ISO 639-1 code of the question; for an unknown language only English words are recognised.
    """
    text = text.strip()[:_OPENING_CHARACTERS]
    # The first match is not enough: "不" opens "不是的" as well, and "of course" opens "of course not".
    found = [
        (match.end("word"), polarity)
        for polarity, pattern in _patterns(language).items()
        if (match := pattern.match(text))
    ]
    return max(found)[1] if found else None


def is_bare(answer: str, language: str) -> bool:
    """Whether a gold answer is only yes or no, words that also occur in texts with the opposite answer."""
    bare = gold.plain(answer)
    return any(bare == gold.plain(word) for words in _words(language).values() for word, _ in words)


@lru_cache(maxsize=64)
def _patterns(language: str) -> dict[Polarity, regex.Pattern[str]]:
    return {
        polarity: regex.compile(
            f"{_BEFORE}(?:{'|'.join(_alternative(word, is_alone=alone) for word, alone in words)})",
            regex.IGNORECASE,
        )
        for polarity, words in _words(language).items()
    }


def _alternative(word: str, *, is_alone: bool) -> str:
    after = _PAUSE if is_alone else "" if _UNSPACED.search(word) else _AFTER
    return f"(?P<word>{regex.escape(word, literal_spaces=True)}){after}"


@lru_cache(maxsize=64)
def _words(language: str) -> dict[Polarity, tuple[tuple[str, bool], ...]]:
    """The words of a language and of English by what they say, longest first, and which must stand alone."""
    blocks = _blocks()
    found: dict[Polarity, tuple[tuple[str, bool], ...]] = {}
    for polarity in _POLARITIES:
        words = {
            (word, alone)
            for code in {language, _ALWAYS} & blocks.keys()
            for alone, key in ((False, polarity), (True, f"{polarity}_alone"))
            for word in blocks[code][key]
        }
        found[polarity] = tuple(sorted(words, key=lambda entry: (-len(entry[0]), entry)))
    return found


@lru_cache(maxsize=1)
def _blocks() -> dict[str, dict[str, list[str]]]:
    blocks: dict[str, dict[str, list[str]]] = yaml.safe_load(_WORDS.read_text(encoding="utf-8"))
    return blocks
