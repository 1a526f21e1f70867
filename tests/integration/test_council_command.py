"""``thinktwice council`` and what belongs to it: a real process, a real server on loopback."""

from __future__ import annotations

import json
import subprocess
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.support import programs
from tests.support.councils import MEMBERS, VARIABLES, behave, stage_of, whole_text
from tests.support.loopback import Recorded
from tests.support.servers import Behaviour, Fail, FakeOpenAI, HangUp, Say

QUESTION = "Which Java does FxStore need?"


@pytest.fixture(scope="module")
def data_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    corpus, folder = tmp_path_factory.mktemp("corpus"), tmp_path_factory.mktemp("data")
    (corpus / "java.md").write_text("# FxStore\n\nFxStore needs Java 17.\n", encoding="utf-8")
    assert run("index", str(corpus), "--data-dir", str(folder)).returncode == 0
    return folder


def run(*words: str, server: str = "", **variables: str) -> subprocess.CompletedProcess[str]:
    if server:
        variables = {
            "OPENAI_BASE_URL": server,
            "OPENAI_API_KEY": "a-key",
            "THINKTWICE_MODEL": "openai:anna",
            **VARIABLES,
            **variables,
        }
    return programs.run(*words, variables=programs.environment(**variables))


def without(name: str) -> Callable[[Recorded], Behaviour]:
    """Members of whom one has a server that is down."""
    return lambda request: Fail(500) if request.body.get("model") == name else behave(request)


def test_readable_record_holds_every_stage_and_every_member(data_dir: Path) -> None:
    with FakeOpenAI(behave, models=MEMBERS) as server:
        done = run("council", QUESTION, "--data-dir", str(data_dir), server=server.base_url)
    assert done.returncode == 0, done.stderr
    for title in ("Stage 1: First Answers", "Stage 2: Reviews", "Stage 2.5: Self-Corrections"):
        assert title in done.stdout
    assert done.stdout.index("FxStore needs Java 17") < done.stdout.index("First Answers")
    for name in MEMBERS:
        assert f"So says {name}." in done.stdout
        assert f"{name} has corrected that." in done.stdout
    assert "ranks" in done.stdout
    assert "council was not complete" not in done.stdout
    assert done.stderr == ""


def test_json_is_the_answer_with_the_record(data_dir: Path) -> None:
    with FakeOpenAI(behave, models=MEMBERS) as server:
        done = run("council", QUESTION, "--json", "--data-dir", str(data_dir), server=server.base_url)
        asked = [stage_of(whole_text(request)) for request in server.requests]
    found: dict[str, Any] = json.loads(done.stdout)
    assert found["answer"].startswith("FxStore needs Java 17 [1].")
    council = found["council"]
    assert [one["model"] for one in council["stage1"]] == [f"openai:{name}" for name in MEMBERS]
    assert [one["is_changed"] for one in council["stage2_5"]] == [True] * 3
    assert council["stage3"]["seat"] == "anna"
    assert council["degraded"] == council["skipped"] == []
    assert set(found["usage"]["by_seat"]) == set(MEMBERS)
    assert found["usage"]["by_seat"]["boris"]["peer_review"]["calls"] == 1
    assert [asked.count(stage) for stage in ("propose", "peer_review", "self_correct", "conclude")] == [
        3,
        3,
        3,
        1,
    ]


def test_members_are_asked_at_the_same_time_in_each_stage(data_dir: Path) -> None:
    """The server answers nobody of a stage before all three have asked."""
    together = {stage: threading.Barrier(3) for stage in ("propose", "peer_review", "self_correct")}

    class Waiting(FakeOpenAI):
        def behaviour_for(self, request: Recorded) -> Behaviour:
            # Not under the lock of the server, which would let nobody else ask.
            if (barrier := together.get(stage_of(whole_text(request)))) is not None:
                barrier.wait(30)
            return behave(request)

    with Waiting(models=MEMBERS) as server:
        done = run("council", QUESTION, "--data-dir", str(data_dir), server=server.base_url)
    assert done.returncode == 0, done.stderr
    assert "not complete" not in done.stdout


def test_missing_member_is_told_before_the_answer(data_dir: Path) -> None:
    with FakeOpenAI(without("boris"), models=MEMBERS) as server:
        variables = {"THINKTWICE_MODELS__ATTEMPTS": "1"}
        done = run("council", QUESTION, "--data-dir", str(data_dir), server=server.base_url, **variables)
    assert done.stdout.index("The council was not complete: boris: no answer") < done.stdout.index("FxStore")


def test_review_that_is_repaired_counts(data_dir: Path) -> None:
    """Each member ranks wrongly at first and is told what to mend."""
    told: list[str] = []

    def script(request: Recorded) -> Behaviour:
        text = whole_text(request)
        if stage_of(text) == "peer_review" and "exactly once" not in text:
            return Say({"ranking": ["A", "A"], "critiques": []})
        if stage_of(text) == "peer_review":
            told.append(text)
        return behave(request)

    with FakeOpenAI(script, models=MEMBERS) as server:
        done = run("council", QUESTION, "--json", "--data-dir", str(data_dir), server=server.base_url)
    record = json.loads(done.stdout)["council"]
    assert len(told) == len(MEMBERS)
    assert all(review["ranking"] for review in record["stage2"])
    assert record["degraded"] == []


@pytest.mark.parametrize("stage", ["propose", "peer_review", "self_correct", "conclude"])
def test_fault_of_a_server_never_costs_the_answer(data_dir: Path, stage: str) -> None:
    """One fault, through the whole program; `test_council_faults` holds the table of all of them."""
    failing = "anna" if stage == "conclude" else "boris"

    def script(request: Recorded) -> Behaviour:
        is_meant = request.body.get("model") == failing and stage_of(whole_text(request)) == stage
        return HangUp() if is_meant else behave(request)

    with FakeOpenAI(script, models=MEMBERS) as server:
        done = run(
            *("council", QUESTION, "--json", "--data-dir", str(data_dir)),
            server=server.base_url,
            THINKTWICE_MODELS__ATTEMPTS="1",
        )
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    answer = json.loads(done.stdout)
    assert "Java 17" in answer["answer"]
    assert failing in {one["seat"] for one in answer["council"]["degraded"]}


def test_statistics_name_each_member(data_dir: Path) -> None:
    with FakeOpenAI(behave, models=MEMBERS) as server:
        run("council", QUESTION, "--data-dir", str(data_dir), server=server.base_url)
    done = run("stats", "--data-dir", str(data_dir))
    assert "By member of the council and stage" in done.stdout
    assert "boris, self_correct" in " ".join(done.stdout.split())


def test_models_shows_each_member_with_its_model_and_whether_it_answers(data_dir: Path) -> None:
    with FakeOpenAI(without("chen"), models=("anna", "boris")) as server:
        done = run("models", "--data-dir", str(data_dir), server=server.base_url)
    assert done.returncode == 4
    assert "✔ boris (openai:boris) at" in done.stdout
    assert "✘ chen (openai:chen) at" in done.stdout


@pytest.mark.parametrize(
    ("variables", "sentence"),
    [
        ({"THINKTWICE_COUNCIL__MEMBERS": "[]"}, "The council has no members. Name some in the setting"),
        ({"THINKTWICE_COUNCIL__MEMBERS": '["nobody:x"]'}, "names no model that is known ('nobody:x')"),
        ({"THINKTWICE_COUNCIL__MEMBERS": '["anna","anna"]'}, "anna is named twice"),
        ({"THINKTWICE_COUNCIL__CHAIRMAN": "nobody"}, "names no model that is known ('nobody')"),
    ],
)
def test_bad_settings_are_one_sentence(data_dir: Path, variables: dict[str, str], sentence: str) -> None:
    with FakeOpenAI(behave, models=MEMBERS) as server:
        done = run("council", QUESTION, "--data-dir", str(data_dir), server=server.base_url, **variables)
        assert server.requests == []
    assert done.returncode in {2, 3}
    assert "Traceback" not in done.stderr
    (line,) = (line for line in done.stderr.splitlines() if line.startswith("thinktwice: "))
    assert sentence in line


def test_nobody_answers(data_dir: Path) -> None:
    with FakeOpenAI(lambda _request: Fail(500), models=MEMBERS) as server:
        variables = {"THINKTWICE_MODELS__ATTEMPTS": "1"}
        done = run("council", QUESTION, "--data-dir", str(data_dir), server=server.base_url, **variables)
    assert done.returncode == 4
    assert done.stdout == ""
    (line,) = (line for line in done.stderr.splitlines() if line.startswith("thinktwice: "))
    assert "No member of the council answered." in line
