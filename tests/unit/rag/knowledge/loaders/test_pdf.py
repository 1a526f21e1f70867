from __future__ import annotations

import io

import pytest
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.pdfgen.canvas import Canvas

from rag.errors import DocumentError
from rag.knowledge.loaders.content import Content, TextLimit
from rag.knowledge.loaders.pdf import load_pdf
from rag.knowledge.loaders.pdf_pages import running_lines


def pdf(*pages: bytes | list[str], trailer: bytes = b"", filters: bytes = b"") -> bytes:
    """A PDF made by hand: a page for each list of lines or raw content stream."""
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"",
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    kids = []
    for page in pages:
        stream = page if isinstance(page, bytes) else drawn(page)
        kids.append(b"%d 0 R" % (len(objects) + 1))
        objects.append(
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents %d 0 R "
            b"/Resources << /Font << /F 3 0 R >> >> >>" % (len(objects) + 2)
        )
        objects.append(b"<< /Length %d %s >>\nstream\n%s\nendstream" % (len(stream), filters, stream))
    objects[1] = b"<< /Type /Pages /Kids [%s] /Count %d >>" % (b" ".join(kids), len(kids))
    out = b"%PDF-1.4\n"
    offsets = []
    for number, body in enumerate(objects, start=1):
        offsets.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    count = len(objects) + 1
    end = b"trailer\n<< /Size %d /Root 1 0 R %s >>\nstartxref\n%d\n%%%%EOF\n" % (count, trailer, len(out))
    return out + b"xref\n0 %d\n0000000000 65535 f \n" % count + table + end


def drawn(lines: list[str]) -> bytes:
    text = b" ".join(b"(%s) Tj T*" % line.encode("latin-1") for line in lines)
    return b"BT /F 12 Tf 14 TL 50 700 Td %s ET" % text


def encrypted(user_password: str) -> bytes:
    file = io.BytesIO()
    canvas = Canvas(file, encrypt=StandardEncryption(user_password, "owner"))
    canvas.drawString(50, 700, "Secret.")
    canvas.save()
    return file.getvalue()


def load(content: bytes, limit: int = 100_000) -> Content:
    return load_pdf(content, TextLimit(limit))


def test_page_is_a_section() -> None:
    content = load(pdf(["Java 17 is needed.", "Or newer."], ["Second page."]))
    assert [(section.heading, section.text) for section in content.sections] == [
        ("page 1", "Java 17 is needed.\nOr newer."),
        ("page 2", "Second page."),
    ]


@pytest.mark.parametrize(
    "written",
    ["{}", "- {} -", "Page {} of 9", "p. {}", "Seite {} von 9", "Стр. {} из 9", "página {} de 9", "hal. {} dari 9",
     "{}쪽", "第{}页", "第 {} 页", "{} / 9", "pagina {} di 9"],
)  # fmt: skip
def test_number_of_a_page_is_no_text_in_any_language(written: str) -> None:
    pages = [[text, written.format(n)] for n, text in enumerate(("Java 17.", "A port.", "A disk."), 1)]
    assert running_lines(pages) == [{1}, {1}, {1}]


def test_page_without_text_is_left_out_and_numbers_stay() -> None:
    assert [section.heading for section in load(pdf(b"0 0 m 9 9 l S", ["Text."])).sections] == ["page 2"]


def test_title_is_the_documents() -> None:
    titled = pdf(["x"], trailer=b"/Info 6 0 R").replace(
        b"xref\n0 6", b"6 0 obj << /Title (Leave policy) >> endobj\nxref\n0 6"
    )
    assert load(titled).title == "Leave policy"


def test_file_that_only_restricts_printing_is_read() -> None:
    assert load(encrypted("")).sections[0].text == "Secret."


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        pytest.param(encrypted("password"), "is encrypted: save a copy without a password", id="encrypted"),
        pytest.param(pdf(["x"] * 50)[:-300], "the PDF is cut off, its end is missing", id="cut off"),
        pytest.param(pdf(b"0 0 m 9 9 l S"), "has no text, only images: run text recognition", id="images"),
        pytest.param(pdf(), "the PDF is damaged", id="no pages"),
        pytest.param(b"<html>404 not found</html>", "not a PDF, whatever its name says", id="other"),
        pytest.param(b"%PDF-1.4\n" + bytes(5000) + b"%%EOF", "the PDF is damaged", id="nothing in it"),
        pytest.param(
            pdf(["x"]).replace(b"/Kids [4 0 R]", b"/Kids [2 0 R]"), "the PDF is damaged", id="endless pages"
        ),
        pytest.param(
            pdf(["x"]).replace(b"/Pages 2 0 R", b"/Pages 1 0 R"), "the PDF has no text", id="loop of pages"
        ),
    ],
)  # fmt: skip
def test_file_that_cannot_be_read_says_what_to_do(content: bytes, reason: str) -> None:
    with pytest.raises(DocumentError, match=reason):
        load(content)


def test_document_with_too_much_text_is_refused_while_it_is_read() -> None:
    with pytest.raises(DocumentError, match="max_text_chars"):
        load(pdf(*[["x" * 60]] * 10), limit=100)


def test_damage_anywhere_is_a_clear_failure_or_harmless() -> None:
    content = pdf(["Some text."], ["More of it."])
    for position in range(0, len(content), 7):
        damaged = content[:position] + b"\xff" + content[position + 1 :]
        try:
            load(damaged)
        except DocumentError:
            continue


def bookmarked(pages: list[list[str]], *bookmarks: tuple[str, int, int]) -> bytes:
    """A PDF with an outline: title, page from 0, and depth from 0 of each entry."""
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=(600, 800))
    for number, lines in enumerate(pages):
        for title, page, depth in bookmarks:
            if page == number:
                canvas.bookmarkPage(title)
                canvas.addOutlineEntry(title, title, depth)
        for place, line in enumerate(lines):
            canvas.drawString(50, 700 - 14 * place, line)
        canvas.showPage()
    canvas.save()
    return file.getvalue()


def test_bookmarks_are_sections_that_go_over_page_breaks() -> None:
    content = load(
        bookmarked(
            [["Preface.", "1 Set-up", "Java 17 is", "1.1 Ports"], ["8443 is the port, and", "it is open."], ["2 End", "Done."]],
            ("Set-up", 0, 0), ("Ports", 0, 1), ("End", 2, 0),
        )
    )  # fmt: skip
    assert [(section.heading, section.text) for section in content.sections] == [
        ("", "Preface."),
        ("Set-up", "Java 17 is"),
        ("Set-up > Ports", "8443 is the port, and it is open."),
        ("End", "Done."),
    ]


def test_every_page_of_a_section_can_be_pointed_at() -> None:
    pages = [["Set-up", "one"], ["two"], ["End", "three"]]
    content = load(bookmarked(pages, ("Set-up", 0, 0), ("End", 2, 0)))
    assert [[(a.start, a.name) for a in section.anchors] for section in content.sections] == [
        [(0, "page=1"), (4, "page=2")],
        [(0, "page=3")],
    ]


def test_bookmark_whose_title_is_not_on_its_page_heads_the_page() -> None:
    content = load(bookmarked([["one"], ["two"]], ("First", 0, 0), ("Second", 1, 0)))
    assert [section.heading for section in content.sections] == ["First", "Second"]


def test_bookmarks_too_few_to_tell_sections_apart_leave_the_pages() -> None:
    content = load(bookmarked([["one"], ["two"]], ("Cover", 0, 0)))
    assert [section.heading for section in content.sections] == ["page 1", "page 2"]


def test_outline_that_leads_round_and_round_costs_no_document() -> None:
    content = pdf(["one"], ["two"])
    broken = content.replace(b"/Type /Catalog", b"/Type /Catalog /Outlines 99 0 R")
    assert [section.heading for section in load(broken).sections] == ["page 1", "page 2"]


def test_running_heads_feet_and_page_numbers_are_left_out_but_for_the_first() -> None:
    pages = [
        ["FxStore Handbook", f"Text of the page {word}.", f"More {word}.", f"Chapter 3: Utilities {number}"]
        for number, word in enumerate(["one", "two", "three", "four", "five"], start=7)
    ]
    texts = [section.text for section in load(pdf(*pages)).sections]
    assert texts[0] == "FxStore Handbook\nText of the page one.\nMore one.\nChapter 3: Utilities 7"
    assert texts[1:] == [
        f"Text of the page {word}.\nMore {word}." for word in ("two", "three", "four", "five")
    ]


def test_page_numbers_alone_are_left_out_on_every_page() -> None:
    texts = [
        section.text for section in load(pdf(*([f"Step {n}", f"- {n} -"] for n in range(1, 5)))).sections
    ]
    assert texts == [f"Step {n}" for n in range(1, 5)]


def test_numbers_that_do_not_count_the_pages_stay() -> None:
    pages = [[f"Team {n}", f"Total {n * 100}"] for n in (3, 9, 4, 7)]
    texts = [section.text for section in load(pdf(*pages)).sections]
    assert texts == [f"Team {n}\nTotal {n * 100}" for n in (3, 9, 4, 7)]


def test_sentence_that_goes_on_over_a_page_break_is_put_together() -> None:
    content = load(pdf(["FxStore needs Java"], ["17 or newer. It listens on 8443."]))
    assert [(section.heading, section.text) for section in content.sections] == [
        ("page 1", "FxStore needs Java 17 or newer."),
        ("page 2", "It listens on 8443."),
    ]
