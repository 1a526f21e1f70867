"""A typed reply is one JSON object; what is plain is read, what can mean two things is refused."""

from __future__ import annotations

import contextlib
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict, Field

from rag.models import typed_reply
from rag.models.typed_reply import UnusableReplyError


class Grade(BaseModel):
    model_config = ConfigDict(extra="forbid")

    quality: str
    confidence: float


def read(reply: str) -> BaseModel:
    return typed_reply.parse(reply, Grade)[0]


@pytest.mark.parametrize(
    "reply",
    [
        pytest.param('{"quality": "adequate", "confidence": 0.5}', id="bare"),
        pytest.param('\n {"quality": "adequate", "confidence": 0.5}\n', id="white space"),
        pytest.param('```json\n{"quality": "adequate", "confidence": 0.5}\n```', id="fenced"),
        pytest.param('```\r\n{"quality": "adequate", "confidence": 0.5}\r\n```\n', id="fence without a name"),
        pytest.param('Sure! {"quality": "adequate", "confidence": 0.5}', id="prose in front"),
        pytest.param(
            '```json\n{"quality": "adequate", "confidence": 0.5}\n```\nHope it helps', id="prose behind"
        ),
        pytest.param('{"quality": "adequate", "confidence": 0.5,}', id="a comma too many"),
        pytest.param('{"grade": {"quality": "adequate", "confidence": 0.5}}', id="a wrapper"),
        pytest.param('[{"quality": "adequate", "confidence": 0.5}]', id="a list of one"),
        pytest.param('{"quality": "adequate", "confidence": "50%"}', id="percent"),
    ],
)
def test_one_plain_object_is_read(reply: str) -> None:
    assert read(reply) == Grade(quality="adequate", confidence=0.5)


@pytest.mark.parametrize(
    "reply",
    [
        pytest.param('{"quality": "adequate", "confidence": 0.5}{}', id="two values"),
        pytest.param('{"quality": "a", "confidence": 1} or {"quality": "b", "confidence": 1}', id="a choice"),
        pytest.param('{"quality": "adequate"}', id="a field is missing"),
        pytest.param('{"quality": "adequate", "confidence": 0.5, "x": 1}', id="a field too many"),
        pytest.param('{"quality": "adequate", "confid', id="cut"),
        pytest.param("", id="empty"),
        pytest.param('{"quality": "a", "confidence": 0.5, "quality": "b"}', id="a name twice"),
        pytest.param('{"quality": "a", "confidence": NaN}', id="NaN"),
        pytest.param('{"quality": "a", "confidence": -Infinity}', id="infinity"),
        pytest.param('{"quality": "a", "confidence": 01}', id="leading zero"),
        pytest.param("[" * 100_000, id="deeper than anybody reads"),
        pytest.param('{"quality": "a", "confidence": ' + "9" * 5000 + "}", id="a number without end"),
    ],
)
def test_anything_else_is_refused(reply: str) -> None:
    with pytest.raises(UnusableReplyError):
        typed_reply.parse(reply, Grade)


@given(st.builds(Grade, quality=st.text(), confidence=st.floats(allow_nan=False, allow_infinity=False)))
def test_what_was_written_is_read_back(grade: Grade) -> None:
    written = grade.model_dump_json()
    assert read(written) == grade
    assert read(f"```json\n{written}\n```") == grade


@given(st.text())
def test_no_text_breaks_the_reader(text: str) -> None:
    with contextlib.suppress(UnusableReplyError):
        assert isinstance(read(text), Grade)


class Facts(BaseModel):
    facts: dict[str, Any]


def test_numbers_and_their_zeros_are_kept() -> None:
    found, _ = typed_reply.parse(
        '{"facts": {"inn": "0012345678", "sum": 12345678901234567890, "rate": 1.10}}', Facts
    )
    assert found == Facts(facts={"inn": "0012345678", "sum": 12345678901234567890, "rate": 1.1})


def test_name_twice_in_an_inner_object_is_refused() -> None:
    with pytest.raises(UnusableReplyError, match="'price' stands there twice"):
        typed_reply.parse('{"facts": {"price": 1, "price": 2}}', Facts)


def test_fault_that_only_code_can_see_is_refused_with_its_words() -> None:
    def validate(grade: Grade) -> str:
        return "" if grade.quality in {"adequate", "poor"} else f"there is no quality {grade.quality!r}"

    with pytest.raises(UnusableReplyError) as refused:
        typed_reply.parse('{"quality": "superb", "confidence": 0.5}', Grade, validate)
    assert str(refused.value) == "there is no quality 'superb'"
    poor, _ = typed_reply.parse('{"quality": "poor", "confidence": 0.5}', Grade, validate)
    assert poor == Grade(quality="poor", confidence=0.5)


class Choice(BaseModel):
    quality: Literal["adequate", "needs_docs"]
    confidence: float = Field(ge=0, le=1)


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ('{"quality": "ADEQUATE", "confidence": 0.9}', ("adequate", 0.9)),
        ('{"quality": "Needs docs.", "confidence": 90}', ("needs_docs", 0.9)),
        ('{"verdict": {"quality": "adequate", "confidence": 0.9}}', ("adequate", 0.9)),
    ],
)
def test_verdict_that_is_plain_is_read(reply: str, expected: tuple[str, float]) -> None:
    found, text = typed_reply.parse(reply, Choice)
    assert isinstance(found, Choice)
    assert (found.quality, found.confidence) == expected
    assert Choice.model_validate_json(text) == found


@pytest.mark.parametrize("confidence", ["7", "900", '"high"', "-1", "null"])
def test_number_that_can_mean_two_things_is_refused(confidence: str) -> None:
    with pytest.raises(UnusableReplyError):
        typed_reply.parse(f'{{"quality": "adequate", "confidence": {confidence}}}', Choice)


@pytest.mark.parametrize("hostile", ['{"' * 50_000, '{"a": ",' * 20_000, "{,}" * 50_000, '{"a": 1,' * 20_000])
def test_hostile_reply_is_refused_at_once(hostile: str) -> None:
    with pytest.raises(UnusableReplyError):
        read(hostile)
