"""The loop where models are away, refuse, or write what cannot be sent: what goes out instead."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rag.errors import ModelRejectedError, ModelReplyError, ModelUnavailableError
from rag.models.scripted import Reply
from rag.reasons import Reason
from rag.settings import Models
from rag.values import Question
from rag.verifier.scripted import ScriptedVerifier
from tests.support.loop import QUESTION, MemoryCorpus, engine, finds_java, purposes, scripted

pytestmark = pytest.mark.usefixtures("no_blocking")


async def test_no_model_at_all_quotes_the_best_passages_and_says_so(verdicts: list[str]) -> None:
    dead = ModelUnavailableError("nobody listens at 127.0.0.1:9: is it running?")
    answer = await engine(scripted(draft=dead, regenerate=dead)).answer(QUESTION)
    assert answer.label == "unverified"
    assert "FxStore needs Java 17." in answer.text
    assert "No language model" in answer.text
    assert [citation.document for citation in answer.citations] == ["guide1.md", "guide2.md"]
    assert answer.failure is not None
    assert answer.failure.kind == "unavailable"
    assert "nobody listens" in str(answer.verdict.reason)


async def test_machine_without_a_chat_model_quotes_and_does_not_speak_of_one(verdicts: list[str]) -> None:
    none = ModelUnavailableError(Reason("model-missing"))
    quoting = engine(scripted(draft=none, regenerate=none))
    answer = await quoting.answer(QUESTION)
    assert answer.label == "unverified"
    assert answer.text.startswith("Closest in the documents:")
    assert "FxStore needs Java 17." in answer.text
    assert "No language model" in (await quoting.answer(Question("Hello!"))).text


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("model-declined", "The language model declined to answer"),
        ("model-filtered", "The language model declined to answer"),
        ("model-tool", "The language model tried to use a tool"),
    ],
)
async def test_reply_that_is_no_answer_is_said_as_what_it_is(
    code: str, said: str, verdicts: list[str]
) -> None:
    about = {"model": "openai:m", "error": "I can't help with that."}
    no_answer = ModelReplyError(Reason(code, about))
    answer = await engine(scripted(draft=no_answer, regenerate=no_answer)).answer(QUESTION)
    assert answer.text.startswith(said)
    assert "No language model" not in answer.text
    assert "“FxStore needs Java 17.” [1]" in answer.text
    sure = engine(scripted(draft=no_answer, regenerate=no_answer), verifier=finds_java(None))
    found = await sure.answer(QUESTION)
    assert (found.label, found.text.startswith(said)) == ("verified", True)


@pytest.mark.parametrize(
    ("question", "begins", "cited"),
    [
        (QUESTION, "The allowance for today is used up", ["guide1.md", "guide2.md"]),
        (Question("Какая версия Java нужна для FxStore?"), "Дневной лимит здесь исчерпан", ["guide1.md", "guide2.md"]),
        (Question("Hello!"), "The allowance for today is used up", []),
    ],
    ids=["question", "another language", "small talk"],
)  # fmt: skip
async def test_question_whose_day_is_spent_is_answered_by_passages_and_asks_no_model(
    question: Question, begins: str, cited: list[str]
) -> None:
    model = scripted()
    answer = await engine(model).answer(replace(question, quote_only=True))
    assert answer.text.startswith(begins)
    assert [citation.document for citation in answer.citations] == cited
    assert ("“FxStore needs Java 17.” [1]" in answer.text) is bool(cited)
    assert (answer.label, answer.failure, answer.usage.calls) == ("unverified", None, 0)
    assert purposes(model) == []


async def test_refused_key_is_told_apart_from_a_dead_server(verdicts: list[str]) -> None:
    refused = ModelRejectedError("the key was refused: check OPENAI_API_KEY")
    answer = await engine(scripted(draft=refused, regenerate=refused)).answer(QUESTION)
    assert answer.failure is not None
    assert answer.failure.kind == "rejected"


async def test_no_model_says_so_in_the_language_of_the_question(verdicts: list[str]) -> None:
    dead = ModelUnavailableError("down")
    answer = await engine(scripted(draft=dead, regenerate=dead)).answer(
        Question("Какая версия Java нужна для FxStore?")
    )
    assert "языковая модель" in answer.text


async def test_other_model_writes_from_documents_when_the_drafting_one_is_down(
    verdicts: list[str],
) -> None:
    verdicts[:] = ["cited"]
    other = Models(writer="ollama:other")
    product = engine(scripted(draft=ModelUnavailableError("down")), model_settings=other)
    answer = await product.answer(QUESTION)
    assert answer.text == "It needs Java 17 [1]."
    assert answer.failure is None


@pytest.mark.parametrize("error", [ModelUnavailableError("down"), ModelRejectedError("no such key")])
async def test_model_that_just_failed_is_not_waited_for_again_until_the_next_question(
    verdicts: list[str], error: Exception
) -> None:
    verdicts[:] = ["cited"]
    model = scripted(draft=[error, "It needs Java 17."])
    product = engine(model)
    failed = await product.answer(QUESTION)
    assert purposes(model) == ["draft"], "its writer is the same model"
    assert failed.failure is not None
    assert (await product.answer(QUESTION)).label == "verified"


async def test_texts_that_cannot_be_sent_leave_the_passages_to_the_reader(verdicts: list[str]) -> None:
    verdicts[:] = ["needs_docs", "faulty", "faulty"]
    model = scripted(draft="I do not know that.")
    answer = await engine(model).answer(Question("Какая версия Java нужна для FxStore?"))
    assert purposes(model) == ["draft", "regenerate", "regenerate"]
    assert answer.text.startswith("После нескольких попыток")
    assert "“FxStore needs Java 17.” [1]" in answer.text
    assert answer.label == "unverified", "no usable text says that the documents lack it"


async def test_text_that_only_stops_too_early_is_still_sent(verdicts: list[str]) -> None:
    verdicts[:] = ["needs_docs", "cut", "cut"]
    answer = await engine(scripted(draft="I do not know that.")).answer(QUESTION)
    assert "It needs Java 17" in answer.text
    assert answer.label == "unverified"


async def test_model_that_dies_during_a_correction_leaves_the_best_answer_so_far(
    verdicts: list[str],
) -> None:
    verdicts[:] = ["needs_docs", "needs_docs"]
    replies: list[Reply] = ["The documents do not say.", ModelUnavailableError("down")]
    answer = await engine(scripted(regenerate=replies)).answer(QUESTION)
    assert answer.text.startswith("The documents do not say.")
    assert answer.label == "not_in_documents"


@pytest.mark.parametrize("draft_says", ["needs_docs", "hallucination"])
async def test_writer_that_never_read_the_passages_leaves_them_to_the_reader(
    verdicts: list[str], draft_says: str
) -> None:
    verdicts[:] = [draft_says]
    answer = await engine(scripted(regenerate=ModelUnavailableError("down"))).answer(QUESTION)
    assert "FxStore needs Java 17." in answer.text
    assert answer.label == "unverified", "nobody has looked whether the documents hold it"
    assert answer.citations


@pytest.mark.parametrize("away", ["draft", "regenerate"])
async def test_what_the_verifier_found_for_sure_is_verified_without_a_chat_model(
    verdicts: list[str], away: str
) -> None:
    verdicts[:] = ["needs_docs"]
    dead = ModelUnavailableError("down")
    model = scripted(draft=dead if away == "draft" else "I do not know that.", regenerate=dead)
    answer = await engine(model, verifier=ScriptedVerifier({"Java": "Java 17"})).answer(QUESTION)
    assert answer.label == "verified"
    assert [citation.document for citation in answer.citations] == ["guide1.md"]
    assert answer.failure is not None


async def test_no_documents_and_no_model_are_not_documents_that_lack_it(verdicts: list[str]) -> None:
    verdicts[:] = ["needs_docs"]
    model = scripted(draft="I do not know that.")
    assert (await engine(model, MemoryCorpus(())).answer(QUESTION)).label == "unverified"
