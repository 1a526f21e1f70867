"""What a model that misbehaves can do to an interview: nothing to what is confirmed, and nothing is lost."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.errors import ModelRejectedError, ModelReplyError, ModelUnavailableError
from rag.interview.events import TurnApplied, TurnFailed, fold, hash_state, list_pending
from rag.interview.patch import PatchError
from rag.interview.pointers import find
from rag.models.scripted import Reply
from tests.support.interviews import changes
from tests.support.talks import Interview, Talk

TEXT = "The version is 2.1."


def patch(path: str, value: Any = "2.1", quote: str = "2.1", op: str = "add") -> dict[str, Any]:
    """A reply with one operation; `path` is written as it is."""
    return ops({"op": op, "path": path, "value": value, "quote": quote})


def ops(*written: dict[str, Any]) -> dict[str, Any]:
    return changes(patch={"format": "json_patch", "ops": list(written)})


def merge(inner: dict[str, Any]) -> dict[str, Any]:
    return changes(patch={"format": "merge_patch", "ops": inner})


def asks(path: str, text: str = "Which product or part of it is affected?") -> dict[str, Any]:
    return changes(
        next_action={"kind": "ask_user", "ask_user": {"question_text": text, "path": path}},
    )


ISSUE = {"severity": "critical", "title": "Two values", "why_it_matters": "One holds."}
VERSION = '{"op": "add", "path": "/domain/version", "value": "2.1", "quote": "2.1"}'
WHOLE = (
    '{"step": "INTERPRET", "patch": {"format": "json_patch", "ops": [%s]}, '
    '"next_action": {"kind": "proceed_to_gate"}}'
)
UNUSABLE = "reply_unusable"

FAULTS: dict[str, tuple[Reply, str, dict[str, Any]]] = {
    # name: the reply, the error that the turn fails with ("" if it is applied), what is new in the domain
    "time-out": (ModelUnavailableError("no reply within 60 s"), "model_unavailable", {}),
    "server error": (ModelUnavailableError("503"), "model_unavailable", {}),
    "refused key": (ModelRejectedError("401"), "model_unavailable", {}),
    "two repairs used up": (ModelReplyError("three replies of no use"), UNUSABLE, {}),
    "empty": ("", UNUSABLE, {}),
    "null": ("null", UNUSABLE, {}),
    "refusal": ("I am sorry, I cannot help with that.", UNUSABLE, {}),
    "prose around": (f"Here you are: {WHOLE % VERSION} Anything else?", "", {"version": "2.1"}),
    "fenced": (f"```json\n{WHOLE % VERSION}\n```", "", {"version": "2.1"}),
    "leading zeros": (patch("/domain/version", "0012345678"), "", {"version": "0012345678"}),
    "number with leading zeros": (
        WHOLE % VERSION.replace('"2.1", "quote"', '0012345678, "quote"'),
        UNUSABLE,
        {},
    ),
    "two objects": (WHOLE % VERSION + WHOLE % VERSION, UNUSABLE, {}),
    "duplicate keys": ('{"step": "INTERPRET", "step": "INTERPRET"}', UNUSABLE, {}),
    "not a number": (WHOLE % VERSION.replace('"2.1", "quote"', 'NaN, "quote"'), UNUSABLE, {}),
    "cut off": ((WHOLE % VERSION)[:-20], UNUSABLE, {}),
    "a list": ("[]", UNUSABLE, {}),
    "another step": (changes(step="GATE_CHECK"), UNUSABLE, {}),
    "no step": (changes(step="SKELETON"), UNUSABLE, {}),
    "prose for a patch": (changes(patch="price: 5"), UNUSABLE, {}),
    "gives up without a reason": (changes(next_action={"kind": "halt_error"}), UNUSABLE, {}),
    "unknown field": (changes(status="ready"), "", {}),
    "question missing": (changes(next_action={"kind": "ask_user"}), "", {}),
    "path of meta": (patch("/meta/status", "ready"), UNUSABLE, {}),
    "path of limits": (patch("/control/limits/max_questions_per_run", 900), UNUSABLE, {}),
    "path of issues": (patch("/issues/0/status", "resolved"), UNUSABLE, {}),
    "path of the talk": (patch("/dialogue/history/-", {}), "", {}),
    "path of the gate": (patch("/gate/ready_for_skeleton", True), UNUSABLE, {}),
    "path of facts": (patch("/facts/~1product", {"status": "proposed"}), UNUSABLE, {}),
    "whole document": (patch("", {}), "", {}),
    "whole domain": (patch("/domain", {}), "", {}),
    "leading zero": (patch("/domain/attachments/01"), UNUSABLE, {}),
    "negative index": (patch("/domain/attachments/-1"), UNUSABLE, {}),
    "bad escape": (patch("/domain/a~2b"), UNUSABLE, {}),
    "unknown operation": (patch("/domain/version", op="wipe"), UNUSABLE, {}),
    "move": (ops({"op": "move", "from": "/domain/product", "path": "/domain/version"}), UNUSABLE, {}),
    "value missing": (ops({"op": "add", "path": "/domain/version"}), UNUSABLE, {}),
    "nothing to remove": (
        ops({"op": "remove", "path": "/domain/severity", "quote": "2.1"}),
        "",
        {},
    ),
    "failing test": (
        ops(
            {"op": "add", "path": "/domain/version", "value": "2.1", "quote": "2.1"},
            {"op": "test", "path": "/domain/product", "value": "viewer"},
        ),
        UNUSABLE,
        {},
    ),
    "half of it bad": (
        ops(
            {"op": "add", "path": "/domain/version", "value": "2.1", "quote": "2.1"},
            {"op": "add", "path": "/domain/severity", "value": "awful", "quote": "2.1"},
        ),
        UNUSABLE,
        {},
    ),
    "issue not complete": (changes(issue_updates=[{"title": "Odd"}]), UNUSABLE, {}),
    "done at once": (changes(next_action={"kind": "proceed_to_skeleton"}), "", {}),
    "gives up": (
        changes(next_action={"kind": "halt_error", "error": {"code": "x", "message": "no"}}),
        "",
        {},
    ),
    "invents a value": (patch("/domain/version", "9.9", quote="never said"), "", {"version": "9.9"}),
    "overwrites": (patch("/domain/product", "viewer", quote="nobody said this"), "", {}),
    "overwrites with what was said": (patch("/domain/product", "2.1"), "", {}),
    "erases": (ops({"op": "remove", "path": "/domain/product", "quote": "2.1"}), "", {}),
    "erases by null": (merge({"product": None}), "", {}),
    "merges": (merge({"domain": {"product": "viewer", "version": "2.1"}}), "", {"version": "2.1"}),
    "asks what is known": (asks("/product"), "", {}),
    "asks the same again": (asks("/version", "Which version do you use?"), "", {}),
    "asks about no fact": (asks("/meta/status"), "", {}),
    "dismisses": (changes(issue_updates=[{**ISSUE, "status": "dismissed"}]), "", {}),
    "makes a contradiction up": (changes(issue_updates=[{**ISSUE, "key": "conflict:/product"}]), "", {}),
    "makes a contradiction up by id": (changes(issue_updates=[{**ISSUE, "id": "conflict:/version"}]), "", {}),
    "says that nobody knows": (changes(issue_updates=[{**ISSUE, "key": "unknown:/version"}]), "", {}),
    "objects beforehand": (changes(issue_updates=[{**ISSUE, "key": "objection:/product"}]), "", {}),
}  # fmt: skip


@pytest.mark.parametrize(("reply", "code", "added"), FAULTS.values(), ids=FAULTS)
async def test_model_that_misbehaves_loses_no_turn_and_changes_no_confirmed_fact(
    reply: Reply, code: str, added: dict[str, Any]
) -> None:
    replies: list[Reply] = [changes({"/product": "the editor"}), reply]
    interview = Interview(lambda _request: replies.pop(0) if replies else changes())
    await interview.says("It is the editor.", turn_id="first")
    before = fold(interview.events)
    event = await interview.says(TEXT, turn_id="second")
    after = fold(interview.events)
    if code:
        assert isinstance(event, TurnFailed)
        assert event.error.code == code
        assert event.error.message
        assert hash_state(after) == hash_state(before)
        assert [turn.text for turn in list_pending(interview.events)] == [TEXT]
    else:
        assert isinstance(event, TurnApplied)
        assert after.domain == {"product": "the editor", **added}
        assert [turn.text for turn in after.dialogue.history if turn.role == "user"][-1] == TEXT
        assert after.meta.status == "collecting"
    assert after.domain["product"] == "the editor"
    assert after.control == before.control
    assert not any(issue.key and issue.key.startswith(("unknown:", "objection:")) for issue in after.issues)
    # The interview goes on: the message that waited is taken up, and something new is asked, or the person
    # is asked which of two values holds.
    await interview.says("Go on, please.", turn_id="third")
    end = fold(interview.events)
    assert [turn.id for turn in end.dialogue.history if turn.role == "user"] == ["first", "second", "third"]
    assert list_pending(interview.events) == ()
    assert end.domain["product"] == "the editor"
    assert end.next_action is not None
    assert end.next_action.kind == "ask_user"
    asked = [one.text for one in end.dialogue.asked]
    assert len(set(asked)) == len(asked)


async def test_contradiction_that_a_model_makes_up_does_not_block_the_end() -> None:
    talk = Talk()
    talk.says("Hello", issue_updates=[{**ISSUE, "key": "conflict:/product"}])
    talk.finish()
    assert talk.state.meta.status == "ready"
    assert [issue.key for issue in talk.state.issues] == [None]


PATHS = st.sampled_from(
    ["/product", "/version", "/severity", "/environment", "/environment/os", "/attachments/0"]
)
VALUES = st.sampled_from(
    ["editor", "viewer", "2.1", "minor", "blocker", {"os": "editor"}, {}, {"os": "viewer"}]
)
QUOTES = st.sampled_from(["", "editor", "viewer 2.1", "minor", "editor viewer 2.1 minor blocker"])
OPERATIONS = st.one_of(
    st.fixed_dictionaries(
        {"op": st.sampled_from(["add", "replace"]), "path": PATHS, "value": VALUES, "quote": QUOTES}
    ),
    st.fixed_dictionaries({"op": st.just("remove"), "path": PATHS, "quote": QUOTES}),
)
MESSAGES = st.sampled_from(
    ["editor viewer 2.1 minor blocker", "editor", "yes", "no", "1", "2", "nothing", "I do not know"]
)


@given(st.lists(st.tuples(MESSAGES, st.lists(OPERATIONS, max_size=3)), max_size=10))
def test_no_sequence_of_turns_changes_a_confirmed_path_without_the_answer_to_a_question_about_it(
    turns: list[tuple[str, list[dict[str, Any]]]],
) -> None:
    talk = Talk()
    talk.says("Hello")
    for message, written in turns:
        before = talk.state
        question = before.next_action.ask_user if before.next_action else None
        settled = question.path if question is not None and question.facet != "value" else ""
        raw = [{**op, "path": f"/domain{op['path']}"} for op in written]
        try:
            talk.says(message, raw=raw)
        except PatchError:
            assert hash_state(talk.state) == hash_state(before)
            continue
        after = talk.state
        for path, fact in before.facts.items():
            if fact.status != "proposed" and path != settled:
                assert find(after.domain, path) == find(before.domain, path), path
                assert after.facts[path].status in {fact.status, "disputed"}, path
        assert after.dialogue.history[: len(before.dialogue.history)] == before.dialogue.history
        assert after.meta.state_version == before.meta.state_version + 1
        assert after.meta.created_at == before.meta.created_at
        asked = [(one.path, one.facet) for one in after.dialogue.asked if one.facet != "conflict"]
        assert all(asked.count(one) <= 2 for one in asked)
