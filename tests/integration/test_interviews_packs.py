"""Mission packs that are newer than an interview, unknown, broken, or replaced by one of the operator."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from bot.service.interviews import Interviews
from bot.service.mission_packs import MissionPacks, PackUnknownError
from bot.storage.database import Database
from bot.storage.interviews import StoredInterviews
from rag.interview.missions import SHIPPED, Migration, Mission, load_mission
from rag.interview.registry import IncompatibleVersionError
from tests.support.interviews import ANN, held_in
from tests.support.stored import Clock


async def test_newer_pack_takes_a_session_along_and_a_breaking_one_says_so(
    database: Database, clock: Clock
) -> None:
    interviews, engine = held_in(database, clock=clock)
    view = await interviews.create(ANN, "bug_report", initial_message="the editor")
    mission = load_mission(SHIPPED / "bug_report")

    def under(version: str, **more: Any) -> Interviews:
        newer = mission.model_copy(update={"version": version, **more})
        return Interviews(engine, StoredInterviews(database, clock), MissionPacks({"bug_report": newer}))

    with pytest.raises(IncompatibleVersionError, match=r"2\.0\.0"):
        await under("2.0.0").post(ANN, view.session.id, "2.1")
    assert (await under("2.0.0").get(ANN, view.session.id)).to_json() == view.to_json()
    after = await under("1.1.0").post(ANN, view.session.id, "2.1")
    assert after.state.meta.schema_version == "1.1.0"
    assert after.state.domain == {"product": "the editor", "version": "2.1"}


async def test_migration_takes_facts_and_the_open_question_to_their_new_paths(
    database: Database, clock: Clock
) -> None:
    interviews, engine = held_in(database, clock=clock)
    view = await interviews.create(ANN, "bug_report", initial_message="the editor")
    assert view.next_action.ask_user is not None
    assert view.next_action.ask_user.path == "/version"
    mission = load_mission(SHIPPED / "bug_report")
    # The second edition calls a product an application, and a version a release.
    text = mission.model_dump_json()
    for old, new in (("product", "application"), ("version", "release")):
        text = text.replace(f'"/{old}"', f'"/{new}"')
    newer = Mission.model_validate_json(text)
    described = json.loads(json.dumps(dict(mission.domain_schema)))
    described["properties"]["application"] = described["properties"].pop("product")
    described["properties"]["release"] = described["properties"].pop("version")
    moves = {"/product": "/application", "/version": "/release"}
    step = Migration(from_version="1.0.0", to_version="2.0.0", moves=moves)
    newer = newer.model_copy(update={"version": "2.0.0", "migrations": (step,), "domain_schema": described})
    after = Interviews(engine, StoredInterviews(database, clock), MissionPacks({"bug_report": newer}))
    view = await after.post(ANN, view.session.id, "Not applicable")
    assert view.state.meta.schema_version == "2.0.0"
    assert view.state.domain == {"application": "the editor"}
    assert {path: fact.status for path, fact in view.state.facts.items()} == {
        "/application": "confirmed",
        "/release": "not_applicable",
    }
    asked = view.next_action.ask_user
    assert asked is not None
    assert asked.path == "/steps"
    assert [one.path for one in view.state.dialogue.asked] == ["/release", "/steps"]


async def test_pack_that_is_unknown_or_broken_is_one_sentence(database: Database, tmp_path: Path) -> None:
    interviews, _ = held_in(database)
    with pytest.raises(PackUnknownError, match="bug_report, contract_ru, onboarding"):
        await interviews.create(ANN, "nonsense")
    broken = tmp_path / "mine"
    broken.mkdir()
    (broken / "mission.yaml").write_text("id: [", encoding="utf-8")
    packs = MissionPacks.load((tmp_path,))
    assert "mine" not in packs.names
    (fault,) = packs.faults
    assert "mission.yaml is not YAML" in fault


@pytest.mark.parametrize("file", ["mission.yaml", "domain.schema.json"])
def test_pack_that_is_nested_too_deeply_is_one_sentence(tmp_path: Path, file: str) -> None:
    shutil.copytree(SHIPPED / "bug_report", tmp_path / "mine")
    opened = "id: " if file.endswith("yaml") else ""
    (tmp_path / "mine" / file).write_text(opened + "[" * 60_000, encoding="utf-8")
    (fault,) = MissionPacks.load((tmp_path,)).faults
    assert fault == f"{tmp_path / 'mine' / file} is nested too deeply"


async def test_own_pack_replaces_the_shipped_one_of_its_name(tmp_path: Path) -> None:
    own = tmp_path / "bug_report"
    own.mkdir()
    for file in ("mission.yaml", "domain.schema.json"):
        text = (SHIPPED / "bug_report" / file).read_text(encoding="utf-8")
        (own / file).write_text(text.replace("title: Bug report", "title: Our bugs"), encoding="utf-8")
    assert MissionPacks.load((tmp_path,)).find("Bug_Report").title == "Our bugs"
