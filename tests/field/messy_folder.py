"""A folder of files as people have them, and questions about it; both were written before any loader saw them.

    python -m tests.field.messy_folder FOLDER

writes a set for ``bench/natural.py``. Texts lie in ``messy``, in UTF-8: a name says in which encoding people
have the file, and a folder is a package. What a text cannot hold is made here.
"""

from __future__ import annotations

import csv
import io
import json
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import docx
import matplotlib as mpl
import pptx
import xlsxwriter  # type: ignore[import-untyped]
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls
from PIL import Image, ImageDraw, ImageFont
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Inches
from reportlab.lib import colors
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import getSampleStyleSheet
from reportlab.lib.utils import ImageReader
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import BaseDocTemplate, Frame, PageTemplate, Paragraph, Table

_TEXTS = Path(__file__).with_name("messy")
_ENCODINGS = {"cp1250": "cp1250", "cp1251": "cp1251", "sjis": "cp932"}


def write_folder(folder: Path) -> None:
    """Write the documents to ``docs`` in a folder, and the questions beside it."""
    docs = folder / "docs"
    docs.mkdir(parents=True, exist_ok=True)
    for file in _TEXTS.iterdir():
        if file.is_dir():
            with zipfile.ZipFile(docs / file.name, "w") as archive:
                for part in sorted(file.rglob("*.*")):
                    archive.write(part, part.relative_to(file))
            continue
        stem, _, encoding = file.stem.rpartition(".")
        if encoding in _ENCODINGS:
            written = file.read_text(encoding="utf-8").encode(_ENCODINGS[encoding])
            (docs / f"{stem}{file.suffix}").write_bytes(written)
        else:
            (docs / file.name).write_bytes(file.read_bytes())
    for name, make in _MADE.items():
        (docs / name).write_bytes(make())
    with (folder / "questions.jsonl").open("w", encoding="utf-8") as out:
        for number, row in enumerate(read_questions(), start=1):
            told = {"id": number, "kind": row["language"], "question": row["question"]}
            told["evidence"] = [row["sentence"]]
            out.write(json.dumps(told, ensure_ascii=False) + "\n")


def read_questions() -> list[dict[str, str]]:
    """Return the rows of the table: file, language, question, and the sentence that answers.

    Of a row of a table, the sentence names the pieces that have to stand in one line.
    """
    with (_TEXTS.with_name("messy_questions.tsv")).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def _manual() -> bytes:
    """Two justified columns with divided words, a head and a foot on each page, and a table over both."""
    _register_font()
    style = getSampleStyleSheet()["Normal"].clone("own", fontName="DejaVu", fontSize=8.5, alignment=4)
    head = style.clone("head", fontSize=12, spaceBefore=8, spaceAfter=4, alignment=0)
    filler = (
        "Beachten Sie bei allen Arbeiten die Hinweise zur Sicherheit in Kapitel 1 und tragen Sie die vor\u00adgeschriebene "
        "Schutz\u00adausrüstung. Die Abbildungen zeigen die Bauart K; andere Bauarten weichen davon in Einzelheiten ab."
    )
    table = Table(
        [["Bauart", "Druck max.", "Kessel", "Riemen"], ["K 40", "10 bar", "90 l", "A-1180"], ["K 55", "13 bar", "150 l", "A-1320"]],
        style=[("GRID", (0, 0), (-1, -1), 0.5, colors.black), ("FONTNAME", (0, 0), (-1, -1), "DejaVu"), ("FONTSIZE", (0, 0), (-1, -1), 8)],
    )  # fmt: skip
    story = []
    for line in _TEXTS.with_name("messy_manual.txt").read_text(encoding="utf-8").splitlines():
        is_head, text = line.startswith("# "), line.removeprefix("# ").replace("~", "\u00ad")
        story += [
            Paragraph(text, head if is_head else style),
            *[Paragraph(filler, style)] * (0 if is_head else 3),
        ]
    out = io.BytesIO()

    def draw_margins(canvas: Canvas, document: BaseDocTemplate) -> None:
        canvas.setFont("DejaVu", 7)
        canvas.drawString(50, 815, "Betriebsanleitung Kolbenkompressor Baureihe K")
        canvas.drawRightString(545, 25, f"Stand 11/2024 · Seite {document.page}")

    frames = [Frame(50, 60, 240, 740), Frame(305, 60, 240, 740)]
    document = BaseDocTemplate(out, pagesize=A4)
    document.addPageTemplates([PageTemplate(frames=frames, onPage=draw_margins)])
    document.build([*story, table])
    return out.getvalue()


def _lease() -> bytes:
    """Typed pages around a page that somebody scanned."""
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=A4)
    pages: tuple[list[str], ...] = (
        ["LEASE AGREEMENT - UNIT 7, HARBOUR MILL", "",
         "The tenant shall keep the loading bay free of goods between 6 p.m. and", "7 a.m., so that the fire brigade can reach the riser.",
         "", "Rent is due on the first working day of the month; a late payment bears", "interest of 4 % p.a. above the base rate of the Bank of England."],
        [],
        ["Schedule 2: Service charges", "",
         "Window cleaning ........................ GBP 310 per quarter", "Lift maintenance ...................... GBP 1,140 per year",
         "", "The landlord shall insure the building, but not the tenant's fittings, stock", "or machinery."],
    )  # fmt: skip
    for lines in pages:
        canvas.setFont("Helvetica", 11)
        for number, line in enumerate(lines):
            canvas.drawString(60, 770 - 15 * number, line)
        if not lines:
            scan = Image.new("L", (1240, 1754), 250)
            font = ImageFont.truetype(_font_file(), 30)
            ImageDraw.Draw(scan).text(
                (120, 200), "The alarm code is changed every Friday.", fill=30, font=font
            )
            canvas.drawImage(ImageReader(scan.rotate(0.7, fillcolor=250)), 0, 0, *A4)
        canvas.showPage()
    canvas.save()
    return out.getvalue()


def _leave_form() -> bytes:
    """A form that somebody filled in and saved."""
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=A4)
    canvas.setFont("Helvetica", 10)
    canvas.drawString(60, 790, "Urlaubsantrag (bitte 14 Tage vorher einreichen)")
    fields = (("Name", "Name", "Yusuf Çelik"), ("Vertretung", "Vertreten durch", "Marlene Oehme, App. 4417"),
              ("Von", "Urlaub von", "03.08.2026"), ("Bis", "bis einschließlich", "21.08.2026"))  # fmt: skip
    for number, (name, label, value) in enumerate(fields):
        y = 740 - 40 * number
        canvas.drawString(60, y + 5, label)
        canvas.acroForm.textfield(name=name, tooltip=label, value=value, x=200, y=y, width=220, height=20)
    canvas.drawString(
        60, 580, "Resturlaub aus dem Vorjahr verfällt am 31. März, sofern keine Krankheit vorlag."
    )
    canvas.drawString(84, 552, "Sonderurlaub")
    canvas.acroForm.checkbox(name="Sonderurlaub", x=60, y=548, checked=True, size=16)
    canvas.save()
    return out.getvalue()


def _procedure() -> bytes:
    """A procedure with head, foot, automatic numbers, a struck-out paragraph, changes and a control."""
    document = docx.Document()
    section = document.sections[0]
    section.header.paragraphs[
        0
    ].text = "Coopérative Les Tilleuls — Procédure PA-07, version du 12 janvier 2026"
    section.footer.paragraphs[0].text = "Document interne, ne pas diffuser"
    document.add_heading("Procédure d'achat", level=1)
    document.add_paragraph(
        "Toute commande de plus de 1 500 € HT exige deux devis et la signature de la trésorière, Mme N. Abadie."
    )
    document.add_paragraph().add_run("Les commandes sont signées par M. Roux, directeur.").font.strike = True
    document.add_heading("Étapes", level=2)
    for step in ("Remplir la fiche verte et la déposer au secrétariat avant le mardi midi.",
                 "Attendre le numéro d'engagement, qui est envoyé par courriel sous 48 heures.",
                 "Joindre ce numéro au bon de commande."):  # fmt: skip
        document.add_paragraph(step, style="List Number")
    changed = document.add_paragraph("Le délai de paiement des fournisseurs est de ")
    for xml in (
        '<w:del {} w:id="1" w:author="NA"><w:r><w:delText>45 jours</w:delText></w:r></w:del>',
        '<w:ins {} w:id="2" w:author="NA"><w:r><w:t>30 jours fin de mois</w:t></w:r></w:ins>',
        "<w:r {}><w:t>.</w:t></w:r>",
    ):
        changed._p.append(parse_xml(xml.format(nsdecls("w"))))
    control = (
        "<w:sdt {}><w:sdtPr><w:alias w:val='Référent'/></w:sdtPr><w:sdtContent><w:p><w:r><w:t>Le référent achats pour 2026 "
        "est Karim Le Bihan (poste 312).</w:t></w:r></w:p></w:sdtContent></w:sdt>"
    )
    changed._p.addnext(parse_xml(control.format(nsdecls("w"))))
    table = document.add_table(rows=4, cols=3, style="Table Grid")
    for row, texts in enumerate((("Famille", "Seuils", ""), ("", "Sans devis", "Avec appel d'offres"),
                                 ("Fournitures", "200 €", "25 000 €"), ("Travaux", "0 €", "40 000 €"))):  # fmt: skip
        for column, text in enumerate(texts):
            table.cell(row, column).text = text
    table.cell(0, 1).merge(table.cell(0, 2))
    table.cell(0, 0).merge(table.cell(1, 0))
    return _saved(document.save)


def _budget() -> bytes:
    """A title above the table, two rows of merged headers, values of formulas, formats, a hidden sheet."""
    out = io.BytesIO()
    book = xlsxwriter.Workbook(out)
    sheet = book.add_worksheet("Budget 2026")
    bold, money, percent = (book.add_format(one) for one in (
        {"bold": True, "align": "center"}, {"num_format": "#,##0 [$€-407]"}, {"num_format": "0.0%"}))  # fmt: skip
    sheet.merge_range("A1:F1", "Budget of the workshops, as decided on 4 December 2025", bold)
    sheet.merge_range("A3:A4", "Workshop", bold)
    sheet.merge_range("B3:C3", "First half", bold)
    sheet.merge_range("D3:E3", "Second half", bold)
    sheet.merge_range("F3:F4", "Share spent", bold)
    sheet.write_row("B4", ["Tools", "Travel", "Tools", "Travel"], bold)
    for number, (name, *values) in enumerate((
        ("Bindery", 12400, 900, 8700, 1150, 0.415), ("Foundry", 31950, 0, 28800, 640, 0.73),
        ("Print shop", 7300, 2210, 7300, 1980, 0.085))):  # fmt: skip
        sheet.write(4 + number, 0, name)
        for column, value in enumerate(values[:-1]):
            sheet.write(4 + number, 1 + column, value, money)
        sheet.write(4 + number, 5, values[-1], percent)
    sheet.write("A8", "Total", bold)
    sheet.write_formula("B8", "=SUM(B5:B7)", money, 51650)
    sheet.write("A10", "Travel that was booked before 15 January is paid from the budget of 2025.")
    keys = book.add_worksheet("Keys")
    keys.write_row("A1", ["Key", "Holder", "Since"])
    date = book.add_format({"num_format": "d mmm yyyy"})
    for number, (key, holder, serial) in enumerate(
        (("K-11", "Ottilie Brandt", 45736), ("K-12", "nobody", 45810))
    ):
        keys.write_row(number + 1, 0, [key, holder])
        keys.write_number(number + 1, 2, serial, date)
    book.add_worksheet("old").hide()
    book.close()
    return out.getvalue()


def _kickoff() -> bytes:
    """Slides with a chart, a table, notes, and boxes that stand in no order."""
    deck = pptx.Presentation()
    first = deck.slides.add_slide(deck.slide_layouts[1])
    first.shapes.title.text = "Proyecto Faro: arranque"
    first.placeholders[
        1
    ].text = "Responsable: Lucía Peñalver\nLa primera entrega es el 16 de abril y la segunda, el 30 de junio."
    first.notes_slide.notes_text_frame.text = (
        "El presupuesto máximo aprobado por la junta es de 86.000 €, IVA incluido."
    )
    second = deck.slides.add_slide(deck.slide_layouts[5])
    second.shapes.title.text = "Visitas por sede"
    data = CategoryChartData()  # type: ignore[no-untyped-call]
    data.categories = ["Cádiz", "Vigo", "Soria"]
    data.add_series("2024", (1310, 870, 95))  # type: ignore[no-untyped-call]
    data.add_series("2025", (1625, 790, 140))  # type: ignore[no-untyped-call]
    second.shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, Inches(1), Inches(2), Inches(7), Inches(4), data)
    third = deck.slides.add_slide(deck.slide_layouts[5])
    third.shapes.title.text = "Riesgos"
    table = third.shapes.add_table(3, 2, Inches(1), Inches(2), Inches(7), Inches(2)).table
    for row, texts in enumerate((("Riesgo", "Quién lo sigue"), ("Retraso de la licencia", "Íñigo Sanz"),
                                 ("Falta de andamios", "Lucía Peñalver"))):  # fmt: skip
        for column, text in enumerate(texts):
            table.cell(row, column).text = text
    box = third.shapes.add_textbox(Inches(1), Inches(5), Inches(7), Inches(1))
    box.text_frame.text = "Si la licencia no llega antes del 2 de marzo, se alquila la nave de Puerto Real."
    return _saved(deck.save)


def _saved(save: Callable[[io.BytesIO], None]) -> bytes:
    out = io.BytesIO()
    save(out)
    return out.getvalue()


def _font_file() -> str:
    return str(Path(mpl.get_data_path()) / "fonts" / "ttf" / "DejaVuSans.ttf")


def _register_font() -> None:
    pdfmetrics.registerFont(TTFont("DejaVu", _font_file()))


_MADE = {
    "Betriebsanleitung K-Serie.pdf": _manual,
    "Lease Unit 7 (signed, scanned).pdf": _lease,
    "Urlaubsantrag Çelik.pdf": _leave_form,
    "PA-07 achats v3 FINAL.docx": _procedure,
    "Budget 2026.xlsx": _budget,
    "Kickoff Faro.pptx": _kickoff,
}

if __name__ == "__main__":
    write_folder(Path(sys.argv[1]))
