"""A typed reply is one JSON object; what is plain is read, what can mean two things is refused."""

from __future__ import annotations

import contextlib
import time
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict, Field

from rag.models import loose_json, typed_reply
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


@pytest.mark.parametrize("confidence", ["7", "10", "900", '"high"', "-1", "null"])
def test_number_that_can_mean_two_things_is_refused(confidence: str) -> None:
    with pytest.raises(UnusableReplyError):
        typed_reply.parse(f'{{"quality": "adequate", "confidence": {confidence}}}', Choice)


SHAPES = {
    "single quotes": "{'reason': 'it\\'s a stub', 'quality': 'needs_docs', 'confidence': 0.9}",
    "single quotes and an apostrophe": "{'reason': 'it's a stub', 'quality': 'needs_docs', 'confidence': 0.9}",
    "curly quotes": "{“reason”: “it's a stub”, “quality”: “needs_docs”, “confidence”: 0.9}",
    "quotes in a string": '{"reason": "it says "stub" here", "quality": "needs_docs", "confidence": 0.9}',
    "bare names": "{reason: 'a stub', quality: needs_docs, confidence: 0.9}",
    "a call": '{"name": "Verdict", "arguments": {"reason": "a stub", "quality": "needs_docs", "confidence": 0.9}}',
    "a call with JSON in a string": '{"name": "V", "arguments": "{\\"quality\\": \\"needs_docs\\", \\"confidence\\": 0.9}"}',
    "a call in the form of OpenAI": '{"type": "function", "function": {"name": "V", "arguments": {"quality": "needs_docs", "confidence": 0.9}}}',
    "a schema": '{"type": "object", "properties": {"quality": "needs_docs", "confidence": 0.9}}',
    "JSON in a string": '"{\\"reason\\": \\"a stub\\", \\"quality\\": \\"needs_docs\\", \\"confidence\\": 0.9}"',
    "capitals": '{"REASON": "a stub", "Quality": "NEEDS_DOCS", "CONFIDENCE": 0.9}',
    "spaces in names": '{"reason": "a stub", "Quality ": "needs_docs", "confidence_": 0.9}',
    "a raw line break": '{"reason": "one\ntwo", "quality": "needs_docs", "confidence": 0.9}',
    "no last brace": '{"reason": "a stub", "quality": "needs_docs", "confidence": 0.9',
    "no last brace in a fence": '```json\n{"quality": "needs_docs", "confidence": 0.9\n```',
    "comments": '{"reason": "a stub", // why\n "quality": "needs_docs", /* sure */ "confidence": 0.9, # end\n}',
    "a decimal comma": '{"reason": "a stub", "confidence": 0,9, "quality": "needs_docs"}',
    "a decimal comma in a string": '{"quality": "needs_docs", "confidence": "0,9"}',
    "out of ten": '{"quality": "needs_docs", "confidence": "9/10"}',
    "out of ten, bare": '{"quality": "needs_docs", "confidence": 9/10}',
    "percent, bare": '{"quality": "needs_docs", "confidence": 90%}',
    "about": '{"quality": "needs_docs", "confidence": "~0.9"}',
    "an object for each value": '{"quality": {"value": "needs_docs"}, "confidence": {"value": 0.9}}',
    "a list of one": '{"quality": ["needs_docs"], "confidence": 0.9}',
    "Python's constants": "{'quality': 'needs_docs', 'confidence': 0.9, 'more': None}",
    "lines": "reason: a stub\nquality: needs_docs\nconfidence: 0.9",
    "lines in bold": "**Quality:** needs_docs\n- **Confidence**: 0.9",
    "a fence of YAML": "```yaml\nquality: needs_docs\nconfidence: 0.9\n```",
    "elements": "<reason>a stub</reason><quality>needs_docs</quality><confidence>0.9</confidence>",
    "lines behind a sentence": "Here is my verdict:\nquality: needs_docs\nconfidence: 0.9",
    "elements in a wrapper": "<verdict>\n<quality>needs_docs</quality>\n<confidence>0.9</confidence>\n</verdict>",
    "braces in the words behind": '{"quality": "needs_docs", "confidence": 0.9}\nTell me {if} you need more.',
    "a mark of the order of bytes": '\ufeff{"quality": "needs_docs", "confidence": 0.9}',
}  # fmt: skip


@pytest.mark.parametrize("reply", SHAPES.values(), ids=SHAPES)
def test_object_as_models_write_it_is_read(reply: str) -> None:
    found = typed_reply.parse(reply, Choice)[0]
    assert found == Choice(quality="needs_docs", confidence=0.9)


@pytest.mark.parametrize(
    "reply",
    [
        pytest.param("{'quality': 'adequate', 'confidence': 0.4} {'quality': 'needs_docs', 'confidence': 0.9}", id="two"),
        pytest.param("{'quality': 'adequate', 'Quality ': 'needs_docs', 'confidence': 0.9}", id="one name in two forms"),
        pytest.param("{'quality': 'adequate', 'quality': 'needs_docs', 'confidence': 0.9}", id="one name twice"),
        pytest.param("quality: adequate\nquality: needs_docs\nconfidence: 0.9", id="two lines of one name"),
        pytest.param('{"quality": "adequate | needs_docs", "confidence": 0.9}', id="two choices"),
        pytest.param('{"quality": ["adequate", "needs_docs"], "confidence": 0.9}', id="a list of two"),
        pytest.param('{"a": {"quality": "adequate", "confidence": 1}, "b": {"quality": "needs_docs", "confidence": 1}}', id="two in a wrapper"),
        pytest.param('{"type": "object", "properties": {"quality": {"type": "string"}, "confidence": {"type": "number"}}}', id="the schema itself"),
        pytest.param('{"quality": "adequate", "confidence": very}', id="a word for a number"),
        pytest.param("{quality: adequate, confidence: 0.9,", id="cut behind a comma"),
        pytest.param("{'quality': 'adequate', 'confidence': 0.9, 'reason': 'it is", id="cut in a string"),
        pytest.param('{"name": "search", "arguments": {"query": "adequate"}}', id="a call of another tool"),
        pytest.param("I think it is adequate, with a confidence of 0.9.", id="prose"),
        pytest.param("{'quality': 'adequate', 'confidence': .nan}", id="no number"),
        pytest.param("{'quality': 'adequate', 'confidence': 007}", id="zeros in front"),
        pytest.param("> quality: adequate\n> confidence: 0.9", id="quoted lines"),
        pytest.param("An example is:\nquality: adequate\nconfidence: 0.9\nBut I cannot judge this one.", id="lines and more behind"),
        pytest.param("I looked at it.\nIt is hard to say.\nquality: adequate\nconfidence: 0.9", id="two sentences and lines"),
        pytest.param("quality: adequate\nconfidence: 0.9\nWhat the other one says: it is poor.", id="lines and a sentence with a colon"),
        pytest.param("Use <quality>adequate</quality> and <confidence>0.9</confidence> as tags.", id="elements in a sentence"),
        pytest.param("<quality>adequate</quality>\n<confidence>0.9</confidence>\nThat was the form, not a verdict.", id="elements and more behind"),
        pytest.param('{"draft": {"quality": "adequate", "confidence": 0.9}, "final": {"quality": "needs_docs"}}', id="one whole and one in part"),
        pytest.param('{"draft": {"quality": "adequate", "confidence": 0.9}, "others": [{"quality": "needs_docs"}, {}]}', id="one and a list"),
        pytest.param("{'quality': 'adequate', 'confidence': 1,234, 'reason': 'x'}", id="a comma between thousands"),
    ],
)  # fmt: skip
def test_object_that_can_mean_two_things_is_refused(reply: str) -> None:
    with pytest.raises(UnusableReplyError):
        typed_reply.parse(reply, Choice)


def test_object_without_an_end_is_refused_where_the_reply_was_cut() -> None:
    reply = '{"quality": "adequate", "confidence": 0.9'
    assert typed_reply.parse(reply, Choice)[0] == Choice(quality="adequate", confidence=0.9)
    with pytest.raises(UnusableReplyError):
        typed_reply.parse(reply, Choice, is_cut=True)


def test_lines_are_refused_where_the_reply_was_cut() -> None:
    with pytest.raises(UnusableReplyError):
        typed_reply.parse("quality: adequate\nconfidence: 0.9", Choice, is_cut=True)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (r"{'a': 'C:\Users'}", {"a": r"C:\Users"}),
        (r"{'a': '\d+\_x'}", {"a": r"\d+_x"}),
        (r"{'a': 'it\'s'}", {"a": "it's"}),
        (r"{'a': 'x\ny\u0041\u00'}", {"a": "x\nyA\\u00"}),
        ("{'a': 0,123456, 'b': 1}", {"a": 0.123456, "b": 1}),
        ("{'a': 12,5, 'b': 1}", {"a": 12.5, "b": 1}),
    ],
)
def test_loose_reader_keeps_what_was_written(text: str, value: object) -> None:
    assert loose_json.read(text)[0] == value


class Review(BaseModel):
    model_config = ConfigDict(extra="forbid")

    issues: list[Choice]
    note: str | None = None


def test_names_are_read_at_every_depth() -> None:
    found, _ = typed_reply.parse(
        '{"Issues": [{"Quality": "adequate", "CONFIDENCE": 1}], "Note": "x"}', Review
    )
    assert found == Review(issues=[Choice(quality="adequate", confidence=1)], note="x")


@given(st.builds(Choice, quality=st.sampled_from(["adequate", "needs_docs"]), confidence=st.floats(0, 1)))
def test_verdict_in_the_form_of_python_is_read_back(choice: Choice) -> None:
    assert typed_reply.parse(str(choice.model_dump()), Choice)[0] == choice


_PARTS = st.sampled_from(
    [
        *"{}[]:,'\"“”‘’/#*\\ \n",
        "quality",
        "confidence",
        "adequate",
        "needs_docs",
        "0.9",
        "0,9",
        "//",
        "/*",
        "<quality>",
    ]
)


@given(st.lists(_PARTS).map("".join))
def test_any_text_of_an_object_is_a_value_or_a_refusal(text: str) -> None:
    with contextlib.suppress(UnusableReplyError):
        found = typed_reply.parse(text, Choice)[0]
        assert isinstance(found, Choice)
        assert found.quality in text


@given(st.text(), st.integers(0, 5))
def test_loose_reader_gives_a_value_or_refuses(text: str, start: int) -> None:
    with contextlib.suppress(ValueError):
        _, end = loose_json.read(text, start)
        assert start <= end <= max(start, len(text))


_HOSTILE = [
    '{"',
    "{'a': ",
    "{a: [",
    "[",
    '"',
    "'",
    "{a: 'b' ",
    "/*",
    "// ",
    "{a: 1, ",
    '{"a": "b" c ',
    "“a” ",
    "quality: ",
    "<a>",
    "{ ",
    "{\n",
    "a: b\n",
    '"\\',
]


@pytest.mark.parametrize("part", _HOSTILE)
def test_time_grows_as_the_text(part: str) -> None:
    def measure(times: int) -> float:
        started = time.process_time()
        with contextlib.suppress(UnusableReplyError):
            typed_reply.parse("{a: 1, b: " + part * times, Choice)
        with contextlib.suppress(UnusableReplyError):
            typed_reply.parse(part * times, Choice)
        return time.process_time() - started

    assert measure(10_000 // len(part)) < 1.0
    assert measure(180_000 // len(part)) < 5.0


@pytest.mark.parametrize("hostile", ['{"' * 50_000, '{"a": ",' * 20_000, "{,}" * 50_000, '{"a": 1,' * 20_000])
def test_hostile_reply_is_refused_at_once(hostile: str) -> None:
    with pytest.raises(UnusableReplyError):
        read(hostile)
