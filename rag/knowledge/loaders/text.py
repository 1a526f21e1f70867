"""Reads plain text of any common encoding, and says so when a file is not text."""

from __future__ import annotations

import codecs
from collections.abc import Mapping, Sequence
from dataclasses import replace

import chardet
import regex

from rag.errors import DocumentError
from rag.knowledge.documents import Section
from rag.knowledge.loaders.content import GAP, Content, close_gaps
from rag.knowledge.loaders.looks import WHITE, Look
from rag.knowledge.loaders.unseen import styled
from rag.language.visible import visible
from rag.reasons import Reason

# UTF-32 first: its little-endian mark begins with that of UTF-16.
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
# Encodings that files are still written in.
_OLD_ENCODINGS = (
    "cp1250", "cp1251", "cp1252", "cp1253", "cp1254", "cp1255", "cp1256", "cp1257", "iso8859-2", "iso8859-5",
    "iso8859-6", "iso8859-8", "iso8859-15", "koi8-r", "koi8-u", "cp866", "gb18030", "big5", "shift_jis",
    "euc-jp", "euc-kr", "tis-620", "utf-16-le", "utf-16-be",
)  # fmt: skip
_COMMAS = str.maketrans("ŞşŢţ", "ȘșȚț")
"""Romanian letters, the only ones with a cedilla in two of these; ISO 8859-16 has commas in their places."""
_DOUBTFUL = 0.01  # how much surer the detector is of the best guess than of the next one, at least
_SAMPLE_BYTES = 200_000
_CONTROL = regex.compile(r"[\x00-\x08\x0e-\x1a\x1c-\x1f]")  # escape (x1b) is in logs of terminals
_WRONG_MARK = regex.compile(r"(?<!\\)\\(?:uc(?![a-zA-Z]|-?\d)|u-?\d{6,}|u-[6-9]\d{4}|bin(?!\d))")  # of RTF
_GROUNDS = regex.compile(
    r"\\(?:(?!ch)[a-z]*cbpat|background|[a-z]*shdng|shading|shp|do|outl|shad|embo|impr)(?![a-z0])"
)
"""What may be behind white letters, or draw them otherwise."""
_HIDDEN = "\ufdd1"
_FLAT, _AWAY = 40, -15_000  # twips between lines, and to the left of a page
_STRIKING = ("strike", "striked", "deleted")
_NOT_TEXT = Reason("not-text")


def load_text(text: str) -> Content:
    """Read plain text; it has no headings, so it is one section."""
    text = visible(text).strip("\n")
    return Content("", (Section("", text),) if text.strip() else ())


def load_rtf(text: str) -> Content:
    """Read Rich Text: its words and tables, without marks."""
    from striprtf.striprtf import rtf_to_text

    if not text.lstrip().startswith("{\\rtf"):
        raise DocumentError(Reason("not-rtf"))
    text = _mark_unread(_WRONG_MARK.sub("", text))
    text = str(rtf_to_text(text, errors="replace"))  # type: ignore[no-untyped-call]
    text, hidden = regex.subn(rf"{_HIDDEN}[\s{_HIDDEN}]*{_HIDDEN}|{_HIDDEN}", GAP, text)
    text = close_gaps(text)
    return replace(load_text(text), notes=(Reason("html-hidden", {"count": hidden}),) if hidden else ())


def _mark_unread(text: str) -> str:
    """Put a sign for hidden, tiny, white and struck words: in tables of styles it is dropped like words."""
    from striprtf.striprtf import PATTERN

    table = regex.search(r"\{\\colortbl(?P<colors>[^{}]*+)\}", text)
    entries = (table["colors"] if table else "").split(";")
    colors = [f"rgb({','.join(regex.findall(r'(?:red|green|blue)([0-9]{1,3})', one))})" for one in entries]
    paper = Look(ground=() if _GROUNDS.search(text) else WHITE)
    is_hidden, looked_at = False, dict[str, int]()
    marks = plain = {
        "v": 0, "fs": 24, "cf": -1, "ground": -1, "charscalex": 100, "sl": 0, "li": 0,
        **dict.fromkeys(_STRIKING, 0),
    }  # fmt: skip
    groups, pieces = list[dict[str, int]](), list[str]()
    for found in PATTERN.finditer(text):
        word, number, code, _, brace, letter = found.groups()
        is_letter = word == "u" or code or (letter and not letter.isspace())
        if is_letter and marks is not looked_at:
            looked_at, is_hidden = marks, _is_hidden(marks, colors, paper)
        sign = GAP if any(map(marks.get, _STRIKING)) else _HIDDEN if is_hidden else ""
        pieces.append(sign if sign and is_letter else found.group())
        if brace == "{":
            groups.append(marks)
        elif brace and groups:
            marks = groups.pop()
        elif word in {"highlight", "chcbpat", "cb"} and number:
            marks = marks | {"ground": int(number) or -1}
        elif word in marks:
            marks = marks | {word: int(number or word in {"v", *_STRIKING})}
        elif word == "plain":
            marks = plain
        elif word == "pard":
            marks = marks | {"li": 0, "sl": 0}
    return "".join(pieces)


def _is_hidden(marks: Mapping[str, int], colors: Sequence[str], paper: Look) -> bool:
    ink, ground = (colors[n] if 0 <= (n := marks[one]) < len(colors) else "" for one in ("cf", "ground"))
    style = f"color:{ink or '?'};background:{ground};font-size:calc({marks['fs']}pt/2)"
    is_off = marks["v"] or -_FLAT <= marks["sl"] < 0 or marks["li"] < _AWAY
    return bool(is_off) or styled(f"{style};scale:{marks['charscalex'] or 100}%", paper).is_unseen


def decode(content: bytes) -> tuple[str, tuple[Reason, ...]]:
    """The text of a file: by its mark, as UTF-8, as unmarked UTF-16, else by the likeliest old encoding.

    Returns:
        The text, and a doubt about the encoding if there is one.

    Raises:
        DocumentError: The bytes are no text in any of them.
    """
    for mark, encoding in _MARKS:
        if content.startswith(mark):
            return _strictly(content[len(mark) :], encoding), ()
    try:
        if not _is_binary(text := content.decode("utf-8")):
            return text, ()
    except UnicodeDecodeError:
        pass
    guesses = [one for one in _guesses(content) if b"\0" not in content or one.startswith("utf-16")]
    # The guess was made on the beginning; a stray byte further on must not cost the document.
    texts = [(content.decode(encoding, "replace"), encoding) for encoding in guesses]
    if not texts or _is_binary(texts[0][0]):
        raise DocumentError(_NOT_TEXT)
    is_doubtful = any(text != texts[0][0] for text, _ in texts)
    text, encoding = texts[0]
    text = text.translate(_COMMAS) if encoding in {"cp1250", "iso8859-2"} else text
    return text, (Reason("encoding-doubtful", {"encoding": encoding}),) if is_doubtful else ()


def _guesses(content: bytes) -> list[str]:
    guesses = chardet.detect_all(
        content, ignore_threshold=True, compat_names=False, include_encodings=_OLD_ENCODINGS
    )
    return [
        guess["encoding"]
        for guess in guesses
        if guess["encoding"] and guesses[0]["confidence"] - guess["confidence"] < _DOUBTFUL
    ]


def _strictly(content: bytes, encoding: str) -> str:
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError as error:
        raise DocumentError(Reason("damaged-text", {"encoding": encoding.upper()})) from error
    if _is_binary(text):
        raise DocumentError(_NOT_TEXT)
    return text


def _is_binary(text: str) -> bool:
    """Whether a text has more control characters than a slip of the keyboard explains."""
    sample = text[:_SAMPLE_BYTES]
    return len(_CONTROL.findall(sample)) > max(3, len(sample) / 200)
