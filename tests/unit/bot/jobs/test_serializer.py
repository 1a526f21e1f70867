from __future__ import annotations

import sys
import types
from dataclasses import make_dataclass
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.jobs.serializer import Records, UnreadableRecordError
from rag.errors import BudgetExhaustedError, ModelRejectedError
from rag.reasons import as_written
from rag.values import ModelCall, Passage, PassageId, Usage, Verdict

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text() | st.binary(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner) | st.tuples(inner, inner),
)


@given(VALUES)
def test_any_plain_value_comes_back(value: object) -> None:
    assert Records().deserialize(Records().serialize(value)) == value


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


@pytest.fixture
def module(monkeypatch: pytest.MonkeyPatch) -> types.ModuleType:
    made = types.ModuleType("upgraded")
    monkeypatch.setitem(sys.modules, "upgraded", made)
    return made


def versioned(module: types.ModuleType, *names: str | tuple[str, str]) -> Any:
    """The class `Value` of a version of the program."""
    kind: Any = make_dataclass("Value", names, frozen=True, slots=True)
    kind.__module__ = "upgraded"
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


@given(st.text())
def test_what_is_no_record_is_refused(text: str) -> None:
    with pytest.raises(UnreadableRecordError):
        Records().deserialize(text)


def test_what_cannot_be_kept_is_an_error_of_the_step() -> None:
    with pytest.raises((TypeError, AttributeError)):
        Records().serialize(lambda: None)
