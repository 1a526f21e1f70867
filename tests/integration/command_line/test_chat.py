"""``thinktwice chat`` in a real process: what it remembers, explains and saves, and its modes."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

from rag.knowledge.store import Store
from tests.support.command_line import knows, run
from tests.support.loopback import Recorded
from tests.support.programs import SECONDS
from tests.support.servers import Behaviour, FakeOpenAI, Say


def test_chat_remembers_across_restarts_and_explains_itself(data_dir: Path) -> None:
    with FakeOpenAI(knows("FxStore needs Java 8.", "FxStore needs Java 17 [1].")) as server:
        first = run(
            "chat", "--conversation", "memory", "--data-dir", str(data_dir), server=server.base_url,
            stdin="Which Java does FxStore need?\n/why\n/sources\n/nonsense\n",
        )  # fmt: skip
        second = run(
            "chat", "--conversation", "memory", "--data-dir", str(data_dir), server=server.base_url,
            stdin="/why\nand in one word?\n/reset\n/why\n",
        )  # fmt: skip
        asked = server.requests
    assert first.returncode == second.returncode == 0, first.stderr + second.stderr
    assert "FxStore needs Java 17" in first.stdout
    assert "claims something" in first.stdout, "/why shows the verdicts"
    sources = first.stdout.split("you>")[3]
    assert "Requirements" in sources, "/sources names the section"
    assert "FxStore needs Java 17." in sources, "/sources quotes the passage"
    assert "/nonsense" in first.stdout
    assert "2 messages" in second.stdout
    assert "claims something" in second.stdout, "/why works after a restart"
    assert "There is no answer yet" in second.stdout, "/reset forgets"
    follow_up = json.dumps([request.body["messages"] for request in asked[2:]])
    assert "Which Java does FxStore need?" in follow_up


def test_mode_is_chosen_for_one_question_and_in_a_chat(data_dir: Path) -> None:
    def reviews(request: Recorded) -> Behaviour:
        if "ReviewReply" in json.dumps(request.body.get("response_format", "")):
            return Say({"reasoning": "fine", "status": "pass", "issues": [], "patched_answer": ""})
        return knows("FxStore needs Java 17.", "FxStore needs Java 17 [1].")(request)

    with FakeOpenAI(reviews) as server:
        given = ["--data-dir", str(data_dir)]
        question = "Which Java does FxStore need?"
        done = run("ask", "--json", "--mode", "careful", question, *given, server=server.base_url)
        talk = f"/mode\n/mode hasty\n/mode careful\n{question}\n/why\n"
        chat = run("chat", "--mode", "quick", *given, stdin=talk, server=server.base_url)
    answer = json.loads(done.stdout)
    assert (answer["mode"], answer["score"]) == ("careful", None)
    assert "review" in [step["step"] for step in answer["trace"]]
    shown = " ".join(chat.stdout.split())
    assert "Mode: quick" in shown
    assert "There is no mode hasty" in shown
    assert "Mode: careful" in shown
    assert "review" in shown.partition("Mode: careful")[2]


def test_documents_only_is_switched_on_in_a_chat(tmp_path: Path) -> None:
    (tmp_path / "none").mkdir()
    with FakeOpenAI(lambda _request: Say("Tokyo.")) as server:
        talk = "/settings\n/settings documents\nWhat is the capital of Japan?\n"
        given = ["--data-dir", str(tmp_path / "data"), "--corpus", str(tmp_path / "none")]
        shown = " ".join(run("chat", *given, stdin=talk, server=server.base_url).stdout.split())
        assert server.requests == []
    assert "General knowledge may answer too" in shown
    assert "Choose: /settings documents or /settings all" in shown
    assert "Answers come from the documents only" in shown
    assert "The documents do not say it. ? not verified" in shown, "there was nothing to read"


def test_chat_goes_on_when_the_database_cannot_be_written(corpus: Path, tmp_path: Path) -> None:
    def chat(stdin: str, server: str) -> subprocess.CompletedProcess[str]:
        return run(
            "chat", "--corpus", str(corpus), "--data-dir", str(tmp_path), server=server, stdin=stdin
        )  # fmt: skip

    with FakeOpenAI(knows("FxStore needs Java 8.", "FxStore needs Java 17 [1].")) as server:
        chat("/quit\n", server.base_url)
        with closing(sqlite3.connect(tmp_path / "thinktwice.sqlite3")) as database:
            # As a full disk does it, only on any machine and at once.
            database.execute(
                "CREATE TRIGGER full BEFORE INSERT ON messages BEGIN SELECT RAISE(ABORT, 'no space'); END"
            )
        asked = chat("Which Java does FxStore need?\n/why\n/sources\n/nonsense\n", server.base_url)
        later = chat("/why\n", server.base_url)
    assert asked.returncode == later.returncode == 0, asked.stderr + later.stderr
    _, answered, why, sources, nonsense, _ = asked.stdout.split("you>")
    assert "FxStore needs Java 17" in answered
    assert answered.count("The answer could not be saved: the database") == 1
    assert "no space" in answered
    assert "claims something" in why
    assert "FxStore needs Java 17." in sources
    assert "/nonsense" in nonsense
    assert "There is no answer yet" in later.stdout


def test_chat_answers_from_a_file_that_changes_meanwhile(tmp_path: Path) -> None:
    corpus, data = tmp_path / "docs", tmp_path / "data"
    corpus.mkdir()
    (corpus / "office.md").write_text("# Office\n\nThe office opens at 8:30.\n")
    with FakeOpenAI(knows("I do not know.", "The office opens at 9:45 [1].")) as server:
        words = ["chat", "--corpus", str(corpus), "--data-dir", str(data)]
        process = subprocess.Popen(
            [sys.executable, "-m", "bot.cli", *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=os.environ
            | {"THINKTWICE_MODEL": "openai:test-model", "OPENAI_BASE_URL": server.base_url}
            | {"OPENAI_API_KEY": "k", "THINKTWICE_KNOWLEDGE__WATCH_SECONDS": "0.5"},
        )
        assert process.stdin is not None
        assert process.stdout is not None
        seen = b""
        while b"you>" not in seen:
            seen += os.read(process.stdout.fileno(), 4096)
        (corpus / "office.md").write_text("# Office\n\nThe office opens at 9:45.\n")
        deadline = time.monotonic() + SECONDS
        with closing(Store(data)) as store:
            while store.state().generation < 2:
                assert time.monotonic() < deadline
                time.sleep(0.02)
        rest, _ = process.communicate(b"When does the office open?\n", timeout=SECONDS)
        asked = json.dumps([request.body["messages"] for request in server.requests])
    assert process.returncode == 0
    assert "9:45" in rest.decode()
    assert "9:45" in asked
    assert "8:30" not in asked


def test_ctrl_c_leaves_at_the_prompt_and_costs_no_answer_that_was_shown(data_dir: Path) -> None:
    words = ["chat", "--conversation", "stopped", "--data-dir", str(data_dir)]
    environment = dict(os.environ) | {"THINKTWICE_MODEL": "openai:test-model"}
    with (
        FakeOpenAI(knows("FxStore needs Java 17.", "never", read="Java 17")) as server,
        closing(sqlite3.connect(data_dir / "thinktwice.sqlite3", isolation_level=None)) as database,
    ):
        process = subprocess.Popen(
            [sys.executable, "-m", "bot.cli", *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment | {"OPENAI_BASE_URL": server.base_url, "OPENAI_API_KEY": "k"},
        )
        assert process.stdin is not None
        assert process.stdout is not None

        def read_until(words: bytes, seen: bytes = b"") -> None:
            while words not in seen:
                piece = os.read(process.stdout.fileno(), 4096)  # type: ignore[union-attr]  # see above
                assert piece, seen
                seen += piece

        read_until(b"you>")
        database.execute("BEGIN IMMEDIATE")  # the answer waits to be stored
        process.stdin.write(b"Which Java does FxStore need?\n")
        process.stdin.flush()
        read_until(b"needs Java 17")
        process.send_signal(signal.SIGINT)
        read_until(b"you>")
        database.execute("ROLLBACK")
        stored, deadline = (
            "SELECT 1 FROM messages WHERE conversation_id = 'stopped'",
            time.monotonic() + SECONDS,
        )
        while not database.execute(stored).fetchall():
            assert time.monotonic() < deadline
        process.send_signal(signal.SIGINT)
        rest, errors = process.communicate(timeout=60)
    assert process.returncode == 0, errors.decode()
    assert b"The conversation is saved" in rest
    again = run(*words, stdin="/quit\n", server="http://127.0.0.1:9/v1")
    assert "2 messages" in again.stdout
