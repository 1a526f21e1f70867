"""``thinktwice index`` in a real process: what is read, skipped and forgotten, and bad folders."""

from __future__ import annotations

import json
from pathlib import Path

from tests.support.command_line import one_sentence, run
from tests.support.documents import DOCUMENTS
from tests.support.servers import FakeOpenAI, Say


def test_rows_of_a_jsonl_file_are_documents(tmp_path: Path) -> None:
    rows = [
        {"id": "a1", "title": "Parking", "text": "The car park on Mill Lane opens at 6:15."},
        {"id": "a2", "title": "Canteen", "text": "The canteen serves soup on Mondays."},
    ]
    path = tmp_path / "corpus.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows) + "{broken\n", encoding="utf-8")
    done = run("index", "--json", "--corpus", str(path), "--data-dir", str(tmp_path / "data"))
    report = json.loads(done.stdout)
    assert set(report) == {
        "added",
        "changed",
        "removed",
        "unchanged",
        "failed",
        "skipped",
        "chunks",
        "seconds",
        "has_news",
    }
    assert (report["added"], report["chunks"]) == (2, 2)
    assert len(report["failed"]) == 1
    assert set(report["failed"][0]) == {"path", "reason", "code", "values"}
    assert "3" in json.dumps(report["failed"][0]), "the line number is told"


def test_index_reads_only_what_changed_and_forgets_what_is_gone(tmp_path: Path) -> None:
    folder, data = tmp_path / "docs", str(tmp_path / "data")
    folder.mkdir()
    for name, text in DOCUMENTS.items():
        (folder / name).write_text(text, encoding="utf-8")
    assert json.loads(run("index", "--json", str(folder), "--data-dir", data).stdout)["added"] == 3
    (folder / "java.md").write_text("# FxStore\n\nFxStore needs Java 21.\n", encoding="utf-8")
    (folder / "leave.md").unlink()
    (folder / "broken.pdf").write_bytes(b"%PDF-1.7 nothing else")
    report = json.loads(run("index", "--json", "--data-dir", data).stdout)
    assert (report["added"], report["changed"], report["removed"], report["unchanged"]) == (0, 1, 1, 1)
    assert [failure["path"] for failure in report["failed"]] == ["broken.pdf"]


def test_index_names_the_files_that_it_skipped_and_why(tmp_path: Path) -> None:
    folder, data = tmp_path / "docs", str(tmp_path / "data")
    folder.mkdir()
    for name in ("java.md", "plan.png", "team.png", "Makefile"):
        (folder / name).write_text("FxStore needs Java 17.\n", encoding="utf-8")
    shown = run("index", str(folder), "--data-dir", data).stderr
    assert "failed: 0" in shown
    assert "Not read: plan.png, team.png (2) – files of the type .png cannot be read" in shown
    assert "Not read: Makefile (1) – the file name has no ending" in shown
    report = json.loads(run("index", "--json", "--data-dir", data).stdout)
    assert [(skipped["path"], skipped["code"]) for skipped in report["skipped"]] == [
        ("Makefile", "no-ending"),
        ("plan.png", "skipped-kind"),
        ("team.png", "skipped-kind"),
    ]


def test_empty_corpus_says_what_to_do_and_small_talk_still_works(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    done = run("index", str(tmp_path / "docs"), "--data-dir", str(tmp_path / "data"))
    assert done.returncode == 0
    assert "knowledge base is empty" in done.stderr
    with FakeOpenAI([Say("You are welcome!")]) as server:
        talked = run("ask", "--json", "thanks!", "--data-dir", str(tmp_path / "data"), server=server.base_url)
    assert json.loads(talked.stdout)["label"] == "general"


def test_damaged_knowledge_base_says_what_to_do(tmp_path: Path, corpus: Path) -> None:
    (tmp_path / "knowledge.sqlite3").write_bytes(b"this is no database" * 500)
    done = run("index", str(corpus), "--data-dir", str(tmp_path))
    assert done.returncode == 3
    assert "damaged" in one_sentence(done)


def test_data_folder_that_is_a_file_says_what_to_do(tmp_path: Path, corpus: Path) -> None:
    (tmp_path / "file").write_text("taken", encoding="utf-8")
    done = run("index", str(corpus), "--data-dir", str(tmp_path / "file"))
    assert done.returncode == 3
    assert one_sentence(done)
