"""Questions that name the kind of their answer, and the amounts that are of that kind."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.evidence.asked_measure import asked_dimensions, gives_asked_kind, has_asked_kind


@pytest.mark.parametrize(
    ("question", "dimensions"),
    [
        ("How many minutes does a lesson last?", {"time span"}),
        ("На сколько рабочих дней переносится отпуск?", {"time span"}),
        ("停卡一次最长能停多少天？", {"time span"}),
        ("停几个月？", {"time span"}),
        ("¿Cuántos días tengo?", {"time span"}),
        ("몇 분 걸려요?", {"time span"}),
        ("Berapa menit istirahatnya?", {"time span"}),
        ("深水区有几米深？", {"length"}),
        ("How many megabytes may a file have?", {"data"}),
        ("How much does the hall cost?", {"money", "share"}),
        ("What's the fee for guests?", {"money", "share"}),
        ("почём абонемент?", {"money", "share"}),
        ("¿Cuánto cuesta el curso?", {"money", "share"}),
        ("얼마예요?", {"money", "share"}),
        ("Berapa biaya kursus?", {"money", "share"}),
        ("Quanto custa a sala?", {"money", "share"}),
        ("What time does it open?", {"time of day"}),
        ("во сколько начинается концерт?", {"time of day"}),
        ("几点能下班？", {"time of day"}),
        ("¿A qué hora abre?", {"time of day"}),
        ("몇 시에 닫아요?", {"time of day"}),
        ("Jam berapa buka?", {"time of day"}),
        ("How many guests may I bring?", set()),
        ("How long is the break?", set()),
        ("сколько нас будет?", set()),
        ("Who pays?", set()),
        ("", set()),
    ],
)
def test_question_names_the_kind_of_its_answer(question: str, dimensions: set[str]) -> None:
    assert asked_dimensions(question) == dimensions


@pytest.mark.parametrize(
    ("question", "reading", "quotation", "language", "expected"),
    [
        ("How many minutes is a lesson?", "50", "A lesson takes 50 minutes.", "en", True),
        ("How many minutes is a lesson?", "an hour", "A lesson takes an hour.", "en", True),
        ("How many minutes is a lesson?", "2 hours", "A lesson takes 2 hours.", "en", True),
        ("How many minutes is a lesson?", "30", "A lesson is 30 euros.", "en", False),
        ("How many days may trainees take?", "22", "Employees have 27 days; trainees have 22.", "en", True),
        ("私教一节多少分钟？", "200", "私教课一节200元。", "zh", False),
        ("во сколько концерт?", "16 мая", "Отчётный концерт 16 мая.", "ru", False),
        ("во сколько концерт?", "в 18:30", "Концерт в 18:30 16 мая.", "ru", True),
        ("сколько дней можно работать из дома?", "3", "Можно 3 дня в неделю.", "ru", True),
        ("¿Cuánto cuesta la noche?", "la mitad", "Los niños pagan la mitad.", "es", True),
        ("How many guests may I bring?", "3 days", "You may bring guests for 3 days.", "en", True),
    ],
)
def test_amount_of_another_kind_is_no_answer(
    question: str, reading: str, quotation: str, language: str, *, expected: bool
) -> None:
    assert gives_asked_kind(question, reading, quotation, language) is expected


@pytest.mark.parametrize(
    ("question", "quotation", "expected"),
    [
        ("How much was the card for 4 lessons?", "There was a card for 4 lessons.", False),
        ("How much is the card?", "The card is 40 euros.", True),
        ("How many guests may I bring?", "Guests are welcome.", False),
        ("How many guests may I bring?", "You may bring 3.", True),
        ("How many guests may I bring?", "Guests may come from 9 am on 3 May.", False),
        ("Who brings guests?", "Guests are welcome.", True),
    ],
)
def test_question_about_an_amount_needs_one(question: str, quotation: str, *, expected: bool) -> None:
    assert has_asked_kind(question, quotation, "en") is expected


@given(st.text(max_size=80), st.text(max_size=40), st.text(max_size=80))
def test_any_text_is_judged(question: str, reading: str, quotation: str) -> None:
    if not asked_dimensions(question):
        assert gives_asked_kind(question, reading, quotation, "en")
    has_asked_kind(question, quotation, "en")
