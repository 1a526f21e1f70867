from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.evaluate import polarity
from bot.evaluate.polarity import is_bare, opening


@pytest.mark.parametrize(
    ("text", "language", "said"),
    [
        ("Yes, they may.", "en", "yes"),
        ("**No**, guests may not.", "en", "no"),
        ("> “No”", "en", "no"),
        ("No you may not", "en", "no"),
        ("No — never", "en", "no"),
        ("Of course not.", "en", "no"),
        ("Of course they may.", "en", "yes"),
        ("No guests are there.", "en", None),
        ("No more than three.", "en", None),
        ("No. 5 is the room.", "en", None),
        ("No-one.", "en", None),
        ("Right after lunch", "en", None),
        ("Yesterday", "en", None),
        ("They may not. No.", "en", None),
        ("", "en", None),
        ("Да, можно.", "ru", "yes"),
        ("Нет.", "ru", "no"),
        ("Нет данных о том", "ru", None),
        ("Дата неизвестна", "ru", None),
        ("Sí, con tarjeta.", "es", "yes"),
        ("No, sin tarjeta no.", "es", "no"),
        ("No se permite.", "es", None),
        ("Si llueve, no.", "es", None),
        ("Ya, boleh.", "id", "yes"),
        ("Tidak, dilarang.", "id", "no"),
        ("Tidak boleh masuk.", "id", None),
        ("네, 가능합니다.", "ko", "yes"),
        ("아니요 안 됩니다.", "ko", "no"),
        ("네 가지가 있습니다.", "ko", None),
        ("예약해야 합니다.", "ko", None),
        ("是的可以。", "zh", "yes"),
        ("可以。", "zh", "yes"),
        ("不可以，要带工牌。", "zh", "no"),
        ("不是。", "zh", "no"),
        ("有三天假期。", "zh", None),
        ("Yes.", "ko", "yes"),
        ("No.", "xx", "no"),
    ],
    ids=lambda value: str(value)[:30],
)
def test_opening(text: str, language: str, said: str | None) -> None:
    assert opening(text, language) == said


@pytest.mark.parametrize(
    ("answer", "language", "bare"),
    [("Yes.", "en", True), ("no", "ru", True), ("Нет!", "ru", True), ("不可以", "zh", True), ("may not", "en", False)],
)  # fmt: skip
def test_gold_answer_may_be_nothing_but_yes_or_no(answer: str, language: str, bare: bool) -> None:
    assert is_bare(answer, language) is bare


@pytest.mark.parametrize("language", ["en", "ru", "es", "id", "ko", "zh"])
def test_every_word_says_what_it_is_listed_for(language: str) -> None:
    listed = polarity._words(language)
    for said, words in listed.items():
        for word, _ in words:
            assert opening(f"{word.capitalize()}.", language) == said, word


@given(st.text(), st.sampled_from(["en", "zh", "", "xx"]))
def test_any_text_is_read(text: str, language: str) -> None:
    assert opening(text, language) in {"yes", "no", None}


def test_huge_text_is_read_in_time() -> None:
    started = time.perf_counter()
    for text in (" " * 1_000_000, "“" * 1_000_000, "no" + " " * 1_000_000 + "x", "No" + "*" * 1_000_000):
        opening(text, "zh")
    assert time.perf_counter() - started < 10
