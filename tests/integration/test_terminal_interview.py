"""``thinktwice interview`` as a user meets it: a real process, a real model server on loopback."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.support import programs
from tests.support.interviews import EVERYTHING, attentive_text, changes
from tests.support.loopback import Recorded
from tests.support.servers import Behaviour, FakeOpenAI, Say


def behave(request: Recorded) -> Behaviour:
    return Say(attentive_text(request.body["messages"][-1]["content"]))


def interview(data: Path, lines: list[str], *words: str) -> list[dict[str, Any]]:
    """The JSON objects that come of the lines."""
    done = run(data, lines, *words, "--json")
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def run(data: Path, lines: list[str], *words: str, script: Any = behave) -> Any:
    with FakeOpenAI(script) as server:
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
    assert [Path(path).suffix for path in exported["files"]] == [".docx", ".pdf", ".json", ".html"]
    assert all(Path(path).read_bytes() for path in exported["files"])
    assert finished["state"]["gate"]["ready_for_skeleton"]


def test_people_read_questions_reasons_and_numbered_choices(tmp_path: Path) -> None:
    done = run(tmp_path, [EVERYTHING, "/status", "/finish", "", "3"], "bug_report")
    assert "Which product or part of it is affected?" in done.stdout
    assert "Why I ask: It decides how soon somebody looks at it." in done.stdout
    assert "  3. It is a nuisance" in done.stdout
    assert "✓ version: 2.1" in done.stdout
    assert "Still missing:\n• severity" in done.stdout
    assert "the message holds nothing to read" in done.stdout
    assert "Everything is there." in done.stdout


def test_turn_is_explained(tmp_path: Path) -> None:
    done = run(tmp_path, ["/why", "the editor", "/why"], "bug_report")
    assert "Nothing has been said in this interview yet." in done.stdout
    assert "the editor\n\nWhat a model was asked:\n• Reading what was said: changes: 1" in done.stdout
    assert "• product: the editor, because you said “the editor”" in done.stdout
    _begun, nothing, _turn, told = interview(tmp_path, ["/why", "the editor", "/why"], "bug_report")
    assert nothing["sections"] == []
    assert told["said"] == "the editor"


@dataclass
class Confused:
    """A model whose first replies cannot be used."""

    replies: list[Behaviour]
    asked: list[str] = field(default_factory=list)

    def __call__(self, request: Recorded) -> Behaviour:
        self.asked.append(json.dumps(request.body["messages"], ensure_ascii=False))
        if self.replies:
            return self.replies.pop(0)
        # What is asked again comes behind what was asked first.
        shown = next(m["content"] for m in request.body["messages"] if "<last_message>" in m["content"])
        return Say(attentive_text(shown))


FORBIDDEN = changes({"/product": "the editor"})
FORBIDDEN["patch"]["ops"][0]["path"] = "/meta/status"
UNUSABLE = {
    "prose": Say("Sure, I have noted the editor!"),
    "two objects": Say('{"step": "INTERPRET"} {"step": "INTERPRET"}'),
    "another step": Say({**changes(), "step": "GATE_CHECK"}),
}


@pytest.mark.parametrize(
    "reply",
    [Say(changes({"/severity": "enormous"})), Say(FORBIDDEN)],
    ids=["a value that the schema forbids", "a path outside the domain"],
)
def test_reply_that_goes_beyond_the_schema_is_asked_for_again_once_and_then_left_out(
    tmp_path: Path, reply: Behaviour
) -> None:
    mended = Confused([reply])
    done = run(tmp_path, ["the editor, enormous", "/why"], "bug_report", script=mended)
    assert "product: the editor, because you said “the editor”" in done.stdout
    assert len(mended.asked) == 2
    stubborn = Confused([reply] * 2)
    done = run(tmp_path, ["the editor, enormous", "/quit"], "bug_report", "--json", script=stubborn)
    _, went_on = (json.loads(line) for line in done.stdout.splitlines())
    assert len(stubborn.asked) == 2
    assert went_on["state"]["domain"] == {}
    assert went_on["state"]["meta"]["status"] == "collecting"
    assert went_on["next_action"]["kind"] == "ask_user"


@pytest.mark.parametrize("reply", UNUSABLE.values(), ids=UNUSABLE)
def test_reply_that_cannot_be_used_is_asked_for_again_twice_and_then_the_message_waits(
    tmp_path: Path, reply: Behaviour
) -> None:
    mended = Confused([reply, reply])
    done = run(tmp_path, ["the editor, enormous", "/why"], "bug_report", script=mended)
    assert "product: the editor, because you said “the editor”" in done.stdout
    assert "replies that could not be used and were asked for again: 2" in done.stdout
    assert len(mended.asked) == 3
    # The model is told what is wrong with its reply.
    assert len(mended.asked[0]) < len(mended.asked[1])

    hopeless = Confused([reply] * 3)
    lines = ["the editor, enormous", "/why", "2.1", "/export", "/quit"]
    done = run(tmp_path, lines, "bug_report", "--json", script=hopeless)
    begun, halted, told, went_on, exported = (json.loads(line) for line in done.stdout.splitlines())
    assert len(hopeless.asked) == 4
    assert halted["next_action"]["kind"] == "halt_error"
    assert halted["state"] == begun["state"]
    assert "Your message is kept" in str(told["sections"])
    # The next message takes the one that waited along; what the model had written is kept.
    assert went_on["state"]["domain"] == {"product": "the editor", "version": "2.1"}
    (failed,) = (event for event in exported["events"] if event["type"] == "turn_failed")
    assert sum("raw" in entry for entry in failed["trace"]) == 3


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
