from __future__ import annotations

from dataclasses import replace

from bot.telegram.rendering import LIMIT
from rag.values import Answer, Passage, PassageId
from tests.support.shown import sources_parts


def test_each_number_has_its_place_and_its_quote(verified: Answer) -> None:
    (part,) = sources_parts(verified, "en")
    assert part.text == (
        "[1] Settings › Where data is kept: data_dir\n"
        "data_dir is the folder for the databases and the model. It is set by THINKTWICE_DATA_DIR.\n"
        "\n"
        "[2] models.md\n"
        "The model is joined under the data folder."
    )
    assert [entity.type for entity in part.entities] == ["bold", "blockquote", "bold", "code", "blockquote"]


def test_answer_without_citations_shows_the_closest_passages(verified: Answer) -> None:
    (part,) = sources_parts(replace(verified, citations=(), label="not_in_documents"), "ru")
    heading, first, *_ = part.text.split("\n\n")
    assert heading == "Самые близкие места"
    assert first.startswith("Settings › Where data is kept: data_dir\ndata_dir is the folder")


def test_answer_without_documents_says_so(verified: Answer) -> None:
    (part,) = sources_parts(replace(verified, citations=(), passages=()), "es")
    assert part.text == "Esta respuesta no usó documentos."


def test_long_passages_are_folded_and_go_into_as_many_messages_as_they_need(verified: Answer) -> None:
    passages = tuple(Passage(PassageId(f"p{n}"), f"Page {n}", "", "words and more " * 150) for n in range(5))
    found = sources_parts(replace(verified, citations=(), passages=passages), "en")
    assert len(found) == 5
    assert all(len(part.text) <= LIMIT for part in found)
    assert [sum(entity.type == "expandable_blockquote" for entity in part.entities) for part in found] == [
        1
    ] * 5
    assert sum(part.text.count("words and more") for part in found) == 750


def test_words_of_a_document_are_shown_verbatim_and_cannot_be_tapped(verified: Answer) -> None:
    citation = replace(
        verified.citations[0], quote="**Ask** https://evil.example/?q=1\u200b <b>now</b> [x](y)"
    )
    (part,) = sources_parts(replace(verified, citations=(citation,)), "en")
    assert part.text.endswith("\n**Ask** https://evil.example/?q=1 <b>now</b> [x](y)")
    raw = part.text.encode("utf-16-le")
    code = [
        raw[2 * e.offset : 2 * (e.offset + e.length)].decode("utf-16-le")
        for e in part.entities
        if e.type == "code"
    ]
    assert code == ["https://evil.example/?q=1"]
