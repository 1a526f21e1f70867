from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest

from bot.texts.figures import clock_time, date_time, duration, money, number, share, size
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
