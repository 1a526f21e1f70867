"""What a council tells while it works and what it leaves behind, and that a restart changes neither."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.service.runs import event_key
from rag.council.record import to_json as to_record
from rag.errors import ModelReplyError
from rag.events import Answered, CouncilEvent, Event, from_json, to_json
from tests.support.council_seats import ASKED, MEMBERS, council_engine, held, recorded, saying


def told_by(events: list[Event]) -> dict[str, CouncilEvent]:
    return {event_key(one): one for one in events if isinstance(one, CouncilEvent)}


async def test_events_have_a_json_form() -> None:
    engine, _ = council_engine()
    _answer, events = await held(engine)
    for event in events:
        assert from_json(to_json(event)) == event
    (complete,) = (event for event in events if event.name == "stage2_5_complete")
    assert [one["corrected_response"].startswith("FxStore needs") for one in complete.data["stage2_5"]] == [
        True
    ] * 3


async def test_each_member_is_told_of_when_it_has_finished() -> None:
    engine, _ = council_engine(saying("peer_review", ModelReplyError("no JSON"), "vendor:chen"))
    _answer, events = await held(engine)
    told = [(one.name, one.data["seat"], one.data["status"]) for one in events if "seat" in one.data]
    assert sorted(told) == [
        *(("stage1_model", seat, "answered") for seat in MEMBERS),
        *(("stage2_5_model", seat, "corrected") for seat in MEMBERS),
        ("stage2_model", "vendor:anna", "reviewed"),
        ("stage2_model", "vendor:boris", "reviewed"),
        ("stage2_model", "vendor:chen", "not_a_ranking"),
        ("stage3_model", "vendor:dora", "answered"),
    ]
    assert len({event_key(event) for event in events}) == len(events)
    for stage in ("stage1", "stage2", "stage2_5", "stage3"):
        names = [event.name for event in events]
        between = names[names.index(f"{stage}_start") : names.index(f"{stage}_complete")]
        assert set(between) == {f"{stage}_start", f"{stage}_model"}


async def test_record_leaves_the_program_with_the_names_of_the_contract() -> None:
    engine, _ = council_engine(saying("self_correct", "I cannot help.", "vendor:boris"))
    answer, events = await held(engine)
    record = recorded(answer)
    found = to_record(record)
    assert json.loads(json.dumps(found)) == found
    assert list(found) == [
        "start_value", "stage1", "stage2", "aggregate", "stage2_5", "stage3", "degraded", "skipped"
    ]  # fmt: skip
    boris = found["stage2_5"][1]
    assert {name: boris[name] for name in ("seat", "model", "is_fallback", "reason", "is_changed")} == {
        "seat": "vendor:boris",
        "model": "vendor:boris",
        "is_fallback": True,
        "reason": record.stage2_5[1].fallback,
        "is_changed": False,
    }
    assert boris["corrected_response"] == boris["original_response"] == found["stage1"][1]["response"]
    assert "your answer is Response" in boris["peer_critiques"]
    for review in found["stage2"]:
        assert sorted(review["ranking"]) == sorted(review["label_map"])
        assert review["seat"] not in review["label_map"].values()
    # What the events told, stage by stage, is the record.
    told: dict[str, Any] = {}
    for event in events:
        if event.name.endswith("_complete"):
            told |= {name: part for name, part in event.data.items() if name not in {"degraded", "skipped"}}
    assert told == {name: found[name] for name in told}
    assert set(told) == {"stage1", "stage2", "aggregate", "stage2_5", "stage3"}


@pytest.mark.parametrize(
    ("members", "skipped"),
    [
        (1, [("stage2", "council-one-answer"), ("stage2_5", "council-one-answer")]),
        (2, [("ranking", "council-two-answers")]),
        (3, []),
    ],
)
async def test_what_is_left_out_has_a_reason_that_can_be_told(
    members: int, skipped: list[tuple[str, str]]
) -> None:
    engine, _ = council_engine(members=MEMBERS[:members])
    answer, events = await held(engine)
    assert [(one.stage, one.reason.code) for one in recorded(answer).skipped] == skipped
    told = [one for event in events for one in event.data.get("skipped", ())]
    assert [(one["stage"], one["reason"]["code"]) for one in told] == skipped


@settings(max_examples=15, deadline=None)
@given(killed=st.integers(0, 14), order=st.randoms(use_true_random=False))
def test_council_that_goes_on_after_a_kill_tells_and_pays_the_same(killed: int, order: Random) -> None:
    """The members answer in any order; what was recorded before the kill is neither paid nor told anew."""

    async def played() -> None:
        kept: dict[str, Any] = {}

        async def run_step(name: str, work: Callable[[], Any], /, *, is_light: bool = False) -> Any:
            await asyncio.sleep(order.random() / 1000)
            if name not in kept:
                if len(kept) == killed and not is_killed:
                    is_killed.append(name)
                    raise RuntimeError("killed")
                kept[name] = await work()
            return kept[name]

        is_killed: list[str] = []
        engine, model = council_engine()
        before: list[Event] = []
        with contextlib.suppress(RuntimeError):
            async for event in engine.council(ASKED, run_step=run_step):
                before.append(event)  # noqa: PERF401 - what came before the kill must stay
        after = [event async for event in engine.council(ASKED, run_step=run_step)]
        requests = [(request.purpose, request.seat) for request in model.requests if request.seat]
        # What was in flight at the kill is asked again; the steps beside it may have been.
        assert len(set(requests)) == 10
        last = after[-1]
        assert isinstance(last, Answered)
        by_key = told_by(after)
        for event in before:
            if isinstance(event, CouncilEvent) and event.name.endswith("_complete"):
                assert by_key[event_key(event)] == event
        # Once everything is recorded, nothing is paid for any more, and the same is told.
        again = [event async for event in engine.council(ASKED, run_step=run_step)]
        assert len([request for request in model.requests if request.seat]) == len(requests)
        assert told_by(again) == by_key

    asyncio.run(played())
