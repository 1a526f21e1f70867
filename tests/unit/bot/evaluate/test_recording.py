from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.evaluate.recording import Recording, fingerprint, program_files


@dataclass(frozen=True)
class Result:
    text: str
    ranks: tuple[int, ...] = ()


def test_results_are_there_after_the_process_has_gone(tmp_path: Path) -> None:
    path = tmp_path / "runs" / "a.jsonl"
    first = Recording(path, Result, resume=False)
    first.add("0", Result("好", (1, 2)))  # no close: killed here
    with Recording(path, Result, resume=True) as again:
        assert again.done == {"0": Result("好", (1, 2))}
        again.add("1", Result("b"))
    with Recording(path, Result, resume=True) as third:
        assert list(third.done) == ["0", "1"]
    first.__exit__(None, None, None)


def test_line_that_was_cut_off_costs_one_result_and_not_the_next_one(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    with Recording(path, Result, resume=False) as recording:
        recording.add("0", Result("a"))
        recording.add("1", Result("b"))
    path.write_text(path.read_text(encoding="utf-8")[:-9], encoding="utf-8")
    with Recording(path, Result, resume=True) as again:
        assert list(again.done) == ["0"]
        again.add("1", Result("c"))
    with Recording(path, Result, resume=True) as third:
        assert third.done["1"] == Result("c")


def test_new_run_begins_empty_and_moves_the_old_one_aside(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    with Recording(path, Result, resume=False) as recording:
        recording.add("0", Result("a"))
    with Recording(path, Result, resume=False) as recording:
        assert recording.done == {}
    assert "a" in path.with_suffix(".previous").read_text(encoding="utf-8")


@given(st.text(max_size=40))
def test_any_text_comes_back_as_it_was(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    path = tmp_path_factory.mktemp("runs") / "a.jsonl"
    with Recording(path, Result, resume=False) as recording:
        recording.add("k", Result(text))
    with Recording(path, Result, resume=True) as again:
        assert again.done == {"k": Result(text)}


def test_fingerprint_follows_content_and_facts(tmp_path: Path) -> None:
    path = tmp_path / "set.jsonl"
    path.write_text("a", encoding="utf-8")
    before = fingerprint([path], "x", {"limit": 1})
    assert fingerprint([path], "x", {"limit": 1}) == before
    assert fingerprint([path], "x", {"limit": 2}) != before
    path.write_text("b", encoding="utf-8")
    assert fingerprint([path], "x", {"limit": 1}) != before


def test_weights_phrases_and_prompts_are_part_of_the_program() -> None:
    names = {path.name for path in program_files()}
    assert {"weights.json", "en.yaml", "draft.md", "workflow.py"} <= names
