"""What each free check leads to, in the loop and before any model has judged."""

from __future__ import annotations

import pytest

from rag.models.chat import Completion
from rag.models.scripted import Reply
from rag.values import FinishReason, Question
from tests.support.loop import MemoryCorpus, engine, purposes, scripted

pytestmark = pytest.mark.usefixtures("no_blocking")

THANKS = Question("Thanks a lot!", language="en")
RUSSIAN = "Пожалуйста, обращайтесь в любое время, всегда рад помочь вам с этим вопросом."


def said(text: str, finish_reason: FinishReason = "stop") -> Completion:
    return Completion(text, finish_reason, 10, 10, "scripted", 0.0)


@pytest.mark.parametrize(
    ("drafts", "asked", "text"),
    [
        pytest.param(
            [RUSSIAN, "You are welcome."], ["draft", "draft"], "You are welcome.", id="wrong language"
        ),
        pytest.param(
            ["You are 不 welcome.", "You are welcome."],
            ["draft", "draft"],
            "You are welcome.",
            id="foreign letters",
        ),
        pytest.param(["You are welcоme."], ["draft"], "You are welcome.", id="look-alike letters"),
        pytest.param(
            [said("You are welcome. Come", "length")],
            ["draft", "continue"],
            "You are welcome. Come back.",
            id="cut",
        ),
        pytest.param(
            ["<think>Polite? Very.", "You are welcome."],
            ["draft", "draft"],
            "You are welcome.",
            id="thoughts only",
        ),
        pytest.param(["You are very welcome.</answer>"], ["draft"], "You are very welcome.", id="leftovers"),
        pytest.param(["You are **welcome."], ["draft"], "You are welcome.", id="markup"),
        pytest.param(
            [said("You are so welcome. " * 9, "length")], ["draft"], "You are so welcome.", id="loop"
        ),
        pytest.param(
            [said("You are" + " so very" * 40, "length"), "You are welcome."],
            ["draft", "draft"],
            "You are welcome.",
            id="loop without an end",
        ),
    ],
)
async def test_each_fault_has_its_consequence(drafts: list[Reply], asked: list[str], text: str) -> None:
    model = scripted(draft=drafts, **{"continue": "Come back."})
    answer = await engine(model).answer(THANKS)
    assert (answer.text, purposes(model)) == (text, asked)


async def test_a_title_in_its_own_language_is_judged_like_any_other_answer() -> None:
    asked = Question("Какой роман написала Маргарет Митчелл?", language="ru")
    model = scripted(draft="Gone with the wind.")
    answer = await engine(model, MemoryCorpus(()), evaluation_threshold=1.0).answer(asked)
    assert (answer.text, purposes(model)) == ("Gone with the wind.", ["draft", "judge"])


CAPITAL = Question("What is the capital of Peru?", language="en")


@pytest.mark.parametrize("void", ["", "…", "<think>Lima? Quito?"], ids=["empty", "dots", "thoughts"])
@pytest.mark.parametrize("corpus", [MemoryCorpus(()), MemoryCorpus()], ids=["no documents", "documents"])
async def test_what_says_nothing_never_goes_out(void: str, corpus: MemoryCorpus) -> None:
    model = scripted(draft=["Столица Перу — Лима, это знают все.", void, void], regenerate=void)
    wrong = await engine(model, corpus).answer(CAPITAL)
    model = scripted(draft=["", void, void], regenerate=void)
    answer = await engine(model, corpus).answer(CAPITAL)
    assert answer.text.startswith("Several attempts produced no usable answer.")
    assert ("FxStore needs Java 17." in answer.text) == (not corpus.is_empty)
    if corpus.is_empty:
        assert wrong.text == "Столица Перу — Лима, это знают все.", "in the wrong language, but an answer"
    else:
        assert wrong.text == answer.text


async def test_nothing_usable_to_small_talk_quotes_no_documents() -> None:
    answer = await engine(scripted(draft="…")).answer(THANKS)
    assert answer.text.startswith("Several attempts")
    assert answer.citations == ()
