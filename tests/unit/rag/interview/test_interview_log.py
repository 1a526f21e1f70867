"""The log of an interview: replaying it, undoing turns, and messages that wait for a turn."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from rag.interview.documents import Control, Dialogue, Limits, NextAction
from rag.interview.events import (
    Migrated,
    TurnApplied,
    Undone,
    fold,
    hash_state,
)
from rag.interview.issues import leave_open
from rag.interview.missions import SHIPPED, load_mission
from tests.support.talks import NOW, Talk, say_code


def test_hash_tells_states_apart_by_every_part_and_not_by_the_order_of_their_keys() -> None:
    talk = Talk()
    talk.says("editor 2.1", {"/product": ("editor", "editor"), "/version": ("2.1", "2.1")})
    state = talk.state
    turned = {
        "domain": dict(reversed(state.domain.items())),
        "facts": dict(reversed(state.facts.items())),
    }
    assert hash_state(state.model_copy(update=turned)) == hash_state(state)
    others: list[dict[str, Any]] = [
        {"domain": {**state.domain, "version": "2.2"}},
        {"facts": {}},
        {"issues": (leave_open("/steps", "t1", load_mission(SHIPPED / "bug_report"), say_code),)},
        {"dialogue": Dialogue()},
        {"gate": None},
        {"next_action": None},
        {"control": Control(limits=Limits(max_loops=9))},
        {"meta": state.meta.model_copy(update={"state_version": 7})},
    ]
    assert len({hash_state(state.model_copy(update=other)) for other in ({}, *others)}) == 9


def test_undo_takes_back_the_last_turn_and_never_gives_a_version_twice() -> None:
    talk = Talk()
    talk.says("Hello")
    before = talk.state
    talk.says("The editor", {"/product": ("editor", "The editor")})
    talk.events.append(Undone(at=NOW + timedelta(hours=1)))
    after = talk.state
    assert (after.domain, after.facts, after.dialogue, after.next_action) == (
        before.domain, before.facts, before.dialogue, before.next_action,
    )  # fmt: skip
    assert after.meta.state_version == 3
    with pytest.raises(ValueError, match="no turn to take back"):
        fold([*talk.events, Undone(at=NOW), Undone(at=NOW)])


def test_undo_takes_back_what_only_looked_and_keeps_the_version_of_the_pack() -> None:
    talk = Talk()
    talk.says("Hello")
    talk.says("It is the editor", {"/product": ("editor", "the editor")})
    talk.events.append(Migrated(schema_version="1.1.0", at=NOW))
    looked = TurnApplied(turns=(), next_action=NextAction(kind="proceed_to_gate"), at=NOW)
    talk.events += [looked, looked, Undone(at=NOW)]
    state = talk.state
    assert state.meta.schema_version == "1.1.0"
    assert state.domain == {}
    assert talk.question.path == "/product"
    assert state.meta.state_version == 6


def test_turn_moves_version_and_last_change_and_not_the_beginning() -> None:
    talk = Talk()
    before = talk.state.meta
    talk.says("the editor", {"/product": ("the editor", "the editor")})
    after = talk.state.meta
    assert after.state_version == before.state_version + 1
    assert after.updated_at > before.updated_at
    assert after.created_at == before.created_at
