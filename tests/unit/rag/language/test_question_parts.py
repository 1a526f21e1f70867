"""Messages that ask for several things are taken apart, and others are left alone."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.language.question_parts import split_questions


@pytest.mark.parametrize(
    ("message", "parts"),
    [
        (
            "How many days of leave do I get and who approves it?",
            ("How many days of leave do I get?", "Who approves it?"),
        ),
        (
            "Hello! I work in Berlin. How many days do I get? And who approves them? Thanks",
            ("I work in Berlin. How many days do I get?", "Who approves them?"),
        ),
        (
            "how much is the deposit, and to whom do I pay it",
            ("How much is the deposit?", "To whom do I pay it?"),
        ),
        ("Is there a fee and who pays it?", ("Is there a fee?", "Who pays it?")),
        (
            "Сколько дней отпуска мне положено и кто его утверждает?",
            ("Сколько дней отпуска мне положено?", "Кто его утверждает?"),
        ),
        ("Где лежит форма, а кому её отдать?", ("Где лежит форма?", "Кому её отдать?")),
        ("¿Cómo pido el reembolso? ¿Y cuánto tarda?", ("¿Cómo pido el reembolso?", "¿Y cuánto tarda?")),
        (
            "Berapa hari cuti saya dan siapa yang menyetujuinya?",
            ("Berapa hari cuti saya?", "Siapa yang menyetujuinya?"),
        ),
        ("Quantos dias de férias tenho e quem aprova?", ("Quantos dias de férias tenho?", "Quem aprova?")),
        ("年假有多少天，由谁批准？", ("年假有多少天？", "由谁批准？")),
        ("연차는 며칠이고 누가 승인하나요?", ("연차는 며칠이고?", "누가 승인하나요?")),
    ],
)
def test_questions_of_a_message_are_taken_apart(message: str, parts: tuple[str, ...]) -> None:
    assert split_questions(message) == parts


@pytest.mark.parametrize(
    "message",
    [
        "How do I install and configure FxStore?",
        "What is the difference between A and B?",
        "When and where is the meeting?",
        "Who decides when and how leave is taken?",
        "What is the policy for people who are sick and who work remotely?",
        "How do I find out what it costs and who pays?",
        "Are you sure? Why?",
        "Can you help me? How do I reset my password?",
        "¿En octubre de 1954, Goldenson propuso una fusión entre UPT y qué red?",
        "Ctenóforos, cnidários e que outro grupo é denominado diploblástico?",
        "Как узнать, сколько дней осталось?",
        "如果我不知道谁负责，该怎么办？",
        "비밀번호를 잊어버리고 누구에게 연락해야 하나요?",
        "What must I do before I leave and when I come back?",
        "Who answers the phone at night and when the office is closed?",
        "Which countries and which cities have an office?",
        "Is parking free on Sundays and when it is a holiday?",
        "Кто отвечает за сервер днём и когда никого нет в офисе?",
        "Почему так долго и как правило без ответа?",
        "Кому сообщить о болезни и как можно быстрее?",
        "¿Es verdad que el director lo aprueba y que tarda una semana?",
        "Por que diz que não há espaço e que o disco está cheio?",
        "无论谁申请，多少天都要经理批准吗？",
        "谁申请，谁付钱？",
        "几个人来，就准备几把椅子吗？",
        "무엇이든지 물어보고 언제든지 연락해도 되나요?",
        "Apa yang harus saya lakukan dan apa pun yang terjadi?",
        'What does the sign "Who goes there? And why?" mean?',
        "The form asks: Who are you? Where do you live? What do I write there?",
        "Which of these is right? A) 20 days? B) 25 days? C) 30 days?",
        "Is it in Milan? Or in Rome?",
        "Do I get 20 days? 25 days? More?",
        "Anyone here? Where is the wifi password?",
        "Where is the key? Where is the key?",
        "Error: who are you?\nTraceback …\nWhat is wrong?",
        "How are you? " * 5 + "Thanks!",
        "Where is the key? " * 5,
        "The log says: " + "why? " * 200,
    ],
)
def test_one_question_stays_whole(message: str) -> None:
    assert split_questions(message) == (message,)


@given(
    st.text(max_size=200),
    st.sampled_from([" and ", "? And ", "，", " и ", "고 ", " y "]),
    st.text(max_size=200),
)
def test_parts_are_made_of_the_words_of_the_message(before: str, joint: str, after: str) -> None:
    message = f"{before}{joint}{after}"
    parts = split_questions(message)
    assert parts
    said = message.casefold()
    assert all(word in said for part in parts for word in part.rstrip("?？").casefold().split())


def test_message_of_nothing_but_joints_is_read_in_time() -> None:
    for piece in ("谁，", "和，", "who and ", "谁，批准", "и кто "):
        started = time.process_time()
        split_questions((piece * 600)[:600])
        assert time.process_time() - started < 5
