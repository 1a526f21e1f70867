"""Reads PDF by layout: its bookmarks become sections, or else its pages; every page can be pointed at.

PDFium finds the characters, in the order in which they are read; `pdf_layout` makes sentences and tables of
them. The values of form fields stand where they are filled in, comments at the end of their page.
"""

from __future__ import annotations

import ctypes
import itertools
import math
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import pypdfium2 as pdfium
import pypdfium2.raw as raw
import regex

from rag.errors import DocumentError
from rag.knowledge.loaders import pdf_bidi
from rag.knowledge.loaders.content import Content, Outline, TextLimit
from rag.knowledge.loaders.pdf_layout import Piece, Row, joined_lines, page_lines, pieces_of_line, together
from rag.knowledge.loaders.pdf_pages import continued, running_lines
from rag.knowledge.loaders.pdf_pictures import recognize
from rag.knowledge.loaders.tables import add_table
from rag.language.visible import one_line, visible
from rag.reasons import Reason

_END_BYTES = 2048
_BOOKMARKS = 5000
_BOOKMARKED_PAGES = 20  # fewer bookmarks than one in so many pages say less than the pages do
_PICTURE_CHARACTERS = 20  # a page with a picture and no more text than a stamp is a picture
_NOT_LETTERS = regex.compile(r"[\W_]+")
_NUMBER_OF_TITLE = regex.compile(r"^[\d.\s]+")
_NO_TITLE = regex.compile(
    r"\(?(?:anonymous|untitled|unspecified|unknown)\)?|microsoft \w+.*|.*\.(?:(?:doc|ppt)x?|odt|tex|indd)",
    regex.IGNORECASE,
)
"""What programs write where nobody gave a title."""
_NEAR = 50  # letters before one on its line that say where the line stands
_SEEN = 2.0  # points of a letter
_PALE = 245  # of 255: paper
_NARROWEST = 0.07  # of its height; a letter as narrow was written for another one, or pressed to a line
_FAR = 10_000  # points, between places that are drawn
_PIXELS = 4_000  # of a side of a drawn page
_LEAST_INK = 2  # of 255: less is the same colour, or something on it
_NO_INK = {raw.FPDF_TEXTRENDERMODE_INVISIBLE, raw.FPDF_TEXTRENDERMODE_CLIP}
_HYPHENS = {0x02, 0xAD, 0xFFFE}  # PDFium's own marks for a hyphen at the end of a line
_NOT_SHOWN = raw.FPDF_ANNOT_FLAG_HIDDEN | raw.FPDF_ANNOT_FLAG_NOVIEW
_BUTTONS = {raw.FPDF_FORMFIELD_CHECKBOX, raw.FPDF_FORMFIELD_RADIOBUTTON}
_VALUES = {raw.FPDF_FORMFIELD_TEXTFIELD, raw.FPDF_FORMFIELD_COMBOBOX, raw.FPDF_FORMFIELD_LISTBOX}
_COMMENTS = {
    raw.FPDF_ANNOT_TEXT, raw.FPDF_ANNOT_FREETEXT, raw.FPDF_ANNOT_HIGHLIGHT, raw.FPDF_ANNOT_UNDERLINE,
    raw.FPDF_ANNOT_SQUIGGLY, raw.FPDF_ANNOT_STAMP,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Bookmark:
    """An entry of the outline: its depth from 1, its words, and the page from 1 that it opens."""

    level: int
    title: str
    page: int


def load_pdf(content: bytes, limit: TextLimit) -> Content:
    """Read a PDF. A page that cannot be read or is only a picture becomes a note, the others are kept.

    Raises:
        DocumentError: It is encrypted, cut off, damaged, without text or too large.
    """
    if b"%PDF-" not in content[:_END_BYTES]:
        raise DocumentError(Reason("not-a-pdf"))
    if b"%%EOF" not in content[-_END_BYTES:]:
        raise DocumentError(Reason("pdf-cut-off"))
    try:
        document = pdfium.PdfDocument(content)
    except pdfium.PdfiumError as error:
        # PDFium keeps the code of an earlier failure where a later one has none.
        encrypted = (
            error.err_code in {raw.FPDF_ERR_PASSWORD, raw.FPDF_ERR_SECURITY} and b"/Encrypt" in content
        )
        raise DocumentError(Reason("pdf-encrypted") if encrypted else Reason("pdf-damaged")) from error
    with document:
        document.init_forms()
        pages, recognized, notes = _read_pages(document, limit)
        bookmarks = list(itertools.islice(_bookmarks(document), _BOOKMARKS))
        texts = _texts(pages, {_letters(mark.title) for mark in bookmarks}, limit)
        for number, text in recognized.items():
            limit.count(text)
            texts[number - 1] = f"{text}\n\n{texts[number - 1]}".strip()
        if not any(texts):
            is_damaged = not pages or any(note.code == "pdf-page" for note in notes)
            raise DocumentError(Reason("pdf-damaged") if is_damaged else Reason("pdf-images"))
        outline = Outline()
        if len(bookmarks) * _BOOKMARKED_PAGES >= len(texts) and any(mark.page > 1 for mark in bookmarks):
            _add_sections(texts, bookmarks, outline)
        else:
            _add_pages(texts, outline)
        title = one_line(document.get_metadata_value("Title"))
    return Content("" if _NO_TITLE.fullmatch(title) else title, outline.sections(), tuple(notes))


def _read_pages(
    document: pdfium.PdfDocument, limit: TextLimit
) -> tuple[list[list[Row]], dict[int, str], list[Reason]]:
    """The rows of every page, comments as rows of their own, the text of pictures, and what is missing."""
    pages: list[list[Row]] = []
    recognized: dict[int, str] = {}
    damaged: list[int] = []
    pictures: list[int] = []
    hidden = 0
    used = TextLimit(limit.characters)
    for number in range(1, len(document) + 1):
        rows: list[Row] = []
        try:
            page = document[number - 1]
            sight = _Sight(page)
            rows = _rows(page, sight)
            hidden += sight.unseen
            images = page.get_objects(filter=[raw.FPDF_PAGEOBJ_IMAGE], max_depth=3)
            if _length(rows) <= _PICTURE_CHARACTERS and next(iter(images), None) is not None:
                recognized[number] = recognize(page, limit)
                pictures += [] if recognized[number] else [number]
            # Comments stand below everything, too far apart to be one paragraph.
            comments, unseen = _add_annotations(document, page, rows)
            hidden += unseen
            for place, comment in enumerate(comments, start=1):
                rows.append([Piece(f"({comment})", 0, -10_000 * place, 10_000, -10_000 * place + 10)])
            page.close()
        except pdfium.PdfiumError:
            damaged.append(number)
        used.count(" " * _length(rows))
        pages.append(rows)
    notes = [Reason("pdf-page", {"page": _listed(damaged)})] if damaged else []
    notes += [Reason("pdf-page-picture", {"page": _listed(pictures)})] if pictures else []
    notes += [Reason("html-hidden", {"count": hidden})] if hidden else []
    notes += [Reason("pdf-form")] if document.get_formtype() == raw.FORMTYPE_XFA_FULL else []
    return pages, recognized, notes


def _length(rows: Sequence[Row]) -> int:
    return sum(len(piece.text) for row in rows for piece in row)


def _rows(page: pdfium.PdfPage, sight: _Sight) -> list[Row]:
    """The lines of a page in PDFium's order; letters from right to left are put into their places."""
    lines: list[list[Piece]] = [[]]
    last: Piece | None = None
    for letter in _characters(page.get_textpage(), sight):
        is_space = letter.text.isspace()
        if letter.text == "\n" or (last and not is_space and _is_apart(letter, last, lines[-1])):
            lines.append([])  # the rest of a divided word follows without a line end
        if letter.text != "\n":
            lines[-1].append(letter)
        last = None if letter.text == "\n" else last if is_space else letter
    text = "".join(letter.text for line in lines for letter in line)
    is_page = pdf_bidi.has_from_right(text) and pdf_bidi.goes_from_right(text)
    rows = [_pieces(line, is_page=is_page) for line in lines]
    return [row for row in rows if row]


def _is_apart(letter: Piece, last: Piece, line: Sequence[Piece]) -> bool:
    """Whether a letter stands above or below the line of the last one; shaped letters have narrow boxes."""
    if last.bottom <= letter.middle <= last.top:
        return False
    near = [one for one in line[-_NEAR:] if one.top]
    overlaps = letter.bottom < max(one.top for one in near) and letter.top > min(one.bottom for one in near)
    return not (overlaps and pdf_bidi.has_from_right("".join(one.text for one in near)))


def _pieces(line: Sequence[Piece], *, is_page: bool) -> Row:
    if pdf_bidi.is_to_turn("".join(letter.text for letter in line), is_page=is_page):
        return pdf_bidi.row_of(line, is_page=is_page)
    words = itertools.groupby(line, key=lambda letter: letter.text.isspace())
    return pieces_of_line([together(list(word), "") for is_space, word in words if not is_space])


def _characters(text: pdfium.PdfTextPage, sight: _Sight) -> Iterator[Piece]:
    """Yield the characters with their places; those of line ends, and of what is not seen, are zero."""
    box = raw.FS_RECTF()
    handle = text.raw
    high = 0
    is_doubtful = is_thin = is_unseen = False
    quarters: int | None = None  # of a turn; asked for once a word, for each call takes its time
    for index in range(text.count_chars()):
        code = raw.FPDFText_GetUnicode(handle, index)
        if 0xD800 <= code < 0xDC00:
            high = code
            continue
        if 0xDC00 <= code < 0xE000:
            code = 0x10000 + ((high - 0xD800) << 10) + code - 0xDC00 if high else 0xFFFD
        high = 0
        if 0x20 < code < 0x7F:
            written = chr(code)
        else:
            written = "-" if code in _HYPHENS else "\n" if code in {10, 13} else visible(chr(code))
        if written == "\n":
            quarters = None
            yield Piece("\n", 0, 0, 0, 0)
            continue
        raw.FPDFText_GetLooseCharBox(handle, index, box)
        if not written or written.isspace():
            yield Piece(" ", *_upright((box.left, box.bottom, box.right, box.top), quarters or 0))
            quarters = None
            continue
        if quarters is None:
            quarters = round(raw.FPDFText_GetCharAngle(handle, index) / math.pi * 2) % 4
            is_unseen = False
            breadth = min(box.top - box.bottom, box.right - box.left)
            is_thin = "a" <= written.lower() <= "z" and breadth < _NARROWEST * _height(box)
            is_doubtful = is_thin or sight.misses(handle, index, box)
        if is_doubtful and (is_thin or sight.misses(handle, index, box)):
            sight.unseen += not is_unseen
            is_unseen = True
            yield Piece(" ", 0, 0, 0, 0)
            continue
        yield Piece(written, *_upright((box.left, box.bottom, box.right, box.top), quarters))


class _Sight:
    """Looks at the page as it is drawn, for letters that may not be seen there."""

    def __init__(self, page: pdfium.PdfPage) -> None:
        self.unseen = 0  # words
        self._page = page
        self._edges = page.get_cropbox()
        self._drawn: Any = None
        self._green = b""
        self._across = self._down = (0.0, 0.0, 0.0)

    def _draw(self) -> None:
        """Draw the page, and work out where its points are drawn: to ask for each takes its time."""
        scale = min(1.0, _PIXELS / max(self._page.get_size()))
        self._drawn = self._page.render(scale=scale, may_draw_forms=False, rev_byteorder=True).to_numpy()
        self._green = self._drawn[:, :, 1].tobytes()
        high, wide, _ = self._drawn.shape
        x, y, places = ctypes.c_int(), ctypes.c_int(), list[tuple[int, int]]()
        for point in ((0, 0), (_FAR, 0), (0, _FAR)):
            raw.FPDF_PageToDevice(self._page, 0, 0, wide, high, 0, *point, x, y)
            places.append((x.value, y.value))
        self._across, self._down = (
            (origin, (right - origin) / _FAR, (up - origin) / _FAR)
            for origin, right, up in zip(*places, strict=True)
        )

    def _pixels(self, box: raw.FS_RECTF, way: tuple[float, float, float]) -> tuple[int, int]:
        """From which to which pixel a box goes, across or down."""
        origin, right, up = way
        one = round(origin + box.left * right + box.bottom * up)
        other = round(origin + box.right * right + box.top * up)
        return max(min(one, other), 0), max(one, other, 0)

    def misses(self, handle: Any, index: int, box: raw.FS_RECTF) -> bool:  # noqa: ANN401 - as above
        """Whether nobody sees a letter; one that PDFium has no glyph for is not drawn, but seen by others."""
        if _is_outside(box, self._edges) or _height(box) < _SEEN:
            return True
        text = raw.FPDFText_GetTextObject(handle, index)
        colors = [ctypes.c_uint() for _ in range(4)]
        is_known = raw.FPDFText_GetFillColor(handle, index, *colors)
        *ink, alpha = (color.value for color in colors)
        has_ink = raw.FPDFTextObj_GetTextRenderMode(text) not in _NO_INK and (
            alpha >= 255 - _PALE or not is_known
        )
        ground = self._ground(box, _LEAST_INK if has_ink and min(ink) <= _PALE else 255 - _PALE)
        if ground is None:
            return False
        texts, covers, pictures = self._objects
        if not has_ink:  # what was recognized in a picture is searched by its readers
            return all(_is_outside(box, picture) for picture in pictures)
        if is_known and max(abs(one - other) for one, other in zip(ink, ground, strict=True)) <= 255 - _PALE:
            return True
        place = texts.get(ctypes.cast(text, ctypes.c_void_p).value, len(covers))
        return not all(_is_outside(box, cover) for cover in covers[place:])

    @cached_property
    def _objects(self) -> tuple[dict[int | None, int], list[Any], list[Any]]:
        """How many filled areas are drawn before each text, these areas, and the pictures."""
        texts, covers, pictures = dict[int | None, int](), list[Any](), list[Any]()
        fill, line = ctypes.c_int(), ctypes.c_int()
        for one in self._page.get_objects(max_depth=3):
            if one.type == raw.FPDF_PAGEOBJ_TEXT:
                texts[ctypes.cast(one.raw, ctypes.c_void_p).value] = len(covers)
            elif one.type == raw.FPDF_PAGEOBJ_IMAGE:  # in a form it has other measures
                pictures.append(self._edges if one.level else one.get_bounds())
            elif one.type == raw.FPDF_PAGEOBJ_PATH and not one.level:
                raw.FPDFPath_GetDrawMode(one.raw, fill, line)
                covers += [one.get_bounds()] * bool(fill.value)
        return texts, covers, pictures

    def _ground(self, box: raw.FS_RECTF, least: int) -> list[int] | None:
        """The colour of the place of a letter; none if there are several, by more than so much of 255."""
        if self._drawn is None:
            self._draw()
        wide = self._drawn.shape[1]
        left, right = self._pixels(box, self._across)
        top, bottom = self._pixels(box, self._down)
        middle = (top + bottom) // 2 * wide
        row = self._green[middle + left : middle + min(right + 1, wide)]
        if row and max(row) - min(row) > least:  # as nearly all letters
            return None
        part = self._drawn[top : bottom + 1, left : right + 1]
        is_even = part.size and int((part.max(axis=(0, 1)) - part.min(axis=(0, 1))).max()) <= least
        return [int(one) for one in part[0, 0]] if is_even else None


def _is_outside(box: raw.FS_RECTF, edges: tuple[float, ...]) -> bool:
    left, bottom, right, top = edges
    return bool(box.right < left or box.left > right or box.top < bottom or box.bottom > top)


def _height(box: raw.FS_RECTF) -> float:
    return float(max(box.top - box.bottom, box.right - box.left))


def _upright(box: tuple[float, float, float, float], quarters: int) -> tuple[float, float, float, float]:
    """The box of a character as if its page were turned so that its line goes from left to right."""
    for _ in range(quarters):
        left, bottom, right, top = box
        box = (bottom, -right, top, -left)
    return box


def _add_annotations(
    document: pdfium.PdfDocument, page: pdfium.PdfPage, rows: list[Row]
) -> tuple[list[str], int]:
    """Put the values of form fields beside their labels; returns the comments, and how many are not shown."""
    comments: list[str] = []
    hidden = 0
    for number in range(raw.FPDFPage_GetAnnotCount(page)):
        annotation = raw.FPDFPage_GetAnnot(page, number)
        kind = raw.FPDFAnnot_GetSubtype(annotation)
        if raw.FPDFAnnot_GetFlags(annotation) & _NOT_SHOWN:
            keys = (b"Contents", b"V")
            hidden += any(_string(raw.FPDFAnnot_GetStringValue, annotation, key) for key in keys)
        elif kind == raw.FPDF_ANNOT_WIDGET and document.formenv:
            box = raw.FS_RECTF()
            raw.FPDFAnnot_GetRect(annotation, box)
            form = document.formenv
            field = raw.FPDFAnnot_GetFormFieldType(form, annotation)
            value = ""
            if field in _BUTTONS:
                value = "☑" if raw.FPDFAnnot_IsChecked(form, annotation) else "☐"
            elif field in _VALUES:
                value = _string(raw.FPDFAnnot_GetFormFieldValue, form, annotation)
            if value:
                place = Piece(value, box.left, box.bottom, box.right, box.top)
                name = _string(raw.FPDFAnnot_GetFormFieldAlternateName, form, annotation)
                _add_field(rows, place, name or _string(raw.FPDFAnnot_GetFormFieldName, form, annotation))
        elif kind in _COMMENTS and (text := _string(raw.FPDFAnnot_GetStringValue, annotation, b"Contents")):
            comments.append(text)
        raw.FPDFPage_CloseAnnot(annotation)
    return comments, hidden


def _string(read: Callable[..., int], *arguments: Any) -> str:  # noqa: ANN401 - handles of a C library
    length = read(*arguments, None, 0)
    buffer = ctypes.create_string_buffer(max(length, 2))
    read(*arguments, ctypes.cast(buffer, ctypes.POINTER(ctypes.c_ushort)), length)
    return one_line(visible(buffer.raw[: max(length - 2, 0)].decode("utf-16-le", "replace")))


def _add_field(rows: list[Row], field: Piece, name: str) -> None:
    """Add the value of a field to the nearest words on its line, else as a line with the field's name."""
    beside = [
        (max(piece.left - field.right, field.left - piece.right), number, place)
        for number, row in enumerate(rows)
        for place, piece in enumerate(row)
        if field.bottom - 2 <= piece.middle <= field.top + 2
    ]
    if not beside or min(beside)[0] > 20 * max(field.height, 10):
        text = f"{name}: {field.text}" if name else field.text
        below = next((n for n, row in enumerate(rows) if row[0].middle < field.middle), len(rows))
        rows.insert(below, [Piece(text, field.left, field.bottom, field.right, field.top)])
        return
    _, number, place = min(beside)
    label = rows[number][place]
    text = f"{label.text} {field.text}" if field.text not in "☑☐" else f"{field.text} {label.text}"
    rows[number][place] = Piece(
        text, min(label.left, field.left), label.bottom, max(label.right, field.right), label.top
    )


def _texts(pages: Sequence[list[Row]], titles: set[str], limit: TextLimit) -> list[str]:
    """The running text of every page, without the heads, feet and page numbers that repeat."""
    by_height = [sorted(rows, key=lambda row: -row[0].middle) for rows in pages]
    running = running_lines([[" ".join(p.text for p in row) for row in rows] for rows in by_height])
    texts: list[str] = []

    def is_title(line: str) -> bool:
        return _letters(line) in titles or _letters(_NUMBER_OF_TITLE.sub("", line)) in titles

    for rows, ordered, dropped in zip(pages, by_height, running, strict=True):
        gone = {id(ordered[place]) for place in dropped}
        lines: list[Piece] = []
        parts: list[str] = []
        for line in page_lines([row for row in rows if id(row) not in gone]):
            if isinstance(line, Piece):
                lines.append(line)
                continue
            table = Outline()
            add_table(line, table, limit)
            parts += [*joined_lines(lines, is_title), "", *(section.text for section in table.sections()), ""]
            lines = []
        text = "\n".join([*parts, *joined_lines(lines, is_title)]).strip()
        limit.count(text)
        texts.append(text)
    return texts


def _listed(numbers: Sequence[int]) -> str:
    """Page numbers as a reader writes them: "2, 5–7"."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1][1:] = [number]
        else:
            runs.append([number])
    return ", ".join("–".join(map(str, run)) for run in runs)


def _add_pages(texts: Sequence[str], outline: Outline) -> None:
    """Add a section a page; a sentence that goes on belongs to the page on which it begins."""
    starts = [0, *(continued(before, after) for before, after in itertools.pairwise(texts))]
    for number, text in enumerate(texts, start=1):
        rest = texts[number][: starts[number]] if number < len(texts) and starts[number] else ""
        own = text[starts[number - 1] :].strip()
        if own:
            outline.heading(1, f"page {number}", f"page={number}")
            outline.line(f"{own} {rest}" if rest else own)


def _add_sections(texts: Sequence[str], bookmarks: Sequence[_Bookmark], outline: Outline) -> None:
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
        for bookmark in waiting:
            if bookmark not in found.values():
                outline.heading(bookmark.level, bookmark.title, place)
        for position, line in enumerate(lines):
            if position in found:
                outline.heading(found[position].level, found[position].title, place)
            else:
                outline.line(line)


def _titles_in(lines: Sequence[str], bookmarks: Sequence[_Bookmark]) -> dict[int, _Bookmark]:
    found: dict[int, _Bookmark] = {}
    position = 0
    for bookmark in bookmarks:
        wanted = _letters(bookmark.title)
        for place in range(position, len(lines)):
            is_short = len(lines[place]) < len(bookmark.title) + 12
            if wanted and is_short and _letters(lines[place]).endswith(wanted):
                found[place] = bookmark
                position = place + 1
                break
    return found


def _letters(text: str) -> str:
    return _NOT_LETTERS.sub("", text).casefold()


def _bookmarks(document: pdfium.PdfDocument) -> Iterator[_Bookmark]:
    """The outline of a document in order; nothing when it has none, or one that cannot be read."""
    try:
        for entry in document.get_toc(max_depth=6):
            target = entry.get_dest()
            page = target.get_index() if target else None
            title = one_line(visible(entry.get_title()))
            if page is not None and page >= 0 and title:
                yield _Bookmark(entry.level + 1, title, page + 1)
    except pdfium.PdfiumError:
        return
