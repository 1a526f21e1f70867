"""Questions asked in the terminal are counted, and `thinktwice stats` tells what they came to."""

from __future__ import annotations

import json
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from bot.storage.database import FILE_NAME
from tests.support import programs
from tests.support.servers import FakeOpenAI, Say

PRICES = '{"openai:test-model": {"input": 1000000, "output": 1000000}}'


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    (tmp_path / "java.md").write_text("# FxStore\n\nFxStore needs Java 17.\n", encoding="utf-8")
    return tmp_path / "java.md"


def run(*words: str, data_dir: Path, server: str = "", stdin: str = "") -> subprocess.CompletedProcess[str]:
    variables = programs.environment(
        OPENAI_BASE_URL=server,
        OPENAI_API_KEY="a-key",
        THINKTWICE_MODEL="openai:test-model",
        THINKTWICE_PRICES__MODELS=PRICES,
    )
    return programs.run(*words, "--data-dir", str(data_dir), variables=variables, stdin=stdin)


def today(data_dir: Path) -> dict[str, Any]:
    done = run("stats", "--days", "2", "--json", data_dir=data_dir)
    assert done.returncode == 0, done.stderr
    (period,) = json.loads(done.stdout)["periods"]
    assert isinstance(period, dict)
    return period


def test_questions_asked_and_talked_about_are_summed_up(corpus: Path, tmp_path: Path) -> None:
    data_dir = tmp_path / "data"
    with FakeOpenAI(lambda _: Say("FxStore needs Java 17.", usage=(100, 10))) as server:
        question = "Which Java does FxStore need?"
        asked = run("ask", question, "--corpus", str(corpus), data_dir=data_dir, server=server.base_url)
        talk = f"{question}\n/why\n"
        chat = run("chat", "--corpus", str(corpus), data_dir=data_dir, server=server.base_url, stdin=talk)
    assert "Java 17" in asked.stdout
    assert "Saved by free checks: 1 judge call" in chat.stdout
    assert "1 model call · tokens in + out: 100 + 10" in chat.stdout
    assert "110.00 USD" in chat.stdout

    sums = today(data_dir)

    assert (sums["questions"], sums["labels"]["verified"], sums["people"]) == (2, 2, 0)
    assert (sums["usage"]["calls"], sums["usage"]["cost"]) == (2, 220.0)
    assert set(sums["usage"]["by_role"]) == {"draft"}
    assert sums["savings"]["calls"] == 2
    assert sums["seconds"]["p95"] > 0
    with closing(sqlite3.connect(data_dir / FILE_NAME)) as connection:
        # Only the conversation has words to keep: a single question could not be deleted by anybody.
        assert connection.execute("SELECT text FROM asked").fetchall() == [(question,)]


def test_statistics_that_cannot_be_written_do_not_cost_the_answer(corpus: Path, tmp_path: Path) -> None:
    data_dir = tmp_path / "data"
    data_dir.mkdir()
    (data_dir / FILE_NAME).write_bytes(b"no database at all, but long enough to be looked at " * 10)
    with FakeOpenAI(lambda _: Say("FxStore needs Java 17.")) as server:
        done = run(
            "ask", "--json", "Which Java?", "--corpus", str(corpus), data_dir=data_dir, server=server.base_url
        )
    assert done.returncode == 0
    assert json.loads(done.stdout)["answer"]
    assert "missing in the statistics" in done.stderr
    assert "Traceback" not in done.stderr


def test_nothing_asked_is_said_in_one_sentence(tmp_path: Path) -> None:
    done = run("stats", data_dir=tmp_path / "new")
    assert done.returncode == 0
    assert done.stdout == f"Nothing was asked yet: there are no figures in {tmp_path / 'new'}.\n"


def test_data_folder_that_is_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for folder in (tmp_path / "file", tmp_path / "file" / "below"):
        done = run("stats", data_dir=folder)
        assert done.returncode == 3
        assert f"{tmp_path / 'file'} is a file: correct THINKTWICE_DATA_DIR" in done.stderr
