from __future__ import annotations

import pytest

from bot.texts import TEXTS
from rag.engine import accepted
from rag.errors import InputError
from tests.support.loop import QUESTION, engine, scripted


@pytest.mark.parametrize(
    ("text", "read"),
    [
        pytest.param(" What is it?\n", "What is it?", id="white space"),
        pytest.param("ig\u200bnore\u202e it\U000e0041?", "ignore it?", id="characters nobody sees"),
        pytest.param("a\n\n\n\n\nb", "a\n\nb", id="blank lines"),
        pytest.param("Que\u0301", "Qué", id="composed"),
    ],
)
def test_question_is_what_a_reader_sees(text: str, read: str) -> None:
    assert accepted(text, 100) == read


def test_question_that_nobody_sees_is_empty() -> None:
    with pytest.raises(InputError, match="is empty: it holds only characters that nobody sees"):
        accepted("\u200b\u200d\u2060\ufeff", 100)


@pytest.mark.usefixtures("no_blocking")
async def test_nothing_is_read_from_a_file_while_somebody_waits_for_an_answer() -> None:
    draft = "FxStore is a shop, and it needs Java 17 for all that it does and will do."
    answer = await engine(scripted(draft=draft), mode="careful").answer(QUESTION)
    assert "review" in [step.step for step in answer.trace]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (" ", "напишите, что вы хотите узнать"),
        ("x" * 9_001, "в вопросе 9\xa0001 символов, а допускается 100"),
        ("\x00", "отправьте его простым текстом"),
        ("\u200b", "только невидимые символы"),
    ],
    ids=["empty", "too long", "not text", "invisible"],
)
def test_refused_question_is_explained_in_the_language_of_the_reader(text: str, words: str) -> None:
    with pytest.raises(InputError) as caught:
        accepted(text, 100)
    assert words in TEXTS.reason(caught.value.reason, "ru")
