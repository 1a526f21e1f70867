"""PDFs as people have them: columns, divided words, heads and feet, forms, comments, scans, right to left."""

from __future__ import annotations

import io
from collections.abc import Callable

import matplotlib as mpl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reportlab.lib.styles import getSampleStyleSheet
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import (
    BaseDocTemplate,
    Flowable,
    Frame,
    ListFlowable,
    PageTemplate,
    Paragraph,
    Spacer,
    Table,
)

from rag.knowledge.loaders.content import Content, TextLimit
from rag.knowledge.loaders.pdf import load_pdf
from rag.knowledge.loaders.pdf_layout import Piece, joined_lines, page_lines
from rag.language.sentences import sentences
from rag.reasons import Reason

FACTS = [
    "The weighbridge opens at 05:45 on working days, and lorries above 26 tonnes are weighed twice each time.",
    "A reclaimed pallet is paid with 4.30 EUR if all nine of its blocks are whole, otherwise with nothing.",
    "Whoever finds a leak tells the shift engineer, who closes the valve in pit 7 and writes down the hour.",
]


def drawn(draw: Callable[[Canvas], None]) -> Content:
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=(600, 800))
    canvas.setFont("Helvetica", 10)
    draw(canvas)
    canvas.save()
    return load_pdf(file.getvalue(), TextLimit(1_000_000))


def set_in(columns: int, story: list[Flowable], foot: str = "") -> Content:
    """A document that reportlab sets in columns, with a foot below every page."""
    file = io.BytesIO()
    width = 480 / columns
    frames = [Frame(60 + number * width, 60, width - 14, 680) for number in range(columns)]

    def end_page(canvas: Canvas, document: BaseDocTemplate) -> None:
        canvas.drawString(60, 30, foot.format(document.page))

    document = BaseDocTemplate(file, pagesize=(600, 800))
    document.addPageTemplates([PageTemplate(frames=frames, onPage=end_page)])
    document.build(story)
    return load_pdf(file.getvalue(), TextLimit(1_000_000))


def text_of(content: Content) -> str:
    return "\n".join(section.text for section in content.sections)


def found(content: Content) -> set[str]:
    return {sentence.text for section in content.sections for sentence in sentences(section.text)}


@pytest.mark.parametrize("columns", [1, 2, 3])
@pytest.mark.parametrize("justified", [False, True])
def test_every_sentence_of_a_page_in_columns_is_whole(columns: int, justified: bool) -> None:
    style = getSampleStyleSheet()["Normal"].clone("own", alignment=4 if justified else 0)
    story: list[Flowable] = []
    for number in range(12):
        for fact in FACTS:
            story += [Paragraph(f"{fact[:-1]} (rule {number}).", style), Spacer(1, 5)]
    told = found(set_in(columns, story))
    assert {f"{fact[:-1]} (rule {number})." for fact in FACTS for number in range(12)} <= told


def test_columns_that_were_drawn_line_by_line_are_read_one_after_the_other() -> None:
    left = ["The reading room is open until nine in", "the evening, and the lockers have to be",
            "emptied before the porter rings the bell", "at a quarter to nine. Laptops may be",
            "used on the upper floor, where the", "sockets are below the tables and are"]  # fmt: skip
    right = ["switched off at half past eight. A book", "that is in use by someone else can be",
             "reserved for four weeks at the counter", "of the library, where it waits for two",
             "days. Whoever does not fetch it pays", "a fee of 1.80 EUR for each of the books."]  # fmt: skip

    def draw(canvas: Canvas) -> None:
        for number, pair in enumerate(zip(left, right, strict=True)):
            for x, line in zip((60, 320), pair, strict=True):
                canvas.drawString(x, 700 - 12 * number, line)

    told = found(drawn(draw))
    assert (
        "Laptops may be used on the upper floor, where the sockets are below the tables and are switched off at "
        "half past eight."
    ) in told
    assert "Whoever does not fetch it pays a fee of 1.80 EUR for each of the books." in told


def test_divided_words_are_whole_and_numbers_are_never_made() -> None:
    def draw(canvas: Canvas) -> None:
        lines = [
            "The ware-",
            "house of North-",
            "Holland keeps 120-",
            "145 crates, and the",
            "ther-",
            "mometer shows 4",
        ]
        for number, line in enumerate(lines):
            canvas.drawString(60, 700 - 12 * number, line)

    text = text_of(drawn(draw))
    assert "The warehouse of North-Holland keeps 120-" in text
    assert "thermometer shows 4" in text
    assert "120145" not in text


def test_heads_feet_and_page_numbers_are_left_out_of_running_text() -> None:
    story = [Paragraph(FACTS[number % 3]) for number in range(90)]
    content = set_in(1, story, foot="Yard handbook, page {}")
    assert len(content.sections) > 2
    assert text_of(content).count("Yard handbook") == 1
    assert FACTS[0] in found(content)


def test_rows_of_a_table_stay_rows_and_a_list_stays_a_list() -> None:
    table = Table(
        [["Bay", "Limit", "Guard on duty"], ["North gate", "4 t", "Ada Long"], ["South", "", "Ben"]]
    )
    items = ListFlowable(
        [Paragraph("Lock the gate."), Paragraph("Hand in the keys at the counter.")], bulletType="1"
    )
    text = text_of(set_in(1, [Paragraph(FACTS[0]), table, items]))
    assert "| North gate | 4 t | Ada Long |\n| South |  | Ben |" in text
    assert "\n1 Lock the gate.\n2 Hand in the keys" in text or "Lock the gate.\n" in text


@pytest.mark.parametrize("widths", [(40, 260, 60), (200, 200, 60), (260, 60, 60)])
def test_cells_of_several_lines_stay_whole_and_in_their_row(widths: tuple[int, int, int]) -> None:
    rows = [["Rule", "Text", "Fee"]]
    for number, fact in enumerate(FACTS * 3):
        place = 0 if widths[0] > 200 else 1
        cells = [f"R{number}", f"R{number}", f"{number}.20"]
        cells[place] = f"{fact[:-1]} (rule {number})."
        rows.append(cells)
    drawn_rows = [[Paragraph(cell) for cell in row] for row in rows]
    lines = text_of(set_in(1, [Table(drawn_rows, colWidths=widths)])).split("\n")
    assert [f"| {' | '.join(row)} |" for row in rows] == [lines[0], *lines[2:]]


def test_short_lines_are_not_made_a_sentence() -> None:
    def draw(canvas: Canvas) -> None:
        for number, line in enumerate(["Anna Berg", "Head of stores", "Room 4", "Ext 77"]):
            canvas.drawString(60, 700 - 12 * number, line)

    assert text_of(drawn(draw)) == "Anna Berg\nHead of stores\nRoom 4\nExt 77"


def test_values_of_a_form_stand_beside_their_labels() -> None:
    def draw(canvas: Canvas) -> None:
        canvas.drawString(60, 700, "Consignee number:")
        canvas.acroForm.textfield(name="consignee", value="RW-7714", x=220, y=692, width=120, height=20)
        canvas.drawString(90, 650, "Deliver at night")
        canvas.acroForm.checkbox(name="night", checked=True, x=60, y=646, size=16)
        canvas.drawString(90, 620, "Deliver on Sunday")
        canvas.acroForm.checkbox(name="sunday", checked=False, x=60, y=616, size=16)
        canvas.drawString(60, 590, "Gate:")
        canvas.acroForm.choice(
            name="gate", value="West", options=["West", "East"], x=220, y=582, width=90, height=20
        )
        canvas.acroForm.textfield(
            name="x1", tooltip="Customs code", value="T1-90", x=60, y=300, width=90, height=20
        )

    text = text_of(drawn(draw))
    assert "Consignee number: RW-7714" in text
    assert "☑ Deliver at night" in text
    assert "☐ Deliver on Sunday" in text
    assert "Gate: West" in text
    assert "Customs code: T1-90" in text


def test_form_whose_fields_are_not_in_its_pages_says_so() -> None:
    out = io.BytesIO()
    canvas = Canvas(out)
    canvas.drawString(60, 700, "Please wait. Another viewer shows the content.")
    canvas.save()
    form = b"/AcroForm << /XFA (x) /Fields [] >> /NeedsRendering true /Type /Catalog"
    content = load_pdf(out.getvalue().replace(b"/Type /Catalog", form), TextLimit(1000))
    assert content.notes == (Reason("pdf-form"),)


def test_comments_are_read() -> None:
    def draw(canvas: Canvas) -> None:
        canvas.drawString(60, 700, "The lease ends in March.")
        canvas.textAnnotation("Extended by Mr Osei until June.", Rect=[300, 700, 320, 720])

    assert text_of(drawn(draw)) == "The lease ends in March.\n\n(Extended by Mr Osei until June.)"


def test_pages_that_are_only_a_picture_are_named() -> None:
    def draw(canvas: Canvas) -> None:
        for kind in "tpptp":
            if kind == "t":
                canvas.drawString(60, 700, "Gate 3 is opened by the night guard.")
            else:
                canvas.drawInlineImage(picture, 0, 0, 600, 800)
            canvas.showPage()

    from PIL import Image

    picture = Image.new("RGB", (60, 80), "grey")
    content = drawn(draw)
    assert [section.heading for section in content.sections] == ["page 1", "page 4"]
    assert content.notes == (Reason("pdf-page-picture", {"page": "2–3, 5"}),)


@pytest.mark.parametrize(
    ("lines", "whole"),
    [
        pytest.param(["מחיר הכניסה למוזיאון הוא 35 שקלים"], "מחיר הכניסה למוזיאון הוא 35 שקלים", id="Hebrew with a number"),
        pytest.param(["הספרייה נפתחת בשעה 08:30"], "הספרייה נפתחת בשעה 08:30", id="Hebrew with a time"),
    ],
)  # fmt: skip
def test_lines_from_right_to_left_are_read_in_their_order(lines: list[str], whole: str) -> None:
    pdfmetrics.registerFont(TTFont("DejaVu", f"{mpl.get_data_path()}/fonts/ttf/DejaVuSans.ttf"))

    def draw(canvas: Canvas) -> None:
        canvas.setFont("DejaVu", 11)
        for number, line in enumerate(lines):
            # As programs without a bidirectional algorithm draw: words from right to left, numbers as they are.
            words = [word if word[0].isdigit() else word[::-1] for word in reversed(line.split(" "))]
            canvas.drawRightString(540, 700 - 16 * number, " ".join(words))

    assert text_of(drawn(draw)) == whole


@pytest.mark.parametrize(
    "runs",
    [
        ["החניון נסגר בשעה ", "23:00", "."],
        ["המחיר הוא ", "12", " שקלים ו-", "75", " אגורות."],
        ["קוד הקורס הוא ", "CS-101", " (כולל מעבדה) בבניין ", "7", "."],
        ["ההרשמה עד ", "15.9.2026", ", באתר ", "Parkly 2", "."],
        ["رقم الهاتف هو ", "220", "-", "4471", "."],
    ],
)
@pytest.mark.parametrize("is_mirrored", [True, False], ids=["as it is shown", "as it is read"])
def test_numbers_signs_and_words_in_lines_from_right_to_left_keep_their_places(
    runs: list[str], is_mirrored: bool
) -> None:
    pdfmetrics.registerFont(TTFont("DejaVu", f"{mpl.get_data_path()}/fonts/ttf/DejaVuSans.ttf"))

    def draw(canvas: Canvas) -> None:
        canvas.setFont("DejaVu", 11)
        place = 540.0
        for run in runs:
            turned = run if run[0].isalnum() and run[0] < "א" else run[::-1]
            turned = turned.translate(str.maketrans("()", ")(")) if is_mirrored else turned
            place -= canvas.stringWidth(turned, "DejaVu", 11)
            canvas.drawString(place, 700, turned)
        canvas.drawRightString(540, 500, "םולש")
        canvas.drawString(60, 300, "The lock opens at 07:30, and closes at 19:00.")

    lines = text_of(drawn(draw)).split("\n")
    assert lines[0] == "".join(runs)
    assert lines[-1] == "The lock opens at 07:30, and closes at 19:00."


@pytest.mark.parametrize("quarters", [1, 2, 3])
def test_a_page_on_its_side_is_read(quarters: int) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.setPageRotation(90 * quarters)
        canvas.translate(300, 400)
        canvas.rotate(90 * quarters)
        canvas.drawString(-200, 0, "The lower lock is worked by hand when the")
        canvas.drawString(-200, -12, "river stands above 3.40 metres.")

    assert text_of(drawn(draw)) == "The lower lock is worked by hand when the river stands above 3.40 metres."


PIECES = st.builds(
    lambda text, left, bottom, width, height: Piece(text, left, bottom, left + width, bottom + height),
    st.text(alphabet="aB 1.-א漢", min_size=1, max_size=12).filter(lambda text: bool(text.strip())),
    st.floats(-50, 700), st.floats(-50, 900), st.floats(0, 400), st.floats(0, 40),
)  # fmt: skip


@settings(max_examples=200)
@given(st.lists(st.lists(PIECES, min_size=1, max_size=4), max_size=14))
def test_layout_loses_and_invents_no_letter(rows: list[list[Piece]]) -> None:
    written: list[str] = []
    for line in page_lines(rows):
        written += (
            joined_lines([line], lambda _: False)
            if isinstance(line, Piece)
            else [cell for row in line for cell in row]
        )

    def letters(texts: list[str]) -> list[str]:
        return sorted(letter for text in texts for letter in text if letter.isalnum())

    assert letters(written) == letters([piece.text for row in rows for piece in row])
