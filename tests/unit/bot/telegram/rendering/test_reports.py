from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from bot.telegram.rendering import Part, draw
from bot.telegram.rendering.tables import wrap
from bot.views.blocks import table


def table_parts(headings: list[str], rows: list[list[str]], title: str = "") -> tuple[Part, ...]:
    return draw((table(headings, rows, title),))


def test_report_that_fits_a_phone_stands_in_columns() -> None:
    (part,) = table_parts(
        ["Day", "Questions", "Verified"], [["today", "12", "83 %"], ["7 days", "140", "9 %"]], title="Use"
    )
    assert part.text == (
        "Use\n"
        "\n"
        "Day     Questions  Verified\n"
        "───────────────────────────\n"
        "today          12      83 %\n"
        "7 days        140       9 %"
    )  # fmt: skip
    assert [entity.type for entity in part.entities] == ["bold", "pre"]


def test_report_too_wide_for_a_phone_is_a_list_and_its_names_cannot_be_tapped() -> None:
    (part,) = table_parts(["File", "Reason"], [["guide.md", "encrypted: the password is needed to read it"]])
    assert part.text == "File: guide.md\nReason: encrypted: the password is needed to read it"
    assert [entity.type for entity in part.entities] == ["bold", "code"]


@pytest.mark.parametrize(
    "rows", [[], [[]], [["", ""]], [["a"], ["b", "c", "d"]]], ids=["none", "empty", "blank", "ragged"]
)
def test_table_of_any_shape_is_drawn(rows: list[list[str]]) -> None:
    text = "".join(part.text for part in table_parts([], rows))
    assert all(cell in text for row in rows for cell in row)
    assert table_parts(["a", "b"], rows)[0].text.startswith("a")


@given(st.text(max_size=60), st.integers(4, 40))
def test_wrapped_lines_keep_every_word_within_the_width(text: str, width: int) -> None:
    lines = wrap(text, width)
    assert "".join("".join(lines).split()) == "".join(text.split())
    assert all(cell_len(line) <= width or len(line) == 1 for line in lines)


def test_chinese_is_wrapped_between_characters() -> None:
    assert wrap("正在查看文档是否涉及", 10) == ["正在查看文", "档是否涉及"]
