from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from bench import quality, reliance, sets
from bench.sets import Kind, Set
from rag.engine import AnswerEngine
from rag.knowledge import search, sync
from rag.knowledge.embeddings.hashed import HashedEmbedder
from rag.knowledge.search import KnowledgeBase
from rag.models.scripted import ScriptedModel
from rag.verifier.scripted import ScriptedVerifier

PAIR = {
    "id": "1",
    "lang": "en",
    "kind": "other_number",
    "question": "How many days of leave do trainees have?",
    "right": "Trainees have 22 days of leave.",
    "wrong": "Trainees have 27 days of leave.",
    "passages": ["leave"],
}
ANSWERS = {"do trainees have": "22 days"}


@pytest.fixture
def handbook(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for module in (search, sync):
        monkeypatch.setattr(module, "open_embedder", lambda _name, _models: HashedEmbedder())
    reader = ScriptedVerifier(ANSWERS)

    def engine(base: KnowledgeBase) -> AnswerEngine:
        return AnswerEngine(ScriptedModel({}), base, verifier=lambda _work: reader)

    monkeypatch.setattr(reliance, "engine", engine)
    monkeypatch.setattr(reliance, "BundledReader", lambda: reader)
    folder = tmp_path / "handbook"
    folder.mkdir()
    text = "Every employee has 27 days of leave a year. Trainees have 22 days of leave."
    _write(folder / "corpus.jsonl", [{"id": "leave", "title": "Leave", "text": text}])
    for name in ("false_answers.jsonl", "pairs.jsonl"):
        _write(folder / name, [PAIR])
    asked = {name: PAIR[name] for name in ("id", "lang", "question", "passages")}
    unanswerable = {"id": "2", "lang": "en", "kind": "unanswerable", "question": "Who may park in the yard?"}
    _write(folder / "questions.jsonl", [{**asked, "kind": "docs", "answers": ["22"]}, unanswerable])
    return folder


def _write(path: Path, rows: list[dict[str, Any]]) -> None:
    path.write_text("\n".join(json.dumps(row) for row in rows) + "\n", encoding="utf-8")


def about(handbook: Path, kind: Kind) -> Set:
    return Set(kind, kind, (handbook / "corpus.jsonl",), (handbook / sets.ROWS[kind],))


async def test_false_answers_are_labelled_as_the_loop_labels_them(handbook: Path, tmp_path: Path) -> None:
    found = await reliance.false_answers(about(handbook, "false answers"), tmp_path)
    shares = {"right_verified": 1.0, "wrong_verified": 0.0}
    assert found == {"rows": 1, "figures": shares, "by_class": {"other_number": {"rows": 1, **shares}}}


async def test_contrast_pairs_need_no_index(handbook: Path, tmp_path: Path) -> None:
    found = await reliance.contrast(about(handbook, "contrast"), tmp_path / "none")
    assert found["figures"] == {
        "right_verified": 1.0,
        "wrong_verified": 0.0,
        "right_at_0.02_wrong": 1.0,
        "right_at_0.03_wrong": 1.0,
    }
    assert not (tmp_path / "none").exists()


async def test_natural_questions_are_measured_by_whether_they_can_be_answered(
    handbook: Path, tmp_path: Path
) -> None:
    found = await reliance.natural(about(handbook, "natural"), tmp_path)
    assert found["rows"] == 2
    assert found["figures"]["right"] == 1.0
    assert found["counts"] == {
        "right": 1,
        "right_briefly": 1,
        "refused_wrongly": 1,
        "refused_or_left_open": 1,
    }


async def test_sets_whose_files_are_missing_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sets, "sets", lambda: [about(tmp_path, "contrast")])
    assert await quality.measured(tmp_path, is_quick=True) == {}
    assert f"skipped contrast: {tmp_path / 'corpus.jsonl'} is not there" in capsys.readouterr().out


def test_every_handbook_is_measured_in_its_own_part() -> None:
    parts = {part: {folder.name for folder in sets.handbooks(part)} for part in "abc"}
    assert parts == {
        "a": {"en-a", "ru-a", "zh-a"},
        "b": {"en-b", "ru-b", "zh-b"},
        "c": {"en-c", "es-c", "ru-c", "zh-c"},
    }
