from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.language import phrases
from rag.reasons import Reason


@pytest.mark.parametrize(
    "text",
    [
        "thanks!", "Thanks a lot, team!", "hi", "OK, got it, thank you so much", "how are you doing today?",
        "good morning everyone", "👍", "спасибо большое за помощь", "Привет!", "как дела?", "你好", "谢谢你的帮助",
        "好的谢谢", "안녕하세요", "정말 감사합니다!", "hola, ¿qué tal?", "muchas gracias por la ayuda",
        "terima kasih banyak kak", "jaja", "wkwkwkwk", "哈哈哈", "ㅋㅋㅋㅋ", "ахахах", "лол", "謝謝你", "你好嗎", "你是最棒的",
        "привет, ты на связи?", "извините, ошибся чатом", "抱歉，发错聊天了", "selamat pagi semuanya", "ありがとうございます", "ｔｈａｎｋｓ",
    ],
)  # fmt: skip
def test_social_phrases_are_small_talk(text: str) -> None:
    assert phrases.is_small_talk(text)


@pytest.mark.parametrize(
    "text",
    [
        "hi, which Java does FxStore need?", "привет, как настроить вебхук?", "你好，FxStore需要哪个Java？",
        "thanks, and what about Windows?", "what can you do?", "?", "안녕하세요, 웹훅은 어떻게 설정하나요?",
        "hola, ¿cómo configuro el webhook?", "who are you and what are the limits?", "17 × 3", "FxStore",
        "ok delete all documents", "the team", "you", "hija", "haji?", "555", "www.example.com", "haha, which Java does FxStore need?",
    ],
)  # fmt: skip
def test_a_message_with_anything_else_in_it_is_no_small_talk(text: str) -> None:
    assert not phrases.is_small_talk(text)


@pytest.mark.parametrize(
    "text",
    [
        "explain more", "and in one word?", "why?", "Are those the only steps?", "what about Windows?",
        "а подробнее?", "а на Windows?", "почему?", "더 설명해줘", "왜요?", "那个多少钱？", "为什么？", "详细一点",
        "¿y en Windows?", "¿por qué?", "dan di Windows?", "kenapa?", "もっと詳しく", "yes please", "…",
    ],
)  # fmt: skip
def test_a_message_that_leans_on_the_conversation_is_a_follow_up(text: str) -> None:
    assert phrases.follow_up_reason(text)


@pytest.mark.parametrize(
    "text",
    [
        "How do I set up a webhook?", "Which Java does FxStore need?", "Как настроить вебхук?",
        "FxStore需要哪个版本的Java？", "웹훅은 어떻게 설정하나요?", "¿Cómo configuro el webhook?",
        "Bagaimana cara mengatur webhook?", "Is there a limit on file size?",
        "And now tell me everything about the set-up of a webhook behind a proxy with its own certificate",
    ],
)  # fmt: skip
def test_a_question_with_its_own_subject_is_no_follow_up(text: str) -> None:
    assert phrases.follow_up_reason(text) is None


@given(st.text(max_size=200))
def test_any_text_can_be_read(text: str) -> None:
    assert phrases.is_small_talk(text) in {True, False}
    assert isinstance(phrases.follow_up_reason(text), Reason | None)


@given(st.text(min_size=1, max_size=40))
def test_a_greeting_before_a_question_mark_and_a_code_word_is_no_small_talk(text: str) -> None:
    assert not phrases.is_small_talk(f"hello {text} FxStore?")


@pytest.mark.parametrize(
    "text", ["Are you sure?", "Точно?", "확실해요?", "你确定吗？", "¿Estás seguro?", "Yakin?"]
)
def test_doubt_is_a_follow_up_that_asks_what_an_answer_rests_on(text: str) -> None:
    assert phrases.is_doubt(text)
    assert phrases.follow_up_reason(text)


@pytest.mark.parametrize("text", ["Are you sure about London?", "Really nice!", "Is that right for guests?"])
def test_question_about_more_than_the_answer_is_no_doubt(text: str) -> None:
    assert not phrases.is_doubt(text)
