from __future__ import annotations

import io
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pypdf import PdfReader, PdfWriter

from rag.errors import DocumentError
from rag.knowledge.loaders.content import Content, TextLimit
from rag.knowledge.loaders.pdf import load_pdf
from rag.knowledge.loaders.pdf_pages import continued, without_running_heads
from rag.reasons import Reason

TWICE_PACKED = b"/Filter [/FlateDecode /FlateDecode]"


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
    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(pdf(["Secret."]))))
    writer.encrypt(user_password, "owner", algorithm="RC4-128")
    file = io.BytesIO()
    writer.write(file)
    return file.getvalue()


def load(content: bytes, limit: int = 100_000) -> Content:
    return load_pdf(content, TextLimit(limit))


def test_page_is_a_section() -> None:
    content = load(pdf(["Java 17 is needed.", "Or newer."], ["Second page."]))
    assert [(section.heading, section.text) for section in content.sections] == [
        ("page 1", "Java 17 is needed.\nOr newer."),
        ("page 2", "Second page."),
    ]


def test_word_divided_at_the_end_of_a_line_is_joined() -> None:
    (section,) = load(pdf(["The confi-", "guration of Rhein-", "Main is a co-", "Op."])).sections
    assert section.text == "The configuration of Rhein-\nMain is a co-\nOp."


@pytest.mark.parametrize(
    "written",
    ["{}", "- {} -", "Page {} of 9", "p. {}", "Seite {} von 9", "Стр. {} из 9", "página {} de 9", "hal. {} dari 9",
     "{}쪽", "第{}页", "第 {} 页", "{} / 9", "pagina {} di 9"],
)  # fmt: skip
def test_number_of_a_page_is_no_text_in_any_language(written: str) -> None:
    pages = [f"{text}\n{written.format(n)}" for n, text in enumerate(("Java 17.", "A port.", "A disk."), 1)]
    assert without_running_heads(pages) == ["Java 17.", "A port.", "A disk."]


def test_page_without_text_is_left_out_and_numbers_stay() -> None:
    assert [section.heading for section in load(pdf(b"0 0 m 9 9 l S", ["Text."])).sections] == ["page 2"]


def test_title_is_the_documents() -> None:
    assert load(pdf(["x"], trailer=b"/Info << /Title (Leave policy) >>")).title == "Leave policy"


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
            pdf(["x"]).replace(b"/Pages 2 0 R", b"/Pages 1 0 R"), "the PDF is damaged", id="loop of pages"
        ),
        pytest.param(
            pdf(zlib.compress(zlib.compress(b" " * 200_000_000)), filters=TWICE_PACKED),
            "unpacks to far more than its size", id="bomb",
        ),
    ],
)  # fmt: skip
def test_file_that_cannot_be_read_says_what_to_do(content: bytes, reason: str) -> None:
    with pytest.raises(DocumentError, match=reason):
        load(content)


def test_damaged_page_is_a_note_and_the_others_are_read() -> None:
    damaged = pdf(["One."], b"DAMAGE ME", ["Three."]).replace(
        b"/Length 9 ", b"/Filter /NoSuchFilter /Length 9 "
    )
    content = load(damaged)
    assert [section.heading for section in content.sections] == ["page 1", "page 3"]
    assert content.notes == (Reason("pdf-page", {"page": "2"}),)


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
    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(pdf(*pages))))
    parents: list[object] = [None]
    for title, page, depth in bookmarks:
        del parents[depth + 1 :]
        parents.append(writer.add_outline_item(title=title, page_number=page, parent=parents[depth]))  # type: ignore[arg-type]
    file = io.BytesIO()
    writer.write(file)
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
        ("Set-up > Ports", "8443 is the port, and\nit is open."),
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
        ("page 1", "FxStore needs Java\n17 or newer."),
        ("page 2", "It listens on 8443."),
    ]


@given(st.lists(st.text(alphabet="aB1 .\n-", max_size=40), max_size=6))
def test_pages_lose_no_line_that_stands_once(pages: list[str]) -> None:
    cleaned = "\n".join(without_running_heads(pages))
    lines = [line for page in pages for line in page.split("\n") if line.strip()]
    for line in lines:
        if any(character.isalpha() for character in line) and lines.count(line) == 1 and "1" not in line:
            assert line.strip() in cleaned


@given(st.text(alphabet="aB1 .\n", max_size=60), st.text(alphabet="aB1 .\n", max_size=60))
def test_rest_of_a_sentence_is_the_beginning_of_the_next_page(before: str, after: str) -> None:
    assert 0 <= continued(before, after) <= len(after)
