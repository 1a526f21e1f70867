from __future__ import annotations

import json
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any, cast, get_args

import pytest
import sqlalchemy as sa
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy.dialects import sqlite

from bot.conversations.values import Message, MessageId
from bot.storage.conversations import from_row, storable, to_row
from bot.storage.tables import UtcDateTime
from bot.texts import TEXTS
from rag import values as v
from rag.reasons import Reason, as_written

NOW = datetime(2026, 5, 1, 12, 30, tzinfo=UTC)

passages = st.builds(
    v.Passage,
    id=st.text(max_size=8).map(v.PassageId),
    document=st.text(max_size=8),
    section=st.text(max_size=8),
    text=st.text(),
    score=st.floats(allow_nan=False, allow_infinity=False),
    source=st.text(max_size=8),
)
plain_values = st.text(max_size=9) | st.integers(-9, 9999) | st.floats(0, 9)
reasons = st.recursive(
    st.builds(Reason, code=st.text(max_size=9), values=st.dictionaries(st.text(max_size=4), plain_values)),
    lambda inner: st.builds(
        Reason, code=st.text(max_size=9), values=st.dictionaries(st.text(max_size=4), inner | plain_values)
    ),
    max_leaves=3,
)
usage = st.builds(
    v.Usage,
    calls=st.integers(0, 9),
    input_tokens=st.integers(0, 9999),
    output_tokens=st.integers(0, 9999),
    by_role=st.dictionaries(st.sampled_from(["draft", "judge"]), st.builds(v.Usage, calls=st.integers(0, 9))),
)
answers = st.builds(
    v.Answer,
    question=st.text(),
    text=st.text(),
    label=st.sampled_from(v.LABELS),
    language=st.sampled_from(["en", "ru", "zh"]),
    verdict=st.builds(
        v.Verdict,
        quality=st.just("unchecked"),
        reason=reasons,
        confidence=st.floats(0, 1),
        source=st.sampled_from(get_args(v.VerdictSource)),
    ),
    citations=st.lists(
        st.builds(
            v.Citation, n=st.integers(1, 9), quote=st.text(), passage=st.text(max_size=8).map(v.PassageId)
        ),
        max_size=2,
    ).map(tuple),
    passages=st.lists(passages, max_size=2).map(tuple),
    used_documents=st.booleans(),
    retries=st.integers(0, 2),
    usage=usage,
    seconds=st.floats(0, 100),
    trace=st.lists(st.builds(v.StepTrace, detail=reasons, milliseconds=st.floats(0, 9)), max_size=3).map(
        tuple
    ),
    failure=st.none() | st.builds(v.Failure, kind=st.just("rejected"), reason=reasons),
)


def row(columns: dict[str, object]) -> sa.Row[Any]:
    return cast("sa.Row[Any]", SimpleNamespace(id=7, **columns))


@given(answers)
def test_answer_survives_its_row_with_trace_passages_and_usage(answer: v.Answer) -> None:
    message = Message("assistant", "text", NOW, answer=answer)

    assert from_row(row(to_row("c", message))) == Message("assistant", "text", NOW, "", answer, MessageId(7))


def test_answer_that_was_stored_with_sentences_still_opens_and_shows_them() -> None:
    stored = """
    {"question": "Which Java?", "text": "Java 17 [1].", "label": "verified", "language": "en",
     "verdict": {"quality": "adequate", "reason": "the passages carry it", "confidence": 0.99, "source": "evidence"},
     "citations": [{"n": 1, "document": "FxStore", "section": "", "quote": "It needs Java 17.", "passage": "p1"}],
     "passages": [{"id": "p1", "document": "FxStore", "section": "", "text": "It needs Java 17."}],
     "used_documents": true, "retries": 1, "usage": {"calls": 2}, "seconds": 20.3,
     "trace": [{"step": "judge", "milliseconds": 2.0, "detail": "adequate (0.90, judge): fine"}],
     "failure": {"kind": "unavailable", "message": "nobody there"}}
    """
    columns = to_row("c", Message("assistant", "x", NOW, answer=_answer("x")))
    answer = from_row(row(columns | {"answer": stored})).answer
    assert answer is not None
    assert (answer.label, answer.verdict.source, answer.trace[0].step) == ("verified", "evidence", "judge")
    told = (answer.trace[0].detail, answer.verdict.reason, answer.failure and answer.failure.reason)
    assert [TEXTS.reason(reason, "ru") for reason in told if reason] == [
        "adequate (0.90, judge): fine",
        "the passages carry it",
        "nobody there",
    ]


def test_label_and_language_stand_in_columns_of_their_own() -> None:
    answer = _answer("x")
    columns = to_row("c", Message("assistant", "x", NOW, answer=answer))
    assert (columns["label"], columns["language"]) == ("general", "en")


@given(st.text(alphabet=st.characters() | st.characters(categories=["Cs"])))
def test_every_text_can_be_stored(text: str) -> None:
    stored = storable(text)
    stored.encode("utf-8")
    assert "\x00" not in stored
    assert len(stored) == len(text)


def test_half_a_surrogate_pair_in_an_answer_can_be_stored() -> None:
    columns = to_row("c", Message("assistant", "a\ud800", NOW, answer=_answer("b\ud800\x00")))
    assert columns["text"] == "a�"
    assert json.loads(str(columns["answer"]).encode("utf-8"))["text"] == "b�\x00"


@pytest.mark.parametrize("text", ["", "{", "{}", "[]", '{"question": 1}'])
def test_answer_that_cannot_be_read_leaves_the_message_readable(text: str) -> None:
    columns = to_row("c", Message("assistant", "hello", NOW)) | {"answer": text}
    message = from_row(row(columns))
    assert (message.text, message.answer) == ("hello", None)


@pytest.mark.parametrize(
    ("stored", "label"),
    [
        *(pytest.param(label, label, id=label) for label in v.LABELS),
        pytest.param("guessed", "unverified", id="label of another version"),
    ],
)
def test_answer_that_cannot_be_read_keeps_its_label(stored: str, label: v.Label) -> None:
    columns = to_row("c", Message("assistant", "x", NOW, answer=_answer("x")))
    turn = from_row(row(columns | {"answer": "{}", "label": stored})).as_turn()
    assert (turn.text, turn.label) == ("x", label)


def test_question_has_no_label() -> None:
    assert from_row(row(to_row("c", Message("user", "hello", NOW)))).as_turn().label is None


def test_time_without_a_zone_is_refused() -> None:
    with pytest.raises(ValueError, match="without a zone"):
        UtcDateTime().process_bind_param(datetime(2026, 1, 1), sqlite.dialect())  # noqa: DTZ001 - the point


def _answer(text: str) -> v.Answer:
    verdict = v.Verdict("adequate", as_written(""), 1.0, "rules")
    return v.Answer("q", text, "general", "en", verdict, (), (), False, 0, v.Usage(), 0.1, ())
