"""Reads PDF: its bookmarks become sections, or else its pages; every page can be pointed at."""

from __future__ import annotations

import io
import itertools
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import regex
from pypdf import PasswordType, PdfReader
from pypdf.errors import DependencyError, LimitReachedError, PyPdfError
from pypdf.generic import Destination

from rag.errors import DocumentError
from rag.knowledge.loaders.content import Content, Outline, TextLimit
from rag.knowledge.loaders.pdf_pages import continued, without_running_heads
from rag.language.visible import one_line, visible
from rag.reasons import Reason

_DAMAGED = Reason("pdf-damaged")
_CUT_OFF = Reason("pdf-cut-off")
_ENCRYPTED = Reason("pdf-encrypted")
_NO_TEXT = Reason("pdf-images")
_TOO_LARGE = Reason("pdf-too-large")

_END_BYTES = 2048
_BOOKMARKS = 5000
_BOOKMARKED_PAGES = 20  # fewer bookmarks than one in so many pages say less than the pages do
# A word that was divided at the end of a line; a capital after the hyphen is a name of two words.
_DIVIDED = regex.compile(r"(?<=\p{Ll}{2})-\n(?=\p{Ll})")
_NOT_LETTERS = regex.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True)
class _Bookmark:
    """An entry of the outline: its depth from 1, its words, and the page from 1 that it opens."""

    level: int
    title: str
    page: int


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
    texts, notes = _read_pages(reader, pages, limit)
    texts = [_DIVIDED.sub("", text) for text in without_running_heads(texts)]
    if not any(texts):
        raise DocumentError(_DAMAGED if notes else _NO_TEXT)
    outline = Outline()
    bookmarks = _bookmarks(reader)
    if len(bookmarks) * _BOOKMARKED_PAGES >= pages and any(bookmark.page > 1 for bookmark in bookmarks):
        _add_sections(texts, bookmarks, outline)
    else:
        _add_pages(texts, outline)
    return Content(title, outline.sections(), tuple(notes))


def _read_pages(reader: PdfReader, pages: int, limit: TextLimit) -> tuple[list[str], list[Reason]]:
    texts: list[str] = []
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
            text = ""
        text = visible(text).strip()
        limit.count(text)
        texts.append(text)
    return texts, notes


def _add_pages(texts: Sequence[str], outline: Outline) -> None:
    """Add a section a page; a sentence that goes on belongs to the page on which it begins."""
    starts = [0, *(continued(before, after) for before, after in itertools.pairwise(texts))]
    for number, text in enumerate(texts, start=1):
        rest = texts[number][: starts[number]] if number < len(texts) and starts[number] else ""
        own = text[starts[number - 1] :].strip()
        if own:
            outline.heading(1, f"page {number}", f"page={number}")
            outline.line(f"{own}\n{rest}" if rest else own)


def _add_sections(texts: Sequence[str], bookmarks: Sequence[_Bookmark], outline: Outline) -> None:
    """Add a section a bookmark, over as many pages as it has."""
    on_page: dict[int, list[_Bookmark]] = defaultdict(list)
    for bookmark in bookmarks:
        on_page[bookmark.page].append(bookmark)
    for number, text in enumerate(texts, start=1):
        place = f"page={number}"
        # No blank line: a paragraph goes on over the page break.
        outline.anchor(place)
        waiting = on_page[number]
        lines = text.split("\n") if text else []
        found = _titles_in(lines, waiting)
        if waiting and 0 not in found and not found:
            for bookmark in waiting:
                outline.heading(bookmark.level, bookmark.title, place)
            waiting = []
        missing = [bookmark for bookmark in waiting if bookmark not in found.values()]
        for bookmark in missing:
            outline.heading(bookmark.level, bookmark.title, place)
        for position, line in enumerate(lines):
            if position in found:
                outline.heading(found[position].level, found[position].title, place)
            else:
                outline.line(line)


def _titles_in(lines: Sequence[str], bookmarks: Sequence[_Bookmark]) -> dict[int, _Bookmark]:
    """The lines of a page that are titles of its bookmarks, in their order."""
    found: dict[int, _Bookmark] = {}
    position = 0
    for bookmark in bookmarks:
        wanted = _letters(bookmark.title)
        for place in range(position, len(lines)):
            if (
                wanted
                and _letters(lines[place]).endswith(wanted)
                and len(lines[place]) < len(bookmark.title) + 12
            ):
                found[place] = bookmark
                position = place + 1
                break
    return found


def _letters(text: str) -> str:
    return _NOT_LETTERS.sub("", text).casefold()


def _bookmarks(reader: PdfReader) -> list[_Bookmark]:
    """The outline of a document in order; empty when it has none, or one that cannot be read."""
    try:
        return list(itertools.islice(_listed(reader, reader.outline), _BOOKMARKS))
    except MemoryError:
        raise
    except Exception:  # noqa: BLE001 - as for pages; a document without its outline is still a document
        return []


def _listed(reader: PdfReader, entries: Sequence[object], level: int = 1) -> Iterator[_Bookmark]:
    for entry in entries:
        if isinstance(entry, list):
            if level < 6:
                yield from _listed(reader, entry, level + 1)
        elif isinstance(entry, Destination):
            page = reader.get_destination_page_number(entry)
            title = one_line(visible(str(entry.title or "")))
            if page is not None and page >= 0 and title:
                yield _Bookmark(level, title, page + 1)


def _title(reader: PdfReader) -> str:
    title = reader.metadata.title if reader.metadata else None
    return one_line(title) if isinstance(title, str) else ""
