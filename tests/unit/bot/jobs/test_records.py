from __future__ import annotations

import json
import sys
import types
from dataclasses import make_dataclass
from datetime import UTC
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from bot.conversations.values import Conversation
from bot.jobs.plain import plain
from bot.jobs.records import RecordedError, UnknownOutcomeError, UnreadableRecordError, dump, load
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
    again = load(dump(value))
    assert again == value
    assert repr(plain(again)) == repr(plain(value))  # 1, 1.0 and True are equal, but not the same


@settings(max_examples=15, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(st.data())
@pytest.mark.parametrize("kind", OUTCOMES, ids=lambda kind: kind.__name__)
def test_every_outcome_of_a_step_comes_back(kind: Any, data: st.DataObject) -> None:
    value = data.draw(st.from_type(kind))
    again = load(dump(value))
    assert type(again) is kind
    # Compared as text, because a number that is none is not equal to itself.
    assert repr(plain(again)) == repr(plain(value))


def test_values_of_the_engine_come_back() -> None:
    value = {
        "verdict": Verdict("adequate", as_written("fine"), 1.0, "rules"),
        "usage": [Usage()],
        "passage": (Passage(PassageId("1"), "a.md", "A", "text"),),
    }
    assert load(dump(value)) == value


@pytest.mark.parametrize(
    "error",
    [KeyError("x"), ModelRejectedError("wrong key"), BudgetExhaustedError("calls", 3, 2)],
    ids=lambda error: type(error).__name__,
)
def test_errors_come_back_with_what_they_cost(error: Exception) -> None:
    spent = (ModelCall("draft", "m", 1, 2, 0.5),)
    if hasattr(error, "spent"):
        error.spent = spent
    again = load(dump(error))
    assert type(again) is type(error)
    assert str(again) == str(error)
    assert getattr(again, "spent", spent) == spent


def test_error_of_a_library_comes_back_as_its_sentence() -> None:
    again = load(dump(json.JSONDecodeError("no JSON", "x", 0)))
    assert type(again) is RecordedError
    assert str(again) == "JSONDecodeError: no JSON: line 1 column 1 (char 0)"


@pytest.mark.parametrize(
    "record",
    [
        {"$": "os:system", "of": ["true"]},
        {"$": "subprocess:Popen", "of": {"args": "true"}},
        {"$": "builtins:eval", "of": [["1"], {}]},
        {"$": "rag.engine:os.system", "of": {}},
        {"$": "bot.jobs.runner:Jobs", "of": {}},
        {"$": "bot.jobs.records:dump", "of": {}},
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
        load(json.dumps(record))


@pytest.fixture
def module(monkeypatch: pytest.MonkeyPatch) -> types.ModuleType:
    made = types.ModuleType("rag.upgraded")
    monkeypatch.setitem(sys.modules, "rag.upgraded", made)
    return made


def versioned(module: types.ModuleType, *names: str | tuple[str, str]) -> Any:
    """The class `Value` of a version of the program."""
    fields = [name if isinstance(name, tuple) else (name, "object") for name in names]
    kind: Any = make_dataclass("Value", fields, frozen=True, slots=True)
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
    kept = dump([versioned(module, "a", "b")(1, 2)])
    versioned(module, *fields)
    with pytest.raises(UnreadableRecordError):
        load(kept)


def test_record_of_a_class_that_is_the_same_is_read(module: types.ModuleType) -> None:
    kept = dump([versioned(module, "a", "b")(1, 2)])
    again = versioned(module, "a", "b")
    assert load(kept) == [again(1, 2)]


def test_record_of_a_class_that_is_gone_is_refused(module: types.ModuleType) -> None:
    kept = dump(versioned(module, "a")(1))
    del module.Value
    with pytest.raises(UnreadableRecordError):
        load(kept)


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
        load(text)


def test_what_cannot_be_kept_is_an_error_of_the_step() -> None:
    with pytest.raises(UnknownOutcomeError):
        dump(lambda: None)


def test_record_is_read_after_its_module_became_a_package() -> None:
    turn = Turn("user", "Which Java?")
    kept = dump(turn)
    assert load(kept.replace("rag.values.questions:Turn", "rag.values:Turn")) == turn


def test_record_that_reaches_a_class_through_an_unrelated_module_is_refused() -> None:
    kept = dump(Turn("user", "Which Java?"))
    with pytest.raises(UnreadableRecordError):
        load(kept.replace("rag.values.questions:Turn", "rag.steps.classify:Turn"))
