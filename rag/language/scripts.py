"""Which scripts a text is written in, counted over its letters.

Digits, punctuation, emoji and letters that belong to no script (``µ``, mathematical alphabets) say
nothing about a language and are not counted.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import regex

from rag.language.markdown import blank, without_code

SCRIPTS = (
    "Latin", "Cyrillic", "Han", "Hiragana", "Katakana", "Hangul", "Thai", "Arabic", "Hebrew", "Greek",
    "Devanagari", "Bengali", "Tamil", "Telugu", "Kannada", "Malayalam", "Gujarati", "Gurmukhi", "Sinhala",
    "Lao", "Khmer", "Myanmar", "Georgian", "Armenian", "Ethiopic",
)  # fmt: skip

JAPANESE = "Japanese"
"""`dominant_script` of a text in Han characters and kana; no single Unicode script describes it."""

UNSPACED = frozenset({"Han", "Hiragana", "Katakana", JAPANESE, "Thai", "Lao", "Khmer", "Myanmar"})
"""Scripts that are written without spaces between words."""

LETTER_WEIGHTS = {"Han": 3.0, "Hangul": 2.0, "Hiragana": 1.5, "Katakana": 1.5}
"""How many Latin letters say as much as one letter of a script; 1 where it is not named."""

# Vowel signs are marks, but count as letters of their script; U+30FC lengthens a vowel in both kana.
_RUN = regex.compile(
    "|".join(rf"(?P<{script}>[\p{{Script={script}}}&&[\p{{L}}\p{{M}}]]+)" for script in SCRIPTS).replace(
        r"(?P<Katakana>[", r"(?P<Katakana>[ー||"
    )
    + r"|(?P<Other>[\p{L}--\p{Script=Common}--\p{Script=Inherited}])",
    regex.VERSION1,
)

_LETTER = re.compile("[A-Za-z]")

# ASCII only: Chinese words follow an address without a space.
_ADDRESS = regex.compile(
    r"""
    (?: [a-z][a-z0-9+.-]{1,20}:// | (?<![\w.])www\. ) [^\s<>"'`\u0080-\U0010ffff]+ (?<![.,;:!?)\]*_])
    | (?<![\w.+-]) [\w.+-]{1,64} @ [\w-]{1,63} (?: \. [\w-]{1,63} )+
    | (?<![\w.-]) [a-z0-9-]{1,63} (?: \. [a-z0-9-]{1,63} ){0,4}
      \. (?: com|org|net|io|dev|app|ai|ru|cn|kr|id|es|mx|de|uk ) \b
      (?: / [^\s<>"'`\u0080-\U0010ffff]* (?<![.,;:!?)\]*_]) )?
    """,
    regex.VERBOSE | regex.IGNORECASE | regex.ASCII,
)


@dataclass(frozen=True, slots=True)
class ScriptRun:
    """Neighbouring letters of one script; ``Other`` stands for the rare ones that are not in `SCRIPTS`."""

    script: str
    start: int
    end: int


def script_runs(text: str) -> Iterator[ScriptRun]:
    """Yield the runs of letters of `text` by script, in order."""
    for run in _RUN.finditer(text):
        yield ScriptRun(run.lastgroup or "Other", run.start(), run.end())


def script_shares(text: str) -> dict[str, float]:
    """Share of each script among the letters of `text`, largest first; empty when it has none."""
    if text.isascii():
        return {"Latin": 1.0} if _LETTER.search(text) else {}
    letters: Counter[str] = Counter()
    for run in script_runs(text):
        letters[run.script] += run.end - run.start
    total = letters.total()
    return {script: count / total for script, count in letters.most_common()}


def dominant_script(text: str) -> str:
    """The script most letters of `text` belong to.

    Han characters and kana are one writing system when both are there in earnest, so that a Japanese
    text does not pass for a Chinese one.

    Returns:
        A name of `SCRIPTS`, `JAPANESE`, ``Other``, or an empty string when there are no letters.
    """
    shares = script_shares(text)
    kana = shares.get("Hiragana", 0.0) + shares.get("Katakana", 0.0)
    japanese = kana + shares.get("Han", 0.0)
    # A Chinese text may quote a word in kana; a Japanese one never has less than a tenth of it.
    if kana and kana >= japanese / 10:
        shares = {JAPANESE: japanese, **shares}
        shares.pop("Han", None)
    return max(shares, key=lambda script: shares[script], default="")


def prose(text: str) -> str:
    """`text` with code, addresses of the web and e-mail addresses blanked out by spaces.

    Returns:
        A text of the same length, so that an offset into it is an offset into `text`.
    """
    plain = without_code(text)
    return blank(plain, [address.span() for address in _ADDRESS.finditer(plain)])
