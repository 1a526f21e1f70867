"""Every reason that the product gives has its message, with its values, in every language."""

from __future__ import annotations

import ast
import pickle
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from fluent.syntax import FluentParser
from fluent.syntax.ast import Message, VariableReference
from fluent.syntax.visitor import Visitor
from hypothesis import given
from hypothesis import strategies as st

import rag
from bot.texts import TEXTS
from rag.errors import BudgetExhaustedError, DocumentError, KnowledgeBusyError, OperatorError
from rag.reasons import AS_WRITTEN, Reason, as_written, from_json, reason_of_os
from rag.texts import ENGINE_FOLDER, ENGLISH

ROOT = Path(rag.__file__).parent.parent
WORDS = {
    "intent": ("question", "follow_up", "small_talk"),
    "quality": ("adequate", "needs_docs", "hallucination", "off_topic", "unchecked"),
    "status": ("regenerate", "fixed", "flag_to_judge", "pass", "pass_with_flags"),
}
"""Values that a message chooses its words by."""


@dataclass(frozen=True, slots=True)
class Given:
    """A place in the source where a reason is given."""

    code: str
    values: frozenset[str]
    place: str


def given_reasons() -> Iterator[Given]:
    """Every reason in the source of the product; each must have its code and the names of its values there."""
    for folder in ("rag", "bot"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            if path == ROOT / "rag" / "reasons.py":
                yield from (
                    Given(code, frozenset(), str(path)) for code in ("no-rights", "not-there", "disk-full")
                )
                continue
            for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if (
                    isinstance(call, ast.Call)
                    and isinstance(call.func, ast.Name)
                    and call.func.id == "Reason"
                ):
                    place = f"{path.relative_to(ROOT)}:{call.lineno}"
                    for code in _literals(call.args[0], place):
                        yield Given(code, _names(call, place), place)


def _literals(node: ast.expr, place: str) -> tuple[str, ...]:
    match node:
        case ast.Constant(value=str(code)):
            return (code,)
        case ast.IfExp(body=body, orelse=orelse):
            return (*_literals(body, place), *_literals(orelse, place))
        case _:
            raise AssertionError(f"{place}: the code of a reason must be written out")


def _names(call: ast.Call, place: str) -> frozenset[str]:
    if len(call.args) == 1:
        return frozenset()
    values = call.args[1]
    assert isinstance(values, ast.Dict), f"{place}: the values of a reason must be written out"
    return frozenset(str(key.value) for key in values.keys if isinstance(key, ast.Constant))


GIVEN = tuple(given_reasons())


class _Placeables(Visitor):
    def __init__(self) -> None:
        self.names: set[str] = set()

    def visit_VariableReference(self, node: VariableReference) -> None:  # noqa: N802 - the name of the class
        self.names.add(node.id.name)


def messages(language: str) -> dict[str, set[str]]:
    """Names of the values that the message of each code uses."""
    found: dict[str, set[str]] = {}
    catalogue = (ENGINE_FOLDER / f"{language}.ftl").read_text(encoding="utf-8")
    for entry in FluentParser().parse(catalogue).body:
        if isinstance(entry, Message) and entry.id.name.startswith("reason-"):
            placeables = _Placeables()
            placeables.visit(entry)
            found[entry.id.name.removeprefix("reason-")] = placeables.names
    return found


def test_reasons_are_found_in_the_source() -> None:
    codes = {reason.code for reason in GIVEN}
    assert {
        "documents-found",
        "verdict",
        "judge-said",
        "model-too-slow",
        "row-no-id",
        "not-recorded",
    } <= codes
    assert len(codes) > 200


def test_a_code_has_the_same_values_wherever_it_is_given() -> None:
    by_code: dict[str, set[frozenset[str]]] = {}
    for reason in GIVEN:
        by_code.setdefault(reason.code, set()).add(reason.values)
    assert {code: values for code, values in by_code.items() if len(values) > 1} == {}


@pytest.mark.parametrize("language", TEXTS.languages)
def test_every_code_has_its_message_and_every_message_its_code(language: str) -> None:
    assert {reason.code for reason in GIVEN} == messages(language).keys()


@pytest.mark.parametrize("language", TEXTS.languages)
def test_messages_use_no_value_that_the_code_does_not_give(language: str) -> None:
    used = messages(language)
    assert [reason.place for reason in GIVEN if not used[reason.code] <= reason.values] == []


@pytest.mark.parametrize("language", TEXTS.languages)
def test_every_reason_can_be_said(language: str) -> None:
    for reason in GIVEN:
        values = {name: WORDS.get(name, ("7",))[0] for name in reason.values}
        assert ENGLISH.text(f"reason-{reason.code}", language, **values).strip()


@pytest.mark.parametrize("language", TEXTS.languages)
@pytest.mark.parametrize(
    ("code", "name", "others"),
    [
        ("message-read", "intent", {"language": "en", "reason": ""}),
        ("message-read-anew", "intent", {"text": ""}),
        ("verdict", "quality", {"confidence": 90, "reason": ""}),
        ("reviewed", "status", {"reason": ""}),
    ],
)
def test_every_word_that_a_message_chooses_by_is_said_differently(
    code: str, name: str, others: dict[str, str | int], language: str
) -> None:
    said = {ENGLISH.reason(Reason(code, {name: word, **others}), language) for word in WORDS[name]}
    assert len(said) == len(WORDS[name])


def test_a_reason_inside_a_reason_is_said_in_the_same_language() -> None:
    row = Reason("line", {"line": "7", "reason": Reason("row-not-json")})
    assert TEXTS.reason(row, "ru") == "строка 7: строка — не правильный JSON"
    assert str(row) == "line 7: the row is not valid JSON"


def test_numbers_are_written_as_the_language_does() -> None:
    busy = Reason(
        "model-busy-until",
        {
            "model": Reason("model-name-server", {"name": "openai:x", "address": "http://127.0.0.1:1/v1"}),
            "status": "429",
            "seconds": 2.5,
        },
    )
    assert "2,5 с" in TEXTS.reason(busy, "ru")
    assert "2.5 s" in TEXTS.reason(busy, "en")


@given(st.text(max_size=60), st.sampled_from(TEXTS.languages))
def test_a_sentence_without_a_code_stays_as_it_is(sentence: str, language: str) -> None:
    assert TEXTS.reason(as_written(sentence), language) == sentence


def test_a_code_of_another_version_is_said_by_its_name_and_values() -> None:
    assert TEXTS.reason(Reason("was-renamed", {"files": 3}), "ko") == "was renamed, 3"


values = st.text(max_size=9) | st.integers() | st.floats(allow_nan=False)
reasons = st.recursive(
    st.builds(Reason, st.text(), st.dictionaries(st.text(max_size=5), values)),
    lambda inner: st.builds(Reason, st.text(), st.dictionaries(st.text(max_size=5), values | inner)),
    max_leaves=4,
)


@given(reasons)
def test_a_reason_survives_its_record(reason: Reason) -> None:
    assert from_json(reason.to_json()) == reason
    assert pickle.loads(pickle.dumps(reason)) == reason
    assert hash(from_json(reason.to_json())) == hash(reason)


@given(st.text())
def test_a_record_of_a_former_version_is_the_sentence_itself(sentence: str) -> None:
    assert from_json(sentence) == as_written(sentence)
    assert from_json(sentence).code == AS_WRITTEN


@pytest.mark.parametrize(
    ("number", "code"), [(13, "no-rights"), (2, "not-there"), (28, "disk-full"), (5, AS_WRITTEN)]
)
def test_what_the_operating_system_refuses_has_a_code_where_we_know_it(number: int, code: str) -> None:
    assert reason_of_os(OSError(number, "Input/output error")).code == code


@pytest.mark.parametrize(
    "error",
    [
        pytest.param(DocumentError(Reason("file-grew", {"limit": 5_000_000})), id="reason"),
        pytest.param(KnowledgeBusyError(), id="docstring"),
        pytest.param(OperatorError("correct the setting"), id="sentence"),
        pytest.param(BudgetExhaustedError("seconds", 12.5, 10.0), id="fields"),
    ],
)
def test_an_error_keeps_its_reason_in_a_record(error: OperatorError | DocumentError) -> None:
    read = pickle.loads(pickle.dumps(error))
    assert (type(read), read.reason, str(read)) == (type(error), error.reason, str(error))
    assert str(error).strip()
