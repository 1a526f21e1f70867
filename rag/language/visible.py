"""What a reader sees of a text, and nothing else.

Characters that nobody sees hide instructions (tags, marks of direction, variation selectors in a row), split
words so that no search finds them (soft hyphen, zero-width space), start commands on a terminal (control
codes) or break a database (NUL). Documents, questions, names of people and of files all pass here. What
looks different with such a character keeps it: joined emoji, the flag of Wales, Persian and Indic letters.
"""

from __future__ import annotations

import unicodedata

import regex

_LINE_END = regex.compile(r"\r\n?|\x85|\u2028|\u2029|\x0b|\x0c")
_SURROGATE = regex.compile(r"[\ud800-\udfff]")

# Control codes but tab and line end, whatever Unicode calls ignorable, and marks around annotations.
_UNSEEN = r"[[\p{Cc}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]--[\t\n]]"
_SUSPECT = regex.compile(rf"{_UNSEEN}|[\ud800-\udfff]|\p{{M}}{{7}}", regex.V1)

# Scripts whose letters take another form beside a joiner or a non-joiner.
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


# Kept as they are: (1) the flags of England, Scotland and Wales, (2) what joins emoji to one picture,
# (3) the selector for the coloured or the plain form of a sign, (4) one joiner or non-joiner between letters
# that it shapes, (5) a form of a letter or of a sign of mathematics, where Unicode has such forms.
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
    """The text with composed characters, plain line ends, and nothing that nobody sees.

    More than six marks on one letter are none of any language's; the rest of the heap is dropped.
    """
    if text.isascii() and "\r" not in text and text.isprintable():
        return text
    text = unicodedata.normalize("NFC", _LINE_END.sub("\n", text))
    if _SUSPECT.search(text) is None:
        return text
    text = _SURROGATE.sub("\ufffd", text)
    # What goes may have kept apart what belongs together, and its neighbours may be nothing without it.
    while (shown := _shown(text)) != text:
        text = shown
    return text


def one_line(text: str) -> str:
    """The visible text in one line, with single spaces: a name, a heading, the cell of a table."""
    return " ".join(visible(text).split())


def message_text(text: str) -> str:
    """The visible text of a message: no white space around it, and no heap of blank lines inside."""
    return _BLANK_LINES.sub("\n\n", visible(text)).strip()


def _shown(text: str) -> str:
    text = _UNSEEN_OR_KEPT.sub(lambda found: found["kept"] or "", text)
    return _HEAP_OF_MARKS.sub(r"\1", unicodedata.normalize("NFC", text))
