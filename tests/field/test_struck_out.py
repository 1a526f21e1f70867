"""Text that is struck out, in every kind of file: it no longer holds, and numbers around it stay two."""

from __future__ import annotations

import io
from typing import Any

import openpyxl
import pptx
import pytest
from openpyxl.cell.rich_text import CellRichText, TextBlock
from openpyxl.cell.text import InlineFont
from openpyxl.styles import Font
from pptx.oxml import parse_xml
from pptx.oxml.ns import nsdecls
from pptx.util import Inches

from rag.knowledge.loaders import loader_of
from rag.knowledge.loaders.content import Content, TextLimit
from rag.knowledge.sources import Kind
from tests.field.test_formats import opendocument


def read(kind: Kind, content: bytes | str) -> Content:
    written = content.encode() if isinstance(content, str) else content
    return loader_of(kind)(written, TextLimit(100_000, 10_000_000))


def text_of(content: Content) -> str:
    assert not content.notes
    return "\n".join(section.text for section in content.sections)


@pytest.mark.parametrize(
    ("kind", "around", "old"),
    [
        ("markdown", "{}", "~~{}~~"),
        ("markdown", "**{}**", "~~{}~~"),
        ("markdown", "- *{}*", "~~{}~~"),
        ("markdown", "{}", "<s>{}</s>"),
        ("markdown", "> {}", '<del class="x">{}</del>'),
        ("markdown", "{}", '<span style="text-decoration: line-through">{}</span>'),
        ("markdown", "{}", '<font class="strike"><b>{}</b></font>'),
        ("markdown", "<table><tr><td>{}</td></tr></table>", "<strike>{}</strike>"),
        (
            "markdown",
            "<style>.o {{ text-decoration: line-through }}</style>\n\n{}",
            '<span class="o">{}</span>',
        ),
        ("asciidoc", "{}", "[.line-through]##{}##"),
        ("asciidoc", "* {}", "[.red.line-through]##{}##"),
        ("asciidoc", "{}", "+++<del>+++{}+++</del>+++"),
        ("rtf", "{{\\rtf1 {}}}", "{{\\strike {}}}"),
        ("rtf", "{{\\rtf1 {}}}", "\\striked1 {}\\striked0 "),
        ("rtf", "{{\\rtf1 {}}}", "{{\\b\\deleted {}}}"),
        ("html", "<p>{}</p>", "<s>{}</s>"),
    ],
)
def test_struck_out_text_is_gone_and_glues_no_numbers(kind: Kind, around: str, old: str) -> None:
    line = f"A berth is {old.format('18')}23 EUR, or 4{old.format('x')}7, {old.format('or more')} a day"
    text = text_of(read(kind, around.format(line)))
    assert "A berth is 23 EUR, or 4 7, a day" in text


@pytest.mark.parametrize(
    ("kind", "text", "kept"),
    [
        ("asciidoc", "Lunch is at [.line-through]#11\nor 11:30# 12 o'clock.", "Lunch is at 12 o'clock."),
        ("asciidoc", "Open.\n\n[.line-through]\nOn Sundays\nclosed.\n\nFree.", "Open.\n\n\nFree."),
        ("asciidoc", "----\n[.line-through]#code#\n----", "----\n[.line-through]#code#\n----"),
        ("asciidoc", "Use [.red]#the key#.", "Use [.red]#the key#."),
        ("rst", "Lunch is at :strike:`11` 12.", "Lunch is at 12."),
        ("rst", "Lunch is at :del:`11\nor 11:30` 12.", "Lunch is at 12."),
        ("rst", ".. role:: old\n   :class: red line-through\n\nIt costs :old:`30` 45.", "It costs 45."),
        ("rst", "See :ref:`ports`.", "See ports."),
        ("markdown", "<del>\n\nThe old way.\n\n</del>\n\nThe new way.", "The new way."),
        ("markdown", "A list of <s>.\n\nAnd </s> ends it.", "A list of <s>.\n\nAnd </s> ends it."),
        ("markdown", "Write `<s>old</s>` so.", "Write `<s>old</s>` so."),
        ("html", "<table><tr><th>A<th>B<th>C<tr><td>x<td class=strike>1<td>2</table>", "| x |  | 2 |"),
        ("rtf", r"{\rtf1 {\strike Old.\par}\plain New \strike0 one.}", "New one."),
    ],
)
def test_what_holds_is_kept(kind: Kind, text: str, kept: str) -> None:
    assert kept in text_of(read(kind, text))


def slide(levels: str = "", **marks: str) -> bytes:
    deck = pptx.Presentation()
    shown = deck.slides.add_slide(deck.slide_layouts[5])
    for number, shape in enumerate(
        (shown.shapes.title, shown.shapes.add_textbox(0, Inches(2), Inches(4), Inches(2)))
    ):
        frame: Any = shape.text_frame
        for words, mark in zip(("A berth is ", "18", "23", " EUR"), ("", "old", "new", ""), strict=True):
            run = frame.paragraphs[0].add_run()
            run.text = words
            if marks.get(mark):
                run.font._element.set("strike", marks[mark])
        if levels and number:
            frame._txBody.replace(frame._txBody.find("{*}lstStyle"), parse_xml(levels))
    file = io.BytesIO()
    deck.save(file)
    return file.getvalue()


@pytest.mark.parametrize("mark", ["sngStrike", "dblStrike"])
def test_words_of_a_slide_that_are_struck_out_are_left_out(mark: str) -> None:
    content = read("pptx", slide(old=mark, new="noStrike"))
    assert content.sections[0].heading == "slide 1: A berth is 23 EUR"
    assert text_of(content) == "A berth is 23 EUR"


def test_a_list_style_of_a_shape_strikes_its_words_out_unless_they_say_otherwise() -> None:
    levels = f'<a:lstStyle {nsdecls("a")}><a:lvl1pPr><a:defRPr strike="sngStrike"/></a:lvl1pPr></a:lstStyle>'
    assert text_of(read("pptx", slide(levels, new="noStrike"))) == "23"


def book(struck: str, rows: list[tuple[object, ...]]) -> Content:
    made = openpyxl.Workbook()
    assert made.active is not None
    for row in rows:
        made.active.append(row)
    for place in struck.split():
        made.active[place].font = Font(strike=True)
    file = io.BytesIO()
    made.save(file)
    return read("xlsx", file.getvalue())


RATES: list[tuple[object, ...]] = [
    ("Service", "Old", "New"),
    ("Massage", 60, 70),
    ("Sauna", 25, 30),
    ("Yoga", 18, 20),
]


@pytest.mark.parametrize(
    ("struck", "table"),
    [
        ("A3 B3 C3", "| Service | Old | New |\n| --- | --- | --- |\n| Massage | 60 | 70 |\n| Yoga | 18 | 20 |"),
        ("B1 B2 B3 B4", "| Service | New |\n| --- | --- |\n| Massage | 70 |\n| Sauna | 30 |\n| Yoga | 20 |"),
        ("B2 B4", "| Service | Old | New |\n| --- | --- | --- |\n| Massage |  | 70 |\n| Sauna | 25 | 30 |\n| Yoga |  | 20 |"),
    ],
    ids=["a row", "a column", "cells"],
)  # fmt: skip
def test_cells_that_are_struck_out_are_left_out_of_their_table(struck: str, table: str) -> None:
    assert text_of(book(struck, RATES)) == table


@pytest.mark.parametrize("struck", ["", "B2"])
def test_words_within_a_cell_are_struck_out_by_their_own_font(struck: str) -> None:
    price = CellRichText(TextBlock(InlineFont(strike=True), "60"), TextBlock(InlineFont(b=True), "70 EUR"))
    text = text_of(book(struck, [("Service", "Price"), ("Massage", price), ("Yoga", "18 EUR")]))
    assert "| Massage | 70 EUR |" in text


def test_a_cell_of_opendocument_that_is_struck_out_keeps_its_place() -> None:
    styles = (
        '<style:style style:name="T1" style:parent-style-name="Old"/><style:style style:name="ce1">'
        '<style:text-properties style:text-line-through-style="solid"/></style:style>'
    )
    cells = "".join(
        f"<table:table-cell{style}><text:p>{text}</text:p></table:table-cell>"
        for style, text in (("", "Sauna"), (' table:style-name="ce1"', "25"), ("", "30"))
    )
    names = "".join(
        f"<table:table-cell><text:p>{text}</text:p></table:table-cell>" for text in ("A", "B", "C")
    )
    table = "".join(f"<table:table-row>{row}</table:table-row>" for row in (names, cells))
    body = f'<office:spreadsheet><table:table table:name="Rates">{table}</table:table></office:spreadsheet>'
    assert text_of(read("opendocument", opendocument(body, styles))) == (
        "| A | B | C |\n| --- | --- | --- |\n| Sauna |  | 30 |"
    )
