"""``thinktwice ask`` in a real process: the answer, its form as JSON, and what failing servers do to it."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from tests.support.command_line import knows, one_sentence, run
from tests.support.loopback import Recorded
from tests.support.servers import Behaviour, Fail, FakeOpenAI, Hang, Raw, Say


def _ask(server: FakeOpenAI, data_dir: Path) -> subprocess.CompletedProcess[str]:
    """Ask which Java FxStore needs, with `server` as the model, and print JSON."""
    question = "Which Java does FxStore need?"
    return run("ask", "--json", question, "--data-dir", str(data_dir), server=server.base_url)


def test_ask_json_prints_one_object_in_the_documented_form(corpus: Path, data_dir: Path) -> None:
    with FakeOpenAI(knows("FxStore needs Java 8.", "FxStore needs Java 17 [1].")) as server:
        done = _ask(server, data_dir)
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
    assert (answer["usage"]["cost"], answer["usage"]["unpriced_calls"]) == (None, 2), "no price was given"
    assert answer["savings"]["calls"] == 2, "evidence decided on the draft and on the answer"
    assert answer["usage"]["calls"] == len(server.requests) == 2
    assert set(answer["usage"]["by_role"]) == {"draft", "writer"}
    assert all(set(step) == {"step", "ms", "detail", "code", "values", "notes"} for step in answer["trace"])
    assert [step["step"] for step in answer["trace"]][-2:] == ["evaluate", "read"]


def test_right_draft_is_confirmed_by_the_documents_without_another_call(data_dir: Path) -> None:
    with FakeOpenAI(knows("FxStore needs Java 17.", "never")) as server:
        done = _ask(server, data_dir)
        assert len(server.requests) == 1
    answer = json.loads(done.stdout)
    assert (answer["label"], answer["used_documents"], answer["retries"]) == ("verified", False, 0)
    assert answer["citations"][0]["quote"]


@pytest.mark.parametrize("options", [[], ["-v"]], ids=["plain", "verbose"])
def test_plain_ask_shows_answer_label_and_sources(data_dir: Path, options: list[str]) -> None:
    with FakeOpenAI(knows("I don't know.", "You have 28 days of paid leave a year [1].")) as server:
        done = run(
            "ask",
            *options,
            "How many days of paid leave do we have?",
            "--data-dir",
            str(data_dir),
            server=server.base_url,
        )
    assert "28 days" in done.stdout
    assert "verified against the documents" in done.stdout
    assert "Leave" in done.stdout
    assert ("Reading the documents" in done.stderr) is bool(options), "steps are told to who asks for them"


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
    assert answer["label"] == "verified", "the reader needs no server"
    assert answer["answer"].startswith("“FxStore needs **Java 17**.")
    assert answer["citations"][0]["n"] == 1
    assert "127.0.0.1:9" in one_sentence(done)


@pytest.mark.parametrize(
    ("behaviour", "says"),
    [
        pytest.param(Fail(401, "no"), "OPENAI_API_KEY", id="wrong key"),
        pytest.param(Fail(404, "no such model"), "test-model", id="unknown model"),
        pytest.param(Hang(), "did not answer", id="slow server"),
        pytest.param(Raw(b"<html>gateway</html>", "text/html"), "no chat reply", id="garbage"),
    ],
)
def test_failing_server_is_one_sentence_and_the_passages(
    data_dir: Path, behaviour: Behaviour, says: str
) -> None:
    with FakeOpenAI([behaviour]) as server:
        done = run(
            "ask", "--json", "Which Java does FxStore need?", "--data-dir", str(data_dir), server=server.base_url,
            THINKTWICE_MODELS__TIMEOUT_SECONDS="1", THINKTWICE_MODELS__ATTEMPTS="1",
        )  # fmt: skip
    assert done.returncode == 0
    assert says in one_sentence(done)
    assert "a-key" not in done.stdout + done.stderr
    assert "Java 17" in json.loads(done.stdout)["answer"]


def test_failing_server_and_nothing_to_show_is_an_exit_code(data_dir: Path) -> None:
    with FakeOpenAI([Fail(401, "no")]) as server:
        done = run("ask", "--json", "Good morning!", "--data-dir", str(data_dir), server=server.base_url)
    assert done.returncode == 4
    assert json.loads(done.stdout)["label"] == "unverified"


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
