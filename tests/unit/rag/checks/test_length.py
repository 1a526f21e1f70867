from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag import checks
from rag.checks.length import measure


def _short(text: str, asked: str = "") -> list[str]:
    found = checks.run(text, language="", asked=asked)
    return [text[f.start : f.end] for f in found if f.kind == "short_section" and f.severity == "complex"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("It needs Java 17.", 4.0),
        ("src/main.py, max_retries and don't", 4.0),
        ("需要重新启动服务器后", 6.0),  # 10 characters of 0.6 words
        ("서버를 다시 시작하세요.", 3.0),
        ("", 0.0),
        ("— …", 0.0),
    ],
)
def test_length_is_counted_in_words_of_any_script(text: str, words: float) -> None:
    assert measure(text) == pytest.approx(words)


@given(st.text(), st.text())
def test_more_text_is_never_shorter(text: str, more: str) -> None:
    assert measure(f"{text}\n{more}") >= max(measure(text), measure(more)) - 1e-9


@pytest.mark.parametrize(
    "asked",
    [
        "Explain how webhooks work",
        "Объясни, как работает вебхук",
        "웹훅을 자세히 설명해 주세요",
        "请详细解释 Webhook",
        "Jelaskan cara kerja webhook",
        "Explícame cómo funciona el webhook",
    ],
)
def test_a_word_where_an_explanation_was_asked_for_is_flagged(asked: str) -> None:
    assert _short("Webhook 17.", asked) == ["Webhook 17."]


@pytest.mark.parametrize(
    "asked",
    [
        "Which Java does it need?",
        "Explain it in one word",
        "Объясни одним словом",
        "한 단어로 설명해 주세요",
        "请用一个词解释",
        "Jelaskan dalam satu kata",
        "Explícalo en una palabra",
    ],
)
def test_a_word_is_enough_where_no_more_was_asked_for(asked: str) -> None:
    assert _short("Webhook 17.", asked) == []


def test_a_heading_with_nothing_under_it_is_flagged() -> None:
    text = "# Set-up\n\n# Use\n\nWrite to the bot and wait."
    assert _short(text) == ["# Set-up\n\n"]


def test_a_heading_over_headings_or_code_is_no_empty_section() -> None:
    assert (
        _short("# Use\n\n## Groups\n\nMention it in a group.\n\n# Run\n```\nx\n```\n# End\n\nThat is all.")
        == []
    )
