"""The steps of the loop as others see them: a durable runner, a stream of events, and what is no question."""

from __future__ import annotations

import asyncio

import pytest

from rag.errors import InputError
from rag.events import Answered, StepFinished, StepStarted, Text
from rag.models.scripted import Reply, ScriptedModel
from rag.values import Question
from tests.support.loop import QUESTION, engine, scripted

pytestmark = pytest.mark.usefixtures("no_blocking")


async def test_stream_tells_each_step_and_ends_with_the_answer(verdicts: list[str]) -> None:
    verdicts[:] = ["hallucination", "cited"]
    events = [event async for event in engine(scripted()).stream(QUESTION)]
    assert isinstance(events[-1], Answered)
    assert events[-1].answer.text == "It needs Java 17 [1]."
    started = [event.step for event in events if isinstance(event, StepStarted)]
    finished = [event.trace.step for event in events if isinstance(event, StepFinished)]
    assert sorted(started) == sorted(finished)
    pieces = "".join(
        event.piece for event in events if isinstance(event, Text) and event.step == "regenerate"
    )
    assert pieces == "It needs Java 17 [1]."


async def test_leaving_the_stream_early_cancels_the_work(verdicts: list[str]) -> None:
    cancelled = asyncio.Event()

    async def hang(_request: object) -> Reply:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            cancelled.set()
            raise
        return ""

    stream = engine(ScriptedModel(hang)).stream(QUESTION)
    async for event in stream:
        if isinstance(event, StepStarted) and event.step == "draft":
            break
    await asyncio.sleep(0)
    await stream.aclose()  # type: ignore[attr-defined]  # an async generator
    assert cancelled.is_set()


@pytest.mark.parametrize(
    ("text", "says"),
    [
        pytest.param("", "empty", id="empty"),
        pytest.param(" \n\t ", "empty", id="whitespace"),
        pytest.param("x" * 1_000_000, "1,000,000 characters", id="1 MB"),
        pytest.param("abc\x00def", "not readable text", id="NUL"),
        pytest.param("\x01\x02\x03\x04\x05" * 10, "not readable text", id="binary"),
        pytest.param("caf\udce9", "not readable text", id="broken encoding"),
    ],
)
async def test_what_is_no_question_is_refused_in_one_sentence_before_anything_is_paid(
    text: str, says: str
) -> None:
    model = scripted()
    with pytest.raises(InputError, match=says) as refused:
        await engine(model).answer(Question(text))
    assert len(str(refused.value).splitlines()) == 1
    assert model.requests == []


async def test_emoji_with_joiners_are_text(verdicts: list[str]) -> None:
    verdicts[:] = ["adequate"]
    assert (await engine(scripted()).answer(Question("👩‍👩‍👧‍👦 👍🏽"))).text
