"""Mission packs: the shipped ones load, and broken ones are refused with one sentence."""

from __future__ import annotations

from pathlib import Path

import pytest

from rag.interview.missions import SHIPPED, MissionError, list_missions, load_mission


@pytest.mark.parametrize("pack", ["contract_ru", "bug_report", "onboarding"])
def test_shipped_packs_load_and_ask_for_what_they_require(pack: str) -> None:
    mission = load_mission(list_missions()[pack])
    for category in mission.categories:
        for path in (*category.required, *(path for group in category.any_of for path in group)):
            assert mission.question_for(path) is not None, path


def _broken(tmp_path: Path, mission: str, schema: str = "") -> Path:
    source = SHIPPED / "bug_report"
    (tmp_path / "mission.yaml").write_text(mission or (source / "mission.yaml").read_text("utf-8"), "utf-8")
    (tmp_path / "domain.schema.json").write_text(
        schema or (source / "domain.schema.json").read_text("utf-8"), "utf-8"
    )
    return tmp_path


MISSION = (SHIPPED / "bug_report" / "mission.yaml").read_text("utf-8")


@pytest.mark.parametrize(
    ("mission", "schema", "sentence"),
    [
        ("- a list", "", "must hold fields"),
        ("id: [", "", "is not YAML"),
        (MISSION.replace("version: 1.0.0", "version: one"), "", "version"),
        (
            MISSION.replace("required: [/product, /version]", "required: [/produkt]"),
            "",
            "/produkt is not described",
        ),
        (
            MISSION.replace("required: [/product, /version]", "required: [product]"),
            "",
            "does not begin with a slash",
        ),
        (MISSION.replace("id: behaviour", "id: product"), "", "same id"),
        ("", "{", "is not JSON"),
        ("", '{"type": "array"}', "must describe an object"),
        ("", '{"type": "nonsense"}', "is not a JSON Schema"),
    ],
)
def test_broken_pack_is_refused_with_one_sentence(
    tmp_path: Path, mission: str, schema: str, sentence: str
) -> None:
    with pytest.raises(MissionError, match=sentence) as caught:
        load_mission(_broken(tmp_path, mission, schema))
    assert "\n" not in str(caught.value)


def test_missing_pack_says_which_file(tmp_path: Path) -> None:
    with pytest.raises(MissionError, match=r"mission\.yaml is missing"):
        load_mission(tmp_path)
