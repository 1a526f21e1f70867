from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.pairs import marked, with_holder
from rag.language.sentences import sentences
from rag.values import Passage, PassageId

JAVA = Passage(PassageId("1"), "Pier", "", "The service Pier needs Java 17.", source="pier")
PORT = Passage(PassageId("2"), "Pier", "", "The port of Pier is 8443.", source="pier")
LEAVE = Passage(PassageId("3"), "Leave", "", "Every employee has 17 days of leave.", source="leave")
QUESTION = "Which Java does Pier need?"


@pytest.mark.parametrize(
    ("found", "document", "text", "holder"),
    [
        ([LEAVE, PORT, JAVA], [JAVA, PORT], "17", JAVA),  # of another document's 17 the pair says nothing
        ([LEAVE, PORT, JAVA], [JAVA, PORT], "8443", PORT),
        ([LEAVE, PORT], [JAVA, PORT], "17", JAVA),
        ([], [JAVA, PORT], "Pier needs a newer Java.", JAVA),
        ([LEAVE, JAVA], [], "Java 17", JAVA),
        ([PORT, JAVA], [JAVA, PORT], "No.", JAVA),  # nothing to go by but the question
    ],
    ids=["found", "other chunk", "put in", "in other words", "no document named", "only the question tells"],
)
def test_passage_that_holds_the_text_is_among_those_that_are_shown(
    found: list[Passage], document: list[Passage], text: str, holder: Passage
) -> None:
    shown, number = with_holder(found, document, QUESTION, text)
    assert shown[number - 1] == holder
    assert shown[: len(found)] == tuple(found)
    assert len(shown) == len(found) + (holder not in found)


def test_where_there_is_no_passage_there_is_none_to_cite() -> None:
    assert with_holder([], [], QUESTION, "17") == ((), 0)
    assert marked("Java 17.", 0) == "Java 17."


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("Java 17", "Java 17 [2]"),
        ("It needs Java 17. Its port is 8443.\n", "It needs Java 17. [2] Its port is 8443. [2]\n"),
        ("港口是8443。需要Java。", "港口是8443。 [2]需要Java。 [2]"),
    ],
    ids=["words", "sentences", "no spaces"],
)
def test_every_sentence_cites_the_passage(text: str, written: str) -> None:
    assert marked(text, 2) == written


@given(st.text(max_size=200))
def test_markers_take_nothing_from_a_text(text: str) -> None:
    written = marked(text, 7)
    assert written.count(" [7]") == text.count(" [7]") + len(sentences(text))
    if "[7]" not in text:
        assert written.replace(" [7]", "") == text
