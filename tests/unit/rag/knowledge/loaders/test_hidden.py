"""Ways to write what no reader of a file sees: none reaches the model, and what is seen stays."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from typing import Any

import docx
import openpyxl
import pptx
import pytest
from docx.enum.style import WD_STYLE_TYPE
from docx.oxml.ns import qn
from docx.shared import Pt, RGBColor
from lxml import etree
from openpyxl.styles import Color, Font
from pptx.dml.color import RGBColor as SlideColor
from pptx.enum.dml import MSO_THEME_COLOR
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
    "transparent in four digits": "color:#0000",
    "transparent after a slash": "color:rgb(0 0 0 / 0)",
    "white by hue": "color:hsl(0,0%,100%)",
    "hardly any opacity": "opacity:.01",
    "no size by the short form": "font:0/0 a",
    "a hundredth of the size": "font-size:.01em",
    "half a pixel": "font-size:.5px",
    "an escape in the name": "dis\\70lay:none",
    "scaled to nothing by its own name": "scale:0",
    "important before the last": "display:none!important;display:block",
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


def shaded(run: Any) -> None:
    run.font.color.rgb = RGBColor(0, 0, 128)
    etree.SubElement(run._element.get_or_add_rPr(), qn("w:shd")).set(qn("w:fill"), "000080")


def rtf(words: str) -> bytes:
    colors = r"{\colortbl;\red255\green255\blue255;\red0\green0\blue128;}"
    return rf"{{\rtf1\ansi{colors}{{\stylesheet{{\v Odd;}}}}{SEEN}\par {{{words}}}\par}}".encode()


def package(**parts: str) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as made:
        for name, content in parts.items():
            made.writestr(name.replace("__", "/").replace("_", "."), content)
    return file.getvalue()


def epub(style: str) -> bytes:
    book = '<package><item id="a" href="a.xhtml" media-type="text/html"/><itemref idref="a"/></package>'
    box = {"META-INF__container_xml": '<container><rootfile full-path="c.opf"/></container>'}
    text = page('<link rel="stylesheet" href="s.css"/>', f'<p class="x">{HIDDEN}</p>').decode()
    return package(**box, c_opf=book, s_css=style, a_xhtml=text)


def opendocument(style: str, words: str = f'<t:span t:style-name="x">{HIDDEN}</t:span>') -> bytes:
    styles = f'<o:style t:name="x"><o:text-properties {style}/></o:style>'
    body = f"<o:body><t:p>{SEEN}</t:p><t:p>{words}</t:p></o:body>"
    return package(content_xml=f'<o:d xmlns:o="o" xmlns:t="t" xmlns:fo="fo">{styles}{body}</o:d>')


def deck(hide: Callable[[Any, Any], None]) -> bytes:
    made = pptx.Presentation()
    made.slides.add_slide(made.slide_layouts[5]).shapes.title.text = SEEN
    slide = made.slides.add_slide(made.slide_layouts[6])
    box = slide.shapes.add_textbox(Inches(1), Inches(1), Inches(3), Inches(1))
    box.text_frame.text = HIDDEN
    hide(slide, box)
    return saved(made)


def font(box: Any) -> Any:
    return box.text_frame.paragraphs[0].runs[0].font


def sold_out_on_blue(slide: Any, box: Any) -> None:
    box.text_frame.paragraphs[0].runs[0].text = "Sold out."
    font(box).color.rgb = SlideColor(255, 255, 255)  # type: ignore[no-untyped-call]
    box.fill.solid()


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
    "HTML: a class for all media": ("html", page("<style>@media all{.x{display:none}}</style>", f"<p class=x>{HIDDEN}</p>")),
    "HTML: popover without a button": ("html", page(body=f"<div popover>{HIDDEN}</div>")),
    "Markdown: a class of its own style": ("markdown", markdown(f"<style>.x{{display:none}}</style>\n\n<p class=x>{HIDDEN}</p>")),
    **{f"Markdown: {name} as a comment": ("markdown", markdown(f"<{name}>{HIDDEN}</{name}>")) for name in ("script", "style")},
    "Markdown: comment as the name of a link": ("markdown", markdown(f"[{HIDDEN}]: #")),
    "Markdown: comment below a link": ("markdown", markdown(f"[//]: #\n'{HIDDEN}'")),
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
    "Word: two points": ("docx", word(lambda _, run: setattr(run.font, "size", Pt(2)))),
    "Word: colour of the shading": ("docx", word(lambda _, run: shaded(run))),
    **{f"RTF: {name}": ("rtf", rtf(f"{mark} {HIDDEN}")) for name, mark in {"hidden words": r"\v", "one point": r"\fs2", "white": r"\cf1"}.items()},
    "EPUB: a class of a file": ("epub", epub(".x{display:none}")),
    **{f"OpenDocument: {style}": ("opendocument", opendocument(style)) for style in ('t:display="none"', 'fo:color="#ffffff"', 'fo:font-size="1pt"')},
    "OpenDocument: hidden paragraph": ("opendocument", opendocument("", f'<t:hidden-paragraph t:is-hidden="true"/>{HIDDEN}')),
    "PDF: render mode 7": ("pdf", drawn("BT 7 Tr /F 12 Tf 50 600 Td TEXT ET")),
    "PDF: render mode 3": ("pdf", drawn("BT 3 Tr /F 12 Tf 50 600 Td TEXT ET")),
    "PDF: white": ("pdf", drawn("BT 1 1 1 rg /F 12 Tf 50 600 Td TEXT ET")),
    "PDF: off the page": ("pdf", drawn("BT /F 12 Tf 50 -900 Td TEXT ET")),
    "PDF: one point": ("pdf", drawn("BT /F 1 Tf 50 600 Td TEXT ET")),
    "Excel: hidden sheet": ("xlsx", sheet(lambda s: setattr(s, "sheet_state", "hidden"))),
    "Excel: very hidden sheet": ("xlsx", sheet(lambda s: setattr(s, "sheet_state", "veryHidden"))),
    "Excel: hidden row": ("xlsx", sheet(lambda s: setattr(s.row_dimensions[2], "hidden", True))),
    "Excel: hidden column": ("xlsx", sheet(lambda s: setattr(s.column_dimensions["B"], "hidden", True))),
    "Excel: format without output": ("xlsx", sheet(lambda s: setattr(s["B2"], "number_format", ";;;"))),
    "Excel: format of spaces": ("xlsx", sheet(lambda s: setattr(s["B2"], "number_format", ';;;" "'))),
    "Excel: one point": ("xlsx", sheet(lambda s: setattr(s["B2"], "font", Font(size=1)))),
    "Excel: white of the theme": ("xlsx", sheet(lambda s: setattr(s["B2"], "font", Font(color=Color(theme=0))))),
    "Excel: row without height": ("xlsx", sheet(lambda s: setattr(s.row_dimensions[2], "height", 0.01))),
    "Excel: column without width": ("xlsx", sheet(lambda s: setattr(s.column_dimensions["B"], "width", 0.01))),
    "Excel: white": ("xlsx", sheet(lambda s: setattr(s["B2"], "font", Font(color="FFFFFFFF")))),
    "PowerPoint: hidden slide": ("pptx", deck(lambda slide, _: slide._element.set("show", "0"))),
    "PowerPoint: hidden shape": ("pptx", deck(lambda _, box: box._element.nvSpPr.cNvPr.set("hidden", "1"))),
    "PowerPoint: white": ("pptx", deck(lambda _, box: setattr(font(box).color, "rgb", SlideColor(255, 255, 255)))),  # type: ignore[no-untyped-call]
    "PowerPoint: white of the theme": ("pptx", deck(lambda _, box: setattr(font(box).color, "theme_color", MSO_THEME_COLOR.BACKGROUND_1))),
    "PowerPoint: off the slide": ("pptx", deck(lambda _, box: setattr(box, "left", Inches(-40)))),
    "PowerPoint: one point": ("pptx", deck(lambda _, box: setattr(font(box), "size", SlidePt(1)))),
}  # fmt: skip


def read(kind: Kind, content: bytes) -> tuple[str, Content]:
    found = loader_of(kind)(content, TextLimit(100_000))
    return "\n".join(f"{section.heading}\n{section.text}" for section in found.sections), found


@pytest.mark.parametrize("way", WAYS)
def test_what_nobody_sees_is_not_read(way: str) -> None:
    text, found = read(*WAYS[way])
    assert SEEN in text
    assert "swordfish" not in text
    # Comments belong to the file, not to its text, and nearly every page has some.
    if not way.endswith(("comment", "in a line", "template", "noscript")):
        count = len(HIDDEN.split()) if way.startswith("PDF") else 1  # a PDF has words alone
        assert [(note.code, note.values) for note in found.notes] == [("html-hidden", {"count": count})]


LIKE_HIDDEN: dict[str, tuple[Kind, bytes]] = {
    "HTML: white on blue": ("html", page(body='<div style="background:#039"><p style="color:#fff">Sold out.</p></div>')),
    "HTML: white by an old attribute": ("html", page(body='<table bgcolor="navy"><td><font color=white>Sold out.</table>')),
    "HTML: white under a style sheet of the site": ("html", page('<link rel="stylesheet" href="a.css">', '<p style="color:#fff">Sold out.</p>')),
    "HTML: letters that are cut out of a picture": ("html", page(body='<p style="color:transparent;background-clip:text">Sold out.</p>')),
    "HTML: sizes that are computed": ("html", page(body='<p style="font:700 clamp(1px,2vw,9px)/0 a;opacity:.09">Sold out.</p>')),
    "HTML: popover with a button": ("html", page(body="<button popovertarget=x>More</button><p popover id=x>Sold out.</p>")),
    "HTML: the closer rule": ("html", page("<style>p.x{display:block}.x{display:none}</style>", "<p class=x>Sold out.</p>")),
    "RTF: white on blue": ("rtf", rtf(r"\chcbpat2\cf1 Sold out.")),
    "RTF: words behind hidden ones": ("rtf", rtf(r"\v\v0 Sold out.")),
    "OpenDocument: white on blue": ("opendocument", opendocument('fo:color="#ffffff" fo:background-color="#000080"', '<t:span t:style-name="x">Sold out.</t:span>')),
    "PowerPoint: white on blue": ("pptx", deck(sold_out_on_blue)),
    "Markdown: code about tags": ("markdown", markdown('Write `<p hidden>` for it: Sold out.\n\n```\n<div style="display:none">\n```')),
    "Markdown: link with a target": ("markdown", markdown("[Sold out.][x]\n\n[x]: https://example.org")),
    "Markdown: footnote": ("markdown", markdown('Gone.[^1]\n\n[^1]: Sold "out" is: Sold out.')),
    "Markdown: plain tags": ("markdown", markdown('<p style="color:red">Sold out.</p>')),
    "PDF: white on black": ("pdf", drawn("0 g 40 590 200 30 re f BT 1 1 1 rg /F 12 Tf 50 600 Td (Sold out.) Tj ET")),
    "PDF: without ink over what is drawn": ("pdf", drawn("BT /F 12 Tf 50 600 Td (Sold out.) Tj ET BT 3 Tr /F 12 Tf 50 600 Td (Sold out.) Tj ET")),
}  # fmt: skip


@pytest.mark.parametrize(("kind", "content"), LIKE_HIDDEN.values(), ids=LIKE_HIDDEN)
def test_what_is_seen_stays(kind: Kind, content: bytes) -> None:
    text, found = read(kind, content)
    assert "Sold out." in text
    assert found.notes == ()
