from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag import checks
from rag.values import Finding, FinishReason


def _found(text: str, finish_reason: FinishReason = "stop", asked: str = "") -> tuple[Finding, ...]:
    return checks.run(text, language="", finish_reason=finish_reason, asked=asked)


@pytest.mark.parametrize(
    ("text", "mended"),
    [
        pytest.param(
            "First log in. Open the file now. Open the file now. Open the file now. Open the fi",
            "First log in. Open the file now.",
            id="a sentence",
        ),
        pytest.param(
            "Log in.\n1. Open the menu and wait\n2. Open the menu and wait\n3. Open the menu and wait\n4. Open",
            "Log in.\n1. Open the menu and wait",
            id="a list whose numbers go on",
        ),
        pytest.param(
            "Нажмите кнопку. Введите пароль. Нажмите кнопку. Введите пароль. Нажмите кнопку. Введите пароль. Нажм",
            "Нажмите кнопку. Введите пароль.",
            id="two sentences in turn",
        ),
        pytest.param("服务器需要重新启动。" * 5 + "服务器", "服务器需要重新启动。", id="Chinese"),
        pytest.param(
            "서버를 다시 시작해야 합니다. " * 4 + "끝.", "서버를 다시 시작해야 합니다. 끝.", id="Korean"
        ),
        pytest.param("Server harus dinyalakan ulang.\n" * 6, "Server harus dinyalakan ulang.", id="lines"),
        pytest.param("Run `make all` now. " * 5, "Run `make all` now.", id="code in the line"),
        pytest.param("Es " + "muy " * 12 + "bueno.", "Es muy bueno.", id="a word"),
        pytest.param(
            "Save the file. Open the file. Open the file. Open the file. Open the file.",
            "Save the file. Open the file.",
            id="what stands before sounds like its end",
        ),
    ],
)
@pytest.mark.parametrize("reason", ["stop", "length"])
def test_a_loop_is_cut_to_its_first_round(text: str, mended: str, reason: FinishReason) -> None:
    if mended.endswith(("끝.", "bueno.")):
        reason = "stop"
    findings = _found(text, reason)
    assert {(found.kind, found.severity) for found in findings} == {("repetition", "fixable")}
    assert checks.repair(text, findings) == mended


def test_a_loop_inside_a_sentence_that_never_ends_is_written_again() -> None:
    text = "It is the best" + " of the best" * 40
    (finding,) = [found for found in _found(text, "length") if found.kind == "repetition"]
    assert finding.severity == "critical"


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("No, no, no.", id="three times no"),
        pytest.param("哈哈哈哈哈", id="laughter"),
        pytest.param("Restart it. Restart it.", id="twice"),
        pytest.param("Press Enter, press Enter, press Enter.", id="three times in a sentence"),
        pytest.param("Linux, macOS, BSD: not supported, not supported, not supported.", id="a row of values"),
        pytest.param("点击确定，点击确定，点击确定。", id="three times in a Chinese sentence"),
        pytest.param(
            "- Mon: 9:00–17:00\n- Tue: 9:00–17:00\n- Wed: 9:00–17:00\n- Thu: 9:00–17:00", id="hours"
        ),
        pytest.param("| a | b |\n| - | - |\n" + "| not known yet | no |\n" * 5, id="table"),
        pytest.param("```\n" + "make the same thing again\n" * 5 + "```", id="code block"),
        pytest.param(
            "Run this in the shell:\n```\nx\n```\n" * 4 + "Done.", id="code blocks under one lead-in"
        ),
        pytest.param("1000 1000 1000 1000 1000 1000 1000 1000 1000", id="figures"),
    ],
)
def test_what_comes_again_for_a_reason_is_no_loop(text: str) -> None:
    assert [found for found in _found(text) if found.kind == "repetition"] == []


def test_repetition_that_was_asked_for_is_none() -> None:
    text = "I must not talk in class. " * 5
    assert _found(text)
    assert _found(text, asked="Write “I must not talk in class” five times") == ()


WORDS = ["the", "server", "needs", "a", "new", "key", "and", "waits", "服务", "器", "перед"]
sentences = st.lists(st.sampled_from(WORDS), min_size=4, max_size=9, unique=True)


@given(sentences, st.integers(4, 12), st.integers(0, 30))
def test_however_often_a_sentence_comes_it_is_kept_once_and_mending_is_idempotent(
    words: list[str], rounds: int, cut: int
) -> None:
    sentence = f"{' '.join(words).capitalize()}. "
    text = (sentence * rounds)[: len(sentence) * rounds - min(cut, len(sentence) - 1)]
    mended = checks.repair(text, _found(text, "length"))
    assert len(mended) <= 2 * len(sentence)
    again = _found(mended)
    assert [found for found in again if found.kind == "repetition"] == []
    assert checks.repair(mended, again) == mended


@given(st.text(max_size=300), st.integers(1, 20))
def test_any_text_can_be_read(text: str, rounds: int) -> None:
    repeated = text * rounds
    for found in _found(repeated):
        assert 0 <= found.start <= found.end <= len(repeated)


def test_loop_that_counts_its_citations_up_is_cut_to_the_first_round() -> None:
    said = " ".join(f"[{n}] The library closes at nine on weekdays." for n in range(1, 6))
    findings = checks.run(said, language="en", passage_count=5)
    assert checks.repair(said, findings) == "[1] The library closes at nine on weekdays."
    assert checks.run(said, language="en") == (), "without citations the numbers are figures of its own"
