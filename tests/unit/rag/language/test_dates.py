"""Dates, written by Babel in the forms of seven languages and read back."""

import datetime as dt
import random

import pytest
from babel.dates import format_date, format_skeleton
from hypothesis import given
from hypothesis import strategies as st

from rag.language.units import units

LOCALES = ("en", "en_GB", "ru", "es", "es_MX", "id", "ko", "zh", "zh_Hant", "pt")
SKELETONS = (
    "yMMMd",
    "yMMMEd",
    "yMMMMd",
    "yMMMMEEEEd",
    "yMd",
    "yMEd",
    "MMMd",
    "MMMMd",
    "MMMEd",
    "yMMM",
    "yMMMM",
)


def sample() -> list[dt.date]:
    chance = random.Random(5)
    some = [dt.date(1900, 1, 1) + dt.timedelta(days=chance.randrange(60_000)) for _ in range(60)]
    return [*some, *(dt.date(2023, month, day) for month in range(1, 13) for day in (1, 17, 28))]


def check(text: str, expected: str, day: dt.date, language: str) -> None:
    """The date stands there, and beside it no more than its weekday."""
    facts = units(text, language, with_names=False)
    assert [fact.kind for fact in facts if expected in fact.readings] == ["date"], (text, facts)
    others = {fact.normal for fact in facts if expected not in fact.readings}
    assert others <= {f"W{day.isoweekday()}"}, (text, facts)


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize("form", ["short", "medium", "long", "full"])
def test_date_is_read_from_every_standard_form(locale: str, form: str) -> None:
    for day in sample():
        text = format_date(day, form, locale=locale)
        if form == "short" and str(day.year) not in text and day.year < 2000:
            continue  # two figures of a year are read as this century
        for language in ("", locale[:2]):
            check(text, day.isoformat(), day, language)


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize("skeleton", SKELETONS)
def test_date_is_read_from_other_forms(locale: str, skeleton: str) -> None:
    for day in sample():
        expected = day.isoformat() if "d" in skeleton else f"{day:%Y-%m}-??"
        if "y" not in skeleton:
            expected = f"????{day:-%m-%d}"
        check(format_skeleton(skeleton, day, locale=locale), expected, day, locale[:2])


@pytest.mark.parametrize("locale", LOCALES)
def test_weekday_alone_is_read(locale: str) -> None:
    for day in sample():
        weekday = format_date(day, "EEEE", locale=locale)
        assert [fact.normal for fact in units(weekday, locale[:2])] == [f"W{day.isoweekday()}"]


@pytest.mark.parametrize(
    ("text", "normals"),
    [
        pytest.param("Встреча в среду утром", ["W3"], id="russian wednesday"),
        pytest.param("по средам", ["W3"], id="every wednesday"),
        pytest.param("| Среда | закрыто |", ["W3"], id="wednesday in a table"),
        pytest.param("внешняя среда", [], id="environment in the nominative"),
        pytest.param("step 2 may fail", ["2"], id="verb behind a number"),
        pytest.param("28 may", ["????-05-28"], id="spanish may"),
        pytest.param("mar 17", ["17"], id="spanish tuesday"),
        pytest.param("2023. 1. 17. 시작", ["2023-01-17"], id="korean dots"),
        pytest.param("1. 파일\n2. 폴더", [], id="list"),
        pytest.param("三点五十分", ["03:50|15:50"], id="time in chinese characters"),
    ],
)
def test_day_is_told_from_words_that_look_like_it(text: str, normals: list[str]) -> None:
    assert [fact.normal for fact in units(text, with_names=False)] == normals


@given(st.text(alphabet="0123456789. ()/-년월일年月日三五十点분среду вmay,"))
def test_any_row_of_figures_and_marks_is_read_without_harm(text: str) -> None:
    for fact in units(text):
        if fact.kind == "date" and not fact.normal.startswith("W"):
            for reading in fact.readings:
                assert len(reading) == 10
