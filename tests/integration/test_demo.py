"""``make demo`` says in the end whether it went well, and its exit code says the same."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.support import programs
from tests.support.servers import Behaviour, Fail, FakeOpenAI, Recorded, Say
from tools.demo import QUESTIONS


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
