"""Determine the scripts of a text by counting its letters.

Digits, punctuation, emoji and letters without a script (``µ``, mathematical alphabets) say nothing about a
language and are not counted.
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
"""`dominant_script` of a text in Han characters and kana; no single Unicode script covers both."""

UNSPACED = frozenset({"Han", "Hiragana", "Katakana", JAPANESE, "Thai", "Lao", "Khmer", "Myanmar"})

LETTER_WEIGHTS = {"Han": 3.0, "Hangul": 2.0, "Hiragana": 1.5, "Katakana": 1.5}
"""Number of Latin letters that carry as much as one letter of a script; 1 for other scripts."""

# Vowel signs are marks, but count as letters of their script. U+30FC lengthens a vowel in both kana.
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
    """Adjacent letters of one script; ``Other`` covers rare scripts that are not in `SCRIPTS`."""

    script: str
    start: int
    end: int


def script_runs(text: str) -> Iterator[ScriptRun]:
    """Yield the runs of letters of `text` by script, in order."""
    for run in _RUN.finditer(text):
        yield ScriptRun(run.lastgroup or "Other", run.start(), run.end())


def script_shares(text: str) -> dict[str, float]:
    """Return the share of each script among the letters, largest first; empty without letters."""
    if text.isascii():
        return {"Latin": 1.0} if _LETTER.search(text) else {}
    letters: Counter[str] = Counter()
    for run in script_runs(text):
        letters[run.script] += run.end - run.start
    total = letters.total()
    return {script: count / total for script, count in letters.most_common()}


def dominant_script(text: str) -> str:
    """Return the script of most letters: one of `SCRIPTS`, `JAPANESE` or ``Other``; empty without letters.

    A text with a substantial share of kana counts its Han characters as Japanese, so that it is not taken for
    Chinese.
    """
    shares = script_shares(text)
    kana = shares.get("Hiragana", 0.0) + shares.get("Katakana", 0.0)
    japanese = kana + shares.get("Han", 0.0)
    # A Chinese text can quote a word in kana, but at least a tenth of a Japanese text is kana.
    if kana and kana >= japanese / 10:
        shares = {JAPANESE: japanese, **shares}
        shares.pop("Han", None)
    return max(shares, key=lambda script: shares[script], default="")


def prose(text: str) -> str:
    """Replace code, web addresses and e-mail addresses by spaces, so that offsets stay valid."""
    plain = without_code(text)
    return blank(plain, [address.span() for address in _ADDRESS.finditer(plain)])
