from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.evaluate import gold


@pytest.mark.parametrize(
    ("text", "answer", "is_held"),
    [
        ("It listens on PORT 8443!", "port: 8443", True),
        ("There are 15 of them.", "5", False),
        ("It takes 1.5 hours.", "5", False),
        ("It takes 1.5 hours.", "1", False),
        ("It takes 1.5 hours.", "1.5", True),
        ("It costs 5,000 euros.", "5", False),
        ("It costs 5,000 euros.", "5000", True),
        ("Это стоит 5 000 рублей", "5,000", True),
        ("in 2023, 100 people came", "2023", True),
        ("at 9:30", "30", False),
        ("She was born in Parishville.", "Paris", False),
        ("Ends with 5.", "5", True),
        ("值班表由陈立新维护。", "陈立新", True),
        ("共有31天假期", "31", True),
        ("共有131天假期", "31", False),
        ("수도는 서울입니다.", "서울", True),
        ("31일입니다", "31", True),
        ("남서울입니다", "서울", False),
        ("ที่กรุงเทพฯครับ", "กรุงเทพ", True),
        ("ＦＸＳｔｏｒｅ", "fxstore", True),
        ("anything", "", False),
        ("anything", "?!", False),
    ],
)  # fmt: skip
def test_answer_is_held_as_whole_words(text: str, answer: str, is_held: bool) -> None:
    assert gold.holds(text, [answer]) is is_held


def test_any_of_the_answers_will_do() -> None:
    assert gold.holds("It was in Kyiv.", ["Kiev", "Kyiv"])
    assert not gold.holds("It was in Kyiv.", [])


def test_a_passage_may_hold_a_number_in_a_time() -> None:
    assert gold.mentions("open from 8:00 to 16:00", ["8 hours", "8"])
    assert not gold.mentions("open from 18 to 24", ["8"])
    assert not gold.holds("open from 8:00 to 16:00", ["8 hours", "8"])


@given(st.text(alphabet=st.characters(whitelist_categories=["L", "N"]), min_size=1, max_size=12))
def test_every_answer_is_held_by_itself_between_other_words(answer: str) -> None:
    if gold.plain(answer):
        assert gold.holds(f"it is: ({answer}).", [answer])


@given(st.text(max_size=80))
def test_case_and_punctuation_make_no_difference(text: str) -> None:
    assert gold.plain(f"«{text}»!") == gold.plain(text)
    assert not set(gold.plain(text)) & set("!?,;«»()_-")


@pytest.mark.parametrize(
    ("text", "answer", "is_held"),
    [
        ("a three-hour Jazz Performance", "3 hours", True),
        ("three hours", "3 minutes", False),
        ("We open at 9 a.m.", "9 am", True),
        ("We open at 21:00", "9:00", False),  # which may be in the morning
        ("10–12 days", "10 days", False),
        ("on May 16th", "16 May", True),
        ("on May 16th", "17 May", False),
        ("двенадцать рублей", "12 рублей", True),
        ("三个小时", "3小时", True),
        ("nine of them", "9", False),  # a bare number is a string like any other
        ("three hours", "3 hours of jazz", False),
    ],
)
def test_amounts_dates_and_times_are_found_in_another_notation(
    text: str, answer: str, *, is_held: bool
) -> None:
    assert gold.holds(text, [answer]) is is_held
