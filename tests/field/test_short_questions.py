"""Questions of two to five words, written by hand: `short_questions.tsv`. No bound was chosen by the last 35."""

from __future__ import annotations

from pathlib import Path

import pytest

from rag.language.detect import language_name
from rag.steps.classify import classify
from rag.values import Question, Turn
from rag.verifier.scripted import ScriptedVerifier
from tests.support.loop import MemoryCorpus, engine, purposes, scripted

LINES = Path(__file__).with_name("short_questions.tsv").read_text(encoding="utf-8").splitlines()
QUESTIONS = [(language, text) for language, _, text in (line.partition("\t") for line in LINES)]


@pytest.mark.parametrize(
    ("earlier", "is_spoken", "least"),
    [
        pytest.param("", False, 68, id="nothing is known"),
        pytest.param("", True, 72, id="the program's language"),
        pytest.param("Как дела?", False, 64, id="another language before"),
    ],
)
def test_language_of_short_questions(earlier: str, is_spoken: bool, least: int) -> None:
    history = (Turn("user", earlier),) if earlier else ()
    wrong = [
        (language, text, found)
        for language, text in QUESTIONS
        if (found := classify(Question(text, history, spoken=language if is_spoken else "")).language)
        != language
    ]
    assert len(QUESTIONS) - len(wrong) >= least, wrong


@pytest.mark.parametrize(("language", "text"), QUESTIONS[1::4])
async def test_documents_are_written_from_in_the_language_of_the_question(language: str, text: str) -> None:
    model = scripted(draft="I do not know that, it is not something I can say.", regenerate="17 [1].")
    verifier = ScriptedVerifier({text: "Java 17"})
    answer = await engine(model, MemoryCorpus(), verifier=verifier).answer(Question(text, spoken=language))
    assert answer.language == language
    if language != "en":
        assert purposes(model)[:2] == ["draft", "regenerate"], "the draft is in English"
        assert language_name(language) in model.requests[1].instructions + model.requests[1].messages[-1].text
