from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.steps.standalone import objection_to, parse_question

LEAVE = "Who approves leave in Milan? Marco Rossi."
STATES = "Which states has a case? Three: open, map, close."


@pytest.mark.parametrize(
    ("language", "said", "message", "question"),
    [
        pytest.param("en", LEAVE, "and in Berlin?", "Who approves leave in Berlin?", id="en"),
        pytest.param("en", STATES, "and the second?", "What is the second state of a case?", id="en-second"),
        pytest.param("en", STATES, "and the second?", "What does map mean?", id="en-what-is-meant"),
        pytest.param(
            "en", "Rooms are blue or red.", "how many of them?", "How many red rooms are there?", id="en-many"
        ),
        pytest.param(
            "ru",
            "Кто утверждает отпуск в Милане? Марко Росси.",
            "а в Берлине?",
            "Кто утверждает отпуск в Берлине?",
            id="ru",
        ),
        pytest.param(
            "ru",
            "Какие есть тарифы? Два: Старт и Про.",
            "а сколько стоит второй?",
            "Сколько стоит тариф Про?",
            id="ru-second",
        ),
        pytest.param(
            "es",
            "¿Quién aprueba las vacaciones en Milán? Marco Rossi.",
            "¿y en Berlín?",
            "¿Quién aprueba las vacaciones en Berlín?",
            id="es",
        ),
        pytest.param(
            "id",
            "Siapa yang menyetujui cuti di Milan? Marco Rossi.",
            "dan di Berlin?",
            "Siapa yang menyetujui cuti di Berlin?",
            id="id",
        ),
        pytest.param(
            "ko",
            "밀라노에서 휴가는 누가 승인하나요? 마르코 로시입니다.",
            "그럼 베를린은?",
            "베를린에서 휴가는 누가 승인하나요?",
            id="ko",
        ),
        pytest.param(
            "zh", "案件有哪些状态？打开、映射、关闭。", "第二个呢？", "案件的第二个状态是什么？", id="zh"
        ),
    ],
)
def test_question_made_of_what_was_said_stands_for_the_message(
    language: str, said: str, message: str, question: str
) -> None:
    assert objection_to(question, message, f"{said}\n{message}", language) is None


@pytest.mark.parametrize(
    ("question", "objection"),
    [
        pytest.param("Who approves leave in Berlin for Siemens?", "nobody said", id="an invented name"),
        pytest.param("Who approves 30 days of leave in Berlin?", "nobody said", id="an invented figure"),
        pytest.param("Who approves no leave in Berlin?", "nobody said", id="an invented denial"),
        pytest.param("Who approves leave in Milan?", "it leaves out what is asked", id="the question before"),
        pytest.param("Berlin?", "it says no more than the message", id="nothing new"),
        pytest.param("Кто утверждает отпуск в Берлине?", "another language", id="another language"),
        pytest.param("Marco Rossi approves leave in Milan.", "it leaves out what is asked", id="an answer"),
        pytest.param("", "no question", id="empty"),
        pytest.param("Who approves leave in Berlin? " * 20, "no question", id="no end"),
    ],
)
def test_question_that_says_what_nobody_said_does_not_stand_for_the_message(
    question: str, objection: str
) -> None:
    message = "and in Berlin?"
    assert str(objection_to(question, message, f"{LEAVE}\n{message}", "en")).startswith(objection)


def test_figure_is_the_one_that_was_said() -> None:
    said = "Which Java does Pier need? Java 17."
    message = "since when?"
    assert objection_to("Since when does Pier need Java 17?", message, f"{said}\n{message}", "en") is None
    assert objection_to("Since when does Pier need Java 21?", message, f"{said}\n{message}", "en")


@pytest.mark.parametrize(
    "reply",
    [
        "Who approves leave in Berlin?",
        '"Who approves leave in Berlin?"',
        "Question: Who approves leave in Berlin?",
        "-> Who approves leave in Berlin?",
        "\n  Who approves leave in Berlin?\n\nThat is the question.",
    ],
)
def test_question_is_found_in_a_reply(reply: str) -> None:
    assert parse_question(reply) == "Who approves leave in Berlin?"


@given(st.text(max_size=120), st.text(max_size=120), st.sampled_from(["en", "ru", "ko", "zh", "es", "id"]))
def test_nothing_is_taken_over_that_was_not_said(reply: str, message: str, language: str) -> None:
    question = parse_question(reply)
    if not objection_to(question, message, message, language):
        # Everything is in the message, so the question must say more than it, which it cannot.
        pytest.fail(f"{question!r} stands for {message!r}")


@pytest.mark.parametrize("reply", ["who " * 50_000, "a: " * 50_000, "\n" * 100_000, '"' * 100_000])
def test_huge_reply_is_refused_in_time(reply: str) -> None:
    assert objection_to(parse_question(reply), "why?", LEAVE, "en")
