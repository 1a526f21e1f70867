"""Presentations written by a library that is not ours."""

from __future__ import annotations

import io
from typing import Any

import pptx
from hypothesis import given, settings
from hypothesis import strategies as st
from pptx.util import Inches

from rag.knowledge.loaders.content import Content, TextLimit
from rag.knowledge.loaders.office import load_pptx

TITLE_AND_CONTENT, TITLE_ONLY, BLANK = 1, 5, 6


def deck(*slides: tuple[int, str, str]) -> Any:
    made = pptx.Presentation()
    for layout, title, body in slides:
        slide = made.slides.add_slide(made.slide_layouts[layout])
        if title:
            slide.shapes.title.text = title
        if body:
            slide.placeholders[1].text = body
    return made


def saved(made: Any) -> bytes:
    file = io.BytesIO()
    made.save(file)
    return file.getvalue()


def load(content: bytes, limit: int = 100_000, unpacked: int = 10_000_000) -> Content:
    return load_pptx(content, TextLimit(limit, unpacked))


def sections(made: Any) -> list[tuple[str, str]]:
    return [(section.heading, section.text) for section in load(saved(made)).sections]


def test_slide_is_a_section_under_its_number_and_title() -> None:
    made = deck(
        (TITLE_AND_CONTENT, "Set-up", "Java 17 is needed.\nSo is FxStore."),
        (TITLE_AND_CONTENT, "Отпуск", "28 дней"),
    )
    assert load(saved(made)).title == "Set-up"
    assert sections(made) == [
        ("slide 1: Set-up", "Java 17 is needed.\nSo is FxStore."),
        ("slide 2: Отпуск", "28 дней"),
    ]


def test_table_stands_below_the_names_of_its_columns() -> None:
    made = deck((TITLE_ONLY, "Prices", ""))
    table = made.slides[0].shapes.add_table(3, 2, Inches(1), Inches(1), Inches(4), Inches(1)).table
    for row, values in enumerate([("App", "Price"), ("FxStore", "5"), ("", "6")]):
        for column, value in enumerate(values):
            table.cell(row, column).text = value
    table.cell(1, 0).merge(table.cell(2, 0))
    assert sections(made) == [
        ("slide 1: Prices", "| App | Price |\n| --- | --- |\n| FxStore | 5 |\n| FxStore | 6 |")
    ]


def test_notes_stand_below_their_slide() -> None:
    made = deck((TITLE_AND_CONTENT, "Set-up", "Java"))
    made.slides[0].notes_slide.notes_text_frame.text = "Say that 17 is the oldest."
    assert sections(made)[1] == ("slide 1: Set-up > Notes", "Say that 17 is the oldest.")


def test_hidden_slides_and_shapes_are_left_out_and_numbers_stay() -> None:
    made = deck((TITLE_AND_CONTENT, "One", "secret"), (TITLE_AND_CONTENT, "Two", "seen"))
    made.slides[0]._element.set("show", "0")
    box = made.slides[1].shapes.add_textbox(Inches(1), Inches(1), Inches(1), Inches(1))
    box.text_frame.text = "secret as well"
    box._element.nvSpPr.cNvPr.set("hidden", "1")
    assert sections(made) == [("slide 2: Two", "seen")]


def test_slides_come_in_the_order_of_the_presentation() -> None:
    made = deck((TITLE_AND_CONTENT, "One", "a"), (TITLE_AND_CONTENT, "Two", "b"))
    order = made.slides._sldIdLst
    order.append(order[0])
    assert [heading for heading, _ in sections(made)] == ["slide 1: Two", "slide 2: One"]


def test_shapes_of_a_group_are_read() -> None:
    made = deck((BLANK, "", ""))
    group = made.slides[0].shapes.add_group_shape()
    group.shapes.add_textbox(0, 0, 10, 10).text_frame.text = "inside"
    assert sections(made) == [("slide 1", "inside")]


@settings(max_examples=25, deadline=None)
@given(st.lists(st.text("abc Ж漢|*-#_", max_size=20), min_size=1, max_size=3))
def test_every_word_that_is_seen_is_read(bodies: list[str]) -> None:
    shown = " ".join(text for _, text in sections(deck(*((TITLE_AND_CONTENT, "T", body) for body in bodies))))
    # A dash alone is the mark of a list item without a text.
    assert all(word in shown for body in bodies for word in body.split() if word != "-")
