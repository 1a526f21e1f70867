"""Office files as people make them: tables side by side, charts, heads and feet, numbered lists."""

from __future__ import annotations

import io
from typing import Any

import docx
import openpyxl
import pptx
import pytest
from docx.document import Document
from docx.oxml import OxmlElement, parse_xml
from docx.oxml.ns import nsdecls, qn
from pptx.chart import data as chart_data
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Inches

from rag.knowledge.loaders import loader_of
from rag.knowledge.loaders.content import Content, TextLimit
from rag.knowledge.sources import Kind
from rag.reasons import Reason


def load(kind: Kind, content: bytes) -> Content:
    return loader_of(kind)(content, TextLimit(100_000, 10_000_000))


def text_of(content: Content) -> str:
    return "\n".join(section.text for section in content.sections)


def sheet(**cells: object) -> Content:
    book = openpyxl.Workbook()
    assert book.active is not None
    for place, value in cells.items():
        book.active[place] = value
    file = io.BytesIO()
    book.save(file)
    return load("xlsx", file.getvalue())


def test_tables_side_by_side_are_two_tables() -> None:
    text = text_of(
        sheet(
            A1="Crane", B1="Driver", C1="Hour", F1="Berth", G1="Boat",
            A2="K1", B2="Ines", C2=7, F2="West", G2="Heron",
            A3="K2", B3="Otto", C3=9, F3="East", G3="Osprey",
            A4="K3", B4="Runa", C4=11,
        )
    )  # fmt: skip
    assert "| Crane | Driver | Hour |\n| --- | --- | --- |\n| K1 | Ines | 7 |" in text
    assert "| Berth | Boat |\n| --- | --- |\n| West | Heron |" in text
    assert not any("Ines" in line and "Heron" in line for line in text.split("\n"))


def test_tables_of_different_rows_side_by_side_are_two_tables() -> None:
    text = text_of(
        sheet(
            A1="Crane", B1="Driver", A2="K1", B2="Ines", A3="K2", B3="Otto",
            D2="Berth", E2="Boat", D3="West", E3="Heron", D5="Tide", E5="Hour", D6="High", E6="04:31",
        )
    )  # fmt: skip
    assert not any("Otto" in line and "Heron" in line for line in text.split("\n"))
    assert "| Tide | Hour |" in text


def test_values_behind_a_blank_column_keep_their_names() -> None:
    text = text_of(sheet(A1="Item", C1="Price", A2="Rope", C2=4, A3="Hose", C3=9))
    assert "| Rope | 4 |" in text


def test_a_hidden_column_ends_no_table() -> None:
    book = openpyxl.Workbook()
    assert book.active is not None
    for row in (["Crane", "secret", "Driver"], ["K1", "x", "Ines"]):
        book.active.append(row)
    book.active.column_dimensions["B"].hidden = True
    file = io.BytesIO()
    book.save(file)
    assert "| K1 | Ines |" in text_of(load("xlsx", file.getvalue()))


CHARTS: Any = chart_data
"""Without types in its library."""


def slides(kind: XL_CHART_TYPE, data: Any, title: str) -> bytes:
    deck = pptx.Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[5])
    slide.shapes.title.text = "Berths"
    frame = slide.shapes.add_chart(kind, Inches(1), Inches(1), Inches(4), Inches(3), data)
    if title:
        frame.chart.has_title = True
        frame.chart.chart_title.text_frame.text = title
    file = io.BytesIO()
    deck.save(file)
    return file.getvalue()


@pytest.mark.parametrize("kind", [XL_CHART_TYPE.COLUMN_CLUSTERED, XL_CHART_TYPE.PIE, XL_CHART_TYPE.LINE])
def test_the_numbers_of_a_chart_are_read(kind: XL_CHART_TYPE) -> None:
    data = CHARTS.CategoryChartData(number_format="0.0%")
    data.categories = ["West", "East"]
    data.add_series("Occupied", (0.825, 0.61))
    text = text_of(load("pptx", slides(kind, data, "Occupancy in May")))
    assert "Occupancy in May" in text
    assert "| West | 82.5% |\n| East | 61.0% |" in text


def test_two_series_of_a_chart_are_two_columns() -> None:
    data = CHARTS.CategoryChartData()
    data.categories = ["West", "East"]
    data.add_series("Sail", (31, 44))
    data.add_series("Motor", (12, None))
    text = text_of(load("pptx", slides(XL_CHART_TYPE.BAR_CLUSTERED, data, "")))
    assert "Sail | Motor |\n" in text
    assert "| West | 31 | 12 |\n| East | 44 |  |" in text


def test_points_of_a_scatter_chart_are_read() -> None:
    data = CHARTS.XyChartData()
    series = data.add_series("Depth")
    series.add_data_point(10, 3.4)
    series.add_data_point(20, 2.9)
    text = text_of(load("pptx", slides(XL_CHART_TYPE.XY_SCATTER, data, "")))
    assert "| 10 | 3.4 |\n| 20 | 2.9 |" in text


def test_a_chart_without_numbers_is_reported() -> None:
    data = CHARTS.CategoryChartData()
    data.categories = ["West"]
    data.add_series("Sail", ())
    content = load("pptx", slides(XL_CHART_TYPE.PIE, data, ""))
    assert content.notes == (Reason("chart-not-read", {"place": "slide 1"}),)


def saved(document: Document) -> Content:
    file = io.BytesIO()
    document.save(file)
    return load("docx", file.getvalue())


def test_heads_and_feet_of_a_word_file_are_read_once() -> None:
    document = docx.Document()
    document.sections[0].header.paragraphs[0].text = "Valid from 1 May 2026"
    document.sections[0].footer.paragraphs[0].text = "3"
    document.add_section()
    document.sections[1].header.is_linked_to_previous = False
    document.sections[1].header.paragraphs[0].text = "Valid from 1 May 2026"
    document.add_paragraph("Berth fees are due on Friday.")
    assert text_of(saved(document)) == "Valid from 1 May 2026\n\nBerth fees are due on Friday."


def numbered(document: Document, *levels: tuple[str, str, int]) -> str:
    """Add a numbered list to a DOCX file: each level has a form, a text and a first number. Returns its id."""
    root = document.part.numbering_part.element
    parts = "".join(
        f'<w:lvl w:ilvl="{depth}"><w:start w:val="{start}"/><w:numFmt w:val="{form}"/><w:lvlText w:val="{text}"/></w:lvl>'
        for depth, (form, text, start) in enumerate(levels)
    )
    root.insert(0, parse_xml(f'<w:abstractNum {nsdecls("w")} w:abstractNumId="90">{parts}</w:abstractNum>'))
    root.append(parse_xml(f'<w:num {nsdecls("w")} w:numId="90"><w:abstractNumId w:val="90"/></w:num>'))
    return "90"


def add(document: Document, text: str, depth: int, style: str | None = None) -> None:
    properties = document.add_paragraph(text, style=style)._p.get_or_add_pPr()
    numbering = OxmlElement("w:numPr")
    for name, value in (("w:ilvl", str(depth)), ("w:numId", "90")):
        element = OxmlElement(name)
        element.set(qn("w:val"), value)
        numbering.append(element)
    properties.append(numbering)


def test_numbers_of_lists_and_headings_are_written_out() -> None:
    document = docx.Document()
    numbered(document, ("decimal", "§ %1", 4), ("lowerLetter", "%1.%2)", 1), ("upperRoman", "(%3)", 9))
    add(document, "Mooring", 0, "Heading 1")
    add(document, "Two lines.", 1)
    add(document, "Four fenders.", 1)
    add(document, "Of rubber.", 2)
    add(document, "Of cork.", 2)
    add(document, "Leaving", 0, "Heading 1")
    add(document, "Horn twice.", 1)
    assert [(section.heading, section.text) for section in saved(document).sections] == [
        ("§ 4 Mooring", "4.a) Two lines.\n4.b) Four fenders.\n(IX) Of rubber.\n(X) Of cork."),
        ("§ 5 Leaving", "5.a) Horn twice."),
    ]


def test_bullets_and_numbers_of_a_style_are_told_apart() -> None:
    document = docx.Document()
    for text, style in (("Rope.", "List Bullet"), ("Cast off.", "List Number"), ("Reverse.", "List Number")):
        document.add_paragraph(text, style=style)
    assert text_of(saved(document)) == "- Rope.\n1. Cast off.\n2. Reverse."
