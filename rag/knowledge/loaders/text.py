"""Reads plain text of any common encoding, and says so when a file is not text."""

from __future__ import annotations

import codecs
from typing import TYPE_CHECKING

import regex

from rag.errors import DocumentError
from rag.knowledge.documents import Section
from rag.knowledge.loaders.content import Content
from rag.language.visible import visible
from rag.reasons import Reason

if TYPE_CHECKING:
    from charset_normalizer import CharsetMatch

# UTF-32 first: its little-endian mark begins with that of UTF-16.
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)

# Encodings that files are still written in, the likelier first: it decides between equal guesses.
_OLD_ENCODINGS = [
    "cp1252", "cp1251", "gb18030", "shift_jis", "euc_kr", "big5", "koi8_r", "cp866", "euc_jp", "cp1250",
    "cp1253", "cp1254", "cp1255", "cp1256", "tis_620",
]  # fmt: skip

_SAMPLE_BYTES = 200_000
_CONTROL = regex.compile(r"[\x00-\x08\x0e-\x1a\x1c-\x1f]")  # escape (x1b) is in logs of terminals
_NOT_TEXT = Reason("not-text")


def load_text(text: str) -> Content:
    """Read plain text; it has no headings, so it is one section."""
    text = visible(text).strip("\n")
    return Content("", (Section("", text),) if text.strip() else ())


def decode(content: bytes) -> str:
    """The text of a file: by its mark, as UTF-8, as unmarked UTF-16, else by the likeliest old encoding.

    Raises:
        DocumentError: The bytes are no text in any of them.
    """
    for mark, encoding in _MARKS:
        if content.startswith(mark):
            return _strictly(content[len(mark) :], encoding)
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        text = ""
    else:
        if not _is_binary(text):
            return text
    wide = _unmarked_utf16(content)
    if wide:
        text = _strictly(content, wide)
    elif b"\0" not in content:
        text = _guessed(content)
    if not text or _is_binary(text):
        raise DocumentError(_NOT_TEXT)
    return text


def _strictly(content: bytes, encoding: str) -> str:
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError as error:
        raise DocumentError(Reason("damaged-text", {"encoding": encoding.upper()})) from error
    if _is_binary(text):
        raise DocumentError(_NOT_TEXT)
    return text


def _unmarked_utf16(content: bytes) -> str:
    """Name of the byte order of UTF-16 without a mark, or an empty string.

    Spaces, digits and line ends have one zero byte, always on the same side.
    """
    sample = content[: _SAMPLE_BYTES - _SAMPLE_BYTES % 2]
    if len(content) % 2 or not sample:
        return ""
    even, odd = sample[::2].count(0), sample[1::2].count(0)
    enough = len(sample) / 2 / 50
    if odd >= enough and even == 0:
        return "utf-16-le"
    if even >= enough and odd == 0:
        return "utf-16-be"
    return ""


def _guessed(content: bytes) -> str:
    from charset_normalizer import from_bytes

    matches = list(from_bytes(content[:_SAMPLE_BYTES], cp_isolation=_OLD_ENCODINGS))
    if not matches:
        return ""

    def unlikeliness(match: CharsetMatch) -> tuple[float, float, int]:
        return (
            round(match.chaos, 1),
            -round(match.coherence, 1),
            _OLD_ENCODINGS.index(match.encoding) if match.encoding in _OLD_ENCODINGS else len(_OLD_ENCODINGS),
        )

    encoding = min(matches, key=unlikeliness).encoding
    # The guess was made on the beginning; a stray byte further on must not cost the document.
    return content.decode(encoding, "replace")


def _is_binary(text: str) -> bool:
    """Whether a text has more control characters than a slip of the keyboard explains."""
    sample = text[:_SAMPLE_BYTES]
    return len(_CONTROL.findall(sample)) > max(3, len(sample) / 200)
