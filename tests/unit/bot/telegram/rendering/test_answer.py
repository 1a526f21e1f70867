from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.telegram.rendering import LIMIT, answer_parts, render_draft
from bot.telegram.rendering.answer import place
from bot.texts import TEXTS
from rag.reasons import as_written
from rag.values import Answer, Citation, Label, PassageId, Usage, Verdict


def units(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


def answered(text: str, citations: int = 2, label: Label = "verified") -> Answer:
    return Answer(
        question="?",
        text=text,
        label=label,
        language="en",
        verdict=Verdict("adequate", as_written(""), 1.0, "evidence"),
        citations=tuple(
            Citation(n, f"document-{n}", "Part", "words", PassageId(f"p{n}")) for n in range(1, citations + 1)
        ),
        passages=(),
        used_documents=True,
        retries=0,
        usage=Usage(),
        seconds=1.0,
        trace=(),
    )


def test_verified_answer_shows_text_label_and_numbered_sources(verified: Answer) -> None:
    (part,) = answer_parts(verified, "en")
    assert part.text == (
        "THINKTWICE_DATA_DIR sets it [1]; the model lies there too [2].\n"
        "\n"
        "✔ verified against the documents\n"
        "[1] Settings › Where data is kept: data_dir\n"
        "[2] models.md"
    )
    # The name of the file is code, because Telegram would make a link to a host in Moldova of it.
    assert [entity.type for entity in part.entities] == ["code", "bold", "italic", "code"]


@pytest.mark.parametrize(
    ("label", "language", "line"),
    [
        ("general", "ru", "· общий ответ, не из документов"),
        ("unverified", "en", "⚠ not verified: check it before you rely on it"),
        ("not_in_documents", "zh", "∅ 文档中没有"),
    ],
)
def test_answer_ends_with_what_its_label_means(label: Label, language: str, line: str) -> None:
    (part,) = answer_parts(answered("Yes.", 0, label), language)
    assert part.text == f"Yes.\n\n{line}"


@given(st.integers(0, 9000), st.integers(0, 12))
def test_label_and_sources_are_in_the_last_message_with_some_of_the_text(length: int, citations: int) -> None:
    found = answer_parts(answered("слово " * (length // 6 + 1), citations), "en")
    assert all(units(part.text) <= LIMIT for part in found)
    text, _, tail = found[-1].text.partition("\n\n")
    assert text.startswith("слово")
    assert tail.startswith("✔")
    assert tail.count("document-") == citations
    assert sum(part.text.count("слово") for part in found) == length // 6 + 1


def test_more_sources_than_a_message_holds_are_all_listed() -> None:
    found = answer_parts(answered("Yes.", 30), "en", limit=300)
    assert sum(part.text.count("document-") for part in found) == 30
    assert all(units(part.text) <= 300 for part in found)


def test_name_of_a_source_can_neither_hide_nor_link_nor_fill_the_message(verified: Answer) -> None:
    citation = replace(
        verified.citations[0], document="in\u202evoice\u200b evil.com", section="x" * 500 + "\n> more"
    )
    (part,) = answer_parts(replace(verified, citations=(citation,)), "en")
    last = part.text.splitlines()[-1]
    assert last.startswith("[1] invoice evil.com › xxx")
    assert last.endswith("…")
    assert len(last) < 100
    assert part.entities[-1].type == "code"


@pytest.mark.parametrize(
    ("document", "section", "shown"),
    [
        ("Settings", "Settings > Data > Folder", "Settings › Data › Folder"),
        ("a.md", "Part", "a.md › Part"),
        ("a.md", "", "a.md"),
        ("Settings", "Settings", "Settings"),
    ],
)
def test_source_is_named_once(document: str, section: str, shown: str) -> None:
    assert place(document, section) == shown


def test_empty_answer_still_has_its_label() -> None:
    (part,) = answer_parts(answered("", 0, "unverified"), "en")
    assert part.text.startswith("⚠")


@pytest.mark.parametrize("language", TEXTS.languages)
def test_draft_says_first_that_it_is_not_checked(language: str) -> None:
    part = render_draft("The **port** is `80", language)
    note, _, text = part.text.partition("\n\n")
    assert note == TEXTS.text("not-checked-yet", language)
    assert text == "The port is `80"
    assert [entity.type for entity in part.entities] == ["italic", "bold"]


@given(st.text(max_size=300), st.integers(60, 4096))
def test_draft_is_one_message_whatever_was_written_so_far(text: str, limit: int) -> None:
    part = render_draft(text, "en", limit=limit)
    assert units(part.text) <= limit
    assert part.text.startswith("⏳")


def test_draft_too_long_for_a_message_is_visibly_cut() -> None:
    part = render_draft("word " * 2000, "en")
    assert part.text.endswith("word …")
    assert units(part.text) > 4000


@pytest.mark.parametrize(
    "text", ["字" * 5000, "`a` " * 120], ids=["one long word", "more formats than a message has"]
)
def test_draft_cut_in_a_bad_place_still_shows_most_of_it(text: str) -> None:
    part = render_draft(text, "en")
    assert part.text.endswith(" …")
    assert part.text.count(text[0]) > 4000 or len(part.entities) == 100
