from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.language.scripts import SCRIPTS, dominant_script, prose, script_runs, script_shares


@pytest.mark.parametrize(
    ("text", "script"),
    [
        ("What does it need?", "Latin"),
        ("¿Qué versión?", "Latin"),
        ("Что нужно?", "Cyrillic"),
        ("需要什么？", "Han"),
        ("何が必要ですか", "Japanese"),
        ("ラーメンとカレー", "Japanese"),
        ("무엇이 필요합니까?", "Hangul"),
        ("ต้องการอะไร", "Thai"),
        ("ماذا يحتاج؟", "Arabic"),
        ("מה צריך?", "Hebrew"),
        ("τι χρειάζεται", "Greek"),
        ("क्या चाहिए", "Devanagari"),
        ("ራስ", "Ethiopic"),
        ("ᚠᚢᚦ", "Other"),
        ("42 – 17 %", ""),
        ("👍🏽 🙂", ""),
        ("5 µ", ""),
        ("", ""),
    ],
)
def test_dominant_script(text: str, script: str) -> None:
    assert dominant_script(text) == script


def test_shares_are_counted_over_letters_only() -> None:
    # 6 Latin letters, 2 Cyrillic ones; digits and punctuation do not count
    assert script_shares("React 17, 2.0: Я и v") == {"Latin": 0.75, "Cyrillic": 0.25}


def test_a_chinese_text_that_quotes_one_japanese_word_stays_chinese() -> None:
    assert dominant_script("这个词在日语里写作の，意思是表示所属关系的助词，用法很多") == "Han"


def test_the_long_vowel_mark_belongs_to_kana() -> None:
    assert [run.script for run in script_runs("サーバー")] == ["Katakana"]


def test_vowel_signs_do_not_break_a_word() -> None:
    assert [(run.start, run.end) for run in script_runs("नमस्ते")] == [(0, 6)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("run `pip install x` теперь", "run                 теперь", id="inline-code"),
        pytest.param("a\n```sh\nls\n```\nb", "a\n     \n  \n   \nb", id="block"),
        pytest.param(
            "см. https://a.example/x?y=1.", "см.                        .", id="address-before-full-stop"
        ),
        pytest.param("看https://a.cn/b这里", "看              这里", id="address-before-chinese"),
        pytest.param("mail ops@team.example now", "mail                  now", id="e-mail"),
        pytest.param("see docs.python.org/3 now", "see                   now", id="bare-address"),
        pytest.param("File.read and end. Next", "File.read and end. Next", id="a-dot-is-no-address"),
    ],
)
def test_prose_blanks_code_and_addresses(text: str, expected: str) -> None:
    assert prose(text) == expected


@given(st.text())
def test_prose_keeps_every_offset(text: str) -> None:
    plain = prose(text)
    assert len(plain) == len(text)
    assert all(after in (before, " ") for before, after in zip(text, plain, strict=True))


@given(st.text())
def test_runs_are_in_order_and_shares_sum_to_one(text: str) -> None:
    position = 0
    for run in script_runs(text):
        assert position <= run.start < run.end <= len(text)
        assert run.script in {*SCRIPTS, "Other"}
        position = run.end
    shares = script_shares(text)
    assert not shares or sum(shares.values()) == pytest.approx(1.0)
