from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from pydantic import BaseModel, Field

from bench.recorded_model import NotRecordedError, Record, RecordedModel, Records, key_of
from rag.errors import ModelReplyError, ModelUnavailableError
from rag.models.chat import ChatRequest, Message
from rag.models.scripted import ScriptedModel


class Reply(BaseModel):
    """What is asked for."""

    score: float


REQUEST = ChatRequest("critic", "Score it.", (Message("user", "Java 17."),), max_tokens=100, output=Reply)


async def test_recorded_reply_is_given_again_without_a_model(tmp_path: Path) -> None:
    path = tmp_path / "records.jsonl"
    asked = await RecordedModel(Records(path), ScriptedModel('{"score": 0.5}')).complete(REQUEST)

    again = await RecordedModel(Records(path)).complete(REQUEST)

    assert isinstance(again.parsed, Reply)
    assert again.parsed.score == 0.5
    assert (again.input_tokens, again.output_tokens) == (asked.input_tokens, asked.output_tokens)


async def test_known_request_is_not_asked_again(tmp_path: Path) -> None:
    model = ScriptedModel('{"score": 0.5}')
    recorded = RecordedModel(Records(tmp_path / "records.jsonl"), model)
    for _ in range(3):
        await recorded.complete(REQUEST)
    assert len(model.requests) == 1


@pytest.mark.parametrize(
    "other",
    [
        pytest.param(replace(REQUEST, instructions="Score it well."), id="another prompt"),
        pytest.param(replace(REQUEST, messages=(Message("user", "Java 11."),)), id="another text"),
        pytest.param(replace(REQUEST, max_tokens=99), id="another limit"),
        pytest.param(replace(REQUEST, output=None), id="another form of reply"),
    ],
)
async def test_reply_to_another_request_is_never_made_up(tmp_path: Path, other: ChatRequest) -> None:
    path = tmp_path / "records.jsonl"
    await RecordedModel(Records(path), ScriptedModel('{"score": 0.5}')).complete(REQUEST)
    with pytest.raises(NotRecordedError):
        await RecordedModel(Records(path)).complete(other)


def test_words_about_a_reply_are_no_part_of_the_request() -> None:
    class Described(BaseModel):
        """The same form, told otherwise."""

        score: float = Field(description="How good it is.")

    assert key_of(replace(REQUEST, output=Described)) == key_of(REQUEST)
    assert key_of(replace(REQUEST, purpose="elsewhere")) == key_of(REQUEST)


async def test_unreadable_reply_is_recorded_and_stays_unreadable(tmp_path: Path) -> None:
    failure = ModelReplyError("no JSON")
    failure.calls, failure.input_tokens, failure.output_tokens = 2, 50, 400
    path = tmp_path / "records.jsonl"
    with pytest.raises(ModelReplyError):
        await RecordedModel(Records(path), ScriptedModel(failure)).complete(REQUEST)

    with pytest.raises(ModelReplyError) as raised:
        await RecordedModel(Records(path)).complete(REQUEST)

    assert (raised.value.calls, raised.value.input_tokens, raised.value.output_tokens) == (2, 50, 400)


async def test_recorded_reply_that_today_cannot_be_read_is_a_failed_reply() -> None:
    records = Records()
    records.add(
        Record(
            key=key_of(REQUEST),
            role="critic",
            purpose="critique",
            reply='{"mark": 1}',
            input_tokens=1,
            output_tokens=1,
        )
    )
    with pytest.raises(ModelReplyError):
        await RecordedModel(records).complete(REQUEST)


async def test_model_that_is_down_leaves_no_record(tmp_path: Path) -> None:
    records = Records(tmp_path / "records.jsonl")
    with pytest.raises(ModelUnavailableError):
        await RecordedModel(records, ScriptedModel(ModelUnavailableError())).complete(REQUEST)
    assert len(records) == 0
