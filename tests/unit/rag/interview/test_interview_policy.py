from __future__ import annotations

import contextlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.interview.documents import AddOrReplace, Fact, JsonPatch, MergePatch, Remove, State
from rag.interview.patch import PatchError, apply_operations, place, read_operations
from rag.interview.pointers import has, read
from rag.interview.policy import decide_changes
from tests.support.talks import Talk

NEW = Talk().state


def state(domain: dict[str, Any], **facts: str) -> State:
    told = {path: Fact(status=status) for path, status in facts.items()}
    return NEW.model_copy(update={"domain": domain, "facts": told})


def add(path: str, value: Any, quote: str = "") -> AddOrReplace:
    return AddOrReplace(op="add", path=path, value=value, quote=quote)


NAME = {"op": "add", "path": "/name", "value": "Anna"}
PRICE = state(
    {"money": {"price": "500 euros"}, "parties": [{"name": "Anna"}]},
    **{"/money/price": "confirmed", "/parties/0/name": "confirmed"},
)


def test_value_that_the_person_said_is_confirmed_and_an_invented_one_only_proposed() -> None:
    changes = decide_changes(
        state({}),
        [
            add("/name", "Anna Berg", "I am Anna Berg"),
            add("/city", "Paris", "I am Anna Berg"),
            add("/age", 33, "it is 34"),
        ],
        "Hello, I am Anna Berg, and it is 34 degrees here.",
        "t1",
    )
    statuses = {path: fact.status for path, fact in changes.facts.items() if fact}
    assert statuses == {"/name": "confirmed", "/city": "proposed", "/age": "proposed"}
    assert changes.domain == {"name": "Anna Berg", "city": "Paris", "age": 33}


def test_answer_to_a_question_needs_no_figures_in_its_quote() -> None:
    changes = decide_changes(
        state({}), [add("/size", "large", "the second one")], "The second one!", "t1", answered_path="/size"
    )
    assert changes.facts["/size"] == Fact(status="confirmed", source_turn="t1", quote="the second one")


def replaced(path: str, value: Any) -> AddOrReplace:
    return AddOrReplace(op="replace", path=path, value=value, quote="700 euros")


def removed(path: str) -> Remove:
    return Remove(op="remove", path=path, quote="700 euros")


@pytest.mark.parametrize(
    ("op", "dropped"),
    [
        pytest.param(add("/money/price", "700 euros", "700 euros"), 1, id="value"),
        pytest.param(replaced("/money", {"price": "700 euros"}), 1, id="parent"),
        pytest.param(replaced("/money", {}), 0, id="parent emptied"),
        pytest.param(removed("/money/price"), 1, id="removed"),
        pytest.param(removed("/money"), 1, id="parent removed"),
        pytest.param(replaced("/parties", []), 0, id="list emptied"),
        pytest.param(add("/parties/0", {"name": "Bo"}, "700 euros"), 1, id="element"),
        pytest.param(removed("/parties/0"), 1, id="element removed"),
        pytest.param(removed("/nothing"), 1, id="nothing there"),
    ],
)
def test_confirmed_fact_is_never_changed(op: Any, dropped: int) -> None:
    ops, _ = read_operations(JsonPatch(format="json_patch", ops=(op,)), PRICE.domain)
    changes = decide_changes(PRICE, ops, "It costs 700 euros.", "t2")
    assert (changes.ops, changes.domain, changes.facts) == ((), PRICE.domain, {})
    assert len(changes.dropped) == dropped


def test_contradiction_is_kept_as_a_conflict_only_if_the_person_said_it() -> None:
    said = decide_changes(PRICE, [add("/money/price", "700 euros", "700 euros")], "No, 700 euros.", "t2")
    (conflict,) = said.conflicts
    assert (conflict.path, conflict.held, conflict.said) == ("/money/price", "500 euros", "700 euros")
    invented = decide_changes(PRICE, [add("/money/price", "700 euros", "700 euros")], "Fine.", "t2")
    assert invented.conflicts == ()


def test_question_that_settles_a_conflict_may_change_the_fact() -> None:
    disputed = state({"price": "500"}, **{"/price": "disputed"})
    changes = decide_changes(
        disputed, [add("/price", "700", "700")], "700 it is", "t3", answered_path="/price", settled={"/price"}
    )
    assert changes.domain == {"price": "700"}
    assert changes.facts["/price"] == Fact(status="confirmed", source_turn="t3", quote="700")


@pytest.mark.parametrize(
    "raw",
    [
        {"op": "add", "path": "/meta/status", "value": "ready"},
        {"op": "add", "path": "/control/limits/max_questions_per_run", "value": 900},
        {"op": "add", "path": "/gate", "value": {}},
        {"op": "add", "path": "", "value": {}},
        {"op": "add", "path": "/domain", "value": {}},
        {"op": "add", "path": "/domain/a/01", "value": 1},
        {"op": "add", "path": "/domain/a/-1", "value": 1},
        {"op": "add", "path": "/domain/a~2b", "value": 1},
    ],
    ids=lambda raw: raw["path"] or "empty",
)
def test_path_outside_the_domain_is_left_out(raw: dict[str, Any]) -> None:
    patch = JsonPatch.model_validate({"format": "json_patch", "ops": [raw, {**NAME, "path": "/domain/b"}]})
    ops, outside = read_operations(patch, {"a": [1, 2]})
    assert [op.path for op in ops] == ["/b"]
    assert len(outside) == (raw["value"] != {})


def test_failing_operation_refuses_the_whole_patch_and_changes_nothing() -> None:
    domain: dict[str, Any] = {"a": {"b": [1]}}
    with pytest.raises(PatchError):
        apply_operations(domain, [add("/a/b/-", 2), Remove(op="remove", path="/missing")])
    assert domain == {"a": {"b": [1]}}


def test_merge_patch_sets_and_never_erases() -> None:
    domain: dict[str, Any] = {"a": {"b": 1}}
    merge = MergePatch(format="merge_patch", ops={"domain": {"a": {"b": None, "c": 2}, "d": [1]}})
    for op in read_operations(merge, domain)[0]:
        assert isinstance(op, AddOrReplace)
        domain = apply_operations(domain, place(domain, op))
    assert domain == {"a": {"b": 1, "c": 2}, "d": [1]}


KEYS = st.text(alphabet="~/-0123ab.$#[] ", max_size=5)
WRITTEN = st.recursive(
    st.none() | st.integers(0, 3) | st.sampled_from(["", "one"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=6,
)


@given(st.dictionaries(KEYS, WRITTEN, max_size=3), KEYS)
def test_patch_with_any_keys_is_read_or_refused(written: dict[str, Any], path: str) -> None:
    domain: dict[str, Any] = {"a": {"b": 1}, "b": [1, {"a": 2}], "0": "one"}
    patches = (
        MergePatch(format="merge_patch", ops=written),
        JsonPatch(format="json_patch", ops=(add(path, written),)),
    )
    for patch in patches:
        with contextlib.suppress(PatchError):
            ops, _ = read_operations(patch, domain)
            decide_changes(state(domain), ops, "one", "t")


def test_key_with_a_leading_zero_is_a_name() -> None:
    merge = MergePatch(format="merge_patch", ops={"rooms": {"007": "red", "~x": "blue"}})
    ops, outside = read_operations(merge, {})
    assert ([op.path for op in ops], outside) == (["/rooms/007", "/rooms/~0x"], ())


def test_appended_elements_get_their_index() -> None:
    patch = JsonPatch(format="json_patch", ops=(add("/a/-", 1), add("/a/-", 2)))
    assert [op.path for op in read_operations(patch, {"a": []})[0]] == ["/a/0", "/a/1"]


PATHS = st.sampled_from(["/a", "/a/b", "/a/c", "/l", "/l/0", "/l/1", "/l/-", "/l/0/n", "/x", "/a/b/d"])
VALUES = st.sampled_from(
    [1, 2, "one", "two", True, {}, [], {"b": 1}, {"b": 2, "c": 1}, [{"n": "one"}], {"n": "two"}]
)
OPS = st.one_of(
    st.builds(
        AddOrReplace,
        op=st.sampled_from(["add", "replace"]),
        path=PATHS,
        value=VALUES,
        quote=st.sampled_from(["", "one", "two 2"]),
    ),
    st.builds(Remove, op=st.just("remove"), path=PATHS, quote=st.sampled_from(["", "one"])),
)


@given(st.lists(OPS, max_size=8), st.sampled_from(["", "/a/b", "/l/0/n"]))
def test_no_sequence_of_patches_changes_a_confirmed_path(ops: list[Any], answered: str) -> None:
    before = state(
        {"a": {"b": 1, "c": "free"}, "l": [{"n": "one"}, {"n": "two"}]},
        **{"/a/b": "confirmed", "/l/1/n": "confirmed", "/a/c": "proposed"},
    )
    meant, _ = read_operations(JsonPatch(format="json_patch", ops=tuple(ops)), before.domain)
    changes = decide_changes(before, meant, "one and two 2", "t", answered_path=answered)
    for path, value in (("/a/b", 1), ("/l/1/n", "two")):
        assert has(changes.domain, path)
        assert read(changes.domain, path) == value
        assert path not in changes.facts
    for path, fact in changes.facts.items():
        assert fact is None or has(changes.domain, path), path


def test_fact_that_does_not_apply_or_is_disputed_keeps_its_state_whatever_a_model_writes() -> None:
    before = state({"price": "500"}, **{"/deposit": "not_applicable", "/price": "disputed"})
    changes = decide_changes(
        before,
        [add("/deposit", "100 euros", "100 euros"), add("/price", "700", "700")],
        "100 euros, and 700",
        "t2",
    )
    assert (changes.domain, changes.ops, changes.facts) == (before.domain, (), {})
    assert [(one.path, one.held, one.said) for one in changes.conflicts] == [
        ("/deposit", None, "100 euros"),
        ("/price", "500", "700"),
    ]


def test_proposed_value_is_removed_only_with_words_of_the_person() -> None:
    before = state({"city": "Paris"}, **{"/city": "proposed"})
    slip = decide_changes(before, [Remove(op="remove", path="/city", quote="not Paris")], "Hm.", "t2")
    assert (slip.domain, slip.dropped) == (before.domain, (("/city", "erases_without_quote"),))
    said = decide_changes(before, [Remove(op="remove", path="/city", quote="not Paris")], "Not Paris!", "t2")
    assert (said.domain, said.facts) == ({}, {"/city": None})


def test_fact_that_is_written_again_with_others_keeps_the_turn_that_it_was_said_in() -> None:
    before = state({"a": {"b": "x"}}, **{"/a/b": "confirmed"})
    changes = decide_changes(before, [add("/a", {"b": "x", "c": "y"}, "y")], "y", "t2")
    assert changes.domain == {"a": {"b": "x", "c": "y"}}
    assert set(changes.facts) == {"/a/c"}


def test_quote_that_states_the_value_and_was_never_said_confirms_nothing() -> None:
    changes = decide_changes(state({}), [add("/city", "Paris", "I live in Paris")], "I live in Rome.", "t1")
    assert changes.facts["/city"] == Fact(status="proposed", source_turn="t1")
