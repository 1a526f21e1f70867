"""Ways to write what no reader of a file sees: none reaches the model, and what is seen stays."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from email.message import EmailMessage
from typing import Any

import docx
import openpyxl
import pptx
import pytest
from docx.enum.style import WD_STYLE_TYPE
from docx.oxml.ns import qn
from docx.shared import Pt, RGBColor
from lxml import etree
from openpyxl.cell.rich_text import CellRichText, TextBlock
from openpyxl.cell.text import InlineFont
from openpyxl.formatting.rule import FormulaRule
from openpyxl.styles import Color, Font, PatternFill
from openpyxl.worksheet.table import Table
from pptx.dml.color import RGBColor as SlideColor
from pptx.enum.dml import MSO_THEME_COLOR
from pptx.enum.shapes import MSO_SHAPE
from pptx.util import Inches
from pptx.util import Pt as SlidePt

from rag.knowledge.loaders import loader_of
from rag.knowledge.loaders.content import Content, TextLimit
from rag.knowledge.sources import Kind
from tests.unit.rag.knowledge.loaders.test_pdf import pdf

SEEN = "The north gate opens at nine."
HIDDEN = "The password is swordfish."
SLIDES = "http://schemas.openxmlformats.org/presentationml/2006/main"
DRAWING = "http://schemas.openxmlformats.org/drawingml/2006/main"

DOCX_NAMES = f'xmlns:w="{qn("w:p")[1:-2]}" xmlns:a="{DRAWING}" xmlns:p="p" xmlns:s="s" xmlns:v="v"'
WHITE_WORDS = '<w:p><w:r><w:rPr><w:color w:val="FFFFFF"/></w:rPr><w:t>{}</w:t></w:r></w:p>'

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
    "cut on one side": "clip-path:inset(0 100% 0 0)",
    "scaled flat": "transform:scaleY(0)",
    "moved by the height of screens": "translate:0 -200vh",
    "off the page by a sum": "position:absolute;left:calc(0px - 9999px)",
    "off the page by the other side": "position:absolute;right:9999px",
    "pushed away": "margin:-9999px 0 0 -9999px",
    "no opacity by a filter": "filter:opacity(0%)",
    "off the page by brackets": "position:absolute;left:calc(-9999px)",
    "not laid out": "content-visibility:hidden",
    "without width": "max-width:0;overflow-x:clip;padding:0",
    "in a hundredth": "zoom:.01",
    "no size by a product": "font-size:calc(1px*0)",
    "cut out of nothing": "color:transparent;background-clip:text",
    "dots for letters": "-webkit-text-security:disc",
    "a variable": "--a:none;display:var(--a)",
    "a variable that is not set": "display:var(--a,none)",
}

SHEETS = {
    "no opacity": ".x{opacity:0}",
    "off the page": ".x{position:absolute;left:-999em}",
    "a width of screens": "@media screen and (min-width:1px){.x{display:none}}",
    "a width": "@media print,(min-width:100px){.x{display:none}}",
    "no print": "@media not print{.x{display:none}}",
    "a layer": "@layer a{.x{display:none}}",
    "a rule in a rule": "body{& .x{display:none}}",
    "a condition in a rule": ".x{@media screen{display:none}}",
    "a list in brackets": ":is(.y,.x){display:none}",
    "a variable of the page": ":root{--a:0}.x{opacity:var(--a)}",
    "the ground of the page": "p{color:#eee}body{background:#111}p.x{color:#111}",
}
AROUND = {
    "the ground around it": '<div style="background:hsl(210 50% 40%)"><p style="color:rgb(51,102,153)">HIDDEN</p></div>',
    "a white box in a blue one": '<div style="background:#039"><div style="background:#fff"><p style="color:#fff">HIDDEN</p></div></div>',
    "a cell of its colour": "<table><tr><td>a<td bgcolor=black><font color=black>HIDDEN</font></table>",
    "opacity in opacity": '<div style="opacity:.2"><p style="opacity:.2">HIDDEN</p></div>',
    "a part of a small size": '<div style="font-size:10%"><p style="font-size:50%">HIDDEN</p></div>',
    "a picture of a pixel": '<img width=1 height=1 alt="HIDDEN">',
    "a tab in white": '<a href="#z">go</a><p id=z class="tab" style="color:#fff">HIDDEN</p>',
}  # fmt: skip
NOT_SHOWN = (
    "noembed",
    "noframes",
    "datalist",
    "annotation",
    "progress",
    "dialog",
    "svg",
    "template",
    "noscript",
)
"""Elements whose text belongs to programs, so that nobody counts it."""
IN_MARKDOWN = {
    "area without size": '<p style="clip-path:polygon(0 0,0 0)">HIDDEN</p>',
    "ground around it": '<div style="background:#123"><span style="color:#123">HIDDEN</span></div>',
    "name of an unused link": "[HIDDEN]: https://example.org",
    "picture of a pixel": '<img src=a width="1" height="1" alt="HIDDEN"/>',
    "comment to the end": "<!-- HIDDEN",
    "attribute as a comment": '<p data-x="HIDDEN">a</p>',
    "instruction as a comment": "<?x HIDDEN ?>",
    "data as a comment": "<![CDATA[HIDDEN]]>",
    "Liquid comment": "{% comment %}HIDDEN{% endcomment %}",
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


def marked(*marks: str, words: str = HIDDEN, shape: str = "") -> bytes:
    """A Word file whose last run has marks: "color val=FFFFFF"; those behind a slash are its paragraph's.

    Its words stand in the text box of a shape, if there is one.
    """

    def mark(made: Any, run: Any) -> None:
        run.text = "" if shape else words
        if shape:
            text = f"<w:txbxContent>{WHITE_WORDS.format(words)}</w:txbxContent>"
            box = f"<w:pict {DOCX_NAMES}>{shape.replace('TEXT', text)}</w:pict>"
            run._element.append(etree.fromstring(box))
        for written in marks:
            place, _, name = written.rpartition("/")
            name, *values = name.split()
            owner = run._element.getparent().get_or_add_pPr() if place else run._element.get_or_add_rPr()
            made = etree.SubElement(owner, qn(f"w:{name}"))
            for value in values:
                made.set(qn(f"w:{value.partition('=')[0]}"), value.partition("=")[2])

    return word(mark)


def in_table(fill: str, color: str, words: str = HIDDEN) -> bytes:
    def put(made: Any, run: Any) -> None:
        run.text = words
        cell = made.add_table(1, 1).cell(0, 0)
        etree.SubElement(cell._element.get_or_add_tcPr(), qn("w:shd")).set(qn("w:fill"), fill)
        run.font.color.rgb = RGBColor.from_string(color)
        cell.paragraphs[0]._element.append(run._element)

    return word(put)


def on_blue_page(made: Any, run: Any) -> None:
    run.text = "Sold out."
    run.font.color.rgb = RGBColor(0, 0, 128)  # a colour that few programs show
    etree.SubElement(made.element, qn("w:background")).set(qn("w:color"), "000080")


def in_styled_table(made: Any, run: Any) -> None:
    style = made.styles.add_style("Dark", WD_STYLE_TYPE.TABLE)._element
    first = etree.SubElement(style, qn("w:tblStylePr"))
    etree.SubElement(etree.SubElement(first, qn("w:tcPr")), qn("w:shd")).set(qn("w:fill"), "000080")
    run.text = "Sold out."
    run.font.color.rgb = RGBColor(255, 255, 255)
    table = made.add_table(1, 1, "Dark")
    etree.SubElement(table._element.tblPr, qn("w:shd")).set(qn("w:fill"), "FFFFFF")
    table.cell(0, 0).paragraphs[0]._element.append(run._element)


def hide_all_but(made: Any, run: Any) -> None:
    made.styles["Normal"].font.hidden = True
    run.font.hidden = False


def in_unused_head(made: Any, run: Any) -> None:
    run.text = ""
    made.sections[0].first_page_header.paragraphs[0].text = HIDDEN
    made.sections[0].different_first_page_header_footer = False


def in_first_foot(made: Any, run: Any) -> None:
    run.text = ""
    first = made.sections[0]
    first.different_first_page_header_footer = True
    first.first_page_header.paragraphs[0].text = "Gates and hours"
    first.first_page_footer.paragraphs[0].text = "Sold out."


def mail(plain: str, rich: str) -> bytes:
    made = EmailMessage()
    made.set_content(plain)
    made.add_alternative(rich, subtype="html")
    return made.as_bytes()


def comment(flags: int, words: str = HIDDEN, left: int = 9) -> bytes:
    place = b"[%d 9 %d 20]" % (left, left + 11)
    return pdf([SEEN]).replace(
        b"/Contents",
        b"/Annots [<< /Subtype /Text /Rect %s /F %d /Contents (%s) >>] /Contents"
        % (place, flags, words.encode()),
        1,
    )


def coloured(cell: Any, ink: str, ground: str) -> None:
    cell.font = Font(color=ink)
    cell.fill = PatternFill("solid", fgColor=ground)


def sheet(hide: Callable[[Any], object]) -> bytes:
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


def opendocument(
    style: str, words: str = f'<t:span t:style-name="x">{HIDDEN}</t:span>', more: str = ""
) -> bytes:
    styles = f'<o:style t:name="x"><o:text-properties {style}/></o:style>{more}'
    body = f"<o:body><t:p>{SEEN}</t:p><t:p>{words}</t:p></o:body>"
    return package(
        content_xml=f'<o:d xmlns:o="o" xmlns:t="t" xmlns:fo="fo" xmlns:lo="lo">{styles}{body}</o:d>'
    )


def deck(hide: Callable[[Any, Any], object]) -> bytes:
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


def filled(shape: Any, color: str) -> Any:
    shape.fill.solid()
    shape.fill.fore_color.rgb = SlideColor.from_string(color)  # type: ignore[no-untyped-call]
    return shape


def inked(box: Any, color: str) -> Any:
    font(box).color.rgb = SlideColor.from_string(color)  # type: ignore[no-untyped-call]
    return box


def with_fill(box: Any, fill: str) -> None:
    font(box)._element.insert(0, etree.fromstring(f'<a:solidFill xmlns:a="{DRAWING}">{fill}</a:solidFill>'))


def rectangle(slide: Any, left: float, high: float) -> Any:
    return slide.shapes.add_shape(MSO_SHAPE.RECTANGLE, Inches(left), 0, Inches(9), Inches(high))


def white_on(paint: Callable[[Any, Any], object]) -> bytes:
    """A deck whose white letters are seen by what is done to their slide and box."""

    def put(slide: Any, box: Any) -> None:
        box.text_frame.paragraphs[0].runs[0].text = "Sold out."
        paint(slide, inked(box, "FFFFFF"))

    return deck(put)


def inside(parent: Any, xml: str, place: int = 0) -> None:
    parent.insert(place, etree.fromstring(xml.replace(">", f' xmlns:a="{DRAWING}" xmlns:p="{SLIDES}">', 1)))


def with_other_colors(slide: Any, _: Any) -> None:
    places = {
        "bg1": "dk1",
        "tx1": "lt1",
        "bg2": "dk2",
        "tx2": "lt2",
        "hlink": "hlink",
        "folHlink": "folHlink",
    }
    places |= {f"accent{n}": f"accent{n}" for n in range(1, 7)}
    written = " ".join(f'{name}="{place}"' for name, place in places.items())
    for one in slide._element.findall("{*}clrMapOvr"):
        slide._element.remove(one)
    inside(slide._element, f"<p:clrMapOvr><a:overrideClrMapping {written}/></p:clrMapOvr>", 1)


def turned(slide: Any, box: Any) -> None:
    box.rotation = 90
    filled(rectangle(slide, 2, 7), "000080").left = Inches(2)


def with_frame(form: MSO_SHAPE, color: str = "FFFFFF") -> bytes:
    def put(slide: Any, box: Any) -> None:
        box.text_frame.paragraphs[0].runs[0].text = "Sold out."
        filled(slide.shapes.add_shape(form, 0, 0, Inches(9), Inches(7)), color)

    return deck(put)


def properties(box: Any) -> Any:
    return font(box)._element


def saved(made: Any) -> bytes:
    file = io.BytesIO()
    made.save(file)
    return file.getvalue()


def sheet_with(value: object, change: Callable[[Any], object]) -> bytes:
    """A spreadsheet whose second sheet has a value that only seems hidden."""

    def put(other: Any) -> None:
        other["B2"] = value
        other["B2"].font = Font(color="FFFFFFFF")
        change(other)

    return sheet(put)


def in_dark_rows(other: Any) -> None:
    rule = FormulaRule(formula=["TRUE"], fill=PatternFill(bgColor="FF000080"))
    other.conditional_formatting.add("A1:C9", rule)


def drawn(operators: str, words: str = HIDDEN) -> bytes:
    shown = f"BT /F 12 Tf 50 700 Td ({SEEN}) Tj ET "
    return pdf((shown + operators.replace("TEXT", f"({words}) Tj")).encode())


WAYS: dict[str, tuple[Kind, bytes]] = {
    **{f"HTML: {name}": ("html", page(body=f'<p style="{s}">{HIDDEN}</p>')) for name, s in STYLES.items()},
    **{f"HTML: a sheet with {name}": ("html", page(f"<style>{css}</style>", f"<p class=x>{HIDDEN}</p>")) for name, css in SHEETS.items()},
    **{f"HTML: {name}": ("html", page(body=body.replace("HIDDEN", HIDDEN))) for name, body in AROUND.items()},
    **{f"HTML: {name} as a comment": ("html", page(body=f"<{name}>{HIDDEN}</{name}>")) for name in NOT_SHOWN},
    **{f"Markdown: {name}": ("markdown", markdown(text.replace("HIDDEN", HIDDEN))) for name, text in IN_MARKDOWN.items()},
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
    "Word: default style": ("docx", word(lambda d, run: hide_all_but(d, d.paragraphs[0].runs[0]))),
    "Word: white in a table": ("docx", in_table("auto", "FFFFFF")),
    "Word: colour of its cell": ("docx", in_table("000080", "000081")),
    "Word: colour of its paragraph": ("docx", marked("color val=000080", "p/shd fill=000080")),
    "Word: colour of its highlight": ("docx", marked("color val=000000", "highlight val=black")),
    "Word: white of the theme": ("docx", marked("color val=auto themeColor=background1")),
    "Word: narrow letters": ("docx", marked("w val=1")),
    "Word: line without height": ("docx", marked("p/spacing line=1 lineRule=exact")),
    "Word: line of a point": ("docx", marked("p/spacing line=20 lineRule=exact")),
    "Word: indented away": ("docx", marked("p/ind left=-30000")),
    "Word: frame off the page": ("docx", marked("p/framePr x=-30000")),
    "Word: head that is off": ("docx", word(in_unused_head)),
    **{f"RTF: {mark}": ("rtf", rtf(f"{mark} {HIDDEN}")) for mark in (r"\v", r"\fs2", r"\fs0", r"\cf1", r"\cf2\highlight2", r"\cf1\chcbpat1", r"\charscalex1", r"\li-30000", r"\sl-1")},
    "Mail: plain part that says more": ("eml", mail(f"{SEEN}\n{HIDDEN}", f"<p>{SEEN}</p>")),
    "Mail: hidden in the rich part": ("eml", mail(f"{SEEN}\n{HIDDEN}", f"<p>{SEEN}</p><p style='display:none'>{HIDDEN}</p>")),
    "EPUB: a class of a file": ("epub", epub(".x{display:none}")),
    **{f"OpenDocument: {style}": ("opendocument", opendocument(style)) for style in ('t:display="none"', 'fo:color="#ffffff"', 'fo:font-size="1pt"', 't:text-scale="1%"', 'fo:color="#000080" fo:background-color="#000080"')},
    **{f"OpenDocument: frame {place}": ("opendocument", opendocument("", f"<t:frame {place}>{HIDDEN}</t:frame>")) for place in ('t:x="-90cm"',)},
    "OpenDocument: hidden paragraph": ("opendocument", opendocument("", f'<t:hidden-paragraph t:is-hidden="true"/>{HIDDEN}')),
    "PDF: render mode 7": ("pdf", drawn("BT 7 Tr /F 12 Tf 50 600 Td TEXT ET")),
    "PDF: render mode 3": ("pdf", drawn("BT 3 Tr /F 12 Tf 50 600 Td TEXT ET")),
    "PDF: white": ("pdf", drawn("BT 1 1 1 rg /F 12 Tf 50 600 Td TEXT ET")),
    "PDF: off the page": ("pdf", drawn("BT /F 12 Tf 50 -900 Td TEXT ET")),
    "PDF: blue on blue": ("pdf", drawn("0 0 1 rg 40 590 300 30 re f BT /F 12 Tf 50 600 Td TEXT ET")),
    "PDF: covered": ("pdf", drawn("BT /F 12 Tf 50 600 Td TEXT ET 1 g 40 590 300 30 re f")),
    "PDF: narrow letters": ("pdf", drawn("BT /F 12 Tf 1 Tz 50 600 Td TEXT ET")),
    "PDF: written for other letters": ("pdf", drawn(f"/Span << /ActualText ({HIDDEN}) >> BDC BT /F 12 Tf 50 600 Td (ok) Tj ET EMC")),
    "Note in a PDF: hidden": ("pdf", comment(2)),
    "Note in a PDF: not in view": ("pdf", comment(32)),
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
    "Excel: row of a point": ("xlsx", sheet(lambda s: setattr(s.row_dimensions[2], "height", 1))),
    "Excel: white on white": ("xlsx", sheet(lambda s: coloured(s["B2"], "FFFFFFFF", "FFFFFFFF"))),
    "Excel: navy on navy": ("xlsx", sheet(lambda s: coloured(s["B2"], "FF000080", "FF000081"))),
    "Excel: theme on itself": ("xlsx", sheet(lambda s: coloured(s["B2"], Color(theme=4), Color(theme=4)))),
    "Excel: format without texts": ("xlsx", sheet(lambda s: setattr(s["B2"], "number_format", "0;0;0;"))),
    "Excel: below a merged cell": ("xlsx", sheet(lambda s: s.merged_cells.add("A2:B2"))),
    **{f"Excel: words with {given}": ("xlsx", sheet(lambda s, given=given: s.__setitem__("B2", CellRichText("a ", TextBlock(InlineFont(**given), HIDDEN))))) for given in ({"color": "FFFFFFFF"}, {"sz": 1})},  # type: ignore[misc]
    "PowerPoint: colour of its shape": ("pptx", deck(lambda _, box: (inked(box, "123456"), filled(box, "123456")))),
    "PowerPoint: colour of the slide": ("pptx", deck(lambda slide, box: (inked(box, "123456"), filled(slide.background, "123456")))),
    "PowerPoint: white beside a filled shape": ("pptx", deck(lambda slide, box: (inked(box, "FFFFFF"), filled(rectangle(slide, 9, 1), "123456")))),
    "PowerPoint: covered": ("pptx", deck(lambda slide, _: filled(rectangle(slide, 0, 7), "FFFFFF"))),
    "PowerPoint: transparent": ("pptx", deck(lambda _, box: with_fill(box, '<a:srgbClr val="000000"><a:alpha val="0"/></a:srgbClr>'))),
    "PowerPoint: group off the slide": ("pptx", deck(lambda slide, box: setattr(slide.shapes.add_group_shape([box]), "left", Inches(-40)))),
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


SEEN_STYLES = (
    "color:#eee", "font-size:6pt", "opacity:.3", "left:-9999px", "position:absolute;left:50%;margin-left:-300px",
    "float:left;width:100%;margin-left:-100%", "color:transparent;-webkit-text-stroke:1px #000", "color:var(--brand)",
    "clip-path:circle(50%)", "transform:translate(-50%,-50%) rotate(90deg)", "height:0", "filter:blur(0)",
    "height:0;overflow:hidden;padding-bottom:50%", "position:absolute;top:1500px", "mask:linear-gradient(#000,transparent)",
    "background-color:#000;background:none", "background-color:#000;background:transparent", "color:#fff;position:absolute;top:9px",
    "color:#fff;background-image:url(a.png);background-color:#fff", "color:#fff;background:linear-gradient(oklch(0 0 0),#fff)", "color:#fff;background:var(--brand)",
    "color:transparent;text-shadow:0 0 1px var(--brand)", "color:transparent;-webkit-text-stroke-color:#000",
    "color:#fff;mix-blend-mode:difference", "margin:0 -9999px;padding:0 9999px", "padding-bottom:9999px;margin-bottom:-9999px",
    "position:relative;left:-100%", "transform:translateY(-100%)", "position:fixed;top:800px",
)  # fmt: skip
ELSEWHERE = (
    "media (max-device-width:480px)", "media (width<600px)", "media (400px<=width<=700px)", "media handheld", "media tv",
    "media amzn-kf8", "media not screen", "media not all and (min-width:600px)", "media (orientation:portrait)", "font-face",
    "media screen and (min-width:1400px)", "container (max-width:1px)", "supports (-moz-appearance:none)", "scope (.y)",
)  # fmt: skip
SOMEWHERE = (
    "supports (display:grid)",
    "container (min-width:1px)",
    "media (hover:hover)",
    "media (min-width:1200px)",
)
SEEN_SHEETS = (
    "@media print{.x{display:none}}", "@media (max-width:600px){.x{display:none}}", "@supports not (top:0){.x{display:none}}",
    "@media (prefers-color-scheme:dark){.x{color:#fff}}", ".x:hover{opacity:0}", "body{background:#111;color:#fff}",
    ".x{display:none}@media (min-width:600px){.x{display:block}}", "body{background:#123}.x{color:white}",
    *(f"@{one}{{.x{{display:none}}}}" for one in ELSEWHERE), *(f".x{{display:none}}@{one}{{.x{{display:block}}}}" for one in SOMEWHERE),
    *(f"{one}{{display:none}}" for one in ("html", "body")), "body{opacity:0}", "body{visibility:hidden}",
    ".x{opacity:0}.x.on{opacity:1}", ".x{visibility:hidden}.on .x{visibility:visible}", ".x{display:none}:checked~.x{display:block}",
    ".x{color:#fff}.x:hover{background-color:#000}", ".x{left:-999em;position:absolute}p:hover{left:0}", "body{color:#fff}",
    ":root{color-scheme:dark}.x{color:#fff}", "@media (prefers-color-scheme:dark){body{background:#111}}.x{color:#fff}",
    ".x{color:#fff}.x:before{background:#000}", ".x{opacity:0;animation:a 1s forwards}",
)  # fmt: skip


SEEN_AROUND = {
    "cell that is cut at its width": "<table><tr><td style='max-width:0;overflow:hidden;text-overflow:ellipsis'>Sold out.<td>b</table>",
    "words without a box": '<p><span style="width:0;height:0;overflow:hidden">Sold out.</span></p>',
    "accordion of a switch": "<style>.x{max-height:0;overflow:hidden}:checked~.x{max-height:9em}</style><input type=checkbox id=a><label for=a>m</label><p class=x>Sold out.</p>",
    "details in movement": "<style>details p{opacity:0}details[open] p{opacity:1}</style><details><summary>m</summary><p>Sold out.</p></details>",
    "sizes in a box without one": '<div style="font-size:0"><div style="font-size:1rem"><b style="font-size:80%">Sold out.</b></div></div>',
    "words that a script moves in": '<script></script><p style="opacity:0;visibility:hidden">Sold out.</p>',
    "picture in a box without size of letters": '<p style="font-size:0;color:#fff"><img src=a.png alt="Sold out."></p>',
    "picture that is loaded late": '<img src=a.gif width=1 height=1 data-src=b.png alt="Sold out.">',
    "ground without an ink": '<div style="color:#222"><p style="background:#222">Sold out.</p></div>',
    "outline of a button": "<style>.b{color:#fff;background-color:#039}.o{color:#039;background:none}</style><a class='b o' href=x>Sold out.</a>",
    "link on a ground of its own": '<div style="color:#fff;background:#039"><a href=x style="background-color:#fff">Sold out.</a></div>',
    "place that is no link": '<div style="color:#fff;background:#00e"><a name=x>Sold out.</a></div>',
    "words over a picture": '<img src=a.png><p style="color:#fff;margin-top:-2em;position:relative;z-index:1">Sold out.</p>',
}  # fmt: skip
SEEN_MARKS = (
    ("color val=D9D9D9 themeColor=background1 themeShade=D9",),
    ("color val=FFFFFF themeColor=text1",),
    ("color val=FFFFFF", "p/shd val=solid color=000080 fill=FFFFFF"),
    ("color val=FFFFFF", "p/shd val=pct75 color=auto fill=auto"),
    ("color val=FFFFFF", "p/shd val=clear fill=FFFFFF themeFill=text1"),
    ("color val=FFFFFF", "outline"),
    ("color val=008000", "highlight val=green"),
    ("p/ind left=16000",),
)
WHITE_BOXES = {
    "box without a fill": "<s:wsp><s:spPr><a:noFill/></s:spPr><s:txbx>TEXT</s:txbx></s:wsp>",
    "box without a height": '<p:anchor><p:extent cx="900" cy="0"/><s:wsp><s:txbx>TEXT</s:txbx></s:wsp></p:anchor>',
    "box far to the left of the right edge": '<p:anchor><p:positionH relativeFrom="rightMargin"><p:posOffset>-30000000</p:posOffset></p:positionH><s:wsp><s:txbx>TEXT</s:txbx></s:wsp></p:anchor>',
    "old box whose fill is off": '<v:rect filled="f" fillcolor="white"><v:textbox>TEXT</v:textbox></v:rect>',
    "old oval": '<v:oval fillcolor="navy"><v:textbox>TEXT</v:textbox></v:oval>',
    "old box in a group": '<v:group><v:rect style="position:absolute;left:5259;top:10512;width:5180;height:1"><v:textbox>TEXT</v:textbox></v:rect></v:group>',
}
SEEN_IN_OPENDOCUMENT = {
    "automatic colour": ('o:use-window-font-color="true" lo:opacity="0%" fo:color="#ffffff"', ""),
    "automatic colour on black": ('fo:background-color="#000000"', ""),
    "page with a ground": ('fo:color="#ffffff"', '<o:page-layout><o:page-layout-properties fo:background-color="#000080"/></o:page-layout>'),
    "size that is a part of another one": ('fo:font-size="10%"', ""),
}  # fmt: skip
PAINTED: dict[str, Callable[[Any, Any], object]] = {
    "colours of the slide alone": with_other_colors,
    "turned box": turned,
    "highlight": lambda _, box: inside(properties(box), '<a:highlight><a:srgbClr val="000080"/></a:highlight>', 1),
    "shadow": lambda _, box: inside(properties(box), '<a:effectLst><a:outerShdw><a:srgbClr val="000000"/></a:outerShdw></a:effectLst>', 1),
    "link": lambda _, box: setattr(box.text_frame.paragraphs[0].runs[0].hyperlink, "address", "https://example.org"),
    "gradient of the theme": lambda slide, _: inside(slide._element.cSld, '<p:bg><p:bgRef idx="1003"><a:schemeClr val="bg1"/></p:bgRef></p:bg>'),
    "shade": lambda _, box: with_fill(box, '<a:schemeClr val="bg1"><a:shade val="50000"/></a:schemeClr>'),
    "part of a whole in percent": lambda _, box: with_fill(box, '<a:srgbClr val="000000"><a:alpha val="100%"/></a:srgbClr>'),
}  # fmt: skip
BLACK = InlineFont(color="FF000000")
SEEN_CELLS: dict[str, tuple[object, Callable[[Any], object]]] = {
    "rows that a condition colours": ("Sold out.", in_dark_rows),
    "table with a style": ("Sold out.", lambda s: s.add_table(Table(displayName="T", ref="A1:C2"))),
    "format with a colour": ("Sold out.", lambda s: setattr(s["B2"], "number_format", "[Red]@")),
    "black words in a white cell": (CellRichText(TextBlock(BLACK, "Sold "), TextBlock(BLACK, "out.")), lambda _: None),
}  # fmt: skip


SEEN_IN_MARKDOWN = {
    "caption of a picture": '![a](a.png "Sold out.")',
    "title of a block of code": "```python Sold out.\nx = 1\n```",
    "words of a component": '<tab-item label="Sold out.">a</tab-item>',
    "note that is named elsewhere": "[^z]: Sold out.",
}
LIKE_HIDDEN: dict[str, tuple[Kind, bytes]] = {
    "HTML: white on blue": ("html", page(body='<div style="background:#039"><p style="color:#fff">Sold out.</p></div>')),
    "HTML: white by an old attribute": ("html", page(body='<table bgcolor="navy"><td><font color=white>Sold out.</table>')),
    "HTML: white under a style sheet of the site": ("html", page('<link rel="stylesheet" href="a.css">', '<p style="color:#fff">Sold out.</p>')),
    "HTML: letters that are cut out of a picture": ("html", page(body='<p style="color:transparent;background:url(a.png);background-clip:text">Sold out.</p>')),
    "HTML: sizes that are computed": ("html", page(body='<p style="font:700 clamp(1px,2vw,9px)/0 a;opacity:.09">Sold out.</p>')),
    **{f"HTML: {style}": ("html", page(body=f'<p style="{style}">Sold out.</p>')) for style in SEEN_STYLES},
    **{f"HTML: a sheet with {css}": ("html", page(f"<style>{css}</style>", "<p class=x>Sold out.</p>")) for css in SEEN_SHEETS},
    "HTML: letters in a box without size": ("html", page(body='<div style="font-size:0"><span style="font-size:16px">Sold out.</span></div>')),
    "HTML: shown in a hidden box": ("html", page(body='<div style="visibility:hidden"><p style="visibility:visible">Sold out.</p></div>')),
    **{f"HTML: {name}": ("html", page(body=body)) for name, body in SEEN_AROUND.items()},
    "HTML: dark by a name of the page": ("html", page('<meta name=color-scheme content="dark">', "<p style='color:#fff'>Sold out.</p>")),
    "HTML: shown by a script": ("html", page("<style>.x{opacity:0;visibility:hidden}</style><script></script>", "<p class=x>Sold out.</p>")),
    "HTML: what a script moves in": ("html", page("<style>.x{opacity:0;transition:opacity 1s}</style><script></script>", "<p class=x>Sold out.</p>")),
    "Word: white in a dark cell": ("docx", in_table("000080", "FFFFFF", "Sold out.")),
    "Word: foot of the first page": ("docx", word(in_first_foot)),
    **{f"Word: {marks}": ("docx", marked(*marks, words="Sold out.")) for marks in SEEN_MARKS},
    **{f"Word: {name}": ("docx", marked(words="Sold out.", shape=shape)) for name, shape in WHITE_BOXES.items()},
    "Word: box beside white words": ("docx", marked("color val=FFFFFF", words="Sold out.", shape="<s:wsp><s:txbx>TEXT</s:txbx></s:wsp>")),
    "Word: box in a flat line": ("docx", marked("p/spacing line=20 lineRule=exact", words="Sold out.", shape="<s:wsp><s:txbx>TEXT</s:txbx></s:wsp>")),
    "Word: colour of a page": ("docx", word(on_blue_page)),
    "Word: white in a table with a style": ("docx", word(in_styled_table)),
    **{f"OpenDocument: {name}": ("opendocument", opendocument(style, '<t:span t:style-name="x">Sold out.</t:span>', more)) for name, (style, more) in SEEN_IN_OPENDOCUMENT.items()},
    "OpenDocument: box that grows": ("opendocument", opendocument("", '<t:frame t:width="0cm"><t:text-box fo:min-width="2cm">Sold out.</t:text-box></t:frame>')),
    "OpenDocument: cell of a dark column": ("opendocument", opendocument('fo:color="#ffffff"', '<t:table-cell><t:p t:style-name="x">Sold out.</t:p></t:table-cell>')),
    **{f"PowerPoint: white with {name}": ("pptx", white_on(paint)) for name, paint in PAINTED.items()},
    **{f"PowerPoint: {form.name} around it": ("pptx", with_frame(form)) for form in (MSO_SHAPE.FRAME, MSO_SHAPE.DONUT)},
    **{f"Excel: {name}": ("xlsx", sheet_with(*made)) for name, made in SEEN_CELLS.items()},
    "Mail: parts that say the same": ("eml", mail("Sold out. See https://example.org", "<p>Sold out. <a href='https://example.org'>See</a>")),
    **{f"PDF: {way} over a picture": ("pdf", drawn(f"q 300 0 0 30 40 590 cm BI /W 1 /H 1 /CS /G /BPC 8 ID ~ EI Q BT {way} /F 12 Tf 50 600 Td TEXT ET", "Sold out.")) for way in ("3 Tr", "7 Tr")},
    "PDF: under a highlight that lets it through": ("pdf", pdf(b"BT /F 12 Tf 50 600 Td (Sold out.) Tj ET /G gs 1 1 0 rg 40 590 300 30 re f").replace(b"/Resources <<", b"/Resources << /ExtGState << /G << /ca .9 >> >>")),
    "PDF: comment beside its page": ("pdf", comment(0, "Sold out.", -90)),
    "PDF: red on grey of its lightness": ("pdf", drawn("0.3 g 40 590 300 30 re f 1 0 0 rg BT /F 12 Tf 50 600 Td (Sold out.) Tj ET")),
    "PDF: small and pale": ("pdf", drawn("BT .9 g /F 5 Tf 50 600 Td (Sold out.) Tj ET")),
    "HTML: popover with a button": ("html", page(body="<button popovertarget=x>More</button><p popover id=x>Sold out.</p>")),
    "HTML: the closer rule": ("html", page("<style>p.x{display:block}.x{display:none}</style>", "<p class=x>Sold out.</p>")),
    "RTF: white on blue": ("rtf", rtf(r"\chcbpat2\cf1 Sold out.")),
    "RTF: white in a blue cell": ("rtf", rtf(r"\trowd\clcbpat2\cellx9\intbl\cf1 Sold out.\cell\row")),
    "RTF: a paragraph behind one that is away": ("rtf", rtf(r"\li-30000\par\pard Sold out.")),
    **{f"RTF: {marks}": ("rtf", rtf(f"{marks} Sold out.")) for marks in (r"\li16000", r"\posy-16000", r"\outl\cf1")},
    "Mail: newsletter that is a picture": ("eml", mail(f"{SEEN} Sold out. Come again.", "<p><img src=a.png><p>Unsubscribe</p>")),
    "Mail: lines that end between letters": ("eml", mail("北门九点开门。票已经\n卖完了。Sold out.", "<p>北门九点开门。票已经卖完了。Sold out.</p>")),
    "reStructuredText: raw HTML": ("rst", b".. raw:: html\n\n   <p>Sold out.</p>\n\nEnd.\n"),
    "RTF: words behind hidden ones": ("rtf", rtf(r"\v\v0 Sold out.")),
    "OpenDocument: white on blue": ("opendocument", opendocument('fo:color="#ffffff" fo:background-color="#000080"', '<t:span t:style-name="x">Sold out.</t:span>')),
    "PowerPoint: white on blue": ("pptx", deck(sold_out_on_blue)),
    "Markdown: code about tags": ("markdown", markdown('Write `<p hidden>` for it: Sold out.\n\n```\n<div style="display:none">\n```')),
    **{f"Markdown: {name}": ("markdown", markdown(words)) for name, words in SEEN_IN_MARKDOWN.items()},
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


def test_letters_that_no_font_of_this_machine_has_are_read() -> None:
    words = "\u5356\u5b8c\u4e86".encode("utf-16-be").hex()
    described = b"/CIDSystemInfo << /Registry (Adobe) /Ordering (GB1) /Supplement 4 >>"
    inner = b"<< /Type /Font /Subtype /CIDFontType0 /BaseFont /STSong-Light %s >>" % described
    outer = b"/Type0 /BaseFont /STSong-Light /Encoding /UniGB-UCS2-H /DescendantFonts [%s]" % inner
    made = pdf(f"BT /F 12 Tf 50 600 Td <{words}> Tj ET".encode())
    text, found = read("pdf", made.replace(b"/Type1 /BaseFont /Helvetica", outer))
    assert "\u5356\u5b8c\u4e86" in text
    assert found.notes == ()
