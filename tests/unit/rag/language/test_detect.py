from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.language.detect import detect, language_name


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Which Java does FxStore need?", "en"),
        ("and in one word?", "en"),
        ("thanks!", "en"),
        ("¿Qué versión de Java necesita FxStore?", "es"),
        ("hola", "es"),
        ("y más?", "es"),
        ("versión mínima", "es"),
        ("Berapa lama data disimpan di server?", "id"),
        ("apa itu?", "id"),
        ("terima kasih", "id"),
        ("Qual é a versão do Java?", "pt"),
        ("Quelle version de Java faut-il ?", "fr"),
        ("Welche Java-Version brauche ich?", "de"),
        ("Quale versione di Java è necessaria?", "it"),
        ("Welke versie van Java heb ik nodig?", "nl"),
        ("Jaka wersja Javy jest potrzebna do tego programu?", "pl"),
        ("Hangi sürüm gerekli acaba bilmiyorum", "tr"),
        ("Phiên bản nào là cần thiết", "vi"),
        ("спасибо", "ru"),
        ("а подробнее?", "ru"),
        ("Какая версия Java нужна?", "ru"),
        ("Когда Кижи включили в список ЮНЕСКО?", "ru"),
        ("Яка версія потрібна?", "uk"),
        ("благодаря", "bg"),
        ("더 설명해줘", "ko"),
        ("谢谢", "zh"),
        ("何が必要ですか", "ja"),
        ("ขอบคุณ", "th"),
        ("ما هو الإصدار", "ar"),
        ("چه نسخه ای لازم است", "fa"),
        ("שלום", "he"),
        ("ευχαριστώ", "el"),
        ("नमस्ते", "hi"),
    ],
)
def test_language_is_found_whatever_the_default(text: str, language: str) -> None:
    assert detect(text, default="en") == language
    assert detect(text, default="sv") == language


@pytest.mark.parametrize(
    ("text", "language"),
    [
        pytest.param("FxStore 需要哪个 Java 版本?", "zh", id="chinese-with-terms"),
        pytest.param("FxStore에는 어떤 Java 버전이 필요합니까?", "ko", id="korean-with-terms"),
        pytest.param("docker compose logs где?", "ru", id="one-russian-word-among-terms"),
        pytest.param(
            "Как настроить webhook для telegram bot через docker compose?", "ru", id="russian-terms"
        ),
        pytest.param("What does 需要 mean in English?", "en", id="english-about-a-chinese-word"),
        pytest.param("The variance α of β is small", "en", id="greek-symbols"),
        pytest.param("Что делает `the server is not running and will stop`?", "ru", id="code-is-ignored"),
        pytest.param(
            "¿qué es https://example.com/the-and-of-with/is-are ?", "es", id="addresses-are-ignored"
        ),
    ],
)
def test_terms_quotes_and_code_do_not_change_the_language(text: str, language: str) -> None:
    assert detect(text, default="fr") == language


@pytest.mark.parametrize("default", ["en", "es", "id", "ru"])
@pytest.mark.parametrize(
    "text", ["", "ok", "no", "FxStore?", "42", "👍", "Paris", "API", "gateway timeout", "π"]
)
def test_a_message_that_says_too_little_keeps_the_language_of_the_conversation(
    text: str, default: str
) -> None:
    assert detect(text, default=default) == default


def test_letter_statistics_decide_where_small_words_do_not() -> None:
    assert detect("Proszę podać numer wersji oprogramowania", default="en") == "pl"


def test_a_megabyte_is_answered_from_its_beginning() -> None:
    assert detect("Какая версия нужна? " * 250 + "the of and " * 100_000) == "ru"


@pytest.mark.parametrize(
    ("code", "name"), [("ru", "Russian"), ("zh", "Chinese"), ("id", "Indonesian"), ("xx", "xx")]
)
def test_language_names_are_english(code: str, name: str) -> None:
    assert language_name(code) == name


@given(st.text(max_size=200))
def test_detection_always_gives_a_code(text: str) -> None:
    found = detect(text, default="en")
    assert len(found) == 2
    assert detect(text, default=found) == found


def test_ordinary_questions_do_not_load_the_statistical_models() -> None:
    program = (
        "import sys; from rag.language.detect import detect\n"
        "texts = 'Which Java does it need?', '¿Qué Java necesita?', 'Что нужно?', '需要什么'\n"
        "for text in texts: detect(text)\n"
        "sys.exit('py3langid' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
