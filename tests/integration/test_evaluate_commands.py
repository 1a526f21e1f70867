"""``thinktwice evaluate`` as somebody who measures meets it: files in, tables and JSON out."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.support import programs
from tests.support.evaluating import environment, evaluate
from tests.support.loopback import Recorded
from tests.support.servers import Behaviour, FakeOpenAI, Hang, Say

METHODS = {"words", "vectors", "fusion"}
PASSAGES = [
    {"id": "pier", "title": "Pier", "text": "The service Pier needs Java 17. Its default port is 8443."},
    {"id": "leave", "title": "Leave", "text": "Every employee has 31 days of leave a year."},
    {"id": "parking", "title": "Parking", "text": "A parking permit costs 60 euros a year."},
]
QUESTIONS = [
    {"id": "1", "kind": "docs", "question": "Which Java does the service Pier need?", "answers": ["17"]},
    {"id": "2", "kind": "docs", "question": "What does a parking permit cost?", "answers": ["60 euros"]},
]
FOLLOW_UP = {
    "id": "3",
    "kind": "docs",
    "question": "And how much is it a year?",
    "history": [
        {"role": "user", "text": "Is there a parking permit?"},
        {"role": "assistant", "text": "Yes."},
    ],
    "passages": ["parking"],
}
DRAFTS = [
    {"id": "1", "kind": "doc_right", "question": "Which Java does the service Pier need?", "draft": "The service Pier needs Java 17.", "expected": "adequate"},
    {"id": "2", "kind": "doc_wrong", "question": "Which Java does the service Pier need?", "draft": "The service Pier needs Java 11.", "expected": "hallucination"},
    {"id": "3", "kind": "doc_refusal", "question": "What does a parking permit cost?", "draft": "I do not know what it costs.", "expected": "needs_docs"},
]  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sets")
    for name, rows in (
        ("corpus", PASSAGES),
        ("questions", QUESTIONS),
        ("drafts", DRAFTS),
    ):
        text = "\n".join(json.dumps(row) for row in rows)
        (folder / f"{name}.jsonl").write_text(text + "\n", encoding="utf-8")
    return folder


def model(request: Recorded) -> Behaviour:
    """Knows nothing without passages, reads them well, and judges everything to be fine."""
    if "response_format" in request.body:
        return Say({"answer_quality": "adequate", "reason": "fine", "confidence": 0.9, "query": "words"})
    shown = json.dumps(request.body["messages"], ensure_ascii=False)
    if "<passage>" not in shown:
        return Say("I do not know that.")
    if "Java" in json.dumps(request.body["messages"][-1]).rpartition("</passage>")[2]:
        return Say("The service Pier needs Java 17 [1].")
    return Say("A parking permit costs 60 euros a year [1].")


def test_answers_of_three_systems_are_compared(folder: Path, tmp_path: Path) -> None:
    with FakeOpenAI(model) as server:
        done = evaluate(
            folder, "answers", str(folder / "questions.jsonl"), "--limit", "4", "--json",
            "--report", str(tmp_path), server=server.base_url,
            THINKTWICE_PRICES__MODELS='{"openai:test-model": {"input": 1000, "output": 1000}}',
        )  # fmt: skip
    assert done.returncode == 0, done.stderr
    figures: dict[str, Any] = json.loads(done.stdout)
    assert figures["rows"] == 4
    for spent in figures["systems"].values():
        assert spent["cost"] == pytest.approx(
            (spent["input_tokens"] + spent["output_tokens"]) / 1000, abs=2e-4
        )
    assert set(figures["systems"]) == {"never", "always", "self"}
    by_group = {name: found["by_group"]["documents"] for name, found in figures["systems"].items()}
    assert by_group["never"]["refused_wrongly"] == 1.0
    assert by_group["always"]["right"] == 1.0
    assert by_group["self"]["right"] == 1.0
    assert by_group["self"]["citation_precision"] == 1.0
    talk = {name: found["by_group"]["small_talk"] for name, found in figures["systems"].items()}
    assert (talk["self"]["used_documents"], talk["always"]["used_documents"]) == (0.0, 1.0)
    assert figures["systems"]["always"]["calls"] == 2.0  # it writes and judges, every time
    assert [path.name for path in tmp_path.iterdir()] == ["answers.json"]
    assert json.loads((tmp_path / "answers.json").read_text(encoding="utf-8")) == figures


def test_objects_have_the_promised_keys(folder: Path) -> None:
    drafts = json.loads(
        evaluate(folder, "verdicts", str(folder / "drafts.jsonl"), "--no-model", "--json").stdout
    )
    for key, value in {
        "rows": 3,
        "accuracy": 1.0,
        "action_accuracy": 1.0,
        "by_kind": {kind: {"rows": 1, "accuracy": 1.0} for kind in ("doc_refusal", "doc_right", "doc_wrong")},
        "by_language": {"en": {"rows": 3, "accuracy": 1.0}},
        "confusion": {one: {one: 1} for one in ("adequate", "hallucination", "needs_docs")},
        "decided_without_model": 1.0,
        "tokens": 0,
    }.items():
        assert drafts[key] == value, key
    assert 0 < drafts["ms"]["p50"] <= drafts["ms"]["p95"]

    asked = folder / "follow-up.jsonl"
    asked.write_text("\n".join(json.dumps(row) for row in [*QUESTIONS, FOLLOW_UP]), encoding="utf-8")
    searched = json.loads(evaluate(folder, "retrieval", str(asked), "--json").stdout)
    assert (searched["rows"], searched["with_history"]["rows"]) == (3, 1)
    for figures in (searched, searched["with_history"]):
        assert set(figures["recall"]) == set(figures["mrr"]) == set(figures["ndcg10"]) == METHODS
        assert all(cuts.keys() == {"1", "5", "10"} for cuts in figures["recall"].values())
        assert 0 < figures["ms"]["p50"] <= figures["ms"]["p95"]

    words = ["answers", str(folder / "questions.jsonl"), "--limit", "2", "--json"]
    with FakeOpenAI(model) as server:
        answered = json.loads(evaluate(folder, *words, server=server.base_url).stdout)
    assert answered["rows"] == 2
    for figures in answered["systems"].values():
        shares = {"right", "wrong", "refused_rightly", "refused_wrongly"}
        means = {"citation_precision", "calls", "input_tokens", "output_tokens", "seconds"}
        assert figures.keys() >= shares | means | {"wrong_verified", "labels"}
        assert sum(figures[share] for share in shares) == 1.0
        assert sum(figures["labels"].values()) == 1.0


def test_answers_without_a_model_are_quotations_and_are_graded_as_such(folder: Path) -> None:
    asked = folder / "forms.jsonl"
    more = [
        {"sentence": PASSAGES[0]["text"], "form": "value"},
        {"sentence": "Not there at all.", "form": "how"},
    ]
    lines = [json.dumps({**row, **told}) for row, told in zip(QUESTIONS, more, strict=True)]
    asked.write_text("\n".join(lines), encoding="utf-8")
    done = evaluate(folder, "answers", str(asked), "--limit", "4", "--no-model", "--json")
    assert done.returncode == 0, done.stderr
    systems = json.loads(done.stdout)["systems"]
    assert systems.keys() == {"self"}
    found = systems["self"]
    assert (found["calls"], found["failed"], found["wrong_verified"]) == (0.0, 0.0, 0.0)
    assert found["answerable"]["rows"] == 2
    assert found["by_form"]["value"]["right"] == 1.0
    assert found["by_form"]["how"]["right"] == 1.0  # the gold string stands in what is quoted
    refused = evaluate(folder, "answers", str(asked), "--no-model", "--systems", "always,self")
    assert refused.returncode == 2
    assert "without a model only the system self answers" in refused.stderr


def test_busy_machine_changes_no_figure(folder: Path) -> None:
    # As if every question took longer than it may: nothing could be called after the first draft.
    hurried = {
        "THINKTWICE_BUDGET__SECONDS": "0.001",
        "THINKTWICE_SELF_CORRECTION__JUDGE_PATIENCE_SECONDS": "0",
    }
    words = ["answers", str(folder / "questions.jsonl"), "--limit", "2", "--systems", "always", "--json"]
    with FakeOpenAI(model) as server:
        done = evaluate(folder, *words, server=server.base_url, **hurried)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)["systems"]["always"]
    assert (found["failed"], found["calls"]) == (0.0, 2.0)


def test_stopped_measurement_keeps_its_rows_and_goes_on(folder: Path, tmp_path: Path) -> None:
    words = ["answers", str(folder / "questions.jsonl"), "--limit", "4", "--systems", "never", "--json"]
    asked: list[Recorded] = []
    is_stuck = True

    def sometimes(request: Recorded) -> Behaviour:
        asked.append(request)
        return Hang() if is_stuck and len(asked) > 2 else Say("I do not know that.")

    with FakeOpenAI(sometimes) as server:
        process = subprocess.Popen(
            [sys.executable, "-m", "bot.cli", "evaluate", *words],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment(folder, server.base_url) | {"THINKTWICE_DATA_DIR": str(tmp_path)},
        )
        deadline = time.monotonic() + 100
        while len(asked) < 3 and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        _, complaint = process.communicate(timeout=100)
        assert process.returncode == 130
        assert "stopped after 2 of 4" in complaint.decode()
        assert "--resume" in complaint.decode()
        is_stuck = False
        asked.clear()
        again = evaluate(
            folder, *words, "--resume", server=server.base_url, THINKTWICE_DATA_DIR=str(tmp_path)
        )
    assert again.returncode == 0, again.stderr
    assert len(asked) == 2
    assert "going on with 2 results" in again.stderr
    assert json.loads(again.stdout)["rows"] == 4


def test_malformed_line_is_named_on_standard_error_and_standard_output_stays_json(folder: Path) -> None:
    broken = folder / "broken.jsonl"
    broken.write_text("nonsense\n" + (folder / "drafts.jsonl").read_text(encoding="utf-8"), encoding="utf-8")
    done = evaluate(folder, "verdicts", str(broken), "--no-model", "--json")
    assert done.returncode == 0, done.stderr
    assert done.stderr == f"thinktwice: {broken}, line 1 was skipped: the line is not JSON\n"
    figures = json.loads(done.stdout)
    assert figures["rows"] == 3
    assert figures["by_kind"]["doc_wrong"]["accuracy"] == 1.0


def test_verdicts_and_retrieval_print_tables_and_leave_their_figures(folder: Path, tmp_path: Path) -> None:
    drafts, questions = str(folder / "drafts.jsonl"), str(folder / "questions.jsonl")
    shown = evaluate(folder, "verdicts", drafts, "--no-model", "--report", str(tmp_path))
    assert shown.returncode == 0, shown.stderr
    assert "action accuracy" in shown.stdout
    assert shown.stdout.startswith(f"{drafts}, 3 drafts; corpus {folder / 'corpus.jsonl'}; no model; ")
    assert f"report: {tmp_path / 'verdicts.json'}" in shown.stderr
    assert evaluate(folder, "retrieval", questions, "--report", str(tmp_path)).returncode == 0
    kept = {path.name: json.loads(path.read_text(encoding="utf-8"))["rows"] for path in tmp_path.iterdir()}
    assert kept == {"verdicts.json": 3, "retrieval.json": 2}


def test_report_that_cannot_be_written_is_said_before_anything_is_measured(
    folder: Path, tmp_path: Path
) -> None:
    taken = tmp_path / "taken"
    taken.write_text("", encoding="utf-8")
    words = ["verdicts", str(folder / "drafts.jsonl"), "--no-model", "--data-dir", str(tmp_path)]
    done = evaluate(folder, *words, "--report", str(taken))
    assert (done.returncode, done.stdout) == (2, "")
    assert f"the report cannot be written to {taken} (File exists): give another folder" in done.stderr
    assert not (tmp_path / "evaluate").exists()


def test_without_a_corpus_the_one_that_was_indexed_is_measured(folder: Path, tmp_path: Path) -> None:
    data_dir, corpus = str(tmp_path), str(folder / "corpus.jsonl")
    unnamed = {name: value for name, value in environment(folder).items() if name != "THINKTWICE_CORPUS"}
    indexed = programs.run("index", corpus, "--data-dir", data_dir, variables=unnamed)
    assert indexed.returncode == 0, indexed.stderr
    words = ["evaluate", "verdicts", str(folder / "drafts.jsonl"), "--no-model"]
    measured = programs.run(*words, "--data-dir", data_dir, variables=unnamed)
    assert f"; corpus {corpus}; " in measured.stdout


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["answers", "questions.jsonl", "--systems", "sometimes"], "names 'sometimes', which is no system"),
        (["answers", "bare.jsonl"], "does not say what is right"),
        (["retrieval", "bare.jsonl"], "does not say where an answer is"),
        (["verdicts", "empty.jsonl", "--no-model"], "holds no usable row"),
    ],
    ids=lambda words: " ".join(words) if isinstance(words, list) else "",
)
def test_set_that_cannot_be_used_is_one_sentence(folder: Path, words: list[str], sentence: str) -> None:
    (folder / "bare.jsonl").write_text('{"id": "1", "question": "Why?"}\n', encoding="utf-8")
    (folder / "empty.jsonl").write_text("", encoding="utf-8")
    done = evaluate(folder, *(str(folder / word) if word.endswith(".jsonl") else word for word in words))
    assert done.returncode == 2
    assert sentence in done.stderr
    assert done.stderr.count("\n") == 1
