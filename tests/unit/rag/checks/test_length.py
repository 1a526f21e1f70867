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


@pytest.mark.parametrize(
    "asked",
    [
        "How do I switch it on?",
        "Why was it switched off?",
        "Как мне включить вебхук?",
        "Как правильно настроить вебхук?",
        "Почему он выключен?",
        "웹훅은 어떻게 켜나요?",
        "왜 꺼졌나요?",
        "如何启用 Webhook？",
        "为什么关闭了？",
        "Bagaimana cara menyalakannya?",
        "Mengapa dimatikan?",
        "¿Cómo puedo activarlo?",
        "¿Por qué está apagado?",
    ],
)
def test_a_way_or_a_reason_takes_more_than_a_name(asked: str) -> None:
    assert _short("Webhook 17.", asked) == ["Webhook 17."]
    assert _short("Restart the server twice.", asked) == []
    assert _short("Run `make`.", asked) == []
    assert _short("https://docs.example.com/set-up", asked) == []


@pytest.mark.parametrize(
    ("asked", "text"),
    [
        ("How many seats are there?", "42."),
        ("How long does it take?", "Two days."),
        ("Is it open on Sunday?", "No."),
        ("Как называется сервер?", "Алтай."),
        ("Как часто менять пароль?", "Раз в квартал."),
        ("전화번호가 어떻게 되나요?", "1588."),
        ("怎么称呼他？", "王老师。"),
        ("Berapa lama?", "Dua hari."),
        ("¿Cómo se llama el servidor?", "Altai."),
    ],
)
def test_a_figure_a_name_or_a_no_is_an_answer(asked: str, text: str) -> None:
    assert _short(text, asked) == []


@pytest.mark.parametrize(
    ("text", "short"),
    [
        ("# Set-up\n\n# Use\n\nWrite to the bot and wait.", ["# Set-up\n\n"]),
        ("# Set-up\n\nWrite to the bot and wait for it.\n\n# Use\n\n…", ["# Use\n\n…"]),
        ("# Use\n\n## Groups\n\nMention it in a group.\n\n# Run\n```\nx\n```\n# End\n\nThat is all.", []),
    ],
    ids=["nothing under a heading", "the last section", "headings or code under a heading"],
)
def test_section_with_nothing_in_it_is_flagged(text: str, short: list[str]) -> None:
    assert _short(text) == short


def test_a_section_is_short_by_what_was_asked() -> None:
    text = "# Java\n\nVersion 17.\n\n# Port\n\n8080."
    assert _short(text, "Which Java and which port?") == []
    assert _short(text, "Explain step by step what it needs") == [
        "# Java\n\nVersion 17.\n\n",
        "# Port\n\n8080.",
    ]
    assert _short("# 安装\n\n重启。\n\n# 使用\n\n请先登录网站，然后点击右上角的按钮。", "请详细解释步骤") == [
        "# 安装\n\n重启。\n\n"
    ]
