"""``make demo`` says in the end whether it went well, and its exit code says the same."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from bot.texts import TEXTS
from tests.support import programs
from tests.support.councils import behave, stage_of, whole_text
from tests.support.loopback import Recorded
from tests.support.servers import Behaviour, Fail, FakeOpenAI, Say
from tools import demo_council
from tools.demo import QUESTIONS

DEMO_SEATS = demo_council.SETTINGS["council"]["seats"]


def demo(folder: Path, server: FakeOpenAI) -> subprocess.CompletedProcess[str]:
    """The demo about a small corpus."""
    corpus = folder / "corpus"
    corpus.mkdir()
    (corpus / "java.md").write_text("# FxStore\n\nFxStore needs Java 17.\n", encoding="utf-8")
    given = {
        "THINKTWICE_DATA_DIR": str(folder / "data"),
        "THINKTWICE_CORPUS": str(corpus),
        "THINKTWICE_MODEL": "openai:test-model",
        "THINKTWICE_MODELS__ATTEMPTS": "1",
        "OPENAI_BASE_URL": server.base_url,
        "OPENAI_API_KEY": "a-key",
    }
    return programs.run(variables=programs.environment(**given), call="tools.demo:main")


def judging(request: Recorded) -> Behaviour:
    if "response_format" in request.body:
        return Say({"answer_quality": "adequate", "reason": "fine", "confidence": 0.9, "query": "other"})
    return Say("That is a good question.")


@pytest.mark.parametrize(
    ("behaviour", "code", "sentence"),
    [
        (judging, 0, f"All {len(QUESTIONS)} questions were answered: "),
        (
            lambda _: Fail(500),
            4,
            (
                f"The model failed on {len(QUESTIONS)} of {len(QUESTIONS)} questions "
                f"({', '.join(str(number) for number in range(1, len(QUESTIONS) + 1))})"
            ),
        ),
    ],
    ids=["a model that answers", "a model that fails"],
)
def test_demo_ends_with_a_sentence_and_an_exit_code(
    tmp_path: Path, behaviour: object, code: int, sentence: str
) -> None:
    with FakeOpenAI(behaviour) as server:  # type: ignore[arg-type]  # pytest's parameters have no type
        done = demo(tmp_path, server)

    assert done.returncode == code, done.stderr
    assert sentence in " ".join(done.stdout.split())


def test_demo_of_the_council_shows_every_stage(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The seats are those of ``make demo-council``, with a scripted model in the place of the embedded one."""
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    (corpus / "java.md").write_text("# Think Twice\n\nThink Twice makes at most two corrections.\n", "utf-8")
    scripted = {name: {**seat, "model": f"openai:{name}"} for name, seat in DEMO_SEATS.items()}
    monkeypatch.setitem(demo_council.SETTINGS["council"], "seats", scripted)
    monkeypatch.setattr(sys, "argv", ["demo_council"])
    with FakeOpenAI(behave) as server:
        given = {
            "THINKTWICE_DATA_DIR": str(tmp_path / "data"),
            "THINKTWICE_CORPUS": str(corpus),
            "THINKTWICE_MODEL": "openai:exact",
            "OPENAI_BASE_URL": server.base_url,
            "OPENAI_API_KEY": "a-key",
        }
        for name, value in given.items():
            monkeypatch.setenv(name, value)
        with pytest.raises(SystemExit) as ended:
            demo_council.main()
    said, complaint = capsys.readouterr()
    assert not ended.value.code, complaint
    for name in DEMO_SEATS:
        assert said.count(f"{name} (openai:{name})") >= 3, "each stage shows what the member did"
    for stage in ("stage1", "stage2", "stage2-5"):
        assert TEXTS.text(f"council-{stage}-title", "en") in said
    assert TEXTS.text("council-table", "en") in said
    assert "The council took" in said
    proposals = [asked.body for asked in server.requests if stage_of(whole_text(asked)) == "propose"]
    assert {body["model"]: body["temperature"] for body in proposals} == {
        name: seat["temperature"] for name, seat in DEMO_SEATS.items()
    }
