from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from bot.telegram.rendering import clock_time, date_time, duration, money, number, share, size, table_parts
from bot.telegram.rendering.tables import wrapped
from rag.values import Usage


@pytest.mark.parametrize(
    ("seconds", "language", "shown"),
    [
        (0, "en", "0 ms"),
        (0.0204, "en", "20 ms"),
        (5.35, "ru", "5,3 с"),
        (59.94, "en", "59.9 s"),
        (59.96, "en", "1 min 0 s"),  # never "60 s"
        (125, "zh", "2 分 5 秒"),
        (3599.7, "en", "1 h 0 min"),  # never "60 min"
        (3 * 3600 + 5 * 60, "ko", "3시간 5분"),
    ],
)
def test_duration_is_said_in_the_units_that_matter(seconds: float, language: str, shown: str) -> None:
    assert duration(seconds, language) == shown


@pytest.mark.parametrize(
    ("value", "language", "shown"),
    [(12345, "en", "12,345"), (0.0123, "es", "0,012"), (1218, "ru", "1\u00a0218")],
)
def test_number_is_written_as_the_language_does(value: float, language: str, shown: str) -> None:
    assert number(value, language) == shown


@pytest.mark.parametrize(
    ("count", "language", "shown"),
    [
        (0, "en", "0 B"),
        (999, "ru", "999 Б"),
        (1_500, "en", "2 kB"),
        (20_000_000, "zh", "20 MB"),
        (68_910_000_000, "ru", "68,9 ГБ"),
    ],
)
def test_size_is_written_as_the_language_does(count: int, language: str, shown: str) -> None:
    assert size(count, language) == shown


@pytest.mark.parametrize(
    ("spent", "language", "shown"),
    [
        (Usage(cost=0.0021), "en", "0.0021 USD"),
        (Usage(cost=1234.5), "ru", "1\u00a0234,50 USD"),
        (Usage(cost=0.000001234), "en", "0.0000012 USD"),
        (Usage(cost=0.5, unpriced_calls=1), "es", "al menos 0,50 USD"),
        (Usage(cost=0.0, unpriced_calls=1), "ru", "цена неизвестна"),
        (Usage(), "ko", "0.00 USD"),
    ],
)
def test_money_is_written_as_the_language_does(spent: Usage, language: str, shown: str) -> None:
    assert money(spent, "USD", language) == shown


def test_share_is_written_as_the_language_does() -> None:
    assert (share(1, 3, "en"), share(1, 3, "ru")) == ("33%", "33 %")


def test_moment_is_told_in_utc() -> None:
    moment = datetime(2026, 11, 22, 1, 30, tzinfo=timezone(timedelta(hours=3)))
    assert clock_time(moment) == "22:30 UTC"
    assert date_time(moment) == "2026-11-21 22:30 UTC"
    assert clock_time(datetime(2026, 11, 22, 18, 0, tzinfo=UTC)) == "18:00 UTC"


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
    lines = wrapped(text, width)
    assert "".join("".join(lines).split()) == "".join(text.split())
    assert all(cell_len(line) <= width or len(line) == 1 for line in lines)


def test_chinese_is_wrapped_between_characters() -> None:
    assert wrapped("正在查看文档是否涉及", 10) == ["正在查看文", "档是否涉及"]
