"""Questions in other words are one question; other questions are not."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.statistics.similar import grouped

NOW = datetime(2026, 5, 20, 12, 0, tzinfo=UTC)


def asked(*texts: str, language: str = "en") -> list[tuple[str, str, datetime]]:
    return [(text, language, NOW + timedelta(minutes=n)) for n, text in enumerate(texts)]


@pytest.mark.parametrize(
    ("language", "texts"),
    [
        pytest.param("en", ("Which Java does FxStore need?", "what java do fxstore needs"), id="inflection"),
        pytest.param("en", ("How do I reset my badge PIN code?", "How can I reset the badge PIN?"), id="one word more"),
        pytest.param("ru", ("Как заказать пропуск гостю?", "заказать пропуска для гостя"), id="Russian cases"),
        pytest.param("es", ("¿Dónde está el aparcamiento?", "donde está el APARCAMIENTO"), id="Spanish"),
        pytest.param("id", ("Bagaimana cara reset PIN?", "cara reset pin bagaimana"), id="Indonesian"),
        pytest.param("ko", ("주차장은 어디에 있나요?", "주차장은  어디에 있나요"), id="Korean"),
        pytest.param("zh", ("停车场在哪里？", "停车场在哪里"), id="Chinese"),
    ],
)  # fmt: skip
def test_same_question_in_other_words_is_one_group(language: str, texts: tuple[str, ...]) -> None:
    (group,) = grouped(asked(*texts, language=language), 10)
    assert group.count == len(texts)


@pytest.mark.parametrize(
    "texts",
    [
        pytest.param(("What does error 404 mean?", "What does error 500 mean?"), id="another number"),
        pytest.param(
            (
                "In which cabinet of the server room on floor 3 is the red backup key?",
                "In which cabinet of the server room on floor 4 is the red backup key?",
            ),
            id="another number in a long question",
        ),
        pytest.param(("How do I install it on Windows?", "How do I install it on Linux?"), id="another word"),
        pytest.param(("Where is the gym?", "Кто чинит принтер?"), id="another language"),
        pytest.param(("???", "!!!"), id="no words at all"),
    ],
)
def test_other_questions_stay_apart(texts: tuple[str, ...]) -> None:
    assert len(grouped(asked(*texts), 10)) == len(texts)


def test_group_shows_its_most_frequent_wording_count_and_last_time() -> None:
    texts = (
        "who repairs printers",
        "Who repairs the printer?",
        "Who  repairs the printer?",
        "Where is the gym?",
    )

    first, second = grouped(asked(*texts), 10)

    assert (first.text, first.count) == ("Who repairs the printer?", 3)
    assert first.last_asked == NOW + timedelta(minutes=2)
    assert first.wordings == ("Who repairs the printer?", "who repairs printers")
    assert second.text == "Where is the gym?"


def test_of_equally_frequent_questions_the_latest_stands_first() -> None:
    found = grouped(asked("Where is the gym?", "Who repairs the printer?"), 10)
    assert [group.text for group in found] == ["Who repairs the printer?", "Where is the gym?"]


def test_limit_keeps_the_most_frequent() -> None:
    (group,) = grouped(asked("Where is the gym?", "Who repairs the printer?", "where is the gym"), 1)
    assert group.count == 2


words = st.sampled_from(["gym", "printer", "badge", "404", "500", "door", "停车场", "пропуск", "?"])


@given(st.lists(st.one_of(st.lists(words, max_size=6).map(" ".join), st.text(max_size=20)), max_size=30))
def test_every_question_is_in_exactly_one_group(texts: list[str]) -> None:
    found = grouped(asked(*texts), len(texts) + 1)

    assert sum(group.count for group in found) == len(texts)
    assert [group.count for group in found] == sorted((group.count for group in found), reverse=True)
    assert {" ".join(text.split()) for text in texts} == {w for group in found for w in group.wordings}
    assert len(found) <= len(set(texts))
