"""Reduce a text to what a reader sees.

Invisible characters hide instructions (tags, direction marks, repeated variation selectors), split words so
that no search finds them (soft hyphen, zero-width space), start terminal commands (control codes) or break a
database (NUL). Documents, questions, names of people and of files all pass through this module. An invisible
character is kept where it changes the appearance: joined emoji, the flag of Wales, Persian and Indic letters.
"""

from __future__ import annotations

import unicodedata

import regex

_LINE_END = regex.compile(r"\r\n?|\x85|\u2028|\u2029|\x0b|\x0c")
_SURROGATE = regex.compile(r"[\ud800-\udfff]")

# Control codes except tab and line end, everything that Unicode calls ignorable, and annotation marks.
_UNSEEN = r"[[\p{Cc}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]--[\t\n]]"
_SUSPECT = regex.compile(rf"{_UNSEEN}|[\ud800-\udfff]|\p{{M}}{{7}}", regex.V1)

# Scripts whose letters change form beside a joiner or a non-joiner.
_JOINED = r"".join(
    rf"\p{{Script={script}}}"
    for script in (
        "Arabic", "Syriac", "Mandaic", "Nko", "Mongolian", "Phags_Pa", "Manichaean", "Psalter_Pahlavi",
        "Sogdian", "Adlam", "Hanifi_Rohingya", "Devanagari", "Bengali", "Gurmukhi", "Gujarati", "Oriya",
        "Tamil", "Telugu", "Kannada", "Malayalam", "Sinhala", "Khmer", "Myanmar", "Tibetan", "Balinese",
        "Javanese", "Sundanese", "Tai_Tham", "Meetei_Mayek", "Chakma", "Newa", "Grantha", "Tirhuta",
    )
)  # fmt: skip


def _tags(name: str) -> str:
    return "".join(chr(0xE0000 + ord(character)) for character in name)


# Kept: (1) the flags of England, Scotland and Wales, (2) joiners inside an emoji, (3) the selector of the
# coloured or the plain form of a sign, (4) one joiner or non-joiner between letters that it shapes, (5)
# variants of letters and mathematical signs, if Unicode has such variants.
_KEPT = (
    rf"(?<=\U0001f3f4)(?:{_tags('gbeng')}|{_tags('gbsct')}|{_tags('gbwls')})\U000e007f"
    r"|(?<=\p{Extended_Pictographic}\ufe0f?|\p{Emoji_Modifier})\u200d(?=\p{Extended_Pictographic})"
    r"|(?<=[\p{Emoji}\p{So}\p{Sm}])[\ufe0e\ufe0f]"
    rf"|(?<=[{_JOINED}])[\u200c\u200d](?=[{_JOINED}])"
    r"|(?<=\p{Script=Mongolian})[\u180b-\u180d]"
    r"|(?<=[\p{Script=Han}\p{Script=Myanmar}\p{Script=Phags_Pa}\p{Sm}])[\ufe00-\ufe02]"
)
_UNSEEN_OR_KEPT = regex.compile(rf"(?={_UNSEEN})(?:(?P<kept>{_KEPT})|.)", regex.V1 | regex.DOTALL)
_HEAP_OF_MARKS = regex.compile(r"(\p{M}{6})\p{M}+")
_BLANK_LINES = regex.compile(r"\n[^\S\n]*(?:\n[^\S\n]*){2,}")


def visible(text: str) -> str:
    """Return the text with composed characters, plain line ends, and without invisible characters.

    No language has more than six marks on one letter; further marks are dropped.
    """
    if text.isascii() and "\r" not in text and text.isprintable():
        return text
    text = unicodedata.normalize("NFC", _LINE_END.sub("\n", text))
    if _SUSPECT.search(text) is None:
        return text
    text = _SURROGATE.sub("\ufffd", text)
    # Removing a character can join its neighbours into something that must be removed too.
    while (shown := _remove_invisible(text)) != text:
        text = shown
    return text


def one_line(text: str) -> str:
    """Return the visible text in one line with single spaces: a name, a heading, a table cell."""
    return " ".join(visible(text).split())


def message_text(text: str) -> str:
    """Return the visible text of a message, without surrounding white space and repeated blank lines."""
    return _BLANK_LINES.sub("\n\n", visible(text)).strip()


def _remove_invisible(text: str) -> str:
    text = _UNSEEN_OR_KEPT.sub(lambda found: found["kept"] or "", text)
    return _HEAP_OF_MARKS.sub(r"\1", unicodedata.normalize("NFC", text))
