from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.errors import BudgetExhaustedError, ModelUnavailableError
from rag.models.calls import Readings
from rag.models.chat import ChatRequest
from rag.models.scripted import Script, ScriptedModel
from rag.settings import Budget
from rag.values import Passage, PassageId
from rag.verifier import Claim
from rag.verifier.blind import BlindVerifier, understood, window
from tests.support.verifying import JAVA, LEAVE, work

QUESTION = "Which Java does FxStore need?"
LONG = " ".join(f"Sentence number {n} speaks of nothing." for n in range(200))


def verifier(
    script: Script, *, budget: Budget | None = None, known: Readings | None = None, **limits: float
) -> tuple[BlindVerifier, ScriptedModel]:
    model = ScriptedModel(script)
    asker = work(model, budget, verifier="chat", first_patience_seconds=limits.pop("usual", 30.0))
    return BlindVerifier(asker, known or Readings(), **limits), model  # type: ignore[arg-type]  # numbers


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        pytest.param("Java 17", "Java 17", id="plain"),
        pytest.param(' "Java 17" ', "Java 17", id="quoted"),
        pytest.param("not stated", "", id="not stated"),
        pytest.param("Not stated.", "", id="with a full stop"),
        pytest.param("not_stated", "", id="as a word of code"),
        pytest.param("It is not explicitly stated in the passage.", "", id="in a sentence"),
        pytest.param("не stated", "", id="half in Russian"),
        pytest.param("\n\n17\nbecause the passage says so", "17", id="an explanation below"),
        pytest.param("", "", id="nothing"),
        pytest.param("五月十九日", "五月十九日", id="Chinese"),
    ],
)
def test_reply_of_a_reader_is_understood(reply: str, expected: str) -> None:
    assert understood(reply) == expected


@given(st.text(max_size=300))
def test_whatever_a_reader_replies_becomes_one_line(reply: str) -> None:
    assert "\n" not in understood(reply)


@pytest.mark.parametrize("number", [0, 7, 100, 199])
def test_long_passage_is_read_around_the_sentence_that_shares_most_words(number: int) -> None:
    start, end = window(LONG, f"What does sentence {number} speak of?", limit=500)
    assert f"Sentence number {number} speaks of nothing." in LONG[start:end]
    assert 400 < end - start <= 500


@given(st.text(max_size=600), st.text(max_size=20), st.integers(1, 200))
def test_window_is_a_part_of_the_text(text: str, hint: str, limit: int) -> None:
    start, end = window(text, hint, limit)
    assert 0 <= start <= end <= len(text)
    assert len(text) > limit or (start, end) == (0, len(text))


async def test_words_that_were_read_become_their_place() -> None:
    reader, model = verifier(lambda request: "java  17" if "FxStore" in shown(request) else "not stated")
    found = await reader.find(QUESTION, [JAVA, LEAVE])
    java, leave = found.places
    assert JAVA.text[java.start : java.end] == "Java 17"
    assert java.covers > 0.5
    assert (leave.start, leave.end, leave.covers) == (0, 0, 0.0)
    assert [call.role for call in found.calls] == ["reader", "reader"]
    assert {request.purpose for request in model.requests} == {"read"}


async def test_words_that_stand_nowhere_in_the_passage_count_as_nothing() -> None:
    (place,) = (await verifier("Java 21")[0].find(QUESTION, [JAVA])).places
    assert (place.start, place.end, place.covers) == (0, 0, 0.0)


async def test_place_in_a_long_passage_is_one_of_the_whole_passage() -> None:
    passage = Passage(PassageId("long"), "long.md", "", LONG)
    reader, model = verifier("number 150")
    (place,) = (await reader.find("What is sentence number 150?", [passage])).places
    assert LONG[place.start : place.end] == "number 150"
    assert len(shown(model.requests[0])) < 3000


async def test_only_the_best_passages_are_read() -> None:
    passages = [replace(JAVA, id=PassageId(f"p{n}"), document=f"{n}.md") for n in range(4)]
    reader, model = verifier("Java 17")
    found = await reader.find(QUESTION, passages)
    assert [place.covers > 0 for place in found.places] == [True, True, False, False]
    assert len(model.requests) == 2


@pytest.mark.parametrize(
    ("reply", "claim", "lowest", "highest"),
    [
        pytest.param("Java 17", "According to the guide, FxStore needs Java 17.", 0.8, 1.0, id="the same"),
        pytest.param("Java 17", "FxStore needs Java 11.", 0.01, 0.1, id="another value"),
        pytest.param("Linux", "FxStore needs Java 17.", 0.01, 0.1, id="other words were read"),
        pytest.param("not stated", "FxStore needs Java 17.", 0.0, 0.0, id="nothing was read"),
        pytest.param("Java 11", "FxStore needs Java 11.", 0.0, 0.0, id="reader and writer invent the same"),
    ],
)
async def test_claim_is_carried_when_it_has_the_words_that_were_read(
    reply: str, claim: str, lowest: float, highest: float
) -> None:
    (probability,) = (await verifier(reply)[0].carries([Claim(QUESTION, claim, JAVA)])).probabilities
    assert lowest <= probability <= highest


async def test_reader_sees_the_question_and_the_passage_and_no_claim() -> None:
    reader, model = verifier("Java 17")
    await reader.carries([Claim(QUESTION, "A secret claim.", JAVA), Claim(QUESTION, "Another.", JAVA)])
    (request,) = model.requests
    assert JAVA.text in shown(request)
    assert QUESTION in shown(request)
    assert "secret" not in shown(request)


async def test_passage_that_was_read_for_a_question_is_not_paid_for_again() -> None:
    known = Readings()
    await verifier("Java 17", known=known)[0].find(QUESTION, [JAVA])
    reader, model = verifier("something else", known=known)
    carried = await reader.carries([Claim(QUESTION, "Java 17.", JAVA)])
    assert carried.probabilities[0] > 0.8
    assert (carried.calls, model.requests) == ((), [])


async def test_claim_that_the_budget_does_not_reach_is_neither_carried_nor_denied() -> None:
    async def reply(_request: ChatRequest) -> str:
        await asyncio.sleep(0)  # as long as it takes, it counts as a call
        return "Java 17"

    reader, _ = verifier(reply, budget=Budget(calls=1))
    carried = await reader.carries(
        [Claim(QUESTION, "Java 17.", JAVA), Claim("Which system?", "Linux.", JAVA)]
    )
    assert carried.probabilities[0] > 0.8
    assert 0.1 < carried.probabilities[1] < 0.8
    assert len(carried.calls) == 1


async def test_failure_of_every_reading_is_an_error_with_all_costs() -> None:
    async def fail(_request: ChatRequest) -> str:
        await asyncio.sleep(0)
        raise ModelUnavailableError("gone")

    reader, _ = verifier(fail)
    with pytest.raises(ModelUnavailableError) as caught:
        await reader.find(QUESTION, [JAVA, LEAVE])
    assert len(caught.value.spent) == 2
    assert [call.role for call in caught.value.spent] == ["reader", "reader"]


async def test_budget_that_allows_no_call_is_an_error() -> None:
    reader, model = verifier("Java 17", budget=Budget(seconds=1e-9))
    with pytest.raises(BudgetExhaustedError):
        await reader.find(QUESTION, [JAVA])
    assert model.requests == []


async def test_reader_that_hangs_is_abandoned() -> None:
    async def hang(_request: ChatRequest) -> str:
        await asyncio.Event().wait()
        raise AssertionError

    reader, _ = verifier(hang, usual=0.0, patience_seconds=0.05)
    with pytest.raises(ModelUnavailableError, match="longer than it usually takes"):
        await reader.carries([Claim(QUESTION, "Java 17.", JAVA)])


def shown(request: ChatRequest) -> str:
    return "".join(message.text for message in request.messages)
