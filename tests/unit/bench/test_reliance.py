from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bench import record_readings, reliance
from bench.recorded_model import RecordedModel, Records
from bench.reliance import Group
from bot.evaluate.rows import LabelledQuestion
from rag.knowledge import search, sync
from rag.knowledge.embeddings.hashed import HashedEmbedder
from rag.models.scripted import ScriptedModel

PAIR = {
    "id": "1",
    "lang": "en",
    "kind": "other_number",
    "question": "How many days of leave do trainees have?",
    "right": "Trainees have 22 days of leave.",
    "wrong": "Trainees have 27 days of leave.",
    "passages": ["leave"],
}
PAIRS = Group("false answers x", "false answers", ())
QUESTIONS = Group("natural x", "natural", ())


@pytest.fixture
def handbook(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for module in (search, sync):
        monkeypatch.setattr(module, "open_embedder", lambda _name, _models: HashedEmbedder())
    folder = tmp_path / "handbook"
    folder.mkdir()
    text = "Every employee has 27 days of leave a year. Trainees have 22 days of leave."
    _write(folder / "corpus.jsonl", [{"id": "leave", "title": "Leave", "text": text}])
    _write(folder / "false_answers.jsonl", [PAIR])
    asked = {name: PAIR[name] for name in ("id", "lang", "question", "passages")}
    unanswerable = {"id": "2", "lang": "en", "kind": "unanswerable", "question": "Who may park in the yard?"}
    _write(folder / "questions.jsonl", [{**asked, "kind": "docs", "answers": ["22"]}, unanswerable])
    return folder


def _write(path: Path, rows: list[dict[str, Any]]) -> None:
    path.write_text("\n".join(json.dumps(row) for row in rows) + "\n", encoding="utf-8")


async def test_row_without_a_recorded_reading_is_left_out_and_counted(handbook: Path, tmp_path: Path) -> None:
    group = replace(PAIRS, folders=(handbook,), has_reader=True)
    found = await reliance.measured(group, tmp_path, Records())
    assert (found["rows"], found["unrecorded"], found["figures"]) == (0, 1, {"recorded": 0.0})


async def test_what_was_recorded_is_measured_without_a_model(handbook: Path, tmp_path: Path) -> None:
    group = replace(PAIRS, folders=(handbook,), has_reader=True)
    path = tmp_path / "readings.jsonl"
    reader = ScriptedModel("22 days")
    await record_readings.record([group], tmp_path, Records(path), reader, end=math.inf)
    assert {request.purpose for request in reader.requests} == {"read"}

    found = await reliance.measured(group, tmp_path, Records(path))

    assert found["figures"]["recorded"] == 1.0
    assert found["figures"]["draft_wrong_verified"] == 0.0
    assert found["by_class"]["other_number"]["rows"] == 1


async def test_rerun_asks_only_for_what_is_missing(handbook: Path, tmp_path: Path) -> None:
    groups = [replace(group, folders=(handbook,), has_reader=True) for group in (PAIRS, QUESTIONS)]
    path = tmp_path / "readings.jsonl"
    await record_readings.record(groups, tmp_path, Records(path), ScriptedModel("22 days"), end=math.inf)
    again = ScriptedModel("22 days")
    await record_readings.record(groups, tmp_path, Records(path), again, end=math.inf)
    assert again.requests == []


async def test_nothing_is_asked_without_a_reader_or_after_the_time(handbook: Path, tmp_path: Path) -> None:
    reader = ScriptedModel("22 days")
    without = replace(PAIRS, folders=(handbook,))
    await record_readings.record([without], tmp_path, Records(), reader, end=math.inf)
    late = replace(PAIRS, folders=(handbook,), has_reader=True)
    await record_readings.record([late], tmp_path, Records(), reader, end=-math.inf)
    assert reader.requests == []


async def test_natural_questions_are_measured_by_whether_they_can_be_answered(
    handbook: Path, tmp_path: Path
) -> None:
    found = await reliance.measured(replace(QUESTIONS, folders=(handbook,)), tmp_path, Records())
    assert found["rows"] == 2
    assert found["figures"]["right"] == 1.0
    assert found["counts"] == {
        "right": 1,
        "right_briefly": 1,
        "refused_wrongly": 1,
        "refused_or_left_open": 1,
    }


async def test_only_asked_reader_may_cost_a_call(handbook: Path, tmp_path: Path) -> None:
    reader = RecordedModel(Records(), ScriptedModel("not stated"))
    group = replace(QUESTIONS, folders=(handbook,), has_reader=True)
    found, _ = await reliance.answered_rows(group, tmp_path, reader)
    assert len(found) == 2
    assert {purpose for purpose, _ in reader.completions} <= {"read"}


def test_rows_are_chosen_evenly() -> None:
    rows = [LabelledQuestion(id=str(number), question="Which?") for number in range(10)]
    assert [row.id for row in reliance.chosen(rows, 3)] == ["0", "3", "6"]
    assert [row.id for row in reliance.chosen(rows, 3, first=5)] == ["5", "8", "1"]
    assert reliance.chosen(rows, 0) == rows
    assert reliance.chosen(rows, 10) == rows


def test_sample_of_a_corpus_holds_the_passages_that_its_rows_name(tmp_path: Path) -> None:
    corpus = tmp_path / "corpus.jsonl"
    _write(corpus, [{"id": name, "text": name} for name in ("a", "b", "c")])
    rows = [LabelledQuestion(id="1", question="Which?", passages=("b",))]
    kept = reliance.named_passages(corpus, rows, tmp_path / "sample").read_text("utf-8").splitlines()
    assert [json.loads(line)["id"] for line in kept] == ["b"]


def test_every_handbook_is_measured_in_its_own_part() -> None:
    parts = {part: {folder.name for folder in reliance.handbooks(part)} for part in "abc"}
    assert parts == {
        "a": {"en-a", "ru-a", "zh-a"},
        "b": {"en-b", "ru-b", "zh-b"},
        "c": {"en-c", "es-c", "ru-c", "zh-c"},
    }
    for part, split in (("a", "fitting"), ("b", "held_out"), ("c", "fitting")):
        for folder in reliance.handbooks(part):
            lines = (folder / "false_answers.jsonl").read_text("utf-8").splitlines()
            assert {json.loads(line)["split"] for line in lines} == {split}


def test_recorded_readings_stay_small() -> None:
    assert reliance.READINGS.stat().st_size < 500_000
