"""The document of an interview as a file: everything stands in it, and what was said is text."""

from __future__ import annotations

import io
import re

import docx
import pypdfium2
import pytest
from markdown_it import MarkdownIt

from bot.views import papers
from bot.views.blocks import Text
from bot.views.markdown import parse as read_markdown
from rag.interview.papers import Paper, PaperClause, PaperSection

HOSTILE = "<b>&amp;</b> **x** \x00\x07 `y` <script>alert(1)</script>\n- z\n1. q"


def paper(*texts: str, title: str = "A report") -> Paper:
    clauses = tuple(PaperClause(f"1.{place}", text, {}, ()) for place, text in enumerate(texts, 1))
    return Paper(
        PaperClause("", title, {}, ()), (PaperSection("1", PaperClause("1", "All", {}, ()), clauses),)
    )


def read(form: papers.Format, found: Paper, language: str = "en") -> str:
    content = papers.write(found, form, language)
    match form:
        case "docx":
            return "\n".join(each.text for each in docx.Document(io.BytesIO(content)).paragraphs)
        case "pdf":
            file = pypdfium2.PdfDocument(content)
            try:
                return "\n".join(page.get_textpage().get_text_range() for page in file)
            finally:
                file.close()
        case "md":
            return content.decode()


@pytest.mark.parametrize("form", papers.FORMATS)
@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "The editor 2.1 — “saves” twice"),
        ("ru", "Договор аренды № 5 от 1 июня 2026 года, ООО «Север»"),
        ("el", "Σύμβαση"),
        ("es", "¿Señor Núñez?"),
    ],
)
def test_text_of_any_alphabet_stands_in_the_file(form: papers.Format, language: str, text: str) -> None:
    found = re.sub(r"\\(?=\W)", "", read(form, paper(text, title=text), language))
    assert f"1.1. {text}" in " ".join(found.split())
    assert "1. All" in found


@pytest.mark.parametrize(
    ("language", "text"), [("zh", "租赁合同"), ("ko", "임대 계약"), ("ja", "賃貸契約です")]
)
def test_east_asian_text_is_set_in_a_font_that_knows_it(language: str, text: str) -> None:
    assert text in read("docx", paper(text), language)
    assert text in read("pdf", paper(f"A {text} 5"), language)


@pytest.mark.parametrize("form", papers.FORMATS)
def test_what_was_said_is_text_and_never_markup(form: papers.Format) -> None:
    found = read(form, paper(HOSTILE))
    if form == "md":
        (shown,) = (block for block in read_markdown(found) if "alert" in str(block) and block.kind == "text")
        assert isinstance(shown, Text)
        assert "<script>" in "".join(word.text for word in shown.words)
        assert not any(word.styles for word in shown.words)
    else:
        assert "<script>alert(1)</script>" in found
        assert "**x**" in found
        assert "\x07" not in found


def test_lines_that_markdown_reads_as_markup_stay_lines() -> None:
    said = "My product\n===\n---\n- a\n+ b\n1. c\n\n    code"
    found = read("md", paper(said, title=said))
    kinds = [token.type for token in MarkdownIt("commonmark").parse(found) if token.type.endswith("_open")]
    assert not {"bullet_list_open", "ordered_list_open", "blockquote_open"} & {*kinds}
    assert [kind for kind in kinds if kind == "heading_open"] == ["heading_open"] * 2, "title and section"
    assert "code_block" not in str(MarkdownIt("commonmark").parse(found))
    assert "\n---" not in found


def test_long_document_has_numbered_pages() -> None:
    content = papers.write(paper(*["A clause of some length. " * 20] * 60), "pdf", "en")
    file = pypdfium2.PdfDocument(content)
    assert len(file) > 3
    assert file[2].get_textpage().get_text_range().split()[0] == "3"
    file.close()
