from __future__ import annotations

import time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bot.evaluate.quoting import quotes

BADGE = "Guests may use the printer in the lobby only with a badge."
CHINESE = "员工每年有三十一天假期,不得转让。"


@pytest.mark.parametrize(
    ("text", "sentence", "is_quoted"),
    [
        (BADGE, BADGE, True),
        (f"The documents say:\n\n> {BADGE.upper()}", BADGE, True),
        ("Guests may use\nthe printer — in the *lobby* — only with a badge", BADGE, True),
        ("Guests may use the printer in the lobby", BADGE, False),
        ("Guests may not use the printer in the lobby only with a badge.", BADGE, False),
        ("Guests may use the printer in the hall only with a badge.", BADGE, False),
        ("may use the printer in the lobby only with a badge", BADGE, True),
        ("use the printer in the lobby only with a badge", BADGE, False),
        ("Backups of the service Pier are kept", "Backups of the service Pier are kept 35 days", False),
        ("Pages are printed by the new device", "Pages are printed by the new device LX200e.", False),
        ("Backups of the service Pier are kept in", "Backups of the service Pier are kept in Rome.", True),
        ("Backups of the service Pier are kept for", "Backups of the service Pier are kept for five.", False),
        ("the printer works at night", "Not the printer works at night.", False),
        ("文件说：“员工每年有三十一天假期，不得转让。”", CHINESE, True),
        ("每年有三十一天假期，不得转让", CHINESE, True),
        ("员工每年有三十一天假期", CHINESE, False),
        ("Принтер можно взять домой", "Принтер нельзя взять домой.", False),
        ("사무실은 오후 일곱 시에 닫습니다", "사무실은 오후 일곱 시에 닫습니다.", True),
        ("Anything at all.", "—", False),
        ("", BADGE, False),
    ],
    ids=[
        "whole", "another case", "broken over lines", "too little", "a denial put in", "another word",
        "without its first word", "without the word may", "figure cut", "code cut", "harmless end cut", "number word cut",
        "denial cut", "Chinese", "Chinese, end cut", "Chinese, denial cut", "Russian, opposite", "Korean",
        "sentence without words", "empty answer",
    ],
)  # fmt: skip
def test_quotation_is_verbatim_and_keeps_what_decides(text: str, sentence: str, is_quoted: bool) -> None:
    assert quotes(text, sentence) is is_quoted


words = st.lists(st.text(alphabet=st.characters(categories=["L", "N"]), min_size=1, max_size=8), max_size=30)


@given(words, st.text(max_size=40), st.text(max_size=40))
def test_every_sentence_is_quoted_by_itself_between_other_words(
    sentence: list[str], before: str, after: str
) -> None:
    said = " ".join(sentence)
    assert quotes(f"{before} {said} {after}", said) is bool(sentence)


@given(words)
@example(["々0㐀", "0"])  # four words without spaces, then a fifth one
def test_half_of_a_sentence_is_no_quotation(sentence: list[str]) -> None:
    spaced = [f"{number}x{word}" for number, word in enumerate(sentence)]
    assert not quotes(" ".join(spaced[: len(spaced) // 2]), " ".join(spaced))


@given(st.text(max_size=200), st.text(max_size=200))
def test_any_text_is_compared(text: str, sentence: str) -> None:
    assert quotes(text, sentence) in {True, False}


def test_huge_texts_are_compared_in_time() -> None:
    started = time.perf_counter()
    assert not quotes("no " * 100_000, "go " * 5_000)
    assert not quotes("a " * 100_000, "a " * 5_000 + "b " * 5_000)
    assert time.perf_counter() - started < 30
