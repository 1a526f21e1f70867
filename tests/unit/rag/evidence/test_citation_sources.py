"""Sentences without a marker get their source; a source names its section and the words that it quotes."""

import pytest
from hypothesis import given

from rag.evidence.citations import attach, verify
from rag.values import Passage, PassageId
from tests.support.cited_passages import ANSWERS, PASSAGES, SETUP, check, code_of, passage


def test_citation_names_its_passage_and_quotes_it_verbatim() -> None:
    (citation,) = verify("It runs on port 8080 [1].", PASSAGES).citations
    assert (citation.n, citation.document, citation.section) == (1, "setup.md", "Set-up > Java")
    assert citation.passage == SETUP.id
    assert citation.quote == "It runs on port 8080."


def test_quote_is_not_chosen_for_words_of_the_heading() -> None:
    text = (
        "Think Twice first reads the message. Then a model drafts an answer. "
        "It is evaluated. At most two corrections are made."
    )
    passage = Passage(PassageId("p"), "What Think Twice does", "How it answers", text)

    (citation,) = verify("Think Twice makes at most two corrections [1].", [passage], "en").citations

    assert "At most two corrections are made." in citation.quote


def test_quote_takes_two_sentences_when_the_claim_needs_both() -> None:
    (citation,) = verify("FxStore needs Java 17 and runs on port 8080 [1].", PASSAGES).citations
    assert citation.quote == "FxStore needs Java 17 or newer. It runs on port 8080."


def test_quote_of_an_endless_sentence_holds_the_fact() -> None:
    long = passage("long", "long.md", "word " * 200 + "the limit is 4711 items " + "word " * 200)
    (citation,) = verify("The limit is 4711 items [1].", [long]).citations
    assert "4711" in citation.quote
    assert len(citation.quote) <= 300
    assert citation.quote in long.text


def test_same_passage_under_two_numbers_is_one_source() -> None:
    cited = verify("FxStore needs Java 17 [1]. It runs on port 8080 [2].", [SETUP, SETUP])
    assert cited.text == "FxStore needs Java 17 [1]. It runs on port 8080 [1]."
    assert len(cited.citations) == 1


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(
            "FxStore needs Java 17 or newer. The team has 12 members! Bananas are yellow.",
            "FxStore needs Java 17 or newer [1]. The team has 12 members [2]! Bananas are yellow.",
            id="sentences",
        ),
        pytest.param("备份每 24 小时进行一次。", "备份每 24 小时进行一次[1]。", id="chinese"),
        pytest.param("FxStore требует Java 17.", "FxStore требует Java 17 [1].", id="across-languages"),
        pytest.param("- It runs on port 8080", "- It runs on port 8080 [1]", id="list"),
        pytest.param(
            "FxStore needs Java 17 or newer [1].", "FxStore needs Java 17 or newer [1].", id="cited-already"
        ),
        pytest.param("FxStore needs Java 11 or newer.", "FxStore needs Java 11 or newer.", id="wrong-fact"),
        pytest.param("Does FxStore need Java 17?", "Does FxStore need Java 17?", id="question"),
        pytest.param("# FxStore needs Java 17", "# FxStore needs Java 17", id="heading"),
        pytest.param("```\nIt runs on port 8080\n```", "```\nIt runs on port 8080\n```", id="code"),
        pytest.param("Банановое дерево.", "Банановое дерево.", id="nothing-in-common-across-languages"),
        pytest.param("Ему 17 лет.", "Ему 17 лет.", id="one-fact-across-languages-is-chance"),
    ],
)
def test_forgotten_markers_are_attached_where_the_passage_surely_carries(text: str, expected: str) -> None:
    cited = attach(text, PASSAGES)
    assert cited.text == expected


@pytest.mark.parametrize(
    ("asked", "text", "expected"),
    [
        pytest.param(
            "Who founded the team?",
            "As far as I know, it is John Smith.",
            "As far as I know, it is John Smith [1].",
            id="opening-claims-nothing",
        ),
        pytest.param(
            "How many members does the team have?",
            "Twelve people belong to it: 12.",
            "Twelve people belong to it: 12 [1].",
            id="fact-in-other-words-on-the-question",
        ),
        pytest.param(
            "How many islands does the archipelago have?",
            "Twelve people belong to it: 12.",
            "Twelve people belong to it: 12.",
            id="fact-in-other-words-beside-the-question",
        ),
        pytest.param("Команда из скольких человек?", "Из пяти.", "Из пяти [1].", id="bare-fact"),
    ],
)
def test_sentence_need_not_repeat_the_question_to_be_cited(asked: str, text: str, expected: str) -> None:
    assert attach(text, PASSAGES, asked=asked).text == expected


def test_of_two_passages_with_the_same_fact_the_one_on_the_question_is_cited() -> None:
    ports = (
        passage("web", "web.md", "The web server listens on port 8080."),
        passage("fx", "fx.md", "FxStore listens on port 8080."),
    )
    cited = attach("It is 8080.", ports, asked="On which port does FxStore listen?")
    assert [citation.passage for citation in cited.citations] == ["fx"]


@given(ANSWERS)
def test_attaching_only_adds_markers(text: str) -> None:
    cited = attach(text, PASSAGES)
    check(cited)
    assert code_of(cited.text) == code_of(text)


@pytest.mark.parametrize(
    ("text", "section"),
    [
        ("Every licence ends on May 3 [1].", "Licences"),
        ("Press the red button twice [1].", "Licences > Renewal"),
    ],
    ids=["introduction", "section itself"],
)
def test_source_names_the_section_in_which_its_words_stand(text: str, section: str) -> None:
    lead = "Every licence ends on May 3."
    introduced = Passage(
        PassageId("p"),
        "guide.md",
        "Licences > Renewal",
        f"{lead}\n\nPress the red button twice.",
        lead=len(lead),
        lead_section="Licences",
    )
    (citation,) = verify(text, [introduced]).citations
    assert citation.section == section


def test_words_that_are_not_found_stand_under_the_heading_of_the_passage() -> None:
    assert SETUP.section_of("something else") == "Set-up > Java"
