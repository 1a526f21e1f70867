from __future__ import annotations

import base64
import json
import pickle
import sys
import types
from dataclasses import make_dataclass
from datetime import UTC
from pathlib import Path
from typing import Any

import pytest
from dbos import _serialization as dbos_serialization
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from bot.conversations.values import Conversation
from bot.jobs.plain import plain
from bot.jobs.serializer import (
    RecordedError,
    Records,
    UnknownOutcomeError,
    UnreadableRecordError,
    refuse_foreign_records,
)
from bot.jobs.step_log import Outcome, Record
from rag.errors import BudgetExhaustedError, ModelRejectedError
from rag.knowledge.search import SearchResult
from rag.reasons import as_written
from rag.runs.candidates import Candidate
from rag.steps.critique import Critique
from rag.steps.review import Review
from rag.values import Answer, Classification, ModelCall, Passage, PassageId, Turn, Usage, Verdict

KEYS = st.none() | st.booleans() | st.integers() | st.text() | st.tuples(st.text(), st.integers())
VALUES = st.recursive(
    KEYS
    | st.floats(allow_nan=False)
    | st.binary()
    | st.datetimes(timezones=st.just(UTC)).map(lambda moment: moment.replace(fold=0))
    | st.timedeltas()
    | st.frozensets(st.text()),
    lambda inner: st.lists(inner) | st.dictionaries(KEYS, inner) | st.tuples(inner, inner),
)

_PART = st.builds(Usage, by_role=st.just({}), by_seat=st.just({}))
_PARTS = st.dictionaries(st.text(), _PART, max_size=2)
# Sums hold sums: without an end to that, most of what is generated would be too large.
st.register_type_strategy(
    Usage, st.builds(Usage, by_role=_PARTS, by_seat=st.dictionaries(st.text(), _PARTS, max_size=2))
)

OUTCOMES: tuple[Any, ...] = (
    Answer, Candidate, Classification, Conversation, Critique, Review, SearchResult, Turn,
)  # fmt: skip
"""What steps return."""


@given(VALUES)
def test_any_plain_value_comes_back(value: object) -> None:
    again = Records().deserialize(Records().serialize(value))
    assert again == value
    assert repr(plain(again)) == repr(plain(value))  # 1, 1.0 and True are equal, but not the same


@settings(max_examples=15, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(st.data())
@pytest.mark.parametrize("kind", OUTCOMES, ids=lambda kind: kind.__name__)
def test_every_outcome_of_a_step_comes_back(kind: Any, data: st.DataObject) -> None:
    value = Record(Outcome(data.draw(st.from_type(kind))), {"probe": Outcome(error=KeyError("x"))})
    again = Records().deserialize(Records().serialize(value))
    assert type(again.own.value) is kind
    # Compared as text, because a number that is none is not equal to itself.
    assert repr(plain(again)) == repr(plain(value))


def test_values_of_the_engine_come_back() -> None:
    value = {
        "verdict": Verdict("adequate", as_written("fine"), 1.0, "rules"),
        "usage": [Usage()],
        "passage": (Passage(PassageId("1"), "a.md", "A", "text"),),
    }
    assert Records().deserialize(Records().serialize(value)) == value


@pytest.mark.parametrize(
    "error",
    [KeyError("x"), ModelRejectedError("wrong key"), BudgetExhaustedError("calls", 3, 2)],
    ids=lambda error: type(error).__name__,
)
def test_errors_come_back_with_what_they_cost(error: Exception) -> None:
    spent = (ModelCall("draft", "m", 1, 2, 0.5),)
    if hasattr(error, "spent"):
        error.spent = spent
    again = Records().deserialize(Records().serialize(error))
    assert type(again) is type(error)
    assert str(again) == str(error)
    assert getattr(again, "spent", spent) == spent


def test_error_of_a_library_comes_back_as_its_sentence() -> None:
    again = Records().deserialize(Records().serialize(json.JSONDecodeError("no JSON", "x", 0)))
    assert type(again) is RecordedError
    assert str(again) == "JSONDecodeError: no JSON: line 1 column 1 (char 0)"


class Attack:
    """A pickle that runs a command when it is read."""

    def __reduce__(self) -> tuple[Any, ...]:
        return eval, ("__import__('pathlib').Path('owned').touch()",)


@pytest.mark.parametrize(
    "record",
    [
        pickle.dumps(Attack()),
        pickle.dumps(({}, pickle.dumps(Attack()))),
        pickle.dumps(({("os", "system"): ()}, pickle.dumps(1))),
        pickle.dumps(({}, pickle.dumps(KeyError("x")))),
    ],
    ids=["a call", "a call inside", "a layout", "an error"],
)
def test_pickle_that_holds_more_than_plain_values_is_refused_and_runs_nothing(
    record: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    text = base64.b64encode(record).decode()
    refuse_foreign_records()
    # dbos chooses its own reader when a row says that it holds a pickle.
    for read in (Records().deserialize, dbos_serialization.DBOSDefaultSerializer.deserialize):
        with pytest.raises(UnreadableRecordError):
            read(text)
    assert not (tmp_path / "owned").exists()


def test_what_a_job_was_given_by_an_earlier_version_is_read() -> None:
    given_before = {"args": ("answer", '{"text": "hi"}', "a:0", 7), "kwargs": {}}
    record = base64.b64encode(pickle.dumps(({}, pickle.dumps(given_before)))).decode()
    assert Records().deserialize(record) == given_before


@pytest.mark.parametrize(
    "record",
    [
        {"$": "os:system", "of": ["true"]},
        {"$": "subprocess:Popen", "of": {"args": "true"}},
        {"$": "builtins:eval", "of": [["1"], {}]},
        {"$": "rag.engine:os.system", "of": {}},
        {"$": "bot.jobs.runner:Jobs", "of": {}},
        {"$": "bot.jobs.serializer:Records", "of": {}},
        {"$": "rag.values:Verdict", "of": {}},
        {"$": "rag.nowhere:Verdict", "of": {}},
        {"$": "tuple", "of": 3},
        {"of": 3},
        {},
    ],
    ids=str,
)
def test_record_that_names_anything_but_a_value_of_the_program_is_refused(record: object) -> None:
    with pytest.raises(UnreadableRecordError):
        Records().deserialize(json.dumps(record))


@pytest.fixture
def module(monkeypatch: pytest.MonkeyPatch) -> types.ModuleType:
    made = types.ModuleType("rag.upgraded")
    monkeypatch.setitem(sys.modules, "rag.upgraded", made)
    return made


def versioned(module: types.ModuleType, *names: str | tuple[str, str]) -> Any:
    """The class `Value` of a version of the program."""
    kind: Any = make_dataclass("Value", names, frozen=True, slots=True)
    kind.__module__ = "rag.upgraded"
    kind.__qualname__ = "Value"
    module.Value = kind  # type: ignore[attr-defined]
    return kind


@pytest.mark.parametrize(
    "fields",
    [("a",), ("a", "b", "c"), ("c", "a", "b"), ("a", "c"), ("a", ("b", "str"))],
    ids=["one is gone", "one more", "one more in front", "renamed", "another type"],
)
def test_record_of_a_class_that_has_other_fields_now_is_refused(
    module: types.ModuleType, fields: tuple[str | tuple[str, str], ...]
) -> None:
    kept = Records().serialize([versioned(module, "a", "b")(1, 2)])
    versioned(module, *fields)
    with pytest.raises(UnreadableRecordError):
        Records().deserialize(kept)


def test_record_of_a_class_that_is_the_same_is_read(module: types.ModuleType) -> None:
    kept = Records().serialize([versioned(module, "a", "b")(1, 2)])
    again = versioned(module, "a", "b")
    assert Records().deserialize(kept) == [again(1, 2)]


def test_record_of_a_class_that_is_gone_is_refused(module: types.ModuleType) -> None:
    kept = Records().serialize(versioned(module, "a")(1))
    del module.Value
    with pytest.raises(UnreadableRecordError):
        Records().deserialize(kept)


def _is_plain_json(text: str) -> bool:
    """Plain values are records of themselves; NaN and Infinity are no JSON."""
    try:
        return bool(json.loads(text, parse_constant=float) == json.loads(text, parse_constant=str))
    except ValueError:
        return False


@given(st.text().filter(lambda text: not _is_plain_json(text)))
@example("Infinity")
@example("NaN")
@example("[1")
def test_what_is_no_record_is_refused(text: str) -> None:
    with pytest.raises(UnreadableRecordError):
        Records().deserialize(text)


def test_what_cannot_be_kept_is_an_error_of_the_step() -> None:
    with pytest.raises(UnknownOutcomeError):
        Records().serialize(lambda: None)


def test_record_is_read_after_its_module_became_a_package() -> None:
    turn = Turn("user", "Which Java?")
    kept = Records().serialize(turn)
    assert Records().deserialize(kept.replace("rag.values.questions:Turn", "rag.values:Turn")) == turn


def test_record_that_reaches_a_class_through_an_unrelated_module_is_refused() -> None:
    kept = Records().serialize(Turn("user", "Which Java?"))
    with pytest.raises(UnreadableRecordError):
        Records().deserialize(kept.replace("rag.values.questions:Turn", "rag.steps.classify:Turn"))
