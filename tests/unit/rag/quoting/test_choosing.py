from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from rag.quoting import choose, shorten, widen
from rag.values import Passage, PassageId, Place

LEAVE = Passage(
    PassageId("leave"),
    "leave.md",
    "Leave",
    "# Leave\n\nEvery employee has 27 days of leave. Inês Falcão approves it. Half days are for Fridays.",
)
HEADER = "| product | price (EUR) |"
TABLE = Passage(
    PassageId("table"), "prices.csv", "", f"{HEADER}\n| --- | --- |\n| Red valve | 17.20 |\n| Hose | 48.00 |"
)
LIST = Passage(PassageId("list"), "steps.md", "", "To start:\n\n- Plug it in.\n- Press the red button.")


def place(passage: Passage, words: str, covers: float = 0.9) -> Place:
    start = passage.text.index(words)
    return Place(passage.id, start, start + len(words), covers)


def test_sentence_in_which_the_answer_stands_is_quoted() -> None:
    (one,) = choose([LEAVE], [place(LEAVE, "Inês Falcão")], 2)
    assert one.sentence == "Inês Falcão approves it."
    assert one.text == LEAVE.text.removeprefix("# Leave\n\n")
    assert one.words == "Inês Falcão"


def test_answer_over_two_sentences_is_quoted_whole() -> None:
    (one,) = choose([LEAVE], [place(LEAVE, "approves it. Half days")], 1)
    assert one.text.endswith("approves it. Half days are for Fridays.")


def test_words_of_a_heading_quote_the_sentence_below_it() -> None:
    (one,) = choose([LEAVE], [place(LEAVE, "Leave")], 1)
    assert one.sentence == "Every employee has 27 days of leave."


def test_row_is_quoted_with_the_header_of_its_table() -> None:
    (one,) = choose([TABLE], [place(TABLE, "48.00")], 1)
    assert (one.lead, one.text) == ("", TABLE.text)
    assert one.said == f"{HEADER}\n| Hose | 48.00 |"


def test_further_number_of_a_list_is_quoted_alone_and_the_first_one_with_all() -> None:
    rules = [f"{number}. Rule {number} is about the garden." for number in range(1, 9)]
    passage = Passage(PassageId("rules"), "rules.md", "", "\n".join(rules))
    (further,) = choose([passage], [place(passage, "Rule 3")], 1)
    assert shorten(further).text == rules[2]
    (first,) = choose([passage], [place(passage, "Rule 1")], 1)
    assert shorten(first).text == passage.text


def test_quotation_is_widened_by_what_stands_around_its_block() -> None:
    sentences = [f"Sentence {number} says something about the garden." for number in range(20)]
    text = "\n\n".join(sentences)
    passage = Passage(PassageId("garden"), "garden.md", "", text)
    (one,) = choose([passage], [place(passage, "Sentence 10")], 1)
    assert one.text == sentences[10]
    wide = widen(one)
    assert 300 < len(wide.text) <= 600
    assert one.text in wide.text


def test_item_is_quoted_with_the_line_that_introduces_its_list() -> None:
    (one,) = choose([LIST], [place(LIST, "red button")], 1)
    assert "To start:" in one.said
    assert "Press the red button." in one.said


def test_likeliest_passages_come_first_and_no_more_than_wanted() -> None:
    places = [place(LEAVE, "27 days", 0.3), place(TABLE, "17.20", 0.9), place(LIST, "Plug", 0.5)]
    assert [one.passage for one in choose([LEAVE, TABLE, LIST], places, 2)] == [TABLE, LIST]


def test_same_words_in_two_passages_are_quoted_once() -> None:
    copy = Passage(PassageId("copy"), "copy.md", "", LEAVE.text)
    places = [place(LEAVE, "27 days"), place(copy, "27 days", 0.8)]
    assert len(choose([LEAVE, copy], places, 2)) == 1


def test_passage_that_is_not_at_hand_is_not_quoted() -> None:
    assert choose([TABLE], [place(LEAVE, "27 days")], 2) == ()


@given(
    st.one_of(
        st.text(max_size=200),
        st.lists(st.sampled_from(["# A", "b.", "| c |", "- d", "", "E?"])).map("\n".join),
    ),
    st.integers(0, 200),
    st.integers(0, 60),
)
def test_quotation_stands_in_its_passage_word_for_word(text: str, start: int, length: int) -> None:
    passage = Passage(PassageId("any"), "any.md", "", text)
    start = min(start, len(text))
    where = Place(passage.id, start, min(start + length, len(text)), 0.9)
    for one in choose([passage], [where], 1):
        assert one.text == text[one.start : one.end] != ""
        assert one.words in text
