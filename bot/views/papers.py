"""The document of an interview: as blocks, and as a file (Word, PDF, Markdown).

Whatever was said is text in each of them, never markup.
"""

from __future__ import annotations

import importlib.util
import io
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias, get_args
from xml.sax.saxutils import escape

import regex

from bot.texts import TEXTS
from bot.views.blocks import Blocks, Note, Section, bullets, line, paragraph
from rag.interview.missions import Mission
from rag.interview.papers import Paper, PaperClause, PaperSection
from rag.language.visible import visible as visible_in_chats

Format: TypeAlias = Literal["docx", "pdf", "md"]
FORMATS: Final[tuple[Format, ...]] = get_args(Format)

MEDIA_TYPES: Final[Mapping[Format, str]] = {
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "pdf": "application/pdf",
    "md": "text/markdown; charset=utf-8",
}

_NO_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_MARKUP = re.compile(r"([\\`*_{}\[\]<>#|~])|^(\d*)([-+.)=])(?=[-=\s]|$)", re.MULTILINE)
_EAST_ASIAN = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}\u3000-\u303f\uff00-\uffef]+")
_FONT_OF: Final = {"ja": "HeiseiMin-W3", "ko": "HYSMyeongJo-Medium"}
"""Fonts of languages in East Asian scripts; the others are read in the Chinese one."""


def blocks(paper: Paper, mission: Mission, language: str) -> Blocks:
    """Return a document as blocks, and above it what is open or wrong, in the language of the reader."""
    return (
        *remarks(paper, mission, language),
        paragraph(paper.head.text, "bold"),
        *(
            Section(numbered(section.number, section.title), _paragraphs(section))
            for section in paper.sections
        ),
    )


def remarks(paper: Paper, mission: Mission, language: str) -> Blocks:
    """Return what is open in a document, and what is wrong with it; nothing if it is finished."""
    found: Blocks = ()
    if paper.gaps:
        titles = ", ".join(map(mission.title_of, paper.gaps))
        found += (Note(line(TEXTS.text("paper-gaps", language, titles=titles)), "warning"),)
    if paper.faults:
        faults = (TEXTS.reason(fault, language) for fault in paper.faults)
        found += (Section(TEXTS.text("paper-faults", language), (bullets(faults),)),)
    return found


def to_json(paper: Paper) -> dict[str, Any]:
    """Return a document as values of JSON: where each fact stands in it, what is open, and what is wrong."""

    def clause(one: PaperClause) -> dict[str, Any]:
        return {
            "number": one.number,
            "text": one.text,
            "facts": list(one.facts),
            "gaps": list(one.gaps),
            "is_worded": one.is_worded,
        }

    return {
        "title": paper.head.text,
        "sections": [
            {"number": one.number, "title": one.title, "clauses": [clause(each) for each in one.clauses]}
            for one in paper.sections
        ],
        "gaps": list(paper.gaps),
        "faults": [fault.to_json() for fault in paper.faults],
    }


def numbered(number: str, text: str) -> str:
    """Return a text behind its number, if it has one."""
    return f"{number}. {text}" if number else text


def _paragraphs(section: PaperSection) -> Blocks:
    return tuple(paragraph(numbered(clause.number, clause.text)) for clause in section.clauses)


def write(paper: Paper, form: Format, language: str) -> bytes:
    """Return a document as a file; blocking."""
    writers: dict[Format, Callable[[Paper, str], bytes]] = {"docx": _docx, "pdf": _pdf, "md": _markdown}
    return writers[form](paper, language)


def visible(text: str) -> str:
    """Return a text without what no reader sees, and without what no XML, and so no Word file, may hold."""
    return _NO_XML.sub("", visible_in_chats(text))


def _markdown(paper: Paper, _language: str) -> bytes:
    def plain(text: str) -> str:
        lines = "\n".join(each.strip() for each in visible(text).split("\n"))
        escaped = _MARKUP.sub(lambda found: f"{found[2] or ''}\\{found[1] or found[3]}", lines)
        return escaped.replace("\n", "  \n")

    parts = [f"# {plain(paper.head.text)}"]
    for section in paper.sections:
        parts.append(f"## {numbered(section.number, plain(section.title))}")
        parts += [numbered(clause.number, plain(clause.text)) for clause in section.clauses]
    return ("\n\n".join(parts) + "\n").encode("utf-8", "replace")


def _docx(paper: Paper, language: str) -> bytes:
    import docx
    from docx.oxml.ns import qn
    from docx.shared import Pt

    document = docx.Document()
    document.core_properties.title = visible(paper.head.text)[:250]
    document.core_properties.author = ""
    document.core_properties.language = language
    normal = document.styles["Normal"]
    normal.font.name, normal.font.size = "Times New Roman", Pt(11)
    normal.element.rPr.rFonts.set(qn("w:eastAsia"), "SimSun")
    document.add_heading(visible(paper.head.text), 0)
    for section in paper.sections:
        document.add_heading(visible(numbered(section.number, section.title)), 1)
        for clause in section.clauses:
            document.add_paragraph(visible(numbered(clause.number, clause.text)))
    file = io.BytesIO()
    document.save(file)
    return file.getvalue()


def _pdf(paper: Paper, language: str) -> bytes:
    from reportlab.lib.pagesizes import A4
    from reportlab.lib.styles import ParagraphStyle
    from reportlab.lib.units import mm
    from reportlab.platypus import Paragraph, SimpleDocTemplate

    plain, bold = _fonts()
    east_asian = _FONT_OF.get(language, "STSong-Light")
    wrap = "CJK" if language in {"zh", "ja", "ko"} else None

    def style(size: int, before: int, font: str) -> Any:  # noqa: ANN401 - a class without types
        return ParagraphStyle(
            font, fontName=font, fontSize=size, leading=size * 1.4, spaceBefore=before, wordWrap=wrap
        )

    def words(text: str) -> str:
        shown = _EAST_ASIAN.sub(
            lambda found: f'<font name="{east_asian}">{found[0]}</font>', escape(visible(text))
        )
        return shown.replace("\n", "<br/>")

    def parts() -> Iterator[Any]:
        yield Paragraph(words(paper.head.text), style(17, 0, bold))
        for section in paper.sections:
            heading = style(13, 14, bold)
            heading.keepWithNext = 1
            yield Paragraph(words(numbered(section.number, section.title)), heading)
            for clause in section.clauses:
                yield Paragraph(words(numbered(clause.number, clause.text)), style(10, 6, plain))

    def number_page(canvas: Any, _document: Any) -> None:  # noqa: ANN401 - classes without types
        canvas.setFont(plain, 8)
        canvas.drawCentredString(A4[0] / 2, 10 * mm, str(canvas.getPageNumber()))

    _register(east_asian)
    file = io.BytesIO()
    margin = 22 * mm
    document = SimpleDocTemplate(
        file,
        pagesize=A4,
        title=visible(paper.head.text)[:250],
        lang=language,
        leftMargin=margin,
        rightMargin=margin,
        topMargin=margin,
        bottomMargin=margin,
    )
    document.build(list(parts()), onFirstPage=number_page, onLaterPages=number_page)
    return file.getvalue()


@cache
def _fonts() -> tuple[str, str]:
    """Return the names of the plain and the bold font: those that matplotlib brings know most alphabets."""
    from reportlab.pdfbase.pdfmetrics import registerFont
    from reportlab.pdfbase.ttfonts import TTFont

    # Importing matplotlib takes half a second.
    found = importlib.util.find_spec("matplotlib")
    assert found is not None  # a dependency
    assert found.origin is not None
    folder = Path(found.origin).parent / "mpl-data" / "fonts" / "ttf"
    for name in ("DejaVuSans", "DejaVuSans-Bold"):
        registerFont(TTFont(name, folder / f"{name}.ttf"))
    return "DejaVuSans", "DejaVuSans-Bold"


@cache
def _register(name: str) -> None:
    from reportlab.pdfbase.cidfonts import UnicodeCIDFont
    from reportlab.pdfbase.pdfmetrics import registerFont

    registerFont(UnicodeCIDFont(name))
