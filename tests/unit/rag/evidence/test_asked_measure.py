"""Questions that name the kind of their answer, and the amounts that are of that kind."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.evidence.asked_measure import asked_dimensions, gives_asked_kind, gives_asked_price
from rag.language.units import units


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
        ("What time does it open?", {"time of day", "time span"}),
        ("во сколько начинается концерт?", {"time of day", "time span"}),
        ("几点能下班？", {"time of day", "time span"}),
        ("¿A qué hora abre?", {"time of day", "time span"}),
        ("몇 시에 닫아요?", {"time of day", "time span"}),
        ("Jam berapa buka?", {"time of day", "time span"}),
        ("How many guests may I bring?", set()),
        ("What time limit applies to refunds?", set()),
        ("Which cost center do I book travel to?", set()),
        ("What is the fee deadline?", set()),
        ("How many pounds may my bag weigh?", set()),
        ("Какой срок аренды?", set()),
        ("Сколько времени берут на проверку?", set()),
        ("Во сколько обойдётся аренда зала?", set()),
        ("请假要注意哪几点？", set()),
        ("허용 무게는 얼마인가요?", set()),
        ("Berapa lama saya harus bayar?", set()),
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
        ("во сколько открыто?", "в 9 часов", "Открыто в 9 часов.", "ru", True),
        ("A que horas abre?", "às 9h", "Abre às 9h.", "pt", True),
        ("What time must I be there?", "45 minutes", "Be there 45 minutes before.", "en", True),
        ("How many hours is that?", "09:00 to 17:00", "From 09:00 to 17:00.", "en", True),
        ("How many months is it?", "until 31 March", "It runs until 31 March.", "en", True),
        ("¿Cuánto cuesta la noche?", "la mitad", "Los niños pagan la mitad.", "es", True),
        ("How many guests may I bring?", "3 days", "You may bring guests for 3 days.", "en", True),
    ],
)
def test_amount_of_another_kind_is_no_answer(
    question: str, reading: str, quotation: str, language: str, *, expected: bool
) -> None:
    assert gives_asked_kind(question, reading, quotation, language) is expected


@pytest.mark.parametrize(
    ("question", "quotation", "language", "expected"),
    [
        ("How much was the card for 4 lessons?", "There was a card for 4 lessons.", "en", True),
        ("How much did the card for 4 lessons cost?", "There was a card for 4 lessons.", "en", False),
        ("What did it cost?", "It was a nice evening.", "en", False),
        ("How much does the card cost?", "The card is 40 euros.", "en", True),
        ("How much does the card cost?", "The card is free of charge.", "en", True),
        ("почём был абонемент на четыре урока?", "Был абонемент на четыре урока.", "ru", False),
        ("почём вход?", "Вход бесплатный.", "ru", True),
        ("门票多少钱？", "门票免费。", "zh", True),
        ("How many guests may I bring?", "Guests are welcome.", "en", True),
        ("Who decides how much the hall costs?", "The board decides.", "en", True),
        ("Does it matter how much it costs?", "The price does not matter.", "en", True),
    ],
)
def test_question_about_a_price_needs_an_amount(
    question: str, quotation: str, language: str, *, expected: bool
) -> None:
    assert gives_asked_price(question, quotation, language) is expected


@given(st.text(max_size=80), st.text(max_size=40), st.text(max_size=80))
def test_text_without_an_amount_is_never_of_another_kind(question: str, reading: str, quotation: str) -> None:
    words = "".join(one for one in reading if one.isalpha() and one.isascii())
    assert gives_asked_kind(f"{question} how many minutes?", words, quotation, "") or units(words)
