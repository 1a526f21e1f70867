"""Spreadsheets written by a library that is not ours, and ones that are made to do harm."""

from __future__ import annotations

import contextlib
import io
import zipfile
from collections.abc import Callable, Sequence
from datetime import date, datetime, time
from typing import Any

import openpyxl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from openpyxl.worksheet.worksheet import Worksheet

from rag.errors import DocumentError
from rag.knowledge.loaders.content import Content, TextLimit
from rag.knowledge.loaders.xlsx import load_xlsx


def book(*build: Callable[[Worksheet], object], name: str = "Prices") -> bytes:
    workbook = openpyxl.Workbook()
    sheet = workbook.active
    assert isinstance(sheet, Worksheet)
    sheet.title = name
    for step in build:
        step(sheet)
    return saved(workbook)


def saved(workbook: Any) -> bytes:
    file = io.BytesIO()
    workbook.save(file)
    return file.getvalue()


def rows(*values: Sequence[object]) -> Callable[[Worksheet], object]:
    def add(sheet: Worksheet) -> None:
        for row in values:
            sheet.append(list(row))

    return add


def with_part(content: bytes, name: str, change: Callable[[bytes], bytes]) -> bytes:
    """The package with one part changed."""
    file = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(content)) as before,
        zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as after,
    ):
        for part in before.infolist():
            body = before.read(part)
            after.writestr(part.filename, change(body) if part.filename == name else body)
    return file.getvalue()


def load(content: bytes, limit: int = 100_000, unpacked: int = 10_000_000) -> Content:
    return load_xlsx(content, TextLimit(limit, unpacked))


def sections(content: bytes) -> list[tuple[str, str]]:
    return [(section.heading, section.text) for section in load(content).sections]


def lines(content: bytes) -> list[str]:
    return [line for _, text in sections(content) for line in text.split("\n")]


def test_sheet_is_a_section_and_its_first_row_names_the_values() -> None:
    workbook = openpyxl.Workbook()
    first = workbook.active
    assert isinstance(first, Worksheet)
    first.title = "Prices"
    first.append(["App", "Price"])
    first.append(["FxStore", 1499])
    second = workbook.create_sheet("Команды")
    second.append(["Team", "Lead"])
    second.append(["Касса", "Анна"])
    assert sections(saved(workbook)) == [
        ("Prices", "| App | Price |\n| --- | --- |\n| FxStore | 1499 |"),
        ("Команды", "| Team | Lead |\n| --- | --- |\n| Касса | Анна |"),
    ]


def test_values_are_shown_as_a_person_sees_them() -> None:
    def build(sheet: Worksheet) -> None:
        sheet.append(["what", "value"])
        for name, value, code in [
            ("price", 1499.5, "#,##0.00 €"),
            ("share", 0.256, "0%"),
            ("day", date(2026, 3, 1), "DD.MM.YYYY"),
            ("moment", datetime(2026, 3, 1, 14, 30), "yyyy-mm-dd h:mm"),  # noqa: DTZ001 - a cell has no zone
            ("time", time(14, 30), "h:mm"),
            ("post code", 1067, "00000"),
            ("yes", True, "General"),
        ]:
            sheet.append([name, value])
            sheet.cell(sheet.max_row, 2).number_format = code

    assert lines(book(build))[2:] == [
        "| price | 1,499.50 € |",
        "| share | 26% |",
        "| day | 2026-03-01 |",
        "| moment | 2026-03-01 14:30 |",
        "| time | 14:30 |",
        "| post code | 01067 |",
        "| yes | TRUE |",
    ]


def test_formula_is_its_value_and_one_that_was_never_computed_is_told() -> None:
    content = book(rows(["a", "b"], [1, "=A2*2"], [2, "=A3*2"]))
    computed = with_part(
        content,
        "xl/worksheets/sheet1.xml",
        lambda part: part.replace(b"<f>A2*2</f><v></v>", b"<f>A2*2</f><v>2</v>").replace(
            b"<f>A2*2</f><v />", b"<f>A2*2</f><v>2</v>"
        ),
    )
    found = load(computed)
    assert found.sections[0].text.endswith("| 1 | 2 |\n| 2 |  |")
    assert [(note.code, dict(note.values)) for note in found.notes] == [
        ("formulas-uncomputed", {"sheet": "Prices", "count": 1})
    ]


def test_hidden_sheets_rows_and_columns_are_left_out_and_end_no_table() -> None:
    workbook = openpyxl.Workbook()
    sheet = workbook.active
    assert isinstance(sheet, Worksheet)
    for row in (["App", "Secret", "Price"], ["FxStore", "s1", 1], ["Old", "s2", 2], ["Cash", "s3", 3]):
        sheet.append(row)
    sheet.row_dimensions[3].hidden = True
    sheet.column_dimensions["B"].hidden = True
    for state in ("hidden", "veryHidden"):
        other = workbook.create_sheet(state)
        other.append(["s4", "s5"])
        other.sheet_state = state
    assert lines(saved(workbook)) == ["| App | Price |", "| --- | --- |", "| FxStore | 1 |", "| Cash | 3 |"]


def test_number_that_its_format_hides_is_not_read() -> None:
    def build(sheet: Worksheet) -> None:
        sheet.append(["App", "Price"])
        sheet.append(["FxStore", 1499])
        sheet["B2"].number_format = ";;;"

    assert "1499" not in "".join(lines(book(build)))


def test_value_merged_over_rows_stands_in_each_of_them() -> None:
    def build(sheet: Worksheet) -> None:
        for row in (["Team", "Person"], ["Cash", "Ann"], [None, "Bob"], ["Store", "Eve"]):
            sheet.append(row)
        sheet.merge_cells("A2:A3")

    assert lines(book(build))[2:] == ["| Cash | Ann |", "| Cash | Bob |", "| Store | Eve |"]


def test_two_rows_of_names_are_one_and_a_title_is_a_line() -> None:
    def build(sheet: Worksheet) -> None:
        for row in (
            ["Sales"],
            [None, "2025", None, "2026", None],
            ["App", "Q1", "Q2", "Q1", "Q2"],
            ["FxStore", 1, 2, 3, 4],
        ):
            sheet.append(row)
        sheet.merge_cells("A1:E1")
        sheet.merge_cells("B2:C2")
        sheet.merge_cells("D2:E2")

    assert [line for line in lines(book(build)) if line] == [
        "Sales",
        "| App | 2025 Q1 | 2025 Q2 | 2026 Q1 | 2026 Q2 |",
        "| --- | --- | --- | --- | --- |",
        "| FxStore | 1 | 2 | 3 | 4 |",
    ]


def test_reading_aids_are_no_text() -> None:
    content = with_part(
        book(rows(["東京", "x"], ["a", "b"])),
        "xl/sharedStrings.xml",
        lambda part: part.replace(
            "<t>東京</t>".encode(), '<t>東京</t><rPh sb="0" eb="2"><t>トウキョウ</t></rPh>'.encode()
        ),
    )
    assert "トウキョウ" not in "".join(lines(content))
    assert "東京" in "".join(lines(content))


@pytest.mark.parametrize(
    ("part", "old", "new", "message"),
    [
        pytest.param(
            "xl/worksheets/sheet1.xml", b"<worksheet", b'<!DOCTYPE w [<!ENTITY x SYSTEM "file:///etc/passwd">]><worksheet',
            "declares XML entities", id="external file",
        ),
        pytest.param("xl/workbook.xml", b"<workbook", b"<<", "is damaged", id="broken part"),
        pytest.param("xl/worksheets/sheet1.xml", b"</row>", b"", "is damaged", id="broken sheet"),
    ],
)  # fmt: skip
def test_hostile_package_is_refused(part: str, old: bytes, new: bytes, message: str) -> None:
    content = with_part(book(rows(["a", "b"], ["c", "d"])), part, lambda body: body.replace(old, new, 1))
    with pytest.raises(DocumentError, match=f"the Excel file {message}"):
        load(content)


def test_text_named_by_many_cells_counts_as_often_as_it_is_shown() -> None:
    content = book(rows(["name", "text"], *(["x", "long " * 100] for _ in range(300))))
    with pytest.raises(DocumentError, match="max_text_chars"):
        load(content)


def test_sheet_of_a_million_rows_and_merges_over_them_costs_what_it_holds() -> None:
    def build(sheet: Worksheet) -> None:
        sheet["A1"], sheet["B1"] = "App", "Price"
        sheet["A2"], sheet["B2"] = "FxStore", 5
        sheet["XFD1048576"] = "far away"

    content = with_part(
        book(build),
        "xl/worksheets/sheet1.xml",
        lambda part: part.replace(
            b"</sheetData>",
            b'</sheetData><mergeCells><mergeCell ref="A2:A1048575"/><mergeCell ref="A1:XFD1"/></mergeCells>',
        ),
    )
    assert "| FxStore | 5 |" in lines(content)
    assert lines(content)[-1] == "far away"


@settings(max_examples=40, deadline=None)
@given(
    st.lists(
        st.lists(
            st.one_of(st.none(), st.integers(-(10**9), 10**9), st.text("abc Ж漢|*-#", max_size=8)),
            min_size=1,
            max_size=4,
        ),
        max_size=6,
    )
)
def test_every_value_that_is_seen_is_read(values: list[list[object]]) -> None:
    shown = "".join(lines(book(rows(*values)))).replace("\\|", "|")
    for row in values:
        for value in row:
            assert all(word in shown for word in str(value if value is not None else "").split())


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10_000), st.binary(max_size=40))
def test_damage_anywhere_is_one_error_and_nothing_else(position: int, noise: bytes) -> None:
    content = book(rows(["App", "Price"], ["FxStore", 1499]))
    at = position % len(content)
    with contextlib.suppress(DocumentError):
        load(content[:at] + noise + content[at + len(noise) :])
