from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.models.readings import Readings
from rag.runs.run import Run
from rag.steps.classify import classify
from rag.steps.read import read, understood, window
from rag.values import Passage, PassageId
from tests.support.loop import PASSAGES, QUESTION, engine, purposes, scripted

LONG = " ".join(f"Sentence number {n} speaks of nothing." for n in range(200))


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        pytest.param("Java 17", "Java 17", id="plain"),
        pytest.param(' "Java 17" ', "Java 17", id="quoted"),
        pytest.param("not stated", "", id="not stated"),
        pytest.param("Not stated.", "", id="with a full stop"),
        pytest.param("not_stated", "", id="as a word of code"),
        pytest.param("It is not explicitly stated in the passage.", "", id="in a sentence"),
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


def test_short_passage_is_read_whole() -> None:
    assert (
        window("FxStore needs Java 17. It runs on Linux.", "It runs")
        == "FxStore needs Java 17. It runs on Linux."
    )


@pytest.mark.parametrize("number", [0, 7, 100, 199])
def test_long_passage_is_read_around_the_quotation(number: int) -> None:
    quote = f"Sentence number {number} speaks of nothing."
    shown = window(LONG, quote, limit=500)
    assert quote in shown
    assert shown in LONG
    assert 400 < len(shown) <= 500


@given(st.text(max_size=600), st.text(max_size=20), st.integers(1, 200))
def test_window_is_a_part_of_the_text(text: str, quote: str, limit: int) -> None:
    assert window(text, quote, limit) in text


async def test_reader_sees_the_passage_and_the_question_and_no_draft() -> None:
    model = scripted(read="17")
    run = Run(QUESTION, engine(model).tools)
    found = (await read(run, classify(QUESTION), PASSAGES[0])).value
    assert (found.text, found.passage) == ("17", PASSAGES[0].id)
    (request,) = model.requests
    shown = "".join(message.text for message in request.messages)
    assert request.role == "reader"
    assert PASSAGES[0].text in shown
    assert QUESTION.text in shown
    assert PASSAGES[1].text not in shown


async def test_passage_that_was_read_for_a_question_is_not_paid_for_again() -> None:
    model = scripted(read=["17", "something else"])
    tools = engine(model).tools
    first = await read(Run(QUESTION, tools), classify(QUESTION), PASSAGES[0])
    second = await read(Run(QUESTION, tools), classify(QUESTION), PASSAGES[0])
    assert second.value == first.value
    assert second.calls == ()
    assert purposes(model, with_readings=True) == ["read"]


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(
            lambda: Passage(PassageId("p1"), "guide1.md", "Set-up", "FxStore needs Java 21."), id="text"
        ),
        pytest.param(lambda: Passage(PassageId("p1"), "other.md", "Set-up", PASSAGES[0].text), id="heading"),
    ],
)
async def test_changed_passage_is_read_anew(change: Callable[[], Passage]) -> None:
    model = scripted(read=["17", "21"])
    tools = engine(model).tools
    await read(Run(QUESTION, tools), classify(QUESTION), PASSAGES[0])
    assert (await read(Run(QUESTION, tools), classify(QUESTION), change())).value.text == "21"


def test_readings_forget_what_was_not_asked_for_longest() -> None:
    readings = Readings(most=2)
    for name in ("a", "b"):
        readings.add((name, "", ""), name)
    assert readings.get(("a", "", "")) == "a"
    readings.add(("c", "", ""), "")
    assert readings.get(("b", "", "")) is None
    assert readings.get(("a", "", "")) == "a"
    assert readings.get(("c", "", "")) == ""
