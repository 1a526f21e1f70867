from __future__ import annotations

import time

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from rag import checks
from rag.language.markdown import code_blocks, code_spans
from rag.values import FinishReason

_PHRASES = """
<think>¦</think>¦<think¦</question>¦<answer>¦<|im_end|>¦<|im_¦end|>¦[INST]¦</s>¦User: and?¦Assistant: so.
[1]¦[9]¦[1, 9]¦[2-7]¦[¦]¦(¦)¦**¦*¦`¦``¦```¦~~~¦[docs](¦[docs]()¦https://a.example/x
-_¦1._¦2._¦#_¦>_¦_¦_¦The server needs Java 17¦Сервер¦cервер¦сервер требует_¦需要¦の
[docs](https://a.b/c_to_do_¦[docs](x/y,_¦Open_the_file_now._Open_the_file_now._¦서버가_¦é¦word¦.¦!¦。¦:¦,¦…¦👍¦42¦3.5¦…)
"""
_PIECES = [
    *(phrase.replace("_", " ") for line in _PHRASES.strip().splitlines() for phrase in line.split("¦")),
    *("\n", "\n\n", "\n```\n", "| a |", "<|im_end|>", "\u200d", "\ufe0f", "\r", "\t", "\u2028"),
]
texts = st.lists(st.sampled_from(_PIECES), max_size=14).map("".join) | st.text(max_size=60)
languages = st.sampled_from(["en", "ru", "ko", "zh", "id", "es", "ja", "th", "xx", ""])
reasons: st.SearchStrategy[FinishReason] = st.sampled_from(["stop", "length", "other"])
counts = st.none() | st.integers(0, 3)
_FIGURE = regex.compile(r"\d+")
_ASIDE = regex.compile(r"think>|(?:user|question)[ \t*]*[:：]", regex.IGNORECASE)
_MARKER = regex.compile(r"[\[［【]\s*\d")
_STRAYS = (
    "не",
    "万",
    "3 万",
    "서버",
    "ни",
    "не 17",
    "需要",
    "の",
    "no",
    "not",
    "only",
    "17",
    "-3.5 %",
    "€ 20",
)
_ANSWERS = ("The port is", "open.", "Порт открыт", "Guests may enter", "端口", "서버가", "requests", "now.")
_FAULTS = ("**", "`", "[9]", "<|im_end|>", "</question>", "[docs](", "\n", "cервер")
claims = st.lists(st.sampled_from((*_STRAYS, *_ANSWERS, *_FAULTS)), min_size=1, max_size=12).map(" ".join)


@given(texts, languages, reasons, texts, counts)
def test_findings_lie_inside_the_text(
    text: str, language: str, reason: FinishReason, asked: str, count: int | None
) -> None:
    for finding in checks.run(
        text, language=language, finish_reason=reason, asked=asked, passage_count=count
    ):
        assert 0 <= finding.start <= finding.end <= len(text)
        assert str(finding.description)


@given(texts, languages, counts)
def test_repair_never_empties_an_answer(text: str, language: str, count: int | None) -> None:
    repaired = checks.repair(text, checks.run(text, language=language, passage_count=count))
    assert bool(repaired.strip()) == bool(text.strip())


@given(texts, languages)
def test_repair_never_changes_a_figure(text: str, language: str) -> None:
    findings = checks.run(text, language=language)
    repaired = checks.repair(text, findings)
    if any(finding.kind == "repetition" for finding in findings):
        return  # what is said over and over goes with its figures
    if not (_ASIDE.search(text) or _MARKER.search(text)):
        assert _FIGURE.findall(repaired) == _FIGURE.findall(text)


@given(claims, languages, counts)
def test_repair_keeps_every_word_figure_and_denial_in_its_place(
    text: str, language: str, count: int | None
) -> None:
    findings = checks.run(text, language=language, passage_count=count)
    if any(finding.kind == "repetition" for finding in findings):
        return  # said before, and kept there
    kept = [word for word in text.split() if word in " ".join((*_STRAYS, *_ANSWERS)).split()]
    if any(finding.kind == "leftover" for finding in findings):
        kept = list(dict.fromkeys(kept))  # without a delimiter between them, sentences may be repetitions
    rest = iter(checks.repair(text, findings).split())
    assert all(any(word.strip("…") == other.strip("…") for other in rest) for word in kept)


@pytest.mark.parametrize(
    "text",
    ["не 3 万 " * 2_000, "** " * 5_000, "[9] " * 3_000, "-1.5" * 5_000, "a'" * 5_000, "don't " * 2_000],
)
def test_a_huge_text_is_repaired_in_time(text: str) -> None:
    started = time.perf_counter()
    checks.repair(text, checks.run(text, language="en", passage_count=1))
    assert time.perf_counter() - started < 10


@given(texts, languages, counts)
def test_repair_leaves_code_alone(text: str, language: str, count: int | None) -> None:
    repaired = checks.repair(text, checks.run(text, language=language, passage_count=count))
    if "think>" in text or "User: " in text or regex.search(r"[^\s>`~][^\n]*(?:```|~~~)", text):
        # A model's thoughts and invented turns go with their code; what stood before a fence made it none.
        return
    for block in code_blocks(text):
        assert text[block.start : block.end].rstrip() in repaired
    for span in code_spans(text):
        assert text[span.start : span.end] in repaired
