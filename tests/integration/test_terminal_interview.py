"""``thinktwice interview`` as a user meets it: a real process, a real model server on loopback."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.support import programs
from tests.support.interviews import FACTS, attentive_text
from tests.support.servers import Behaviour, FakeOpenAI, Recorded, Say

EVERYTHING = ", ".join(FACTS.values())


def behave(request: Recorded) -> Behaviour:
    return Say(attentive_text(request.body["messages"][-1]["content"]))


def interview(data: Path, lines: list[str], *words: str) -> list[dict[str, Any]]:
    """The JSON objects that come of the lines."""
    done = run(data, lines, *words, "--json")
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def run(data: Path, lines: list[str], *words: str) -> Any:
    with FakeOpenAI(behave) as server:
        variables = {
            "OPENAI_BASE_URL": server.base_url,
            "OPENAI_API_KEY": "a-key",
            "THINKTWICE_MODEL": "openai:test-model",
        }
        return programs.run(
            "interview",
            *words,
            "--data-dir",
            str(data),
            variables=programs.environment(**variables),
            stdin="".join(f"{line}\n" for line in lines),
        )


def test_interview_goes_on_in_another_process_and_is_finished(tmp_path: Path) -> None:
    begun, told, undone, again = interview(tmp_path, ["the editor", "/undo", EVERYTHING], "bug_report")
    assert set(begun) == {"session_id", "state", "next_action"}
    assert told["state"]["domain"] == {"product": "the editor"}
    assert undone["state"]["domain"] == {}
    assert again["next_action"]["ask_user"]["path"] == "/severity"
    resumed, ready, exported, finished = interview(
        tmp_path, ["2", f"/export {tmp_path}", "/finish", "never read"], "--session", begun["session_id"]
    )
    assert resumed["state"] == again["state"]
    assert ready["state"]["meta"]["status"] == "ready"
    assert all(Path(path).read_text(encoding="utf-8") for path in exported["files"])
    assert finished["state"]["gate"]["ready_for_skeleton"]


def test_people_read_questions_reasons_and_numbered_choices(tmp_path: Path) -> None:
    done = run(tmp_path, [EVERYTHING, "/status", "/finish", "", "3"], "bug_report")
    assert "Which product or part of it is affected?" in done.stdout
    assert "Why I ask: It decides how soon somebody looks at it." in done.stdout
    assert "  3. It is a nuisance" in done.stdout
    assert "✓ version: 2.1" in done.stdout
    assert "Still missing:\n  severity" in done.stdout
    assert "the message holds nothing to read" in done.stdout
    assert "Everything is there." in done.stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "name a mission pack (bug_report, contract_ru, onboarding)"),
        (("nonsense",), "there is no pack `nonsense`"),
        (("--session", "nonsense"), "there is no such interview"),
    ],
    ids=["no pack", "unknown pack", "unknown session"],
)
def test_what_cannot_be_held_is_one_sentence(tmp_path: Path, words: tuple[str, ...], said: str) -> None:
    done = run(tmp_path, [], *words)
    assert done.returncode == 2
    assert said in done.stderr
    assert "Traceback" not in done.stderr
