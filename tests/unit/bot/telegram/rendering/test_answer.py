from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.telegram.rendering import LIMIT, draw_one
from bot.views.markdown import parse
from rag.reasons import as_written
from rag.values import Answer, Citation, Label, PassageId, Usage, Verdict
from tests.support.shown import answer_parts


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
        ("partly", "es", "◐ la respuesta está comprobada con los documentos; otras frases, no"),
        ("conversation", "ko", "↩ 문서가 아닌 지금까지의 대화에서 나온 답변"),
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
    citation = Citation(1, document, section, "words", PassageId("p"))
    (part,) = answer_parts(replace(answered("Yes."), citations=(citation,)), "en")
    assert part.text.endswith(f"\n[1] {shown}")


@given(st.text(min_size=1, max_size=300), st.integers(60, 4096))
def test_draft_is_one_message_whatever_was_written_so_far(text: str, limit: int) -> None:
    part = draw_one((*parse("Drafting …"), *parse(text)), limit=limit)
    assert units(part.text) <= limit
    assert part.text.startswith("Drafting")
