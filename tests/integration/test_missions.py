"""The missions of the repository, played with the scripted model."""

from __future__ import annotations

import pytest

from bot.service.mission_packs import MissionPacks
from rag.interview.events import fold
from rag.interview.issues import path_of
from rag.interview.missions import is_described
from rag.interview.quotes import normalise
from tests.conftest import REPOSITORY
from tests.support.loop import PROMPTS
from tests.support.mission_model import scripted_engine
from tests.support.missions import MissionRow, Played, hold, load_rows, play

FILE = REPOSITORY / "bench" / "data" / "missions" / "missions.jsonl"
ROWS = load_rows(FILE)
PACKS = MissionPacks.load()
GRAVE = {
    "bug-contradiction",
    "bug-contradiction-taken-back",
    "bug-objecting-model",
    "start-meddling-model",
    "договор-другая-цена",
    "договор-модель-торопится",
}
"""Missions in which the person contradicts an earlier answer, or the model objects at the gate."""


async def played(row: MissionRow) -> Played:
    mission = PACKS.find(row.pack)
    return await play(row, mission, scripted_engine(row, mission, PROMPTS))


def test_there_are_twenty_missions_over_three_packs() -> None:
    assert len(ROWS) >= 20
    assert {row.pack for row in ROWS} == set(PACKS.names)
    assert {row.expected for row in ROWS} == {"ready", "blocked"}
    assert any(None in row.hidden.values() for row in ROWS)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.id)
async def test_mission_ends_as_it_must_with_the_true_facts(row: MissionRow) -> None:
    found = await played(row)
    assert (found.status, found.wrong, found.missing) == (row.expected, (), ())
    assert found.right == len(row.hidden)
    assert found.confirmed_changed == 0
    assert found.repeated == 0
    assert found.questions <= PACKS.find(row.pack).limits.max_questions_per_run
    # Twice the same.
    assert await played(row) == found


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.id)
async def test_every_question_names_one_path_and_every_grave_issue_is_a_gap_that_an_answer_closes(
    row: MissionRow,
) -> None:
    mission = PACKS.find(row.pack)
    events, _, _ = await hold(row, mission, scripted_engine(row, mission, PROMPTS))
    state = fold(events)
    asked = state.dialogue.asked
    assert all(is_described(mission, one.path) for one in asked)
    assert len({(one.path, one.facet, normalise(one.text)) for one in asked}) == len(asked)
    said = {turn.id for turn in state.dialogue.history if turn.role == "user"}
    grave = [issue for issue in state.issues if issue.severity == "critical"]
    assert bool(grave) == (row.id in GRAVE)
    for issue in grave:
        # A question about the path of the issue was asked, and a turn of the person has closed it.
        assert path_of(issue) in {one.path for one in asked if one.facet in {"conflict", "objection"}}
        assert issue.status != "open"
        opened, *_, closed = [one.ref for one in issue.evidence or () if one.kind == "turn"]
        assert opened != closed
        assert closed in said


@pytest.mark.parametrize("row", [row for row in ROWS if row.expected == "blocked"], ids=lambda row: row.id)
async def test_what_a_person_does_not_know_is_asked_once(row: MissionRow) -> None:
    mission = PACKS.find(row.pack)
    events, _, _ = await hold(row, mission, scripted_engine(row, mission, PROMPTS))
    state = fold(events)
    # The first message of a mission answers no question, so the first question is asked once more.
    first, *others = [one.path for one in state.dialogue.asked]
    assert first == others[0]
    assert len(others) == len(set(others))
    left_open = {path_of(issue) for issue in state.issues if issue.status == "open"}
    assert left_open == set(others) - row.hidden.keys()
