"""Fifty-five ways to write what no reader of a file sees: none reaches the model, and what is seen stays."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

import docx
import openpyxl
import pptx
import pytest
from docx.enum.style import WD_STYLE_TYPE
from docx.shared import Pt, RGBColor
from openpyxl.styles import Font
from pptx.util import Inches
from pptx.util import Pt as SlidePt

from rag.knowledge.loaders import loader_of
from rag.knowledge.loaders.content import Content, TextLimit
from rag.knowledge.sources import Kind
from tests.unit.rag.knowledge.loaders.test_pdf import pdf

SEEN = "The north gate opens at nine."
HIDDEN = "The password is swordfish."

STYLES = {
    "display none": "display:none",
    "invisible": "visibility:hidden",
    "no size": "font-size:0",
    "no size in pixels": "font-size:0px",
    "one pixel": "font-size:1px",
    "transparent": "color:transparent",
    "transparent by alpha": "color:rgba(0,0,0,0)",
    "no opacity": "opacity:0",
    "white": "color:#fff",
    "white by name": "color:white",
    "own background": "color:#123456;background:#123456",
    "off the page": "position:absolute;left:-9999px",
    "moved away": "transform:translateX(-9999px)",
    "indented away": "text-indent:-9999px",
    "cut to nothing": "clip-path:inset(50%)",
    "scaled to nothing": "transform:scale(0)",
    "without height": "height:0;overflow:hidden",
    "a pixel wide": "position:absolute;width:1px;height:1px;overflow:hidden",
}


def page(head: str = "", body: str = "") -> bytes:
    return f"<html><head>{head}</head><body><p>{SEEN}</p>{body}</body></html>".encode()


def markdown(hidden: str) -> bytes:
    return f"# Gates\n\n{SEEN}\n\n{hidden}\n\nEnd.\n".encode()


def word(style: Callable[[Any, Any], None]) -> bytes:
    made = docx.Document()
    made.add_paragraph(SEEN)
    style(made, made.add_paragraph().add_run(HIDDEN))
    return saved(made)


def hide_by_style(made: Any, run: Any, kind: WD_STYLE_TYPE) -> None:
    style = made.styles.add_style("Unseen", kind)
    style.font.hidden = True
    if kind == WD_STYLE_TYPE.PARAGRAPH:
        run._element.getparent().style = "Unseen"
    else:
        run.style = style


def sheet(hide: Callable[[Any], None]) -> bytes:
    made = openpyxl.Workbook()
    first = made.active
    assert first is not None
    first.append([SEEN])
    other = made.create_sheet("Other")
    other.append(["a", "b", "c"])
    other.append(["d", HIDDEN, "e"])
    hide(other)
    return saved(made)


def deck(hide: Callable[[Any, Any], None]) -> bytes:
    made = pptx.Presentation()
    made.slides.add_slide(made.slide_layouts[5]).shapes.title.text = SEEN
    slide = made.slides.add_slide(made.slide_layouts[6])
    box = slide.shapes.add_textbox(Inches(1), Inches(1), Inches(3), Inches(1))
    box.text_frame.text = HIDDEN
    hide(slide, box)
    return saved(made)


def saved(made: Any) -> bytes:
    file = io.BytesIO()
    made.save(file)
    return file.getvalue()


def drawn(operators: str) -> bytes:
    shown = f"BT /F 12 Tf 50 700 Td ({SEEN}) Tj ET "
    return pdf((shown + operators.replace("TEXT", f"({HIDDEN}) Tj")).encode())


WAYS: dict[str, tuple[Kind, bytes]] = {
    **{f"HTML: {name}": ("html", page(body=f'<p style="{s}">{HIDDEN}</p>')) for name, s in STYLES.items()},
    "HTML: attribute hidden": ("html", page(body=f"<p hidden>{HIDDEN}</p>")),
    "HTML: a class without display": ("html", page("<style>.x{display:none}</style>", f"<p class=x>{HIDDEN}</p>")),
    "HTML: a class without size": ("html", page("<style>.x{font-size:0}</style>", f"<p class=x>{HIDDEN}</p>")),
    "HTML: a class in white": ("html", page("<style>.x{color:#ffffff}</style>", f"<p class=x>{HIDDEN}</p>")),
    "HTML: comment": ("html", page(body=f"<!-- {HIDDEN} -->")),
    "HTML: template": ("html", page(body=f"<template>{HIDDEN}</template>")),
    "HTML: noscript": ("html", page(body=f"<noscript>{HIDDEN}</noscript>")),
    "HTML: font in white": ("html", page(body=f'<font color="#FFFFFF">{HIDDEN}</font>')),
    "Markdown: comment": ("markdown", markdown(f"<!-- {HIDDEN} -->")),
    "Markdown: comment in a line": ("markdown", markdown(f"Here <!-- {HIDDEN} --> too.")),
    "Markdown: block without display": ("markdown", markdown(f'<div style="display:none">\n{HIDDEN}\n</div>')),
    "Markdown: block with paragraphs": ("markdown", markdown(f'<div style="display:none">\n\n{HIDDEN}\n\n</div>')),
    "Markdown: words without display": ("markdown", markdown(f'See <span style="display:none">{HIDDEN}</span> it.')),
    "Markdown: attribute hidden": ("markdown", markdown(f"<p hidden>{HIDDEN}</p>")),
    "Markdown: words in white": ("markdown", markdown(f'So <font color="white">{HIDDEN}</font> it is.')),
    "Markdown: comment as a link": ("markdown", markdown(f"[//]: # ({HIDDEN})")),
    "Markdown: comment as a link in quotes": ("markdown", markdown(f'[comment]: <> "{HIDDEN}"')),
    "Markdown: title of an unused link": ("markdown", markdown(f"[x]: https://example.org '{HIDDEN}'")),
    "Word: hidden words": ("docx", word(lambda _, run: setattr(run.font, "hidden", True))),
    "Word: style of words": ("docx", word(lambda d, run: hide_by_style(d, run, WD_STYLE_TYPE.CHARACTER))),
    "Word: style of a paragraph": ("docx", word(lambda d, run: hide_by_style(d, run, WD_STYLE_TYPE.PARAGRAPH))),
    "Word: white": ("docx", word(lambda _, run: setattr(run.font.color, "rgb", RGBColor(255, 255, 255)))),
    "Word: one point": ("docx", word(lambda _, run: setattr(run.font, "size", Pt(1)))),
    "PDF: render mode 3": ("pdf", drawn("BT 3 Tr /F 12 Tf 50 600 Td TEXT ET")),
    "PDF: white": ("pdf", drawn("BT 1 1 1 rg /F 12 Tf 50 600 Td TEXT ET")),
    "PDF: off the page": ("pdf", drawn("BT /F 12 Tf 50 -900 Td TEXT ET")),
    "PDF: one point": ("pdf", drawn("BT /F 1 Tf 50 600 Td TEXT ET")),
    "Excel: hidden sheet": ("xlsx", sheet(lambda s: setattr(s, "sheet_state", "hidden"))),
    "Excel: very hidden sheet": ("xlsx", sheet(lambda s: setattr(s, "sheet_state", "veryHidden"))),
    "Excel: hidden row": ("xlsx", sheet(lambda s: setattr(s.row_dimensions[2], "hidden", True))),
    "Excel: hidden column": ("xlsx", sheet(lambda s: setattr(s.column_dimensions["B"], "hidden", True))),
    "Excel: format without output": ("xlsx", sheet(lambda s: setattr(s["B2"], "number_format", ";;;"))),
    "Excel: white": ("xlsx", sheet(lambda s: setattr(s["B2"], "font", Font(color="FFFFFFFF")))),
    "PowerPoint: hidden slide": ("pptx", deck(lambda slide, _: slide._element.set("show", "0"))),
    "PowerPoint: hidden shape": (
        "pptx",
        deck(lambda _, box: box._element.nvSpPr.cNvPr.set("hidden", "1")),
    ),
    "PowerPoint: off the slide": ("pptx", deck(lambda _, box: setattr(box, "left", Inches(-40)))),
    "PowerPoint: one point": (
        "pptx",
        deck(lambda _, box: setattr(box.text_frame.paragraphs[0].runs[0].font, "size", SlidePt(1))),
    ),
}  # fmt: skip


def read(kind: Kind, content: bytes) -> tuple[str, Content]:
    found = loader_of(kind)(content, TextLimit(100_000))
    return "\n".join(f"{section.heading}\n{section.text}" for section in found.sections), found


@pytest.mark.parametrize(("kind", "content"), WAYS.values(), ids=WAYS)
def test_what_nobody_sees_is_not_read(kind: Kind, content: bytes) -> None:
    text, _ = read(kind, content)
    assert SEEN in text
    assert "swordfish" not in text


# Comments belong to the file, not to its text, and nearly every page has some.
@pytest.mark.parametrize(
    "way", [way for way in WAYS if not way.endswith(("comment", "in a line", "template", "noscript"))]
)
def test_what_was_left_out_is_counted(way: str) -> None:
    _, found = read(*WAYS[way])
    assert [(note.code, note.values) for note in found.notes] == [
        ("html-hidden", {"count": found_words(way)})
    ]


def found_words(way: str) -> int:
    """How many parts are left out; a PDF has words alone."""
    return len(HIDDEN.split()) if way.startswith("PDF") else 1


LIKE_HIDDEN: dict[str, tuple[Kind, bytes]] = {
    "HTML: white on blue": ("html", page(body='<div style="background:#039"><p style="color:#fff">Sold out.</p></div>')),
    "HTML: white by an old attribute": ("html", page(body='<table bgcolor="navy"><td><font color=white>Sold out.</table>')),
    "HTML: white under a style sheet of the site": (
        "html", page('<link rel="stylesheet" href="a.css">', '<p style="color:#fff">Sold out.</p>'),
    ),
    "Markdown: code about tags": ("markdown", markdown('Write `<p hidden>` for it: Sold out.\n\n```\n<div style="display:none">\n```')),
    "Markdown: link with a target": ("markdown", markdown("[Sold out.][x]\n\n[x]: https://example.org")),
    "Markdown: footnote": ("markdown", markdown('Gone.[^1]\n\n[^1]: Sold "out" is: Sold out.')),
    "Markdown: plain tags": ("markdown", markdown('<p style="color:red">Sold out.</p>')),
    "PDF: white on black": ("pdf", drawn("0 g 40 590 200 30 re f BT 1 1 1 rg /F 12 Tf 50 600 Td (Sold out.) Tj ET")),
    "PDF: without ink over what is drawn": (
        "pdf", drawn("BT /F 12 Tf 50 600 Td (Sold out.) Tj ET BT 3 Tr /F 12 Tf 50 600 Td (Sold out.) Tj ET"),
    ),
}  # fmt: skip


@pytest.mark.parametrize(("kind", "content"), LIKE_HIDDEN.values(), ids=LIKE_HIDDEN)
def test_what_is_seen_stays(kind: Kind, content: bytes) -> None:
    text, found = read(kind, content)
    assert "Sold out." in text
    assert found.notes == ()
