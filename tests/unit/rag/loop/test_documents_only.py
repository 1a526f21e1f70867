"""Answers from documents only: general knowledge is no answer, the conversation still is."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rag.errors import ModelUnavailableError
from rag.reasons import Reason
from rag.values import Label, Question, Turn, Verdict
from rag.verifier.scripted import ScriptedVerifier
from tests.support.loop import QUESTION, MemoryCorpus, engine, purposes, scripted

pytestmark = pytest.mark.usefixtures("no_blocking")

JAPAN = Question("What is the capital of Japan?")
KNOWS_JAVA = ScriptedVerifier({"Java": "Java 17"})
SAID = (Turn("user", "We use Postgres."), Turn("assistant", "Noted.", label="general"))


@pytest.mark.parametrize(
    ("corpus", "label"),
    [(MemoryCorpus(), "not_in_documents"), (MemoryCorpus([]), "unverified")],
    ids=["documents", "no documents"],
)
async def test_what_no_document_says_is_answered_so_without_a_model(
    corpus: MemoryCorpus, label: Label
) -> None:
    model = scripted(draft="Tokyo.")
    answer = await engine(model, corpus, documents_only=True).answer(JAPAN)
    assert purposes(model, with_readings=True) == []
    assert answer.label == label
    assert answer.text.startswith("The documents do not say it.")
    assert not answer.citations


async def test_what_the_documents_say_is_written_from_them(verdicts: list[str]) -> None:
    verdicts[:] = ["cited"]
    model = scripted()
    answer = await engine(model, verifier=KNOWS_JAVA, documents_only=True).answer(QUESTION)
    assert purposes(model) == ["regenerate"]
    assert (answer.text, answer.label) == ("It needs Java 17 [1].", "verified")


async def test_in_a_conversation_general_knowledge_is_not_sent(verdicts: list[str]) -> None:
    verdicts[:] = ["adequate"]
    model = scripted(draft="Tokyo.")
    answer = await engine(model, documents_only=True).answer(replace(JAPAN, history=SAID))
    assert purposes(model) == ["draft"]
    assert answer.label == "not_in_documents"
    assert answer.text == "The documents do not say it."
    assert "Tokyo" not in answer.unrefined


async def test_what_the_conversation_says_is_sent(verdicts: list[Verdict]) -> None:
    verdicts[:] = [Verdict("adequate", Reason("verdict-said"), 0.9, "evidence")]
    model = scripted(draft="You use Postgres.")
    answer = await engine(model, documents_only=True).answer(Question("What do we use?", SAID))
    assert (answer.text, answer.label) == ("You use Postgres.", "conversation")


async def test_small_talk_is_answered() -> None:
    answer = await engine(scripted(draft="Hello!"), documents_only=True).answer(Question("Hello"))
    assert (answer.text, answer.label) == ("Hello!", "general")


@pytest.mark.parametrize("by_setting", [False, True])
async def test_question_decides_before_the_setting(verdicts: list[str], by_setting: bool) -> None:
    verdicts[:] = ["adequate"]
    asked = replace(JAPAN, documents_only=not by_setting)
    answer = await engine(scripted(draft="Tokyo."), documents_only=by_setting).answer(asked)
    assert answer.label == ("general" if by_setting else "not_in_documents")


async def test_in_a_conversation_documents_that_nobody_read_are_not_said_to_lack_it(
    verdicts: list[str],
) -> None:
    verdicts[:] = ["adequate"]
    broken = ScriptedVerifier(error=ModelUnavailableError("away"))
    asked = replace(JAPAN, history=SAID)
    answer = await engine(scripted(draft="Tokyo."), verifier=broken, documents_only=True).answer(asked)
    assert (answer.text, answer.label) == ("The documents do not say it.", "unverified")


async def test_verifier_that_fails_does_not_mean_that_no_document_says_it(verdicts: list[str]) -> None:
    verdicts[:] = ["unchecked"]
    broken = ScriptedVerifier(error=ModelUnavailableError("away"))
    model = scripted()
    answer = await engine(model, verifier=broken, documents_only=True).answer(QUESTION)
    assert purposes(model) == ["regenerate"]
    assert answer.label == "unverified"
