from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.knowledge.loaders.number_formats import shown_number


@pytest.mark.parametrize(
    ("number", "code", "shown"),
    [
        ("17", "General", "17"),
        ("0.1", "General", "0.1"),
        ("0.30000000000000004", "General", "0.3"),  # a spreadsheet keeps 15 digits
        ("1234567890123", "General", "1234567890123"),
        ("1E-20", "General", "1E-20"),
        ("1234.5", "0", "1235"),
        ("1234.5", "#,##0.00", "1,234.50"),
        ("-1234.5", "#,##0.00", "-1,234.50"),
        ("-1234.5", "#,##0.00;(#,##0.00)", "(1,234.50)"),
        ("-0.4", "0", "0"),
        ("0.256", "0%", "26%"),
        ("0.256", "0.0 %", "25.6 %"),
        ("12345", "0.00E+00", "1.23E+4"),
        ("1499", "#,##0 [$€-407]", "1,499 €"),
        ("1499", "[$$-409]#,##0.00", "$1,499.00"),
        ("1499", '"USD" 0', "USD 1499"),
        ("5", '0" days"', "5 days"),
        ("5", r"0\ \d", "5 d"),
        ("7", "[Red]0", "7"),
        ("7", "00000", "00007"),  # a postal code
        ("2500000", '0.0,,"M"', "2.5M"),
        ("3.10", "0.###", "3.1"),
        ("0.5", ".00", ".50"),
        ("0.5", "# ?/?", "0.5"),
        ("120", "[>=100]0;0.0", "120"),  # formats with conditions show the number
        ("0", '0;-0;"none"', "none"),
        ("42", ";;;", ""),  # a format that hides the number
        ("46082", "yyyy-mm-dd", "2026-03-01"),
        ("46082", "dd.mm.yyyy", "2026-03-01"),
        ("46082", "m/d/yy", "2026-03-01"),
        ("46082", "mmm yyyy", "2026-03"),
        ("46082", 'd" de "mmmm" de "yyyy', "2026-03-01"),
        ("46082.604166666664", "yyyy-mm-dd hh:mm", "2026-03-01 14:30"),
        ("0.604166666666667", "h:mm AM/PM", "14:30"),
        ("0.604178240740741", "h:mm:ss", "14:30:01"),
        ("1.5", "[h]:mm", "36:00"),
        ("0.0208333333333333", "[mm]:ss", "30:00"),
        ("59", "yyyy-mm-dd", "1900-02-28"),
        ("61", "yyyy-mm-dd", "1900-03-01"),  # day 60 is a day that never was
        ("-1", "yyyy-mm-dd", "-1"),
        ("99999999", "yyyy-mm-dd", "99999999"),
        ("#N/A", "0.00", "#N/A"),
    ],
)
def test_number_is_shown_as_its_cell_shows_it(number: str, code: str, shown: str) -> None:
    assert shown_number(number, code) == shown


def test_days_may_count_from_1904() -> None:
    assert shown_number("44620", "yyyy-mm-dd", is_1904=True) == "2026-03-01"


@given(st.text(max_size=30), st.text(alphabet='0#?,.;%Ee+-"\\[]_*ymdhs@$€<>= /', max_size=40))
def test_no_number_and_no_format_is_refused(number: str, code: str) -> None:
    assert isinstance(shown_number(number, code), str)


@given(st.integers(min_value=-(10**14), max_value=10**14))
def test_whole_number_with_grouping_is_the_same_number(number: int) -> None:
    assert int(shown_number(str(number), "#,##0").replace(",", "")) == number
