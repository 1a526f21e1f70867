from __future__ import annotations

from collections.abc import Iterable, Mapping

import pytest

from rag.quoting.signals import measure
from rag.values import Passage, PassageId


def _rarity(terms: Iterable[str]) -> Mapping[str, float]:
    return dict.fromkeys(terms, 0.5)


def _signals(question: str, language: str, text: str, heading: str = "") -> list[Mapping[str, float]]:
    passage = Passage(PassageId("1"), heading, heading, text, score=0.5)
    return [one.signals for one in measure(question, language, [passage], _rarity)]


@pytest.mark.parametrize(
    ("language", "question"),
    [
        ("en", "May guests use the printer?"),
        ("ru", "Можно ли гостям пользоваться принтером?"),
        ("es", "¿Puedo usar la impresora?"),
        ("id", "Apakah tamu boleh memakai printer?"),
        ("ko", "손님이 프린터를 써도 되나요?"),
        ("zh", "客人可以用打印机吗？"),
    ],
)
def test_question_for_yes_or_no_is_told_in_every_language(language: str, question: str) -> None:
    assert _signals(question, language, "x")[0]["choice"] == 1.0


@pytest.mark.parametrize(
    ("language", "question", "without", "given"),
    [
        ("en", "How many days of leave do I get?", "Leave is paid.", "Leave is 27 days."),
        ("ru", "Сколько дней отпуска мне положено?", "Отпуск оплачивают.", "Отпуск — 29 дней."),
        ("es", "¿Cuántos días de vacaciones tengo?", "Las vacaciones se pagan.", "Son 26 días."),
        ("id", "Berapa hari cuti saya?", "Cuti dibayar.", "Cuti 12 hari."),
        ("ko", "휴가는 며칠인가요?", "휴가는 유급입니다.", "휴가는 15일입니다."),
        ("zh", "年假有多少天？", "年假带薪。", "年假为20天。"),
    ],
    ids=["en", "ru", "es", "id", "ko", "zh"],
)
def test_amount_that_is_asked_for_is_missed_where_it_is_not_given(
    language: str, question: str, without: str, given: str
) -> None:
    assert _signals(question, language, without)[0]["gives_nothing"] == 1.0
    assert _signals(question, language, given)[0]["gives_nothing"] == 0.0


def test_amount_that_the_question_gives_itself_is_no_answer() -> None:
    (found,) = _signals("How many of the 27 days may I carry over?", "en", "Everybody has 27 days.")
    assert found["gives_nothing"] == 1.0


def test_name_answers_a_question_for_a_person() -> None:
    named, unnamed = _signals("Who approves leave?", "en", "Leave is approved by Bram Claes. Leave is paid.")
    assert (named["gives_name"], unnamed["gives_name"]) == (1.0, 0.0)


def test_sibling_that_is_not_spoken_of_is_left_unsaid() -> None:
    ghent, porto = (
        _signals("When does the Porto building open?", "en", f"The {place} building opens at 6:30.")[0]
        for place in ("Ghent", "Porto")
    )
    assert ghent["unsaid"] > 0.0 == porto["unsaid"]


def test_heading_counts_as_context() -> None:
    question, text = "When does the Porto building open?", "The building opens at 6:30."
    assert (
        _signals(question, "en", text, "Porto")[0]["context"] > _signals(question, "en", text)[0]["context"]
    )


def test_another_ending_of_a_word_is_the_same_word() -> None:
    (found,) = _signals("согласование отпусков", "ru", "Отпуск согласовывает Раиса.")
    assert found["context"] == 1.0
