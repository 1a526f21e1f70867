"""Messages that ask for several things are taken apart, and others are left alone."""

from __future__ import annotations

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
