"""Answers that quote: which sentence goes out, and how far it is known to answer."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from rag.errors import ModelUnavailableError
from rag.knowledge.search import SearchResult
from rag.loop.quotation import decide
from rag.quoting import choose
from rag.steps.classify import classify
from rag.values import Passage, PassageId, Place, Question
from rag.verifier.scripted import ScriptedVerifier
from tests.support.loop import MemoryCorpus, SpanishCorpus, engine, purposes, scripted

MILAN = Passage(PassageId("p1"), "leave.md", "Leave", "Marco Rossi approves leave for the Milan office.")
DESK = Passage(PassageId("p2"), "desk.md", "Desk", "The desk is open from nine to five.")
ASKED = Question("Who approves leave in Milan?")
IGNORANT = "I do not know."


def knowing(covers: float = 0.95) -> ScriptedVerifier:
    return ScriptedVerifier({"Who approves": "Marco Rossi"}, covers)


def finding(question: str, text: str, covers: float = 0.95, words: str = "") -> str:
    passage = Passage(PassageId("any"), "a.md", "", text)
    start = text.index(words)
    place = Place(passage.id, start, start + len(words or text), covers)
    return decide(choose([passage], [place], 2), classify(Question(question))).finding


@pytest.mark.parametrize(
    ("covers", "expected"), [(0.95, "stated"), (0.5, "likely"), (0.3, "possible"), (0.05, "absent")]
)
def test_finding_follows_from_how_probably_the_passage_answers(covers: float, expected: str) -> None:
    assert finding(ASKED.text, MILAN.text, covers) == expected


def test_nothing_that_was_read_is_absent() -> None:
    assert decide((), classify(ASKED)).finding == "absent"


@pytest.mark.parametrize(
    ("question", "text", "words", "expected"),
    [
        pytest.param("May I smoke?", "May I smoke? The kitchen is cold.", "smoke", "possible", id="a mere question"),
        pytest.param("May I smoke?", "May I smoke? No, never.", "No, never", "stated", id="a question's answer"),
        pytest.param("Do all members pay 5 euros?", "Members pay 5 euros.", "", "possible", id="not of the whole"),
        pytest.param("Is the fee 5 euros?", "The fee is 5 euros.", "", "stated", id="of the fee"),
        pytest.param(
            "What does the lathe cost for those who are not members?",
            "The lathe costs 6 euros for those who are members.",
            "",
            "possible",
            id="members for non-members",
        ),
    ],
)  # fmt: skip
def test_what_readers_overlook_is_not_certain(question: str, text: str, words: str, expected: str) -> None:
    assert finding(question, text, words=words) == expected


async def test_sentence_in_which_the_answer_stands_is_quoted_and_verified() -> None:
    model = scripted()
    answer = await engine(
        model, MemoryCorpus((MILAN, DESK)), answer_from="reader", verifier=knowing()
    ).answer(ASKED)
    assert (answer.label, purposes(model)) == ("verified", [])
    assert answer.text == "“**Marco Rossi** approves leave for the Milan office.” [1]"
    assert (answer.citations[0].quote, answer.citations[0].document) == (MILAN.text, "leave.md")
    assert answer.verdict.source == "reading"


@pytest.mark.parametrize(
    ("written", "label"),
    [("Marco Rossi approves it [1].", "verified"), ("Anna Weber approves it [1].", "unverified")],
    ids=["agrees", "invents"],
)
async def test_sentence_that_is_not_certain_is_worded_by_the_model_where_the_verifier_agrees(
    written: str, label: str
) -> None:
    model = scripted(regenerate=written)
    product = engine(model, MemoryCorpus((MILAN, DESK)), answer_from="reader", verifier=knowing(0.6))
    answer = await product.answer(ASKED)
    assert answer.label == label
    assert (written in answer.text) is (label == "verified")
    assert answer.text.startswith("Probably **Marco Rossi**: “") is (label == "unverified")


async def test_answer_that_no_passage_holds_is_said_to_be_absent_after_one_rewritten_query() -> None:
    model = scripted(draft=IGNORANT)
    answer = await engine(
        model, MemoryCorpus((MILAN, DESK)), answer_from="reader", verifier=knowing()
    ).answer(Question("What does a parking permit cost?"))
    assert (answer.label, answer.citations) == ("not_in_documents", ())
    assert answer.text.startswith("The documents do not say it.")
    assert purposes(model).count("rewrite") == 1


async def test_refusal_of_a_writer_does_not_go_out_where_the_verifier_finds_the_answer() -> None:
    model = scripted(draft=IGNORANT, regenerate="The documents do not say it.")
    answer = await engine(model, MemoryCorpus((MILAN, DESK)), verifier=knowing()).answer(ASKED)
    assert (answer.label, answer.text.startswith("“**Marco Rossi** approves")) == ("verified", True)


async def test_verifier_that_fails_does_not_let_the_documents_be_said_to_lack_the_answer() -> None:
    away = ScriptedVerifier(error=ModelUnavailableError("the verifier is away"))
    model = scripted(draft=IGNORANT)
    answer = await engine(model, MemoryCorpus((MILAN, DESK)), answer_from="reader", verifier=away).answer(
        ASKED
    )
    assert answer.label == "unverified"
    assert MILAN.text in answer.text


HEADER = "| product | price (EUR) |"
ROWS = ("| Blue valve | 14.50 |", "| Steel hose | 48.00 |")
PRICES = Passage(PassageId("p3"), "prices.csv", "", "\n".join((HEADER, "| --- | --- |", *ROWS)))


async def test_row_is_quoted_below_the_header_of_its_table() -> None:
    verifier = ScriptedVerifier({"steel hose": "48.00"})
    answer = await engine(
        scripted(), MemoryCorpus((PRICES, DESK)), answer_from="reader", verifier=verifier
    ).answer(Question("What does a steel hose cost?"))
    assert f"> {HEADER}\n> | --- | --- |\n> | Steel hose | **48.00** |\n>\n> [1]" in answer.text
    assert answer.citations[0].quote == ROWS[1]


async def test_row_of_a_long_table_is_quoted_below_its_header() -> None:
    rows = "\n".join(f"| Valve of type {number} | {number}.50 |" for number in range(40))
    table = replace(PRICES, text=f"{HEADER}\n| --- | --- |\n{rows}")
    answer = await engine(
        scripted(),
        MemoryCorpus((table, DESK)),
        answer_from="reader",
        verifier=ScriptedVerifier({"type 30": "30.50"}),
    ).answer(Question("What does a valve of type 30 cost?"))
    assert f"> {HEADER}\n> | --- | --- |\n> | Valve of type 30 | **30.50** |" in answer.text
    assert answer.citations[0].quote == "| Valve of type 30 | 30.50 |"


class ForeignCorpus(MemoryCorpus):
    """Passages that no search finds, because the embedding knows another language."""

    def knows(self, text: str) -> bool:
        return False

    async def search(self, *arguments: Any, **options: Any) -> SearchResult:
        return SearchResult(())

    async def retrieve(self, *arguments: Any, **options: Any) -> tuple[Passage, ...]:
        return ()


@pytest.mark.parametrize("passages", [(MILAN,), ()], ids=["foreign", "no documents"])
async def test_documents_that_could_not_be_searched_are_not_said_to_lack_the_answer(
    passages: tuple[Passage, ...],
) -> None:
    model = scripted(draft="Я не знаю.", rewrite="отпуск в Милане")
    answer = await engine(model, ForeignCorpus(passages)).answer(Question("Кто утверждает отпуск в Милане?"))
    assert answer.label == "unverified"


async def test_words_without_a_language_are_answered_in_that_of_the_documents() -> None:
    corpus = SpanishCorpus("Los empleados tienen un descuento del 50 %; sus familiares, del 25 %.")
    asked = Question("descuento familiares?", quote_only=True)
    answer = await engine(scripted(), corpus).answer(asked)
    assert answer.language == "es"
    assert answer.text.startswith("El límite de hoy está agotado")
