"""Reads PDF: a section a page."""

from __future__ import annotations

import io

import regex
from pypdf import PasswordType, PdfReader
from pypdf.errors import DependencyError, LimitReachedError, PyPdfError

from rag.errors import DocumentError
from rag.knowledge.documents import Section
from rag.knowledge.loaders.content import Content, TextLimit
from rag.language.visible import one_line, visible
from rag.reasons import Reason

_DAMAGED = Reason("pdf-damaged")
_CUT_OFF = Reason("pdf-cut-off")
_ENCRYPTED = Reason("pdf-encrypted")
_NO_TEXT = Reason("pdf-images")
_TOO_LARGE = Reason("pdf-too-large")

_END_BYTES = 2048
# A word that was divided at the end of a line; a capital after the hyphen is a name of two words.
_DIVIDED = regex.compile(r"(?<=\p{Ll}{2})-\n(?=\p{Ll})")


def load_pdf(content: bytes, limit: TextLimit) -> Content:
    """Read a PDF. A page that cannot be read becomes a note, the others are kept.

    Raises:
        DocumentError: It is encrypted, cut off, damaged, without text or too large.
    """
    if b"%PDF-" not in content[:_END_BYTES]:
        raise DocumentError(Reason("not-a-pdf"))
    if b"%%EOF" not in content[-_END_BYTES:]:
        raise DocumentError(_CUT_OFF)
    try:
        reader = PdfReader(io.BytesIO(content))
        if reader.is_encrypted and reader.decrypt("") == PasswordType.NOT_DECRYPTED:
            raise DocumentError(_ENCRYPTED)
        pages = len(reader.pages)
        title = _title(reader)
        if not pages:
            raise DocumentError(_DAMAGED)
    except DependencyError as error:
        raise DocumentError(_ENCRYPTED) from error
    except LimitReachedError as error:
        raise DocumentError(_TOO_LARGE) from error
    except (PyPdfError, ValueError, LookupError, TypeError, AttributeError) as error:
        raise DocumentError(_DAMAGED) from error
    sections, notes = _read_pages(reader, pages, limit)
    if not sections:
        raise DocumentError(_DAMAGED if notes else _NO_TEXT)
    return Content(title, tuple(sections), tuple(notes))


def _read_pages(reader: PdfReader, pages: int, limit: TextLimit) -> tuple[list[Section], list[Reason]]:
    sections: list[Section] = []
    notes: list[Reason] = []
    for number in range(1, pages + 1):
        try:
            text = reader.pages[number - 1].extract_text()
        except LimitReachedError as error:
            raise DocumentError(_TOO_LARGE) from error
        except MemoryError:
            raise
        except Exception:  # noqa: BLE001 - pypdf lets any exception out of a broken page
            notes.append(Reason("pdf-page", {"page": str(number)}))
            continue
        text = _DIVIDED.sub("", visible(text)).strip()
        limit.count(text)
        if text:
            sections.append(Section(f"page {number}", text))
    return sections, notes


def _title(reader: PdfReader) -> str:
    title = reader.metadata.title if reader.metadata else None
    return one_line(title) if isinstance(title, str) else ""
