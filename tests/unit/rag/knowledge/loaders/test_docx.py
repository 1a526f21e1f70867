from __future__ import annotations

import io
import zipfile
from collections.abc import Callable

import docx
import pytest
from docx.document import Document as WordDocument
from docx.enum.style import WD_STYLE_TYPE

from rag.errors import DocumentError
from rag.knowledge.loaders.content import Content, TextLimit
from rag.knowledge.loaders.docx import load_docx
from tests.unit.rag.knowledge.loaders.test_xlsx import with_part


def word(*build: Callable[[WordDocument], object]) -> bytes:
    document = docx.Document()
    for step in build:
        step(document)
    file = io.BytesIO()
    document.save(file)
    return file.getvalue()


def load(content: bytes, limit: int = 100_000, unpacked: int = 10_000_000) -> Content:
    return load_docx(content, TextLimit(limit, unpacked))


def sections(content: bytes) -> list[tuple[str, str]]:
    return [(section.heading, section.text) for section in load(content).sections]


def body_with(xml: str) -> bytes:
    """A document whose paragraph MARK is replaced by raw XML."""
    content = word(lambda d: d.add_paragraph("MARK"))
    return with_part(
        content,
        "word/document.xml",
        lambda part: part.replace(b"<w:p><w:r><w:t>MARK</w:t></w:r></w:p>", xml.encode()),
    )


def test_headings_lists_and_tables_are_read_in_order() -> None:
    def table(document: WordDocument) -> None:
        rows = document.add_table(rows=2, cols=2)
        for cell, text in zip(rows._cells, ["App", "Needs", "FxStore", "Java 17"], strict=True):
            cell.text = text

    content = word(
        lambda d: d.add_heading("Handbook", 0),
        lambda d: d.add_paragraph("Welcome."),
        lambda d: d.add_heading("Set-up", 1),
        lambda d: d.add_paragraph("First step", style="List Bullet"),
        table,
        lambda d: d.add_heading("Webhook", 2),
        lambda d: d.add_paragraph("По адресу."),
    )
    assert load(content).title == "Handbook"
    assert sections(content) == [
        ("Handbook", "Welcome."),
        ("Set-up", "- First step\n\n| App | Needs |\n| --- | --- |\n| FxStore | Java 17 |"),
        ("Set-up > Webhook", "По адресу."),
    ]


def test_style_based_on_a_heading_is_a_heading() -> None:
    def build(document: WordDocument) -> None:
        style = document.styles.add_style("Chapter", WD_STYLE_TYPE.PARAGRAPH)
        style.base_style = document.styles["Heading 1"]
        document.add_paragraph("One", style="Chapter")
        document.add_paragraph("Text.")

    assert sections(word(build)) == [("One", "Text.")]


@pytest.mark.parametrize(
    ("xml", "text"),
    [
        pytest.param(
            "<w:sdt><w:sdtContent><w:p><w:r><w:t>Inside</w:t></w:r></w:p></w:sdtContent></w:sdt>", "Inside",
            id="content control",
        ),
        pytest.param(
            '<w:p><w:ins w:id="1" w:author="a"><w:r><w:t>Added</w:t></w:r></w:ins>'
            '<w:del w:id="2" w:author="a"><w:r><w:delText>Gone</w:delText></w:r></w:del></w:p>', "Added",
            id="tracked changes",
        ),
        pytest.param(
            "<w:p><w:r><w:rPr><w:vanish/></w:rPr><w:t>Hidden</w:t></w:r><w:r><w:t>Shown</w:t></w:r></w:p>",
            "Shown", id="hidden text",
        ),
        pytest.param(
            "<w:p><w:r><w:rPr><w:strike/></w:rPr><w:t>Old</w:t></w:r><w:r><w:rPr><w:dstrike/></w:rPr>"
            '<w:t>Older</w:t></w:r><w:r><w:rPr><w:strike w:val="0"/></w:rPr><w:t>New</w:t></w:r></w:p>',
            "New", id="struck out",
        ),
        pytest.param(
            '<w:p><w:r><w:t xml:space="preserve">a </w:t><w:tab/><w:t>b</w:t><w:br/><w:t>c</w:t></w:r></w:p>',
            "a b\nc", id="tab and line break",
        ),
    ],
)  # fmt: skip
def test_text_a_reader_sees_is_read(xml: str, text: str) -> None:
    assert sections(body_with(xml)) == [("", text)]


@pytest.mark.parametrize(
    "declaration",
    [
        pytest.param(b'<!DOCTYPE w [<!ENTITY x SYSTEM "file:///etc/passwd">]>', id="external file"),
        pytest.param(b'<!DOCTYPE w SYSTEM "http://127.0.0.1/evil.dtd">', id="external subset"),
        pytest.param(b'<!DOCTYPE w [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]>', id="growing entities"),
    ],
)
@pytest.mark.parametrize(
    "part", ["word/document.xml", "word/styles.xml", "[Content_Types].xml", "_rels/.rels"]
)
def test_declared_entities_are_refused(declaration: bytes, part: str) -> None:
    content = with_part(
        word(),
        part,
        lambda body: body.replace(b"?>", b"?>" + declaration, 1) if b"?>" in body else declaration + body,
    )
    with pytest.raises(DocumentError, match=r"^the Word file declares XML entities, which Word never writes"):
        load(content)


def test_declared_entities_are_refused_in_wide_characters_as_well() -> None:
    content = with_part(
        word(),
        "word/document.xml",
        lambda _: '<?xml version="1.0" encoding="UTF-16"?><!DOCTYPE w [<!ENTITY x "y">]><w>&x;</w>'.encode(
            "utf-16"
        ),
    )
    with pytest.raises(DocumentError, match="declares XML entities"):
        load(content)


def test_package_that_unpacks_to_too_much_is_refused_before_it_is_unpacked() -> None:
    bomb = with_part(word(), "word/styles.xml", lambda _: b" " * 20_000_000)
    assert len(bomb) < 100_000
    with pytest.raises(DocumentError, match=r"^the Word file unpacks to 20 MB in \d+ parts and is refused"):
        load(bomb)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        pytest.param(
            b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(100), "encrypted or in the old Word format", id="ole"
        ),
        pytest.param(b"just text", "the Word file is damaged", id="text"),
        pytest.param(word()[:-200], "the Word file is damaged", id="cut off"),
        pytest.param(
            with_part(word(), "word/document.xml", lambda _: b"<w:doc"), "is damaged", id="broken xml"
        ),
        pytest.param(with_part(word(), "word/document.xml", lambda _: b"<a/>"), "is damaged", id="other xml"),
        pytest.param(with_part(word(), "_rels/.rels", lambda _: b"<a/>"), "is damaged", id="no parts"),
    ],
)
def test_file_that_is_no_word_document_says_what_to_do(content: bytes, reason: str) -> None:
    with pytest.raises(DocumentError, match=reason):
        load(content)


def test_damage_anywhere_is_a_clear_failure_or_harmless() -> None:
    content = word(lambda d: d.add_heading("A", 1), lambda d: d.add_paragraph("text " * 50))
    for position in range(0, len(content), len(content) // 60):
        damaged = content[:position] + bytes([content[position] ^ 0xFF]) + content[position + 1 :]
        try:
            load(damaged)
        except DocumentError:
            continue


def noted(kind: str, notes: str) -> bytes:
    """A document with a reference to note 2 of a kind, behind the words "Java 17"."""
    content = body_with(
        f'<w:p><w:r><w:t>Java 17</w:t></w:r><w:r><w:{kind}Reference w:id="2"/></w:r></w:p>'
        "<w:p><w:r><w:t>More.</w:t></w:r></w:p>"
    )
    space = "http://schemas.openxmlformats.org"
    name = f"word/{kind}s.xml"
    content = with_part(
        content,
        "word/_rels/document.xml.rels",
        lambda part: part.replace(
            b"</Relationships>",
            f'<Relationship Id="rId99" Type="{space}/officeDocument/2006/relationships/{kind}s" '
            f'Target="{kind}s.xml"/></Relationships>'.encode(),
        ),
    )
    content = with_part(
        content,
        "[Content_Types].xml",
        lambda part: part.replace(
            b"</Types>",
            f'<Override PartName="/{name}" ContentType="application/vnd.openxmlformats-officedocument.'
            f'wordprocessingml.{kind}s+xml"/></Types>'.encode(),
        ),
    )
    file = io.BytesIO(content)
    with zipfile.ZipFile(file, "a") as package:
        package.writestr(name, f'<w:{kind}s xmlns:w="{space}/wordprocessingml/2006/main">{notes}</w:{kind}s>')
    return file.getvalue()


@pytest.mark.parametrize("kind", ["footnote", "endnote"])
def test_note_stands_behind_the_paragraph_that_refers_to_it(kind: str) -> None:
    notes = (
        f'<w:{kind} w:id="-1" w:type="separator"><w:p><w:r><w:t>line</w:t></w:r></w:p></w:{kind}>'
        f'<w:{kind} w:id="1"><w:p><w:r><w:t>Never referred to.</w:t></w:r></w:p></w:{kind}>'
        f'<w:{kind} w:id="2"><w:p><w:r><w:t>Or </w:t></w:r><w:r><w:t>newer.</w:t></w:r></w:p></w:{kind}>'
    )
    assert sections(noted(kind, notes)) == [("", "Java 17\n(Or newer.)\n\nMore.")]


def test_notes_that_are_broken_make_the_file_a_damaged_one() -> None:
    with pytest.raises(DocumentError, match="the Word file is damaged"):
        load(noted("footnote", "<w:footnote>"))
