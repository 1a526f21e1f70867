"""A folder of messy files is read: the sentences that answer are whole, and what nobody sees is left out."""

from __future__ import annotations

import pytest

from rag.knowledge.documents import Document
from rag.knowledge.reading import DocumentReader
from rag.knowledge.sources import discover
from rag.settings import Knowledge
from tests.field.messy_folder import read_questions, write_folder


@pytest.fixture(scope="module")
def documents(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Document]:
    folder = tmp_path_factory.mktemp("messy")
    write_folder(folder)
    with DocumentReader(Knowledge()) as reader:
        found = [reader.read(source).documents[0] for source in discover([folder / "docs"]).sources]
    return {document.key: document for document in found}


def in_one_line(text: str) -> str:
    return " ".join(text.replace("**", "").split())


@pytest.mark.parametrize("row", read_questions(), ids=lambda row: f"{row['language']} {row['question']}")
def test_what_answers_is_read_whole(row: dict[str, str], documents: dict[str, Document]) -> None:
    pieces = row["sentence"].split(" … ")
    texts = [in_one_line(section.text) for section in documents[row["file"]].sections]
    assert any(all(piece in text for piece in pieces) for text in texts)


@pytest.mark.parametrize(
    ("file", "wrong"),
    [
        pytest.param("PA-07 achats v3 FINAL.docx", "M. Roux", id="struck out"),
        pytest.param("PA-07 achats v3 FINAL.docx", "45 jours", id="deleted"),
        pytest.param("Protokoll 2026-04.odt", "Städdagen", id="a deletion that was kept"),
        pytest.param("Protokoll 2026-04.odt", "kolla med jouren", id="a comment"),
        pytest.param("assistenza.html", "65", id="an old price"),
        pytest.param("assistenza.html", "cookie-banner", id="marks"),
        pytest.param("инструкция охрана.htm", "три дня", id="struck out in HTML"),
        pytest.param("Onboarding neue Leute.md", "Petra", id="a comment of Obsidian"),
        pytest.param("Onboarding neue Leute.md", "schluessel", id="the name of a block"),
        pytest.param("Onboarding neue Leute.md", "[^1]", id="the mark of a note"),
        pytest.param("Manual do pomar.epub", "gema1", id="the number of a note"),
        pytest.param("Betriebsanleitung K-Serie.pdf", "Seite 1 4", id="a foot and a heading"),
        pytest.param("Budget 2026.xlsx", "Workshop Workshop", id="a name over two rows"),
        pytest.param("Lease Unit 7 (signed, scanned).pdf", "quarter Lift", id="two rows of a list"),
    ],
)
def test_what_nobody_reads_there_is_not_read(file: str, wrong: str, documents: dict[str, Document]) -> None:
    assert not any(wrong in section.text for section in documents[file].sections)


def test_program_that_gives_no_title_names_no_document(documents: dict[str, Document]) -> None:
    assert documents["Betriebsanleitung K-Serie.pdf"].title == "Betriebsanleitung K Serie"
