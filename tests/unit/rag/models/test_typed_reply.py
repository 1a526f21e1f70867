"""A typed reply is the whole text or one fence; prose around it is no typed reply."""

from __future__ import annotations

import contextlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict

from rag.models import typed_reply
from rag.models.typed_reply import UnusableReplyError


class Grade(BaseModel):
    model_config = ConfigDict(extra="forbid")

    quality: str
    confidence: float


@pytest.mark.parametrize(
    "reply",
    [
        pytest.param('{"quality": "adequate", "confidence": 0.5}', id="bare"),
        pytest.param('\n {"quality": "adequate", "confidence": 0.5}\n', id="white space"),
        pytest.param('```json\n{"quality": "adequate", "confidence": 0.5}\n```', id="fenced"),
        pytest.param('```\r\n{"quality": "adequate", "confidence": 0.5}\r\n```\n', id="fence without a name"),
    ],
)
def test_json_or_one_fence_is_read(reply: str) -> None:
    assert typed_reply.parse(reply, Grade) == Grade(quality="adequate", confidence=0.5)


@pytest.mark.parametrize(
    "reply",
    [
        pytest.param('Sure! {"quality": "adequate", "confidence": 0.5}', id="prose in front"),
        pytest.param(
            '```json\n{"quality": "adequate", "confidence": 0.5}\n```\nHope it helps', id="prose behind"
        ),
        pytest.param('{"quality": "adequate", "confidence": 0.5}{}', id="two values"),
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
    assert typed_reply.parse(written, Grade) == grade
    assert typed_reply.parse(f"```json\n{written}\n```", Grade) == grade


@given(st.text())
def test_no_text_breaks_the_reader(text: str) -> None:
    with contextlib.suppress(UnusableReplyError):
        assert isinstance(typed_reply.parse(text, Grade), Grade)


class Facts(BaseModel):
    facts: dict[str, Any]


def test_numbers_and_their_zeros_are_kept() -> None:
    found = typed_reply.parse(
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
    assert refused.value.feedback == "there is no quality 'superb'"
    poor = typed_reply.parse('{"quality": "poor", "confidence": 0.5}', Grade, validate)
    assert poor == Grade(quality="poor", confidence=0.5)
