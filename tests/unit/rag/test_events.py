"""Events in their JSON form."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.events import Answered, Event, StepFinished, StepStarted, Text, from_json, to_json
from rag.reasons import Reason
from rag.values import Answer, Citation, Passage, StepTrace, Usage
from tests.support.loop import QUESTION, engine, scripted

FINITE = st.floats(allow_nan=False, allow_infinity=False)
REASONS = st.recursive(
    st.builds(Reason, st.text()),
    lambda reasons: st.builds(
        Reason,
        st.text(),
        st.dictionaries(st.text(), st.text() | st.integers() | FINITE | reasons, max_size=3),
    ),
    max_leaves=3,
)
TRACES = st.builds(
    StepTrace,
    step=st.text(),
    milliseconds=FINITE,
    detail=REASONS,
    tokens=st.integers(),
    model=st.text(),
    prompt=st.text(),
)
EVENTS = st.one_of(
    st.builds(StepStarted, st.text()), st.builds(StepFinished, TRACES), st.builds(Text, st.text(), st.text())
)


@cache
def _answer() -> Answer:
    return asyncio.run(engine(scripted()).answer(QUESTION))


@given(EVENTS)
def test_event_comes_back_from_its_json_form(event: Event) -> None:
    assert from_json(json.loads(json.dumps(to_json(event)))) == event


@given(
    text=st.text(),
    citations=st.tuples(st.builds(Citation)),
    passages=st.tuples(st.builds(Passage, score=FINITE)),
    cost=FINITE,
)
def test_answer_comes_back_from_its_json_form(
    text: str, citations: tuple[Citation], passages: tuple[Passage], cost: float
) -> None:
    answer = _answer()
    usage = Usage(calls=1, cost=cost, by_role={"draft": Usage(calls=1, cost=cost)})
    event = Answered(replace(answer, text=text, citations=citations, passages=passages, usage=usage))
    assert from_json(json.loads(json.dumps(to_json(event)))) == event


def test_json_form_says_what_it_is() -> None:
    assert to_json(StepStarted("draft")) == {
        "type": "step_started",
        "schema": 1,
        "step": "draft",
        "number": 1,
    }


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"type": "step_started", "step": "draft"},
        {"type": "step_started", "schema": 2, "step": "draft"},
        {"type": "stage_started", "schema": 1, "step": "draft"},
        {"type": "step_started", "schema": 1},
        {"type": [], "schema": 1},
    ],
    ids=["nothing", "no version", "another version", "another type", "a field is missing", "no type"],
)
def test_what_is_no_event_of_this_version_is_refused(data: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"no event of version 1|Field required"):
        from_json(data)
