from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.evidence.siblings import has_other_qualifier, speaks_of_sibling

TEXTS = st.text(max_size=200)


@pytest.mark.parametrize(
    ("question", "quotation", "language"),
    [
        pytest.param("How many days were there in 2019?", "There were 28 days in 2021.", "en", id="year"),
        pytest.param(
            "What was unveiled in 2005?", "The statue was unveiled on 15 March 2002.", "en", id="date"
        ),
        pytest.param("Сколько дней было в 2019 году?", "В 2021 году было 28 дней.", "ru", id="year-ru"),
        pytest.param("2019年的假期有几天？", "2021年的假期为28天。", "zh", id="year-zh"),
        pytest.param("2019년에 휴가는 며칠이었나요?", "2021년 휴가는 28일입니다.", "ko", id="year-ko"),
        pytest.param(
            "Berapa hari cuti pada tahun 2019?", "Pada tahun 2021 ada 28 hari cuti.", "id", id="year-id"
        ),
        pytest.param("¿Cuántos días había en 2019?", "En 2021 había 28 días.", "es", id="year-es"),
        pytest.param(
            "When does the Porto building open?",
            "The Ghent building opens at 6:30.",
            "en",
            id="another place",
        ),
        pytest.param(
            "Who approves leave for Anna Brook?", "Leave of Tom Reed is approved by Ada.", "en", id="person"
        ),
        pytest.param(
            "Which port does version 1 use?", "Version 2 uses port 7410.", "en", id="another version"
        ),
        pytest.param("Где сидит группа в Риге?", "Группа сидит в Вильнюсе.", "ru", id="another town"),
        pytest.param(
            "仓灵1版的端口是多少？", "2版使用端口8310，3版使用端口8345。", "zh", id="another release"
        ),
        pytest.param("2층 회의실은 언제 열려요?", "3층 회의실은 9시에 엽니다.", "ko", id="another floor"),
        pytest.param("Что нового в третьей версии?", "Во второй версии новый вход.", "ru", id="ordinal"),
        pytest.param("上海办公室几点开门?", "北京办公室7点开门。", "zh", id="words before a head word"),
        pytest.param(
            "How many people does the study room at the Riverside Branch seat?",
            "The study room at the Main Branch seats eight people.",
            "en",
            id="names that share a word",
        ),
        pytest.param("¿Cuándo abre la sala 4?", "La sala 5 abre a las nueve.", "es", id="another room"),
    ],
)
def test_quotation_about_a_sibling_is_told(question: str, quotation: str, language: str) -> None:
    assert speaks_of_sibling(question, quotation, "", language)


@pytest.mark.parametrize(
    ("question", "quotation", "heading", "language"),
    [
        pytest.param("Who approves leave in Milan?", "Rossi approves leave for Milan.", "", "en", id="the same"),
        pytest.param("Who led it in 2005?", "Ada led it from 2001 to 2009.", "", "en", id="between two years"),
        pytest.param("What was it in 2005?", "It was sold in 2005 and bought in 2010.", "", "en", id="year among others"),
        pytest.param("What did it cost in 2005?", "It cost 2000 euros.", "", "en", id="no year but a price"),
        pytest.param("How many days in 2019?", "28 days, 3 more than in 2018.", "Leave 2019", "en", id="year in the heading"),
        pytest.param(
            "Who approves leave in Milan?", "Anna Weber approves leave in Berlin, Marco Rossi in Milan.", "", "en",
            id="both of them",
        ),
        pytest.param("When does the Porto building open?", "It opens at 6:30.", "Porto building", "en", id="heading"),
        pytest.param("I started at Tidewell. How many days?", "People have 27 days.", "", "en", id="no other name"),
        pytest.param("Кто подписывает отпуск в Пскове?", "В псковском офисе — Артём Львов.", "", "ru", id="a form of it"),
        pytest.param("Which port does version 3 use?", "Version 2 uses 7410, version 3 uses 7480.", "", "en", id="number"),
        pytest.param("What if I cancel on the 20th?", "Who cancels before the 15th pays.", "", "en", id="a date"),
        pytest.param(
            "What do the 40 desks of Porto cost?", "Each of the 12 desks costs 90 euros.", "Porto, 40 desks", "en",
            id="a function word before a number",
        ),
        pytest.param(
            "When does the Main Branch open?", "The Main Branch opens at 9, the Riverside Branch at 10.", "", "en",
            id="names that share a word, both of them",
        ),
        pytest.param("上海办公室几点开门?", "北京办公室7点开门,上海办公室8点。", "", "zh", id="both offices"),
        pytest.param("What is the first version?", "The first version is of 2019.", "", "en", id="same ordinal"),
        pytest.param("", "", "", "en", id="nothing"),
    ],
)  # fmt: skip
def test_quotation_that_speaks_of_what_was_asked_is_no_sibling(
    question: str, quotation: str, heading: str, language: str
) -> None:
    assert not speaks_of_sibling(question, quotation, heading, language)


@pytest.mark.parametrize(
    ("passage", "is_sibling"),
    [
        pytest.param("The Porto office is on floor 3. Guests ring.", False, id="named in another sentence"),
        pytest.param(
            "Portable heaters are forbidden. Guests ring.", True, id="a word that only begins alike"
        ),
        pytest.param("", True, id="not named"),
    ],
)
def test_name_in_another_sentence_of_the_passage_is_known(passage: str, is_sibling: bool) -> None:
    question, sentence = "When does the Porto office close?", "The Ghent office closes at 18:00."
    assert speaks_of_sibling(question, sentence, "", "en")
    assert speaks_of_sibling(question, sentence, "", "en", passage=passage) is is_sibling


@pytest.mark.parametrize(
    ("question", "quotation", "heading"),
    [
        ("What does error 2006 mean?", "Error 2002 means no socket, and error 2013 a lost connection.", ""),
        ("What was the revenue in report 2022?", "Revenue was 5 million.", "Report 2021"),
    ],
    ids=["between two numbers", "heading"],
)
def test_number_that_looks_like_a_year_tells_siblings_apart(
    question: str, quotation: str, heading: str
) -> None:
    passage = f"{question} {quotation}"
    assert speaks_of_sibling(question, quotation, heading, "en", passage=passage)


@given(TEXTS, TEXTS, TEXTS, st.sampled_from(["en", "ru", "es", "id", "ko", "zh", ""]))
def test_any_texts_can_be_compared(question: str, quotation: str, heading: str, language: str) -> None:
    speaks_of_sibling(question, quotation, heading, language)


@given(TEXTS)
def test_no_text_speaks_of_a_sibling_of_itself(text: str) -> None:
    assert not speaks_of_sibling(text, text, "", "en")


@pytest.mark.parametrize(
    ("question", "quotation", "language", "expected"),
    [
        ("When is the monthly report due?", "The yearly report is due on 31 January.", "en", True),
        ("When is the yearly report due?", "The yearly report is due on 31 January.", "en", False),
        ("When is the report due?", "The yearly report is due on 31 January.", "en", False),
        ("When is the monthly report due?", "It is due on 31 January.", "en", False),
        (
            "¿Cuánto cuesta un paquete de arcilla negra?",
            "Un paquete de arcilla blanca cuesta 9 euros.",
            "es",
            True,
        ),
        (
            "¿Cuánto cuesta un paquete de arcilla roja?",
            "La arcilla blanca cuesta 9 euros y la arcilla roja cuesta 7.",
            "es",
            False,
        ),
        ("What is the fee for guests?", "The fee for members is 5 euros.", "en", True),
        ("What is the fee for members?", "The fee for members is 5 euros.", "en", False),
        (
            "¿Cuándo se cierran las inscripciones para el curso de primavera?",
            "Las inscripciones para el curso de otoño se cierran el 20 de septiembre.",
            "es",
            True,
        ),
        ("Когда сдают месячный отчёт?", "Годовой отчёт сдают 31 января.", "ru", True),
        ("月度报告何时提交？", "年度报告1月31日提交。", "zh", False),  # see the words before a head word
    ],
)
def test_another_word_beside_a_word_of_the_question_is_found(
    question: str, quotation: str, language: str, *, expected: bool
) -> None:
    assert has_other_qualifier(question, quotation, "", language) is expected


@given(TEXTS, TEXTS)
def test_text_has_no_other_qualifier_than_itself(text: str, heading: str) -> None:
    assert not has_other_qualifier(text, text, heading, "en")
