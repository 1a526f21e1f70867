"""A typed reply is the whole text or one fence; prose around it is no typed reply."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict, ValidationError

from rag.models import typed_reply


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
    assert typed_reply.parsed(reply, Grade) == Grade(quality="adequate", confidence=0.5)


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
    ],
)
def test_anything_else_is_refused(reply: str) -> None:
    with pytest.raises(ValidationError):
        typed_reply.parsed(reply, Grade)


@given(st.builds(Grade, quality=st.text(), confidence=st.floats(allow_nan=False, allow_infinity=False)))
def test_what_was_written_is_read_back(grade: Grade) -> None:
    written = grade.model_dump_json()
    assert typed_reply.parsed(written, Grade) == grade
    assert typed_reply.parsed(f"```json\n{written}\n```", Grade) == grade


@given(st.text())
def test_no_text_breaks_the_reader(text: str) -> None:
    with contextlib.suppress(ValidationError):
        assert isinstance(typed_reply.parsed(text, Grade), Grade)
