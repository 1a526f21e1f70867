"""Answers that quote: which sentence goes out, and how far it is known to answer."""

from __future__ import annotations

from typing import Any

import pytest

from rag.errors import ModelUnavailableError
from rag.knowledge.search import SearchResult
from rag.loop.quotation import decide, is_closed
from rag.quoting import CarryingSentence, Choice
from rag.steps.classify import classify
from rag.values import Passage, PassageId, PassageReading, Question
from tests.support.loop import MemoryCorpus, SpanishCorpus, engine, purposes, scripted

MILAN = Passage(PassageId("p1"), "leave.md", "Leave", "Marco Rossi approves leave for the Milan office.")
DESK = Passage(PassageId("p2"), "desk.md", "Desk", "The desk is open from nine to five.")
ASKED = classify(Question("Who approves leave in Milan?"))


def choice(carried: float) -> Choice:
    sentences = tuple(
        CarryingSentence(passage, passage.text, 0, len(passage.text), "", score)
        for passage, score in ((MILAN, carried), (DESK, 0.1))
    )
    return Choice(sentences, carried)


def reading(text: str, passage: Passage = MILAN) -> PassageReading:
    return PassageReading(passage.id, text)


@pytest.mark.parametrize(
    ("carried", "readings", "finding"),
    [
        pytest.param(0.7, [reading("Marco Rossi")], "stated", id="the reading stands in the likeliest sentence"),
        pytest.param(0.3, [reading("Marco Rossi")], "possible", id="it does, but little of the question does"),
        pytest.param(0.7, [reading("Anna Weber")], "possible", id="the reading stands in no likely sentence"),
        pytest.param(0.05, [reading("the Milan office")], "possible", id="something was read: nobody says it is absent"),
        pytest.param(0.05, [reading("Anna Weber")], "absent", id="what was read does not stand in the passage"),
        pytest.param(0.7, [reading("leave in Milan")], "possible", id="the reading only repeats the question"),
        pytest.param(0.3, [reading("")], "absent", id="the passage does not say it"),
        pytest.param(0.7, [reading("")], "possible", id="it does not, but the sentence carries the question"),
        pytest.param(0.95, [], "stated", id="the sentence alone leaves no doubt"),
        pytest.param(0.5, [], "possible", id="nobody may read"),
        pytest.param(0.1, [], "absent", id="nobody may read, and hardly a word of the question is there"),
    ],
)  # fmt: skip
def test_finding_follows_from_sentence_and_readings(
    carried: float, readings: list[PassageReading], finding: str
) -> None:
    assert decide(choice(carried), readings, ASKED).finding == finding


def test_sentence_about_a_sibling_is_never_stated() -> None:
    asked = classify(Question("Who approves leave in Turin?"))
    assert decide(choice(0.95), [reading("Marco Rossi")], asked).finding == "possible"


def test_reading_confirms_no_sentence_that_is_unlikely_beside_the_best_one() -> None:
    assert decide(choice(0.7), [reading("from nine to five", DESK)], ASKED).finding == "possible"


@pytest.mark.parametrize(
    ("question", "readings", "finding"),
    [
        ("Кто согласует отпуск в Милане?", [], "possible"),
        ("谁批准米兰的休假？", [], "possible"),
        ("Кто согласует отпуск в Милане?", [reading("")], "absent"),
        ("¿Quién aprueba las vacaciones en Milán?", [], "possible"),
        ("Who pays for the new coffee machine?", [], "absent"),
    ],
)
def test_sentence_in_another_language_is_not_absent_for_lack_of_common_words(
    question: str, readings: list[PassageReading], finding: str
) -> None:
    assert decide(choice(0.05), readings, classify(Question(question))).finding == finding


@pytest.mark.parametrize(
    ("question", "text", "finding"),
    [
        ("When is the monthly report due?", "The yearly report is due on 31 January.", "possible"),
        ("Is the weekly report due on 31 January?", "The yearly report is due on 31 January.", "possible"),
        ("¿Cuánto cuesta el torno para no socios?", "El torno para socios cuesta 6 euros.", "possible"),
        ("¿Cuánto cuesta el torno para socios?", "El torno para socios cuesta 6 euros.", "stated"),
    ],
)
def test_sentence_about_another_kind_of_the_same_thing_is_not_certain(
    question: str, text: str, finding: str
) -> None:
    passage = Passage(PassageId("p3"), "a.md", "", text)
    sentence = CarryingSentence(passage, text, 0, len(text), "", 0.97)
    assert decide(Choice((sentence,), 0.97), [], classify(Question(question))).finding == finding


@pytest.mark.parametrize(
    ("question", "finding"),
    [
        ("How many minutes does a private lesson last?", "possible"),
        ("What time does a private lesson begin?", "possible"),
        ("How much does a private lesson cost?", "stated"),
    ],
)
def test_reading_of_another_kind_than_asked_for_confirms_nothing(question: str, finding: str) -> None:
    passage = Passage(PassageId("p3"), "fees.md", "", "A private lesson is 30 euros.")
    sentence = CarryingSentence(passage, passage.text, 0, len(passage.text), "", 0.8)
    asked = classify(Question(question))
    assert decide(Choice((sentence,), 0.8), [reading("30", passage)], asked).finding == finding


@pytest.mark.parametrize(
    ("question", "finding"),
    [
        ("How much did the four-lesson card cost?", "possible"),
        ("Who sells the card, and how much does it cost?", "stated"),
        ("How many lessons are on the card?", "stated"),
    ],
)
def test_sentence_without_an_amount_is_certain_for_no_question_about_one(question: str, finding: str) -> None:
    passage = Passage(PassageId("p3"), "fees.md", "", "The card is good for 4 lessons.")
    sentence = CarryingSentence(passage, passage.text, 0, len(passage.text), "", 0.97)
    assert decide(Choice((sentence,), 0.97), [], classify(Question(question))).finding == finding


@pytest.mark.parametrize(
    ("text", "finding"),
    [("May I smoke? The kitchen is on floor 2.", "possible"), ("May I smoke? No, never.", "stated")],
)
def test_question_of_a_passage_is_certain_only_with_its_yes_or_no(text: str, finding: str) -> None:
    passage = Passage(PassageId("p3"), "faq.md", "", text)
    sentence = CarryingSentence(passage, text, 0, len(text), "", 0.97)
    asked = classify(Question("May I smoke?"))
    assert decide(Choice((sentence,), 0.97), [], asked).finding == finding


@pytest.mark.parametrize(
    ("question", "finding"),
    [("Was the fee always 55 euros?", "possible"), ("Is the fee 55 euros?", "stated")],
)
def test_sentence_that_does_not_say_always_answers_no_question_for_it(question: str, finding: str) -> None:
    passage = Passage(PassageId("p3"), "fees.md", "", "The fee is 55 euros.")
    sentence = CarryingSentence(passage, passage.text, 0, len(passage.text), "", 0.97)
    assert decide(Choice((sentence,), 0.97), [], classify(Question(question))).finding == finding


def test_alternative_of_the_question_is_a_reading() -> None:
    asked = classify(Question("Who approves leave in Milan, Anna Weber or Marco Rossi?"))
    assert decide(choice(0.7), [reading("Marco Rossi")], asked).finding == "stated"


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("May guests use the printer?", True),
        ("Можно ли гостям пользоваться принтером?", True),
        ("访客可以使用打印机吗？", True),
        ("Who may use the printer?", False),
        ("Is the printer in room 12 or in room 14?", False),
    ],
)
def test_questions_for_a_yes_or_no_are_told(question: str, *, expected: bool) -> None:
    assert is_closed(classify(Question(question))) is expected


def corpus() -> MemoryCorpus:
    return MemoryCorpus((MILAN, DESK))


async def test_small_model_quotes_the_sentence_in_which_its_reading_stands() -> None:
    model = scripted(draft="I do not know who approves leave.", read="Marco Rossi")
    answer = await engine(model, corpus(), answer_from="reader").answer(
        Question("Who approves leave in Milan?")
    )
    assert purposes(model, with_readings=True) == ["draft", "read"]
    assert MILAN.text in answer.text
    assert (answer.citations[0].quote, answer.citations[0].document) == (MILAN.text, "leave.md")
    assert answer.verdict.source == "reading"
    assert "regenerate" not in [step.step for step in answer.trace]


async def test_answer_that_no_passage_holds_is_said_to_be_absent_after_one_rewritten_query() -> None:
    model = scripted(draft="I do not know.", read="not stated")
    answer = await engine(model, corpus(), answer_from="reader").answer(
        Question("What does a parking permit cost?")
    )
    assert answer.label == "not_in_documents"
    assert answer.text.startswith("The documents do not say it.")
    assert purposes(model).count("rewrite") == 1
    assert answer.citations == ()


async def test_refusal_of_a_writer_does_not_go_out_where_a_reading_finds_the_answer() -> None:
    model = scripted(draft="I do not know.", regenerate="The documents do not say it.", read="Marco Rossi")
    answer = await engine(model, corpus()).answer(Question("Who approves leave in Milan?"))
    assert MILAN.text in answer.text
    assert answer.label in {"verified", "unverified"}


async def test_reader_that_fails_leaves_a_possible_answer() -> None:

    model = scripted(draft="I do not know.", read=ModelUnavailableError("the reader is away"))
    answer = await engine(model, corpus(), answer_from="reader").answer(
        Question("Who approves leave in Milan?")
    )
    assert MILAN.text in answer.text
    assert answer.label != "not_in_documents"


HEADER = "| product | price (EUR) | delivery |"
ROWS = (
    "| Blue valve | 14.50 | 3 days |",
    "| Red valve | 17.20 | 5 days |",
    "| Steel hose | 48.00 | 2 weeks |",
)
PRICES = Passage(PassageId("p3"), "prices.csv", "", "\n".join((HEADER, "| --- | --- | --- |", *ROWS)))


async def test_row_is_quoted_as_a_table_with_its_header_and_without_other_rows() -> None:
    answer = await engine(scripted(draft="I do not know."), MemoryCorpus((PRICES, DESK))).answer(
        Question("What is the price of the product steel hose?")
    )
    assert f"[1]\n\n> {HEADER}\n> | --- | --- | --- |\n> {ROWS[2]}\n\n[2]" in answer.text
    assert answer.citations[0].quote == ROWS[2]


def test_reading_may_take_the_currency_from_the_header_of_its_row() -> None:
    start = PRICES.text.index(ROWS[2])
    row = CarryingSentence(PRICES, ROWS[2], start, start + len(ROWS[2]), HEADER, 0.7)
    asked = classify(Question("What does a steel hose cost?"))
    assert decide(Choice((row,), 0.7), [reading("48.00 (EUR)", PRICES)], asked).finding == "stated"


class ForeignCorpus(MemoryCorpus):
    """Passages that no search finds, because the embedding knows another language."""

    def knows(self, text: str) -> bool:
        return False

    async def search(self, *arguments: Any, **options: Any) -> SearchResult:
        return SearchResult(())

    async def retrieve(self, *arguments: Any, **options: Any) -> tuple[Passage, ...]:
        return ()


@pytest.mark.parametrize(
    ("passages", "label"),
    [((MILAN,), "unverified"), ((), "not_in_documents")],
    ids=["foreign", "no documents"],
)
async def test_documents_that_could_not_be_searched_are_not_said_to_lack_the_answer(
    passages: tuple[Passage, ...], label: str
) -> None:
    model = scripted(draft="Я не знаю.", rewrite="отпуск в Милане")
    answer = await engine(model, ForeignCorpus(passages)).answer(Question("Кто утверждает отпуск в Милане?"))
    assert answer.label == label


async def test_words_without_a_language_are_answered_in_that_of_the_documents() -> None:
    corpus = SpanishCorpus("Los empleados tienen un descuento del 50 %; sus familiares, del 25 %.")
    asked = Question("descuento familiares?", quote_only=True)
    answer = await engine(scripted(), corpus).answer(asked)
    assert answer.language == "es"
    assert answer.text.startswith("El límite de hoy está agotado")


async def test_spanish_words_are_in_the_language_of_a_spanish_sentence() -> None:
    corpus = SpanishCorpus("La tienda de Huesca abre a las nueve de la mañana.")
    (shop,) = corpus.passages
    unlikely = Choice((CarryingSentence(shop, shop.text, 0, len(shop.text), "", 0.01),), 0.01)
    asked = classify(Question("descuento familiares?"), corpus)
    assert decide(unlikely, [], asked).finding == "absent"
